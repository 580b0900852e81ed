//! What a pass adds up.

use crate::error::{Error, Result};

/// The first eight bytes of sums that travel between processes.
const MAGIC: &[u8; 8] = b"sepsums1";
/// The first row of a cluster that has none.
const NEVER: u64 = u64::MAX;

/// Sums over rows: plain numbers that add up, block by block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sums {
    /// Rows.
    pub rows: u64,
    /// Rows that took no part: outliers.
    pub apart: u64,
    /// Rows that took part and got another label than by the rule before.
    pub changed: u64,
    /// Rows of each label.
    pub sizes: Vec<u64>,
    /// The place of the first row of each label, `u64::MAX` if there is none.
    pub first: Vec<u64>,
    /// The method's own sums.
    pub values: Vec<f64>,
}

impl Sums {
    /// Sizes and first rows of these labels, below k or −1, with the method's own sums.
    pub fn of_labels(labels: &[i32], k: usize, values: Vec<f64>) -> Self {
        let (mut sizes, mut first) = (vec![0; k], vec![NEVER; k]);
        for (i, &label) in labels.iter().enumerate().filter(|(_, l)| **l >= 0) {
            let c = label as usize;
            sizes[c] += 1;
            first[c] = first[c].min(i as u64);
        }
        Self { rows: labels.len() as u64, apart: 0, changed: 0, sizes, first, values }
    }

    /// Adds the sums of the rows that follow.
    pub fn add(&mut self, later: &Self) -> Result<()> {
        if later.rows == 0 && later.values.is_empty() {
            return Ok(());
        }
        if self.rows == 0 && self.values.is_empty() {
            self.clone_from(later);
            return Ok(());
        }
        let lengths = |s: &Self| [s.sizes.len(), s.first.len(), s.values.len()];
        let (found, expected) = (lengths(later), lengths(self));
        if let Some(i) = (0..3).find(|&i| found[i] != expected[i]) {
            let (found, expected) = (found[i], expected[i]);
            let (what, of) = ("sums of a block", "sums of the blocks before");
            return Err(Error::Length { what, found, expected, of });
        }
        let before = self.rows;
        self.rows += later.rows;
        self.apart += later.apart;
        self.changed += later.changed;
        self.sizes.iter_mut().zip(&later.sizes).for_each(|(a, b)| *a += b);
        let firsts = self.first.iter_mut().zip(&later.first).filter(|(_, b)| **b != NEVER);
        firsts.for_each(|(a, b)| *a = (*a).min(before + b));
        self.values.iter_mut().zip(&later.values).for_each(|(a, b)| *a += b);
        Ok(())
    }

    /// The clusters by first appearance, those without rows last.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.first.len()).collect();
        order.sort_by_key(|&c| self.first[c]);
        order
    }

    /// As bytes, for another process.
    pub fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.rows, self.apart, self.changed, self.sizes.len() as u64];
        let mut out = MAGIC.to_vec();
        for word in counts.iter().chain(&self.sizes).chain(&self.first) {
            out.extend(word.to_le_bytes());
        }
        self.values.iter().for_each(|v| out.extend(v.to_le_bytes()));
        out
    }

    /// From [`Sums::to_bytes`]; other bytes give an error.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let wrong = || Error::Model("these bytes are no sums of a pass".into());
        let body = bytes.strip_prefix(MAGIC).filter(|b| b.len() % 8 == 0).ok_or_else(wrong)?;
        let words: Vec<[u8; 8]> =
            body.chunks_exact(8).map(|w| w.try_into().expect("eight bytes")).collect();
        let whole: Vec<u64> = words.iter().map(|w| u64::from_le_bytes(*w)).collect();
        let [rows, apart, changed, k, rest @ ..] = &whole[..] else { return Err(wrong()) };
        let k = usize::try_from(*k).ok().filter(|k| *k <= rest.len() / 2).ok_or_else(wrong)?;
        let values: Vec<f64> = words[4 + 2 * k..].iter().map(|w| f64::from_le_bytes(*w)).collect();
        if values.iter().any(|v| !v.is_finite()) {
            return Err(wrong());
        }
        let (sizes, first) = (rest[..k].to_vec(), rest[k..2 * k].to_vec());
        Ok(Self { rows: *rows, apart: *apart, changed: *changed, sizes, first, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_blocks_are_those_of_the_whole_and_survive_the_journey() {
        let mut whole = Sums::default();
        for (labels, value) in [(&[2, 2][..], 0.5), (&[], 0.0), (&[0, -1, 2], 0.25)] {
            let mut part = Sums::of_labels(labels, 4, vec![value]);
            part.apart = labels.iter().filter(|l| **l < 0).count() as u64;
            whole.add(&Sums::from_bytes(&part.to_bytes()).unwrap()).unwrap();
        }
        assert_eq!((whole.rows, whole.apart, &whole.sizes[..]), (5, 1, &[1, 0, 3, 0][..]));
        assert_eq!((whole.order(), &whole.values[..]), (vec![2, 0, 1, 3], &[0.75][..]));
        let other = Sums::of_labels(&[0], 4, vec![1.0, 2.0]);
        assert!(whole.add(&other).is_err());
    }

    #[test]
    fn bytes_that_are_no_sums_are_refused() {
        let good = Sums::of_labels(&[1], 2, vec![1.0]).to_bytes();
        let mut many = good.clone();
        many[32..40].fill(0xff);
        for bytes in [&b""[..], b"sepsums1", &good[..good.len() - 1], &good[1..], &many] {
            assert!(Sums::from_bytes(bytes).is_err());
        }
    }
}
