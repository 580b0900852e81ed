//! The similarities of the method as products, never as a matrix.

use separa_math::linalg::SymOp;
use separa_math::par;
use std::sync::{Mutex, PoisonError};

/// diag(s)·S·diag(s), S the discriminative similarity (8), Sᵢⱼ = 2(αᵢ + αⱼ − λαᵢαⱼ)·Kᵢⱼ.
///
/// S v = 2[α∘Kv + (1 − λα)∘K(α∘v)]: both products share one pass over K. Where the weights are held
/// apart by another matrix R, (6), it is 2[α∘Kv + K(α∘v) − λα∘R(α∘v)].
pub(super) struct Discriminative<'a> {
    k: &'a dyn SymOp,
    held: Option<&'a dyn SymOp>,
    alpha: &'a [f64],
    lambda: f64,
    /// s: ones for S itself, d^{-½} for the normalised similarity.
    scale: &'a [f64],
    /// The arguments, the images of K and those of R, kept between products.
    scratch: Mutex<(Vec<f64>, Vec<f64>, Vec<f64>)>,
}

impl<'a> Discriminative<'a> {
    pub fn new(k: &'a dyn SymOp, alpha: &'a [f64], lambda: f64, scale: &'a [f64]) -> Self {
        Self { k, held: None, alpha, lambda, scale, scratch: Mutex::default() }
    }

    pub fn held_by(self, held: Option<&'a dyn SymOp>) -> Self {
        Self { held, ..self }
    }
}

impl SymOp for Discriminative<'_> {
    fn dim(&self) -> usize {
        self.alpha.len()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.dim().max(1);
        // Left by a product that panicked: every entry is written before it is read.
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let (given, image, apart) = &mut *scratch;
        given.resize(2 * x.len(), 0.0);
        image.resize(2 * x.len(), 0.0);
        let (plain, weighted) = given.split_at_mut(x.len());
        let lines = plain.chunks_exact_mut(n).zip(weighted.chunks_exact_mut(n));
        for (x, (plain, weighted)) in x.chunks_exact(n).zip(lines) {
            par::fill_chunks(plain, 1, |rows, part| {
                rows.zip(part).for_each(|(i, p)| *p = self.scale[i] * x[i]);
            });
            par::fill_chunks(weighted, 1, |rows, part| {
                rows.zip(part).for_each(|(i, w)| *w = self.alpha[i] * plain[i]);
            });
        }
        self.k.apply_rows(given, image);
        if let Some(held) = self.held {
            apart.resize(x.len(), 0.0);
            held.apply_rows(&given[x.len()..], apart);
        }
        let (plain, weighted) = image.split_at(x.len());
        let lines = plain.chunks_exact(n).zip(weighted.chunks_exact(n)).enumerate();
        for (out, (line, (plain, weighted))) in out.chunks_exact_mut(n).zip(lines) {
            let apart = self.held.map(|_| &apart[line * n..(line + 1) * n]);
            par::fill_chunks(out, 1, |rows, out| {
                for (i, o) in rows.zip(out) {
                    let (a, s) = (self.alpha[i], 2.0 * self.scale[i]);
                    *o = match apart {
                        None => s * (a * plain[i] + (1.0 - self.lambda * a) * weighted[i]),
                        Some(r) => s * (a * plain[i] + weighted[i] - self.lambda * a * r[i]),
                    };
                }
            });
        }
    }
}
