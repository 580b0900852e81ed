//! Probabilities of all clusters from the confidence in one.

/// Gives the label its confidence and the rest to the others, more to those with larger scores.
///
/// Given     scores, one per cluster; the confidence, above 1/k; the margin that a score is softened by.
/// Returns   p in place: Σ p = 1, p[label] = confidence, p[label] is the largest, the others in the order of their scores.
/// How       p_j ∝ exp((s_j − max s) / soft) among the others, mixed with an even share as little as is needed for none
///           of them to reach the label.
pub(super) fn spread(scores: &[f64], label: usize, confidence: f64, soft: f64, p: &mut [f64]) {
    let others = || (0..scores.len()).filter(move |&c| c != label);
    let best = others().map(|c| scores[c]).fold(f64::NEG_INFINITY, f64::max);
    others().for_each(|c| p[c] = ((scores[c] - best) / soft).exp());
    let total: f64 = others().map(|c| p[c]).sum();
    let rest = 1.0 - confidence;
    let (even, top) = (1.0 / others().count() as f64, 1.0 / total);
    let most = confidence * (1.0 - 1e-12);
    // (1 − mix) top + mix even = most / rest.
    let mix = match rest * top > most && top > even {
        true => ((top - most / rest) / (top - even)).clamp(0.0, 1.0),
        false => 0.0,
    };
    others().for_each(|c| p[c] = rest * ((1.0 - mix) * p[c] / total + mix * even));
    p[label] = confidence;
}
