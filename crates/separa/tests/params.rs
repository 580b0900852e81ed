//! One definition per parameter: what `params!` makes of it.

use separa::methods::{Affinity, Logistic};
use separa::methods::{
    Armc, Cdsk, KMeans, MetricChoice, Msc, Mspc, Outliers, RowWeights, Spectral,
};
use separa::params::{ClusterSize, Gamma, KernelChoice};
use separa::registry::{self, METHODS};
use separa::{ClusterParams, Ctx, Dataset, DenseRef, Init, Method, Params};
use separa_testkit::clouds::two_gaussians;
use serde_json::{Map, json};

#[test]
fn setters_chain_and_change_nothing_else() {
    let built = Mspc::new(3).reg(0.5).gamma(Gamma::Value(2.0)).init(Init::Named("pca".into()));
    let written = Mspc {
        n_clusters: 3,
        reg: 0.5,
        gamma: Gamma::Value(2.0),
        init: Init::Named("pca".into()),
        ..Mspc::default()
    };
    assert_eq!(built, written);
    assert_eq!(KMeans::new(2), KMeans::default());
}

#[test]
fn parameters_for_a_part_hold_nothing_that_belongs_to_rows() {
    let mut mspc = Mspc::new(3).init(Init::Labels(vec![0, 1, 2])).outliers(Outliers::Mark);
    mspc.for_part(40);
    assert_eq!(mspc, Mspc::new(3).landmarks(40));
    let mut msc = Msc::new(2).weights(RowWeights::Given(vec![1.0; 50])).landmarks(30);
    msc.for_part(25);
    assert_eq!(msc, Msc::new(2).landmarks(25));
    let mut named = Msc::new(2).weights(RowWeights::Uniform);
    named.for_part(25);
    assert_eq!(named.weights, RowWeights::Uniform);
}

#[test]
fn parameters_are_asked_by_meaning() {
    assert!(Msc::new(2).metric(MetricChoice::Precomputed).is_precomputed());
    assert!(Armc::new(2).kernel(KernelChoice::Precomputed).is_precomputed());
    assert!(Spectral::new(2).affinity(Affinity::Precomputed).is_precomputed());
    assert!(Cdsk::new(2).similarity("precomputed".into()).is_precomputed());
    assert!(!Msc::new(2).is_precomputed() && !KMeans::new(2).is_precomputed());
    assert!(!Mspc::new(2).is_curved() && !Logistic::new(2).is_curved());
    assert!(Armc::new(2).is_curved() && Spectral::new(2).is_curved());
    assert_eq!((Mspc::new(2).reg(3.0).quality_reg(), Armc::new(2).quality_reg()), (3.0, 1.0));
    assert!(Mspc::new(2).robust_mut().is_some() && KMeans::new(2).landmarks_mut().is_none());
    let mut params = KMeans::new(2);
    params.set_n_clusters(5);
    assert_eq!(ClusterParams::n_clusters(&params), 5);
}

#[test]
fn an_old_name_is_answered_with_the_new_one() {
    let given = Map::from_iter([("min_share".to_owned(), json!(0.1))]);
    for entry in METHODS {
        let said = entry.params(&given).unwrap_err().to_string();
        let now = if entry.has("min_cluster_size") { ": it is now `min_cluster_size`" } else { "" };
        assert_eq!(said, format!("unknown parameter `min_share` for {}{now}", entry.name));
    }
}

#[test]
fn a_size_in_rows_counts_rows() {
    // Two clusters of 190 and 10 rows.
    let cloud = two_gaussians(200, 2, 0.05, 12.0, 3);
    let data = Dataset::new(DenseRef::new(200, 2, &cloud.x).unwrap().into()).unwrap();
    let run = |rows| {
        let params = Mspc::new(2).robust(false).min_cluster_size(ClusterSize::Rows(rows));
        let fit = params.solve(&data, &mut Ctx::new(0)).unwrap();
        let ones = fit.labels.iter().filter(|l| **l == 1).count();
        let warned = fit.report.warnings().any(|w| w.text.contains("min_cluster_size"));
        (ones.min(200 - ones), warned)
    };
    let (smallest, _) = run(1);
    assert!((5..20).contains(&smallest));
    assert_eq!(run(smallest), (smallest, false));
    assert_ne!(run(smallest + 1), (smallest, false));
}

#[test]
fn every_sentence_ends_and_every_default_passes() {
    for entry in METHODS {
        assert!(registry::find(entry.name).is_ok() && entry.params(&Map::new()).is_ok());
        for spec in entry.specs {
            assert!(spec.doc.ends_with('.') && !spec.doc.contains("  "), "{}", spec.doc);
            let first = spec.doc.chars().next().unwrap();
            assert!(first.is_uppercase(), "{}", spec.doc);
        }
    }
    assert_eq!(Mspc::SPECS[0].default_text(), "2");
}
