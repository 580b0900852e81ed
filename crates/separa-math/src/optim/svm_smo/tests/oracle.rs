//! Other ways to the same numbers.

use super::*;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT};
use libsvm_rs::{KernelType, SvmNode, SvmParameterBuilder, SvmProblem, SvmType, train::svm_train};

/// The primal value of the linear machine on the rows of x, over (w, b, s, t) by an interior point:
/// min ½‖w‖² + Σ highᵢsᵢ − Σ lowᵢtᵢ with s, t ≥ 0, sᵢ ≥ −fᵢ − qᵢ, tᵢ ≥ fᵢ + qᵢ, |fᵢ| ≤ B.
pub(super) fn primal_value(x: &Dense, dual: &Dual) -> f64 {
    let (n, d) = (x.rows(), x.cols());
    let width = d + 1 + 2 * n;
    let (mut lines, mut ends): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
    // sign · f − (slack at `place`) ≤ end
    let mut ask = |i: usize, sign: f64, place: Option<usize>, end: f64| {
        let mut line = vec![0.0; width];
        (0..d).for_each(|j| line[j] = sign * x[(i, j)]);
        line[d] = sign;
        place.into_iter().for_each(|p| line[p] = -1.0);
        lines.push(line);
        ends.push(end);
    };
    for i in 0..n {
        let (s, t) = (d + 1 + i, d + 1 + n + i);
        ask(i, -1.0, Some(s), dual.linear[i]);
        ask(i, 1.0, Some(t), -dual.linear[i]);
        ask(i, 0.0, Some(s), 0.0);
        ask(i, 0.0, Some(t), 0.0);
        if dual.bound.is_finite() {
            ask(i, 1.0, None, dual.bound);
            ask(i, -1.0, None, dual.bound);
        }
    }
    let square: Vec<Vec<f64>> = (0..width)
        .map(|i| (0..width).map(|j| f64::from(u8::from(i == j && i < d))).collect())
        .collect();
    let mut cost = vec![0.0; d + 1];
    cost.extend(&dual.high);
    cost.extend(dual.low.iter().map(|v| -v));
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-11,
        tol_gap_rel: 1e-11,
        tol_feas: 1e-11,
        ..DefaultSettings::default()
    };
    let (square, a) = (CscMatrix::from(&square), CscMatrix::from(&lines));
    let cones = [NonnegativeConeT(ends.len())];
    let mut solver = DefaultSolver::new(&square, &cost, &a, &ends, &cones, settings).unwrap();
    solver.solve();
    solver.solution.obj_val
}

/// LIBSVM's answer for a kernel matrix and one weight for each side: the dual's value, and −ρ.
pub(super) fn libsvm(k: &Dense, labels: &[bool], c: [f64; 2]) -> (f64, f64) {
    let n = k.rows();
    let line = |i: usize| {
        let mut line = vec![SvmNode { index: 0, value: (i + 1) as f64 }];
        line.extend((0..n).map(|j| SvmNode { index: j as i32 + 1, value: k[(i, j)] }));
        line
    };
    let problem = SvmProblem {
        labels: labels.iter().map(|l| if *l { 1.0 } else { -1.0 }).collect(),
        instances: (0..n).map(line).collect(),
    };
    let parameters = SvmParameterBuilder::new()
        .svm_type(SvmType::CSvc)
        .kernel_type(KernelType::Precomputed)
        .c(1.0)
        .weight(1, c[1])
        .weight(-1, c[0])
        .eps(1e-7)
        .build()
        .unwrap();
    let model = svm_train(&problem, &parameters);
    // Their first label is that of the first row, and f is positive there.
    let sign = if model.label[0] == 1 { 1.0 } else { -1.0 };
    let mut beta = vec![0.0; n];
    for (at, coefficient) in model.sv_indices.iter().zip(&model.sv_coef[0]) {
        beta[at - 1] = sign * coefficient;
    }
    let ones: f64 = beta.iter().map(|v| v.abs()).sum();
    (0.5 * quadratic(k, &beta) - ones, -sign * model.rho[0])
}
