//! When to give up.

use super::Smo;

/// A fall by less than this fraction of all that the value fell is no progress.
const SPENT: f64 = 1e-13;

/// Sees where steps do no more than move rounding errors around.
pub(super) struct Watch {
    window: usize,
    next: usize,
    fallen: f64,
    /// The least violation before this window, and in it.
    before: f64,
    lately: f64,
}

impl Watch {
    pub fn new(smo: &Smo<'_>) -> Self {
        let window = 10 * smo.dual.size() + 1000;
        let none = f64::INFINITY;
        Self { window, next: smo.steps + window, fallen: smo.fallen, before: none, lately: none }
    }

    /// Neither the violation nor the value got better over a long window.
    pub fn is_lost(&mut self, smo: &Smo<'_>, violation: f64) -> bool {
        self.lately = self.lately.min(violation);
        if smo.steps < self.next {
            return false;
        }
        let lost = self.lately >= self.before && smo.fallen - self.fallen <= SPENT * smo.fallen;
        (self.before, self.lately) = (self.before.min(self.lately), f64::INFINITY);
        (self.next, self.fallen) = (smo.steps + self.window, smo.fallen);
        lost
    }
}
