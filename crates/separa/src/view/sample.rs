//! Which rows are drawn.

use separa_math::rng::Rng;

/// The stream of random numbers that samples are drawn from.
const TASK: u64 = 0x5EE;

/// About `most` places in ascending order: of each cluster its fraction, but not so few that it is lost.
pub fn draw(labels: &[i32], k: usize, most: usize, seed: u64) -> Vec<usize> {
    let n = labels.len();
    if n <= most {
        return (0..n).collect();
    }
    // The last list is for outliers.
    let mut members = vec![Vec::new(); k + 1];
    for (i, c) in labels.iter().enumerate() {
        members[usize::try_from(*c).unwrap_or(k).min(k)].push(i);
    }
    let least = most / (4 * (k + 1));
    let mut rows = Vec::with_capacity(most + most / 4);
    for (c, group) in members.iter().enumerate() {
        let share = (group.len() as f64 / n as f64 * most as f64).round() as usize;
        let count = share.max(least).min(group.len());
        let drawn = Rng::new(seed, TASK + c as u64).sample(group.len(), count);
        rows.extend(drawn.into_iter().map(|r| group[r]));
    }
    rows.sort_unstable();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_small_table_is_drawn() {
        assert_eq!(draw(&[0, 1, -1, 0], 2, 10, 0), [0, 1, 2, 3]);
    }

    #[test]
    fn small_groups_are_not_lost_and_the_seed_decides() {
        // One row in a thousand is of group 1, one in five hundred is an outlier.
        let labels: Vec<i32> = (0..100_000)
            .map(|i| {
                if i % 1000 == 7 {
                    1
                } else if i % 500 == 3 {
                    -1
                } else {
                    0
                }
            })
            .collect();
        let rows = draw(&labels, 2, 2_000, 1);
        let of = |c: i32| rows.iter().filter(|i| labels[**i] == c).count();
        assert_eq!(of(1), 100, "all of them: 166 would be allowed");
        assert_eq!(of(-1), 166);
        assert!(rows.len() <= 2_500 && rows.is_sorted_by(|a, b| a < b));
        assert_eq!(rows, draw(&labels, 2, 2_000, 1));
        assert_ne!(rows, draw(&labels, 2, 2_000, 2));
    }
}
