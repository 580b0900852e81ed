//! What the questions after a fit cost inside it: the profile against the fit alone, in processor time.
//!
//! `profile_timing ROWS COLS [K] [METHOD]`: K Gaussian clouds. Fits and profiles take turns, five times; shown are the
//! seconds of each over all turns, and their ratio. Prints one JSON line.

use separa::{Clusterer, Ctx, Dataset, DenseRef, Profile, registry};
use separa_math::rng::Rng;

const TURNS: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args[i].parse::<usize>().expect("a whole number");
    let (n, d) = (number(0), number(1));
    let k = args.get(2).map_or(3, |_| number(2));
    let method = args.get(3).map_or("mspc", String::as_str);
    let x = clouds(n, d, k);
    let data = Dataset::new(DenseRef::new(n, d, &x).expect("whole rows").into()).expect("finite");
    let params = serde_json::Map::from_iter([("n_clusters".to_owned(), k.into())]);
    let request = Clusterer::named(method, &params).expect("parameters of the method");
    let (mut alone, mut judged, mut profile) = (0.0, 0.0, 0.0);
    for _ in 0..TURNS {
        let begin = cpu();
        let fit = registry::solve(method, &params, &data, &mut Ctx::new(0)).expect("a fit");
        let fitted = cpu();
        assert!(Profile::of(&data, &fit.labels, 0).is_some());
        let profiled = cpu();
        request.fit(&data).expect("a fit and its judgement");
        alone += fitted - begin;
        profile += profiled - fitted;
        judged += cpu() - profiled;
    }
    println!(
        "{{\"rows\": {n}, \"columns\": {d}, \"method\": \"{method}\", \"fit_s\": {alone:.3}, \"judged_s\": {judged:.3}, \
         \"profile_s\": {profile:.3}, \"of_fit\": {:.3}, \"of_judged\": {:.3}}}",
        profile / alone,
        profile / judged
    );
}

/// K clouds, three deviations apart in the first columns.
fn clouds(n: usize, d: usize, k: usize) -> Vec<f64> {
    let mut rng = Rng::new(1, 0);
    let place = |i: usize, j: usize| if j % k == i % k && j < 3 * k { 3.0 } else { 0.0 };
    (0..n * d).map(|at| rng.normal() + place(at / d, at % d)).collect()
}

/// Seconds of this process on all processors, in steps of a hundredth.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("a system with /proc");
    let after = stat.rsplit(')').next().expect("a name in brackets");
    let ticks: f64 =
        after.split_whitespace().skip(11).take(2).map(|v| v.parse::<f64>().expect("ticks")).sum();
    ticks / 100.0
}
