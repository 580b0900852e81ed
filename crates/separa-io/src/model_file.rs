//! Model files from disk, looked at before they are read whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The longest header a container may have; longer ones are no containers.
const LONGEST: u64 = 100_000_000;
/// The length of the header, and the brace that opens it.
const HEAD: usize = 9;

/// The bytes of a model file. Where the first of them cannot begin a container (the file is of another
/// kind, or a device that never ends) they alone are returned, for the library to refuse.
pub fn read_model(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut bytes)?;
    if opens_container(&bytes) {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn opens_container(head: &[u8]) -> bool {
    let Some((length, [brace])) = head.split_first_chunk::<8>() else { return false };
    (1..=LONGEST).contains(&u64::from_le_bytes(*length)) && *brace == b'{'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_read_whole_and_anything_else_by_its_head() {
        let folder = tempfile::tempdir().unwrap();
        let read = |content: &[u8]| {
            let path = folder.path().join("m.separa");
            std::fs::write(&path, content).unwrap();
            read_model(&path).unwrap()
        };
        let whole = [&2_u64.to_le_bytes()[..], b"{}", &[7; 100]].concat();
        assert_eq!(read(&whole), whole);
        for other in [&b""[..], b"short", &[0; 100], &[255; 100], b"x1,x2\n1,2\n3,4\n5,6\n"] {
            assert_eq!(read(other), other[..other.len().min(HEAD)]);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_device_that_never_ends_is_left_after_its_head() {
        assert_eq!(read_model(Path::new("/dev/zero")).unwrap(), [0; HEAD]);
    }
}
