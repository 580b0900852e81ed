//! The same minimisation, told one value after the other: for functions that are not at hand, but far away.

use super::line::{Line, Ray};
use super::{LbfgsOptions, Memory, Point, largest, norm};

/// A minimisation that says where the function is to be evaluated next. Told the same values, it visits the points
/// of [`minimise`](super::minimise), bit by bit.
#[derive(Debug, Clone)]
pub struct AskedLbfgs {
    options: LbfgsOptions,
    /// The lowest point so far; before the first value, the start.
    at: Point,
    memory: Memory,
    /// Values and gradients along the current direction.
    tried: Vec<(f64, Vec<f64>)>,
    next: Option<Vec<f64>>,
    iterations: usize,
    begun: bool,
}

impl AskedLbfgs {
    /// Begins from here.
    pub fn new(start: Vec<f64>, options: LbfgsOptions) -> Self {
        let at = Point { gradient: vec![0.0; start.len()], x: start.clone(), value: 0.0 };
        Self {
            options,
            at,
            memory: Memory::new(options.memory),
            tried: Vec::new(),
            next: Some(start),
            iterations: 0,
            begun: false,
        }
    }

    /// Where value and gradient are wanted; None if the search has ended.
    pub fn asks(&self) -> Option<&[f64]> {
        self.next.as_deref()
    }

    /// The lowest point so far, and its value.
    pub fn best(&self) -> (&[f64], f64) {
        (&self.at.x, self.at.value)
    }

    /// Iterations so far.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Whether the gradient at the lowest point is within `tol`.
    pub fn converged(&self) -> bool {
        self.begun && largest(&self.at.gradient) <= self.options.tol && self.at.value.is_finite()
    }

    /// Takes value and gradient of the point that was asked for. True if this ended an iteration, or was the start.
    pub fn tell(&mut self, value: f64, gradient: &[f64]) -> bool {
        if self.next.take().is_none() {
            return false;
        }
        if self.begun {
            self.tried.push((value, gradient.to_vec()));
            return self.go_on();
        }
        self.begun = true;
        (self.at.value, self.at.gradient) = (value, gradient.to_vec());
        self.go_on();
        true
    }

    /// Repeats the search along the current direction with what is known of it, up to the first point that is not.
    fn go_on(&mut self) -> bool {
        let mut moved = false;
        while !self.ends() {
            let (found, asked) = self.search();
            if asked.is_some() {
                self.next = asked;
                break;
            }
            self.tried.clear();
            match found {
                Some(next) => {
                    self.memory.learn(&self.at, &next);
                    self.at = next;
                    self.iterations += 1;
                    moved = true;
                }
                // The metric may be at fault: once more from the plain gradient.
                None if !self.memory.pairs.is_empty() => self.memory.pairs.clear(),
                None => break,
            }
        }
        moved
    }

    fn ends(&self) -> bool {
        let (top, value) = (largest(&self.at.gradient), self.at.value);
        let rests = top <= self.options.tol || !(value.is_finite() && top.is_finite());
        self.tried.is_empty() && (rests || self.iterations >= self.options.max_iter)
    }

    fn search(&self) -> (Option<Point>, Option<Vec<f64>>) {
        let gradient = &self.at.gradient;
        let direction = self.memory.direction(gradient);
        let alone = self.memory.pairs.is_empty();
        let first = if alone { (1.0 / norm(gradient)).min(1.0) } else { 1.0 };
        let curvature = self.options.curvature;
        let mut line = Line::new(Ray { from: &self.at, direction: &direction, curvature }, first);
        let (mut known, mut asked) = (self.tried.iter(), None);
        let found = line.search(&mut |x: &[f64], g: &mut [f64]| match known.next() {
            Some((value, gradient)) => {
                g.copy_from_slice(gradient);
                *value
            }
            None => {
                asked.get_or_insert_with(|| x.to_vec());
                f64::NAN
            }
        });
        (found, asked)
    }

    /// All that is needed to go on, as numbers.
    pub fn numbers(&self) -> Vec<f64> {
        let counts = [self.at.x.len(), self.iterations, self.memory.pairs.len(), self.tried.len()];
        let mut out: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        out.extend([f64::from(u8::from(self.begun)), f64::from(u8::from(self.next.is_some()))]);
        out.push(self.at.value);
        out.extend(self.at.x.iter().chain(&self.at.gradient));
        for (s, y, rho) in &self.memory.pairs {
            out.extend(s.iter().chain(y).chain([rho]));
        }
        for (value, gradient) in &self.tried {
            out.extend([value].into_iter().chain(gradient));
        }
        out.extend(self.next.iter().flatten());
        out
    }

    /// From [`AskedLbfgs::numbers`]; None if these are no such numbers.
    pub fn from_numbers(numbers: &[f64], options: LbfgsOptions) -> Option<Self> {
        let (counts, rest) = numbers.split_at_checked(6)?;
        let whole = |v: &f64| (v.fract() == 0.0 && (0.0..1e12).contains(v)).then_some(*v as usize);
        let counts: Vec<usize> = counts.iter().map(whole).collect::<Option<_>>()?;
        let [n, iterations, pairs, tried, begun, asks] = counts[..] else { return None };
        let length = 1u128 + 2 * n as u128 + pairs as u128 * (2 * n as u128 + 1);
        let length = length + tried as u128 * (n as u128 + 1) + asks.min(1) as u128 * n as u128;
        if length != rest.len() as u128 || begun > 1 || asks > 1 || pairs > options.memory {
            return None;
        }
        let mut rest = rest;
        let mut take = |count: usize| {
            let (part, left) = rest.split_at(count);
            rest = left;
            part.to_vec()
        };
        let value = take(1)[0];
        let at = Point { value, x: take(n), gradient: take(n) };
        let mut memory = Memory::new(options.memory);
        (0..pairs).for_each(|_| memory.pairs.push_back((take(n), take(n), take(1)[0])));
        let tried = (0..tried).map(|_| (take(1)[0], take(n))).collect();
        let next = (asks == 1).then(|| take(n));
        Some(Self { options, at, memory, tried, next, iterations, begun: begun == 1 })
    }
}
