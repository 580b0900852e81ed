//! The page of a clustering whose rows are not at hand: what is known is shown, what is doubtful is said.

use separa::quality::{By, Importance, Pair, Quality, Share};
use separa::{Counted, Report};
use separa_report::{About, Apply, Clustering, Names};
use serde_json::Map;

fn quality(features: Vec<Share>) -> Quality {
    let p = Some(1e-9);
    Quality {
        msp: 0.7,
        msp_null: Some(0.4),
        p_gauss: p,
        p_unimodal: p,
        cross_fitted_msp: Some(0.7),
        min_share: 0.4,
        pairs: vec![Pair { a: 0, b: 1, msp: 0.7, p_gauss: p, p_unimodal: p }],
        importance: vec![Importance { a: 0, b: 1, by: By::Boundary, features, rest: 0 }],
    }
}

fn counted(k_by_seed: &[usize]) -> Counted {
    let spread = k_by_seed.iter().max().unwrap() - k_by_seed.iter().min().unwrap();
    let k_by_seed = k_by_seed.to_vec();
    Counted { k: 2, k_by_seed, spread, k_max: 24, p: 0.01, rows: 100, ..Counted::default() }
}

fn page(quality: Option<&Quality>, counted: Option<Counted>) -> String {
    let report = Report { counted, ..Report::idle() };
    let about = About {
        input: "table",
        method: ["mspc", "MSPC", "a method"],
        params: &Map::new(),
        seed: 0,
        thing: "row",
        n: 100,
        within: "",
        d: 2,
        seconds: None,
        report: &report,
        warnings: &[],
        notices: &[],
        cautions: &[],
        names: Names {
            column: &|j| format!("column {j}"),
            row: &|i| i.to_string(),
            cluster: &|c| c.to_string(),
        },
        apply: &Apply::default(),
    };
    let view = Err("no rows here");
    let (sizes, reg) = (&[60, 40], 0.01);
    separa_report::cluster(&Clustering {
        about,
        sizes,
        quality,
        reg,
        view,
        decided: None,
        truth: None,
        stability: None,
    })
    .html()
}

fn verdict(html: &str) -> &str {
    let rest = html.split("<p class=\"verdict").nth(1).expect("a verdict");
    rest.split("</p>").next().unwrap()
}

#[test]
fn runs_that_disagree_are_told_in_the_verdict() {
    let q = quality(vec![]);
    let html = page(Some(&q), Some(counted(&[2, 4, 3, 2])));
    let said = "The number is uncertain: 4 runs found from 2 to 4.";
    assert!(verdict(&html).contains("a gap between the clusters"), "{}", verdict(&html));
    assert!(verdict(&html).ends_with(said), "{}", verdict(&html));
    assert_eq!(html.matches(said).count(), 2, "the section about the number says it, too");
    assert!(!page(Some(&q), Some(counted(&[2, 2, 2]))).contains("uncertain"));
    assert!(!page(Some(&q), None).contains("uncertain"));
}

#[test]
fn shares_need_no_rows_and_where_there_are_none_the_page_says_why() {
    let share = Share { feature: 1, name: None, share: 1.0, difference: -6.363 };
    let html = page(Some(&quality(vec![share])), None);
    assert!(html.contains("Feature importance</h2>") && html.contains("no rows here"));
    assert!(html.contains("mean of 0 minus 1") && html.contains("data-v=\"-6.363\""), "{html}");
    for q in [None, Some(&quality(vec![]))] {
        let html = page(q, None);
        assert!(html.contains("Feature importance</h2>"));
        assert!(html.contains("the clusters were not judged, or no feature separates them"));
    }
}
