//! Who may ask: this page in this browser, and nobody else.

use separa_serve::{Head, Problem};

/// The secret and the address that a request must know.
#[derive(Debug)]
pub struct Guard {
    token: String,
    hosts: Vec<String>,
}

/// 32 random bytes of the operating system as text.
pub fn token() -> std::io::Result<String> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Guard {
    pub fn new(token: String, port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")).into();
        Self { token, hosts }
    }

    /// Refuses what was not made by the page: another name for this address (a name that a stranger's server
    /// points here), another origin, no token.
    pub fn check(&self, head: &Head) -> Result<(), Problem> {
        let refused =
            |code, message: String, remedy: &str| Problem::new(403, code, message, remedy);
        let host = head.header("host").unwrap_or_default();
        if !self.hosts.iter().any(|known| known == host) {
            let message = format!("the request is for \"{host}\", expected {}", self.hosts[0]);
            return Err(refused("wrong-host", message, "open the address that separa printed"));
        }
        let origin = head.header("origin").filter(|origin| *origin != format!("http://{host}"));
        let site = head.header("sec-fetch-site").filter(|s| !["same-origin", "none"].contains(s));
        if let Some(other) = origin.or(site) {
            let message = format!("the request comes from another page (\"{other}\")");
            return Err(refused("wrong-origin", message, "use the page that separa opened"));
        }
        let given = head.header("x-separa-token").or_else(|| self.in_address(head));
        if given.is_some_and(|given| same(given, &self.token)) {
            return Ok(());
        }
        let message = "the token is missing or wrong".to_owned();
        Err(refused("wrong-token", message, "open the whole address that separa printed"))
    }

    /// Pages are opened by their address; everything else must send a header, which no other page can.
    fn in_address<'a>(&self, head: &'a Head) -> Option<&'a str> {
        let page = head.path() == "/" || head.path().starts_with("/report/");
        head.query().filter(|_| page)?.strip_prefix("token=")
    }
}

/// Takes as long for a guess that begins right as for any other.
fn same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (token().unwrap(), token().unwrap());
        assert_eq!((one.len(), one == other), (64, false));
        assert!(same(&one, &one) && !same(&one, &other) && !same(&one, &one[..63]));
    }
}
