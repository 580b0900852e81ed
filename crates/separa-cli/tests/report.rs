//! Pages: written whole, safe, small, and with whatever can be drawn. What they look like and do in a
//! browser is tested in crates/separa-report/browser.

use crate::common;

use common::{Desk, WINE, two_clouds};
use std::fs;

fn page(desk: &Desk, words: &str) -> String {
    desk.separa(&format!("{words} --report page.html -q")).ok();
    desk.get("page.html")
}

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

#[test]
fn the_page_of_a_clustering_has_all_its_parts() {
    let desk = wine();
    let html = page(&desk, "cluster wine.csv -k 3 --truth cultivar --model m.separa -o l.csv");
    for part in [
        "<!doctype html>",
        "Three clusters, 34 %, 37 % and 29 % of rows: 97 % of rows left out of the fit get the same cluster",
        "id=\"separation\"",
        "id=\"margins\"",
        "id=\"quality\"",
        "id=\"pairs\"",
        "id=\"features\"",
        "id=\"importance\"",
        "Feature importance, closest pairs first",
        "id=\"rows\"",
        "Close calls",
        "id=\"truth\"",
        "id=\"convergence\"",
        "separa predict m.separa NEW.csv -o labels.csv",
        "separa.load(&quot;m.separa&quot;)",
        "separa cluster wine.csv -k 3 --truth cultivar --model m.separa -o l.csv --report page.html -q",
        "n_clusters",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(!html.contains("http://") || !html.contains("https://"), "it has an address");
}

#[test]
fn the_page_of_a_classifier_has_all_its_parts() {
    let desk = wine();
    let html = page(&desk, "train wine.csv --target cultivar --model m.separa");
    for part in [
        "A classifier of 3 classes",
        "id=\"bounds\"",
        "id=\"confusion\"",
        "id=\"roc\"",
        "id=\"apply\"",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(!html.contains("id=\"boundary\""), "thirteen columns have no plane");
    let plane = page(&desk, "train wine.csv --target cultivar --features alcohol,hue");
    assert!(plane.contains("id=\"boundary\"") && plane.contains("class=\"region\""));
}

#[test]
fn the_page_of_a_comparison_has_a_map_for_each_method() {
    let desk = wine();
    let html = page(&desk, "compare wine.csv -k 3 --methods mspc,kmeans,msc --truth cultivar");
    for part in
        ["id=\"ranking\"", "id=\"maps\"", "1. ", "2. ", "3. ", "accuracy", "id=\"settings\""]
    {
        assert!(html.contains(part), "{part} is missing");
    }
    assert_eq!(html.matches("<svg viewBox=\"0 0 260 210\"").count(), 3);
    desk.refused("compare wine.csv -k 3 --report no/page.html", &["does not exist"]);
}

#[test]
fn a_number_of_groups_that_was_found_is_shown_with_its_steps() {
    let desk = Desk::new();
    desk.put("two.csv", two_clouds(150, 2)).put("one.csv", two_clouds(150, 2));
    let two = page(&desk, "cluster two.csv -k auto --drop kind");
    assert!(
        two.contains("id=\"count\"")
            && two.contains("The number was not given but found: 2 clusters")
    );
    // Without the column that separates them there is one cluster.
    let one = page(&desk, "cluster one.csv -k auto --features f1");
    assert!(one.contains(">No natural clusters (p = "), "{}", &one[..3000]);
}

#[test]
fn json_and_text_name_the_page() {
    let desk = wine();
    let json = desk.separa("cluster wine.csv -k 2 --report page.html --json").json();
    assert_eq!(json["outputs"]["report"], "page.html");
    let text = desk.separa("cluster wine.csv -k 2 --report page.html").ok();
    assert!(text.contains("report   page.html"), "{text}");
    let json = desk.separa("train wine.csv --target cultivar --report t.html --json").json();
    assert_eq!(json["outputs"]["report"], "t.html");
    let words = "compare wine.csv -k 2 --drop cultivar --methods kmeans,mspc";
    let json = desk.separa(&format!("{words} --report c.html --json")).json();
    assert_eq!(json["outputs"]["report"], "c.html");
    let text = desk.separa(&format!("{words} --report c.html")).ok();
    assert!(text.contains("Written\n  report   c.html"), "{text}");
    assert!(!desk.separa(words).ok().contains("Written"));
}

#[test]
fn targets_that_cannot_be_written_are_refused_before_any_work() {
    let desk = wine();
    fs::create_dir(desk.path("folder")).unwrap();
    for verb in ["cluster wine.csv -k 3", "train wine.csv --target cultivar"] {
        desk.refused(&format!("{verb} --report no/page.html"), &["no/page.html", "does not exist"]);
        desk.refused(&format!("{verb} --report folder"), &["this is a folder"]);
        desk.refused(&format!("{verb} --report wine.csv"), &["this is the input itself"]);
        let same = format!("{verb} --report x.html --model x.html");
        desk.refused(&same, &["model and report go to the same file"]);
    }
    desk.refused(
        "cluster wine.csv -k 3 -o x.csv --report x.csv",
        &["labels and report go to the same file"],
    );
    // A file that may not be changed; root may change everything.
    let fixed = desk.path("fixed.html");
    fs::write(&fixed, "old").unwrap();
    let mut rights = fs::metadata(&fixed).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&fixed, rights).unwrap();
    desk.refused("cluster wine.csv -k 3 --report fixed.html", &["read-only"]);
}

#[test]
fn degenerate_tables_have_pages() {
    let desk = Desk::new();
    desk.put("one.csv", two_clouds(30, 1)).put("equal.csv", format!("a,b\n{}", "1,2\n".repeat(12)));
    let one = page(&desk, "cluster one.csv -k 2 --drop kind");
    assert!(one.contains("spread for the eye, no meaning"));
    let single = page(&desk, "cluster one.csv -k 1 --drop kind -m kmeans");
    assert!(single.contains("One cluster of 60 rows"));
    let equal = page(&desk, "cluster equal.csv -k 1 -m kmeans");
    assert!(
        equal.contains("One cluster of 12 rows")
            && !equal.contains(">NaN")
            && !equal.contains("\"NaN")
    );
    // Asked for more groups than there are, some method makes one, some refuses: no page lies about it.
    let ran = desk.separa("cluster equal.csv -k 2 --report two.html -q");
    assert!(
        ran.code == Some(2) && !desk.has("two.html") || desk.get("two.html").contains("cluster")
    );
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let desk = Desk::new();
    let clouds = two_clouds(20, 2);
    let mut bagged = String::new();
    let mut distances = String::new();
    for (i, line) in clouds.lines().enumerate() {
        let bag = if i == 0 { "bag".to_owned() } else { format!("b{}", (i - 1) / 2 * 2 + i % 2) };
        bagged.push_str(&format!("{line},{bag}\n"));
        if i > 0 && i < 13 {
            let far = |j: usize| match (i == j, (i + j) % 2) {
                (true, _) => 0,
                (false, 0) => 1,
                _ => 9,
            };
            let row: Vec<String> = (0..12).map(|j| far(j + 1).to_string()).collect();
            distances.push_str(&format!("{}\n", row.join(",")));
        }
    }
    desk.put("bags.csv", bagged).put("d.csv", &distances);
    let bags = page(&desk, "cluster bags.csv -k 2 -m msc --bag bag --drop kind");
    assert!(bags.contains("was not judged") && bags.contains("no features that could be shown"));
    assert!(bags.contains("of bags") && bags.contains("id=\"margins\""));
    let pairs = page(&desk, "cluster d.csv --no-header -k 2 -m msc --set metric=precomputed");
    assert!(pairs.contains("no features that could be shown"));
}

#[test]
fn names_from_data_stay_text() {
    let evil = "<script>alert(1)</script>";
    let desk = Desk::new();
    let table = two_clouds(30, 2)
        .replace("f0", &format!("\"{evil}\""))
        .replace("f1", "\"\"\"><img src=x>\"")
        .replace("red", "</script>")
        .replace("blue", "<b>'");
    desk.put("t.csv", table);
    for words in ["cluster t.csv -k 2 --truth kind", "train t.csv --target kind"] {
        let html = page(&desk, words);
        assert!(!html.contains(evil) && !html.contains("<img") && !html.contains("<b>'"));
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        let data = usize::from(html.contains("id=\"data\""));
        assert_eq!(html.matches("<script").count(), 1 + data);
        assert_eq!(html.matches("</script").count(), 1 + data);
    }
}

#[test]
fn large_tables_have_small_pages_that_say_what_is_drawn() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(15_000, 3));
    let html = page(&desk, "cluster t.csv -k 2 --truth kind");
    assert!(html.contains("a random sample of 2,500 of 30,000 rows"));
    assert!(html.len() < 600_000, "{} bytes", html.len());
}

#[test]
fn the_page_does_not_depend_on_threads() {
    let desk = wine();
    let strip = |html: String| {
        let changing = |l: &&str| !l.contains("The fit: ") && !l.contains("--threads");
        html.lines().filter(changing).collect::<Vec<_>>().join("\n")
    };
    let one = strip(page(&desk, "cluster wine.csv -k 3 --threads 1"));
    let two = strip(page(&desk, "cluster wine.csv -k 3 --threads 2"));
    assert!(one.len() > 10_000);
    assert_eq!(one, two);
}

#[test]
fn the_screen_has_a_small_histogram() {
    let desk = wine();
    let text = desk.separa("cluster wine.csv -k 2 --drop cultivar").ok();
    assert!(text.contains("decision value") && text.contains('█'), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let text = desk.separa("cluster wine.csv -k 3 --drop cultivar").ok();
    assert!(text.contains("   margin\n"), "{text}");
}
