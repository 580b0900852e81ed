//! The nearest point in several half-spaces and a box.
//!
//! Problem   min ‖y − x‖²  s.t.  wᵢᵀy + bᵢ ≥ 0 for all i, lo ≤ y ≤ hi.
//! Returns   y, exact but for a tolerance; none if there is no such point, or if it was not found.
//! Cost      sweeps over all half-spaces, O(k·d) each.      See  Boyle & Dykstra (1986).

use separa_math::linalg::dot;

/// Multiplications that all sweeps may cost, and sweeps at most and at least.
const EFFORT: usize = 200_000_000;
const SWEEPS: [usize; 2] = [50, 20_000];
/// A constraint may be missed by this, measured as a distance, relative to the way so far.
const TOLERANCE: f64 = 1e-12;

/// One linear constraint: wᵀy + b ≥ 0.
#[derive(Debug, Clone)]
pub(super) struct HalfSpace {
    pub weights: Vec<f64>,
    pub offset: f64,
}

pub(super) fn project(x: &[f64], spaces: &[HalfSpace], limits: &[[f64; 2]]) -> Option<Vec<f64>> {
    let norms: Vec<f64> = spaces.iter().map(|s| dot(&s.weights, &s.weights)).collect();
    let mut y = x.to_vec();
    // The correction of a half-space is a multiple of its weights, that of the box a vector.
    let (mut along, mut boxed) = (vec![0.0; spaces.len()], vec![0.0; x.len()]);
    let sweeps = EFFORT / (2 * (spaces.len() + 1) * x.len()).max(1);
    for _ in 0..sweeps.clamp(SWEEPS[0], SWEEPS[1]) {
        let mut moved = 0.0_f64;
        for (i, space) in spaces.iter().enumerate() {
            let value = dot(&space.weights, &y) + space.offset;
            if norms[i] <= 0.0 {
                if space.offset < 0.0 {
                    return None;
                }
                continue;
            }
            // Hildreth's form: the multiplier grows while the constraint is missed and never falls below 0.
            let step = (-value / norms[i]).max(-along[i]);
            along[i] += step;
            y.iter_mut().zip(&space.weights).for_each(|(y, w)| *y += step * w);
            moved = moved.max(step.abs() * norms[i].sqrt());
        }
        for (j, limit) in limits.iter().enumerate() {
            let wanted = y[j] + boxed[j];
            let inside = wanted.clamp(limit[0], limit[1]);
            moved = moved.max((inside - y[j]).abs());
            boxed[j] = wanted - inside;
            y[j] = inside;
        }
        let way = y.iter().zip(x).map(|(y, x)| (y - x).powi(2)).sum::<f64>().sqrt();
        if moved <= TOLERANCE * (way + 1e-300) || !way.is_finite() {
            break;
        }
    }
    let inside = |(space, norm): (&HalfSpace, &f64)| {
        let way = y.iter().zip(x).map(|(y, x)| (y - x).abs()).fold(0.0_f64, f64::max);
        dot(&space.weights, &y) + space.offset >= -1e-7 * norm.sqrt() * (way + 1e-300)
    };
    spaces.iter().zip(&norms).all(inside).then_some(y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    #[test]
    fn one_plane_has_a_closed_form() {
        let space = HalfSpace { weights: vec![3.0, 4.0], offset: -10.0 };
        let y = project(&[0.0, 0.0], &[space], &[FREE; 2]).unwrap();
        assert!((y[0] - 1.2).abs() < 1e-12 && (y[1] - 1.6).abs() < 1e-12, "{y:?}");
    }

    #[test]
    fn the_box_turns_the_way_aside() {
        // Only the second value can move on: 0.5·3 + 4y = 10.
        let space = HalfSpace { weights: vec![3.0, 4.0], offset: -10.0 };
        let y = project(&[0.0, 0.0], std::slice::from_ref(&space), &[[0.0, 0.5], FREE]).unwrap();
        assert!((y[0] - 0.5).abs() < 1e-9 && (y[1] - 2.125).abs() < 1e-9, "{y:?}");
        assert!(project(&[0.0, 0.0], &[space], &[[0.0, 0.5]; 2]).is_none());
        let never = HalfSpace { weights: vec![0.0; 2], offset: -1.0 };
        assert!(project(&[0.0, 0.0], &[never], &[FREE; 2]).is_none());
    }

    proptest! {
        /// The projection y satisfies the constraints, and x − y is a sum of active normals with the right sign: no
        /// point z of a grid inside is nearer.
        #[test]
        fn no_point_of_a_grid_is_nearer(
            w in prop::collection::vec(-2.0f64..2.0, 6), b in prop::collection::vec(-1.0f64..1.0, 3),
            x in prop::collection::vec(-2.0f64..2.0, 2),
        ) {
            let spaces: Vec<HalfSpace> = (0..3)
                .map(|i| HalfSpace { weights: w[2 * i..2 * i + 2].to_vec(), offset: b[i] })
                .collect();
            let Some(y) = project(&x, &spaces, &[FREE; 2]) else { return Ok(()) };
            let far = |p: &[f64]| (p[0] - x[0]).powi(2) + (p[1] - x[1]).powi(2);
            for i in -40..=40 {
                for j in -40..=40 {
                    let z = [f64::from(i) * 0.1, f64::from(j) * 0.1];
                    let holds = spaces.iter().all(|s| dot(&s.weights, &z) + s.offset >= 0.0);
                    prop_assert!(!holds || far(&z) >= far(&y) - 1e-6 * (1.0 + far(&y)), "{z:?} {y:?}");
                }
            }
        }
    }
}
