//! Times of a kernel machine and of a machine of 30 summaries, phase by phase, settings given:
//!
//! `RAYON_NUM_THREADS=1 cargo run --release --locked --example mpm_timing`

use separa::choice::KernelChoice;
use separa::classify::{Mcpm, Mpm, Tuned, Width};
use separa::{Checked, Classifier, Ctx, Dataset, DenseRef, Event, Observer, Target};
use separa_testkit::clouds::two_gaussians;
use std::ops::ControlFlow;
use std::time::Instant;

/// When each phase began.
type Marks = Vec<(&'static str, Instant)>;

struct Clock<'a>(&'a mut Marks);

impl Observer for Clock<'_> {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        if let Event::Phase { name } = event {
            self.0.push((name, Instant::now()));
        }
        ControlFlow::Continue(())
    }
}

/// The least milliseconds of each phase over some fits; what comes before the first is called "before".
fn least<C: Classifier>(
    c: &C,
    runs: usize,
    (data, target): (&Dataset<'_>, &Target),
) -> Vec<(&'static str, f64)> {
    let params = Checked::new(c.clone()).expect("the settings are fine");
    let mut best: Vec<(&'static str, f64)> = Vec::new();
    for _ in 0..runs {
        let mut marks = vec![("before", Instant::now())];
        let fit = C::train(&params, data, target, &mut Ctx::observed(0, Clock(&mut marks)));
        marks.push(("end", Instant::now()));
        fit.expect("two clouds are learnt");
        let took = |w: &[(&'static str, Instant)]| (w[0].0, 1e3 * (w[1].1 - w[0].1).as_secs_f64());
        let found: Vec<_> = marks.windows(2).map(took).collect();
        match best.is_empty() {
            true => best = found,
            false => best.iter_mut().zip(found).for_each(|(b, f)| b.1 = b.1.min(f.1)),
        }
    }
    best
}

fn main() {
    let (n, d) = (768, 8);
    let cloud = two_gaussians(n, d, 0.35, 1.5, 1);
    let names: Vec<String> = cloud.labels.iter().map(i32::to_string).collect();
    let target = Target::from_texts("y", &names).expect("two classes");
    let data = Dataset::new(DenseRef::new(n, d, &cloud.x).expect("rows").into()).expect("numbers");
    let reg = Tuned::Value(0.01);
    let kernel = Mpm { kernel: KernelChoice::Rbf, reg, landmarks: n, ..Mpm::default() };
    let mcpm = Mcpm { summaries: Tuned::Value(15.0), gamma: Width::Median, reg, ..Mcpm::default() };
    let slow = least(&kernel, 3, (&data, &target));
    let quick = least(&mcpm, 200, (&data, &target));
    for (name, phases) in [("kernel mpm", &slow), ("mcpm", &quick)] {
        let shown: Vec<String> = phases.iter().map(|(p, ms)| format!("{p} {ms:.3} ms")).collect();
        println!("{name}, {n} x {d}: {}", shown.join(", "));
    }
    let total = |phases: &[(&str, f64)]| phases.iter().map(|p| p.1).sum::<f64>();
    let learning = quick.last().map_or(f64::NAN, |p| p.1);
    println!("{:.0}x without quantising", total(&slow) / learning);
    println!("{:.0}x with it", total(&slow) / total(&quick));
}
