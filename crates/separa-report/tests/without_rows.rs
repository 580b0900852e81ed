//! The page of a clustering whose rows are not at hand: what is known is shown, what is missing is said.

use separa::prelude::*;
use separa_report::{About, Apply, Names, SeenRows, Sentences};

/// Two clusters 9 apart along the second feature.
fn rows() -> Vec<[f64; 2]> {
    let place = |i: usize| [(i * 7 % 10) as f64, (i % 2) as f64 * 9.0 + (i * 3 % 7) as f64 * 0.1];
    (0..100).map(place).collect()
}

fn page(found: &Clustering) -> String {
    let about = About {
        input: "table",
        said: &Sentences::default(),
        names: Names {
            column: &|j| format!("column {j}"),
            row: &|i| i.to_string(),
            cluster: &|c| c.to_string(),
        },
        made: "",
        seconds: 0.0,
        apply: &Apply::default(),
    };
    let seen = SeenRows {
        view: Err("no rows here"),
        decided: None,
        truth: None,
        profile: false,
        rules: None,
        rules_asked: false,
        sequences: &[],
    };
    separa_report::cluster(found, &about, &seen).html()
}

fn verdict(html: &str) -> &str {
    let rest = html.split("<p class=\"verdict").nth(1).expect("a verdict");
    rest.split("</p>").next().unwrap()
}

#[test]
fn a_number_is_called_uncertain_only_if_runs_disagree() {
    let given = Mspc::new(2).fit(&rows()).unwrap();
    let found = Clusterer::new(Mspc::auto()).fit(&rows()).unwrap();
    assert_eq!(found.k(), 2);
    for (clustering, counted) in [(&given, false), (&found, true)] {
        let html = page(clustering);
        assert!(verdict(&html).contains("a gap between the clusters"), "{}", verdict(&html));
        assert_eq!(html.contains("Number of clusters</h2>"), counted);
        let uncertain = clustering.count().is_some_and(|counted| counted.is_uncertain());
        assert_eq!(html.contains("The number is uncertain"), uncertain);
    }
}

#[test]
fn importance_needs_no_rows_and_if_there_is_none_the_page_says_why() {
    let html = page(&Mspc::new(2).fit(&rows()).unwrap());
    assert!(html.contains("Feature importance</h2>") && html.contains("no rows here"));
    assert!(html.contains("mean of 0 minus 1") && html.contains("column 1"), "{html}");
    let unjudged = Clusterer::new(Mspc::new(2)).quality(false).fit(&rows()).unwrap();
    let html = page(&unjudged);
    assert!(html.contains("Feature importance</h2>"));
    assert!(html.contains("the clusters were not judged, or no feature separates them"));
}
