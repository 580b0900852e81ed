//! The nearest point of a simplex.

/// Projects `v` onto the simplex, or onto the part of it below a cap.
///
/// Problem   min ½‖x − v‖²  s.t.  0 ≤ x ≤ cap, 1ᵀx = 1.      Given  v, and cap ≥ 1/n (∞ for none).
/// Returns   x in place: x = clamp(v − θ, 0, cap) for the one θ that gives the sum.
/// Cost      O(n log n), exact up to rounding.      See  Held, Wolfe & Crowder (1974).
///
/// As θ falls, Σ clamp(vᵢ − θ, 0, cap) grows by pieces: entry i starts to grow at θ = vᵢ and ends
/// at θ = vᵢ − cap. One walk over the sorted ends finds the piece that holds the sum 1.
pub fn project(v: &mut [f64], cap: f64) {
    let n = v.len();
    assert!(
        n as f64 * cap >= 1.0 - 1e-12,
        "a cap of {cap} leaves no room for {n} weights that sum to 1"
    );
    // (θ, change of the number of growing entries), from the largest θ down.
    let mut ends: Vec<(f64, f64)> = v.iter().map(|x| (*x, 1.0)).collect();
    if cap < 1.0 {
        ends.extend(v.iter().map(|x| (x - cap, -1.0)));
    }
    ends.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let (mut sum, mut growing, mut at) = (0.0, 0.0, ends[0].0);
    for (theta, change) in ends {
        let next = sum + growing * (at - theta);
        if next >= 1.0 {
            break;
        }
        (sum, growing, at) = (next, growing + change, theta);
    }
    let theta = if growing > 0.0 { at - (1.0 - sum) / growing } else { at };
    settle(v, cap, theta);
}

/// Writes x for a θ that is right up to rounding, whose remains go to the entries between the ends.
fn settle(v: &mut [f64], cap: f64, theta: f64) {
    v.iter_mut().for_each(|x| *x = (*x - theta).clamp(0.0, cap));
    let inside = v.iter().filter(|x| **x > 0.0 && **x < cap).count();
    if inside > 0 {
        let rest = (1.0 - v.iter().sum::<f64>()) / inside as f64;
        for x in v.iter_mut().filter(|x| **x > 0.0 && **x < cap) {
            *x = (*x + rest).clamp(0.0, cap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By bisection on θ.
    fn slow(v: &[f64], cap: f64) -> Vec<f64> {
        let at = |theta: f64| v.iter().map(|x| (x - theta).clamp(0.0, cap)).collect::<Vec<_>>();
        let top = v.iter().fold(f64::MIN, |m, x| m.max(*x));
        let low = v.iter().fold(f64::MAX, |m, x| m.min(*x));
        let (mut a, mut b) = (low - 2.0, top);
        for _ in 0..200 {
            let middle = 0.5 * (a + b);
            if at(middle).iter().sum::<f64>() > 1.0 { a = middle } else { b = middle }
        }
        at(b)
    }

    proptest! {
        #[test]
        fn the_projection_is_that_of_bisection(
            v in prop::collection::vec(-3.0f64..3.0, 1..40), room in 1.0f64..6.0, free in any::<bool>()
        ) {
            let cap = if free { f64::INFINITY } else { room / v.len() as f64 };
            let want = slow(&v, cap);
            let mut x = v.clone();
            project(&mut x, cap);
            for (a, b) in x.iter().zip(&want) {
                prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
                prop_assert!((0.0..=cap).contains(a));
            }
            prop_assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let again = { let mut y = x.clone(); project(&mut y, cap); y };
            prop_assert!(again.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn ties_and_a_cap_without_play_give_equal_shares() {
        for cap in [f64::INFINITY, 0.5, 0.25] {
            let mut v = vec![7.0; 4];
            project(&mut v, cap);
            assert!(v.iter().all(|x| (x - 0.25).abs() < 1e-15), "{cap}: {v:?}");
        }
        let mut v = vec![9.0, -4.0, 0.0, 1.0];
        project(&mut v, 0.25);
        assert!(v.iter().all(|x| (x - 0.25).abs() < 1e-14), "{v:?}");
    }
}
