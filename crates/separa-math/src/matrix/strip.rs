//! The inner loops of products: a few rows with a strip of a panel of directions, in registers.

pub(super) const LANES: usize = 4;
/// Vectors of directions side by side; four rows by three vectors fill the register file.
pub(super) const VECTORS: usize = 3;
pub(super) const PANEL: usize = VECTORS * LANES;

/// One step of a chain over the columns: what a pair of numbers does to the sum so far.
pub trait Link {
    /// The sum after the pair (x, w).
    fn link(x: f64, w: f64, acc: f64) -> f64;
}

/// acc + x·w.
#[derive(Debug)]
pub struct Product;

impl Link for Product {
    #[inline(always)]
    fn link(x: f64, w: f64, acc: f64) -> f64 {
        fma(x, w, acc)
    }
}

/// Fused where the machine has it; a library call would be slower than the product it rounds.
#[inline(always)]
pub fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// One vector at a time: written over whole panels, the compiler falls back to scalars (three
/// times slower).
#[inline(always)]
fn link_vector<L: Link>(a: f64, w: &[f64; LANES], acc: &mut [f64; LANES]) {
    *acc = std::array::from_fn(|l| L::link(a, w[l], acc[l]));
}

/// Some columns of a panel.
pub(super) struct Strip<'a, const V: usize> {
    pub panel: &'a [[[f64; LANES]; V]],
    /// Whether the chains of earlier columns stand in the output.
    pub resume: bool,
}

impl<const V: usize> Strip<'_, V> {
    /// Lengthens the chains of `lines` with the panel's directions, the first `left` of which count;
    /// `stride` from one line of `out` to the next.
    pub fn run<L: Link, const R: usize>(
        &self,
        lines: [&[f64]; R],
        out: &mut [f64],
        stride: usize,
        left: usize,
    ) {
        if left >= V * LANES {
            return self.link_lines::<L, R>(lines, out, stride);
        }
        let mut padded = [[0.0; PANEL]; R];
        for q in 0..R {
            padded[q][..left].copy_from_slice(&out[q * stride..q * stride + left]);
        }
        self.link_lines::<L, R>(lines, padded.as_flattened_mut(), PANEL);
        for q in 0..R {
            out[q * stride..q * stride + left].copy_from_slice(&padded[q][..left]);
        }
    }

    #[inline(never)]
    fn link_lines<L: Link, const R: usize>(
        &self,
        lines: [&[f64]; R],
        out: &mut [f64],
        stride: usize,
    ) {
        let (panel, d) = (self.panel, self.panel.len());
        let mut acc = [[[0.0; LANES]; V]; R];
        if self.resume {
            for q in 0..R {
                let line = out[q * stride..].as_chunks::<LANES>().0;
                (0..V).for_each(|c| acc[q][c] = line[c]);
            }
        }
        let lines: [&[f64]; R] = std::array::from_fn(|q| &lines[q][..d]);
        for j in 0..d {
            for q in 0..R {
                let v = lines[q][j];
                for c in 0..V {
                    link_vector::<L>(v, &panel[j][c], &mut acc[q][c]);
                }
            }
        }
        for q in 0..R {
            let line = out[q * stride..].as_chunks_mut::<LANES>().0;
            (0..V).for_each(|c| line[c] = acc[q][c]);
        }
    }
}

/// The products of one sparse row with a panel.
pub(super) fn dot_sparse<const V: usize>(
    row: (&[u32], &[f64]),
    panel: &[[f64; LANES]],
    out: &mut [f64],
) {
    let panel = panel.as_chunks::<V>().0;
    let mut acc = [[0.0; LANES]; V];
    for (&j, &v) in row.0.iter().zip(row.1) {
        let weights = &panel[j as usize];
        for c in 0..V {
            link_vector::<Product>(v, &weights[c], &mut acc[c]);
        }
    }
    out.iter_mut().zip(acc.as_flattened()).for_each(|(o, a)| *o = *a);
}
