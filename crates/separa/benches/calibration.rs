//! Size and power of `p_gauss` and `p_unimodal`, by simulation (docs/quality.md).
//!
//! `cargo run --release -p separa --example calibration -- --clouds 1000`
//!
//! Every cloud is split by 2-means on its z-scores. "refit" clusters each half anew, as `cluster`
//! does; "given" reuses the labels of the whole cloud, as `score` must. Size: how often a cloud
//! without groups is called significant. Power: how often two groups are. `--auto` instead counts how
//! often one Gaussian is called more than one cluster, and two groups two; `--cost` times whole assessments
//! of large tables. `--shape`, `--columns` and `--rows` draw some cells only.

use rayon::prelude::*;
use separa::k_auto::count::{CountOptions, how_many};
use separa::quality::{AssessOptions, Refit, Separation, assess, two_clusters};
use separa::{Ctx, Dataset, DenseRef, Labels, MatrixRef, Result};
use separa_testkit::clouds::{self, Covariance};
use separa_testkit::naive;

type Maker = fn(usize, usize, u64) -> Vec<f64>;

/// Shapes with one mode; the first three are Gaussian.
const SHAPES: [(&str, Maker); 7] = [
    ("spherical", |n, d, seed| clouds::gaussian(n, d, Covariance::Spherical, seed)),
    ("elongated", |n, d, seed| clouds::gaussian(n, d, Covariance::Elongated, seed)),
    ("correlated", |n, d, seed| clouds::gaussian(n, d, Covariance::Correlated, seed)),
    ("box", clouds::uniform_box),
    ("ball", clouds::ball),
    ("t5", clouds::t5),
    ("log-normal", clouds::log_normal),
];

fn main() {
    let (what, cells) = asked().unwrap_or_else(|message| {
        eprintln!("{message}");
        std::process::exit(2);
    });
    match what {
        What::Cost => return cost(),
        What::Auto => return automatic(&cells),
        What::Tests => {}
    }
    println!(
        "{} clouds a cell, λ = 1, 2-means on z-scores; fractions of clouds below the level.\n",
        cells.clouds
    );
    size(&cells);
    if cells.all() {
        power(cells.clouds);
    }
}

/// Which tables to draw.
enum What {
    Tests,
    Auto,
    Cost,
}

/// Which clouds to draw: all cells, or those of one shape, number of columns or of rows.
#[derive(Default)]
struct Cells {
    clouds: u64,
    shape: Option<String>,
    columns: Option<usize>,
    rows: Option<usize>,
}

impl Cells {
    fn all(&self) -> bool {
        self.shape.is_none() && self.columns.is_none() && self.rows.is_none()
    }

    /// Shape, maker, columns, rows, and the first seed of every cell.
    fn each(&self) -> Vec<(&'static str, Maker, usize, usize, u64)> {
        let mut cells = Vec::new();
        for (s, (name, make)) in SHAPES.into_iter().enumerate() {
            for d in [2, 10, 50] {
                for n in [100, 500, 2000] {
                    cells.push((
                        name,
                        make,
                        d,
                        n,
                        1_000_000 * (s * 9 + d) as u64 + 7_919 * n as u64,
                    ));
                }
            }
        }
        cells.retain(|(name, _, d, n, _)| {
            self.shape.as_deref().is_none_or(|s| s == *name)
                && self.columns.is_none_or(|c| c == *d)
                && self.rows.is_none_or(|r| r == *n)
        });
        cells
    }
}

/// What to draw, and of which cells.
fn asked() -> std::result::Result<(What, Cells), String> {
    let (mut what, mut cells) = (What::Tests, Cells { clouds: 1000, ..Cells::default() });
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--cost" => what = What::Cost,
            "--auto" => what = What::Auto,
            "--shape" => cells.shape = args.next(),
            "--clouds" | "--columns" | "--rows" => {
                let text = args.next().unwrap_or_default();
                let n: usize =
                    text.parse().map_err(|_| format!("{arg} expects a number, got \"{text}\""))?;
                match arg.as_str() {
                    "--clouds" => cells.clouds = n as u64,
                    "--columns" => cells.columns = Some(n),
                    _ => cells.rows = Some(n),
                }
            }
            _ => {
                return Err(format!(
                    "unknown argument {arg}; expected --clouds N, --shape NAME, --columns D, --rows N, --auto or \
                     --cost"
                ));
            }
        }
    }
    if cells.each().is_empty() {
        return Err("no cell has this shape, number of columns and rows".to_owned());
    }
    Ok((what, cells))
}

