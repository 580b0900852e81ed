//! Agreement of two labellings by pairs of rows.

/// (Rand − expected) / (largest − expected) over pairs of rows (Hubert & Arabie 1985), from the rows of each label of one
/// labelling that have each label of the other. Two trivial labellings agree perfectly.
pub fn adjusted_rand(counts: &[Vec<f64>]) -> f64 {
    let pairs = |m: f64| m * (m - 1.0) / 2.0;
    let lines: Vec<f64> = counts.iter().map(|line| line.iter().sum()).collect();
    let columns = counts.first().map_or(0, Vec::len);
    let column = |c: usize| counts.iter().map(|line| line[c]).sum::<f64>();
    let both: f64 = counts.iter().flatten().copied().map(pairs).sum();
    let of_lines: f64 = lines.iter().copied().map(pairs).sum();
    let of_columns: f64 = (0..columns).map(column).map(pairs).sum();
    if both == of_lines && both == of_columns {
        return 1.0;
    }
    let expected = of_lines * of_columns / pairs(lines.iter().sum());
    (both - expected) / (0.5 * (of_lines + of_columns) - expected)
}

/// An agreement as a fraction of the way from what chance gives to 1.
pub fn beyond_chance(agreement: f64, chance: f64) -> f64 {
    (agreement - chance) / (1.0 - chance).max(f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adjusted_rand_index_is_hubert_and_arabies() {
        assert_eq!(adjusted_rand(&[vec![0.0, 2.0], vec![2.0, 0.0]]), 1.0);
        // scikit-learn 1.5: adjusted_rand_score([0, 0, 1, 2], [0, 0, 1, 1])
        let found = adjusted_rand(&[vec![2.0, 0.0], vec![0.0, 1.0], vec![0.0, 1.0]]);
        assert!((found - 0.571_428_571_428_571_4).abs() < 1e-12);
        assert!(adjusted_rand(&[vec![1.0, 1.0], vec![1.0, 1.0]]) < 0.0);
        assert_eq!(adjusted_rand(&[vec![4.0]]), 1.0);
    }
}
