//! Which clusters come back when the rows change.

use super::columns::{self, left, right};
use super::{number, style};
use separa::stability::Stability;

/// Clusters shown; the rest is counted.
const SHOWN: usize = 12;

/// A line a cluster, then the rows that are uncertain.
pub fn describe(s: &Stability, thing: &str) -> String {
    let mut rows = Vec::new();
    for (c, jaccard) in s.jaccard.iter().enumerate().take(SHOWN) {
        let (word, trusted) = separa_report::comes_back(*jaccard);
        let colour = if trusted { style::GOOD } else { style::WARNING };
        rows.push(vec![
            left(format!("cluster {c}")),
            right(number::fraction(*jaccard)),
            left(word).styled(colour),
        ]);
    }
    if s.jaccard.len() > SHOWN {
        rows.push(vec![left(format!("{} more", s.jaccard.len() - SHOWN))]);
    }
    let title = style::paint(style::TITLE, "stability");
    let note =
        format!("mean Jaccard index over {} of half the rows", number::counted(s.refits, "refit"));
    format!(
        "\n{title} {}\n{}  {} agree less than {:.0} % of the time; mean agreement {}\n",
        style::paint(style::DIM, note),
        columns::align(&rows),
        number::counted(s.uncertain, thing),
        100.0 * Stability::SURE,
        number::percent(s.mean_agreement)
    )
}
