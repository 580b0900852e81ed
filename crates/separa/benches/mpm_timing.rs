//! Times of a kernel machine and of a machine of 30 summaries, settings given:
//!
//! `RAYON_NUM_THREADS=1 cargo run --release --locked --example mpm_timing`
//!
//! The kernel machine takes so long that a busy computer interrupts it: its time is that of the processor (on
//! Linux). The other's phases are too short for that clock: the least wall time of many fits.

use separa::classify::{GammaOrCv, Mcpm, Mpm, Tuned};
use separa::params::KernelChoice;
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

/// Milliseconds that all threads had of the processor; none where that cannot be seen.
fn processor() -> Option<f64> {
    let of = |task: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    Some(1e-6 * tasks.flatten().filter_map(of).sum::<f64>())
}

/// The least milliseconds of each phase over some fits, and of the whole by the processor's clock.
fn least<C: Classifier>(
    c: &C,
    runs: usize,
    data: &Dataset<'_>,
    target: &Target,
) -> (Vec<(&'static str, f64)>, f64) {
    let params = Checked::new(c.clone()).expect("the settings are fine");
    let (mut best, mut whole) = (Vec::new(), f64::INFINITY);
    for _ in 0..runs {
        let (mut marks, before) = (vec![("factors", Instant::now())], processor());
        let fit = C::train(&params, data, target, &mut Ctx::observed(0, Clock(&mut marks)));
        marks.push(("end", Instant::now()));
        fit.expect("two clouds are learnt");
        let took = |w: &[(&'static str, Instant)]| (w[0].0, 1e3 * (w[1].1 - w[0].1).as_secs_f64());
        let found: Vec<_> = marks.windows(2).map(took).collect();
        let wall: f64 = found.iter().map(|p| p.1).sum();
        whole = whole.min(processor().zip(before).map_or(wall, |(after, before)| after - before));
        match best.is_empty() {
            true => best = found,
            false => best.iter_mut().zip(found).for_each(|(b, f)| b.1 = b.1.min(f.1)),
        }
    }
    (best, whole)
}

fn main() {
    let (n, d) = (768, 8);
    let cloud = two_gaussians(n, d, 0.35, 1.5, 1);
    let names: Vec<String> = cloud.labels.iter().map(i32::to_string).collect();
    let target = Target::from_texts("y", &names).expect("two classes");
    let data = Dataset::new(DenseRef::new(n, d, &cloud.x).expect("rows").into()).expect("numbers");
    let reg = Tuned::Value(0.01);
    let kernel = Mpm { kernel: KernelChoice::Rbf, reg, landmarks: n, ..Mpm::default() };
    let mcpm =
        Mcpm { summaries: Tuned::Value(15.0), gamma: GammaOrCv::Median, reg, ..Mcpm::default() };
    let (_, slow) = least(&kernel, 5, &data, &target);
    let (phases, _) = least(&mcpm, 300, &data, &target);
    println!("kernel mpm, {n} x {d}: {slow:.1} ms");
    let shown: Vec<String> = phases.iter().map(|(p, ms)| format!("{p} {ms:.3} ms")).collect();
    println!("mcpm, 30 summaries: {}", shown.join(", "));
    let all: f64 = phases.iter().map(|p| p.1).sum();
    let learning = phases.last().map_or(f64::NAN, |p| p.1);
    println!("{:.0}x without quantising, {:.0}x with it", slow / learning, slow / all);
}
