//! Choices: made by a fuzzer's bytes, or by a seed.

/// Numbers that look random: Knuth's generator.
#[derive(Debug, Clone)]
pub struct Draws(u64);

impl Draws {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Bytes read as choices: a fuzzer that changes a byte changes a choice. Zeros follow the last.
pub(crate) struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn below(&mut self, n: usize) -> usize {
        let wide = u16::from_le_bytes([self.byte(), if n > 256 { self.byte() } else { 0 }]);
        usize::from(wide) % n.max(1)
    }

    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// A number as tables hold them: mostly small and ordinary, sometimes with ties, or of any size.
    pub fn number(&mut self) -> f64 {
        const ODD: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            1e-300,
            5e-324,
            1e-160,
            1e9,
            1e100,
            -1e150,
            1e16,
            0.1,
            f64::MIN_POSITIVE,
        ];
        let how = self.byte();
        match how {
            0..=127 => f64::from(how) - 64.0,
            128..=239 => {
                let fine = i16::from_le_bytes([self.byte(), self.byte()]);
                f64::from(fine) / 256.0
            }
            240..=251 => ODD[usize::from(how - 240)],
            _ => {
                let mut bits = [0; 8];
                bits.iter_mut().for_each(|b| *b = self.byte());
                let any = f64::from_bits(u64::from_le_bytes(bits));
                if any.is_finite() { any } else { 0.0 }
            }
        }
    }
}
