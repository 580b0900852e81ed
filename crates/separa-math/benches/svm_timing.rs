//! Times the SVM dual on a raw table:
//! `svm_timing X.f64 ROWS COLS Y.u8 FLIPPED.u8 GAMMA C TOL THREADS REPEATS [made | noshrink]...`.
//!
//! X.f64 holds the rows as little-endian f64, Y.u8 and FLIPPED.u8 one byte (0 or 1) for each row. The
//! kernel is rbf, computed before the clock starts, or with `made` row by row on demand. Prints one line
//! of JSON: seconds of each repeat from nothing (`cold`), and for the flipped labels from nothing
//! and from the first solution (`again`, `warm`), with the steps and values reached.

use separa_math::kernel::gram_rows::GramRows;
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::SymRows;
use separa_math::matrix::Dense;
use separa_math::optim::svm_smo::{self, Dual, Options, Solution, Start};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [x, n, d, y, flipped, gamma, c, tol, threads, repeats, rest @ ..] = args.as_slice() else {
        return Err("see the header".into());
    };
    let data = std::fs::read(x)?.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let x = Dense::from_vec(n.parse()?, d.parse()?, data)?;
    let has = |word: &str| rest.iter().any(|a| a == word);
    let mut options = Options { tol: tol.parse()?, ..Options::default() };
    if has("noshrink") {
        options.shrink_every = usize::MAX;
    }
    let c = vec![c.parse()?; x.rows()];
    let [before, after] = [y, flipped].map(|path| {
        let labels: Vec<bool> = std::fs::read(path)?.iter().map(|b| *b == 1).collect();
        Ok::<_, Box<dyn std::error::Error>>(Dual::classes(&labels, &c)?)
    });
    let (before, after) = (before?, after?);
    let kernel = Kernel::Rbf { gamma: gamma.parse()? };
    let repeats: usize = repeats.parse()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?;
    let runs = pool.install(|| {
        let gram: Box<dyn SymRows> = match has("made") {
            true => Box::new(GramRows::new(kernel, &x)),
            false => Box::new(kernel.matrix(&x, &x)),
        };
        let run =
            |dual: &Dual, start: Option<&Start<'_>>| svm_smo::solve(&*gram, dual, start, &options);
        let (mut cold, mut again, mut warm) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..repeats {
            let first = timed(&mut cold, || run(&before, None))?;
            timed(&mut again, || run(&after, None))?;
            let start = Start { beta: &first.0.beta, scores: Some(&first.0.scores) };
            timed(&mut warm, || run(&after, Some(&start)))?;
        }
        Ok::<_, separa_math::Error>([("cold", cold), ("again", again), ("warm", warm)])
    })?;
    println!("{{{}}}", runs.map(|(name, runs)| show(name, &runs)).join(", "));
    Ok(())
}

type Timed = (Solution, f64);

fn timed(
    into: &mut Vec<Timed>,
    work: impl FnOnce() -> separa_math::Result<Solution>,
) -> separa_math::Result<&Timed> {
    let begin = Instant::now();
    let found = work()?;
    into.push((found, begin.elapsed().as_secs_f64()));
    Ok(into.last().expect("one was pushed"))
}

fn show(name: &str, runs: &[Timed]) -> String {
    let seconds: Vec<f64> = runs.iter().map(|r| r.1).collect();
    let (steps, objective, gap) =
        runs.last().map_or((0, 0.0, 0.0), |(s, _)| (s.steps, s.objective, s.gap));
    format!(
        "\"{name}\": {{\"seconds\": {seconds:?}, \"steps\": {steps}, \"objective\": {objective}, \"gap\": {gap}}}"
    )
}