/// How often `auto` finds more than one cluster in one Gaussian, and two in two groups.
fn automatic(cells: &Cells) {
    let clouds = cells.clouds;
    let count = |x: &[f64], d: usize, seed: u64| {
        let rows = DenseRef::new(x.len() / d, d, x).expect("whole rows");
        let data = Dataset::new(rows.into()).expect("finite clouds");
        how_many(&data, &CountOptions::default(), &mut Ctx::new(seed))
            .expect("enough rows")
            .counted
            .k
    };
    println!("{clouds} clouds a cell; fraction of clouds with more than one cluster.\n");
    println!("| shape | d | N | more than one |\n|---|---:|---:|---:|");
    for (name, make, d, n, seed) in cells.each() {
        let more = |i: &u64| count(&make(n, d, i + 2 * seed), d, *i) > 1;
        let hits = (0..clouds).into_par_iter().filter(more).count();
        println!("| {name} | {d} | {n} | {:.3} |", hits as f64 / clouds as f64);
    }
    if !cells.all() {
        return;
    }
    println!("\nN = 500, d = 10; fraction of mixtures with two clusters.\n");
    println!("| mixture | distance in sd | two |\n|---|---:|---:|");
    for (name, share) in [("50/50", 0.5), ("90/10", 0.1)] {
        for distance in 2..=6 {
            let make = |i: u64| {
                clouds::two_gaussians(500, 10, share, distance as f64, i + 5_000_000 * distance).x
            };
            let two = |i: &u64| count(&make(*i), 10, *i) == 2;
            let hits = (0..clouds).into_par_iter().filter(two).count();
            println!("| {name} | {distance} | {:.3} |", hits as f64 / clouds as f64);
        }
    }
}

/// Wall time of `assess` beside that of the moments it needs (one XᵀX of the z-scored table).
fn cost() {
    println!("| rows | columns | clusters | XᵀX ms | assess ms |\n|---:|---:|---:|---:|---:|");
    let tables =
        [(13_966, 784, 2), (13_966, 784, 10), (100_000, 50, 2), (100_000, 50, 10), (2_000, 20, 2)];
    for (n, d, k) in tables {
        let cloud = clouds::blobs(n, d, k, 8.0, 1);
        let rows = DenseRef::new(n, d, &cloud.x).expect("whole rows");
        let data = Dataset::new(rows.into()).expect("finite clouds");
        let gram = best_ms(|| drop(separa_math::moments::Moments::of(&rows, None)));
        let whole = best_ms(|| drop(assess(&data, &cloud.labels, &AssessOptions::default())));
        println!("| {n} | {d} | {k} | {gram:.1} | {whole:.1} |");
    }
}

/// The shortest of five runs, in milliseconds.
fn best_ms(work: impl Fn()) -> f64 {
    let once = || {
        let start = std::time::Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn size(cells: &Cells) {
    println!("## Size\n");
    header("shape | d | N");
    for (name, make, d, n, seed) in cells.each() {
        line(&format!("{name} | {d} | {n}"), &run(cells.clouds, d, |i| make(n, d, seed + i)));
    }
}

fn power(clouds: u64) {
    println!("\n## Power, N = 500, d = 10\n");
    header("mixture | distance in sd | N");
    for (name, share) in [("50/50", 0.5), ("90/10", 0.1)] {
        for distance in 2..=6 {
            let seed = |i: u64| i + 1_000_000 * (90 + distance) + (share * 1e4) as u64 * 31;
            let make = |i| clouds::two_gaussians(500, 10, share, distance as f64, seed(i)).x;
            line(&format!("{name} | {distance} | 500"), &run(clouds, 10, make));
        }
    }
}

/// Answers with a refit and with given labels, cloud by cloud.
type Cell = Vec<[Separation; 2]>;

fn run(clouds: u64, d: usize, make: impl Fn(u64) -> Vec<f64> + Sync) -> Cell {
    let one = |i: u64| {
        let x = make(i);
        let labels = split(&x, d);
        let rows = DenseRef::new(x.len() / d, d, &x).expect("whole rows");
        let data = Dataset::new(rows.into()).expect("finite clouds");
        [Some(Refit(&refit)), None].map(|how| {
            let answer = two_clusters(&data, &labels, 1.0, i, how).expect("two clusters");
            // A cluster of fewer than four rows is no evidence of anything.
            answer.unwrap_or(Separation { p_gauss: 1.0, p_unimodal: 1.0, msp_held_out: 0.0 })
        })
    };
    (0..clouds).into_par_iter().map(one).collect()
}

fn split(x: &[f64], d: usize) -> Labels {
    naive::two_means(&naive::z_scored(x, d), d, 4, 1)
}

fn refit(half: &Dataset<'_>) -> Result<Labels> {
    let MatrixRef::Dense(x) = half.x() else { unreachable!("clouds are dense") };
    let rows: Vec<f64> = (0..x.rows()).flat_map(|i| x.row(i).to_vec()).collect();
    Ok(split(&rows, x.cols()))
}

fn header(first: &str) {
    let names = ["p_gauss refit", "p_gauss given", "p_unimodal refit", "p_unimodal given"];
    let columns: Vec<String> = names.iter().map(|n| format!("{n} .05 | .01")).collect();
    println!("| {first} | {} |", columns.join(" | "));
    println!("|---|---:|---:|{}", "---:|".repeat(8));
}

fn line(name: &str, cell: &Cell) {
    let share = |level: f64, p: &dyn Fn(&[Separation; 2]) -> f64| {
        let hits = cell.iter().filter(|answers| p(answers) <= level).count();
        format!("{:.3}", hits as f64 / cell.len() as f64)
    };
    let mut columns = Vec::new();
    for how in [0, 1] {
        columns.extend([0.05, 0.01].map(|level| share(level, &|a| a[how].p_gauss)));
    }
    for how in [0, 1] {
        columns.extend([0.05, 0.01].map(|level| share(level, &|a| a[how].p_unimodal)));
    }
    println!("| {name} | {} |", columns.join(" | "));
}
