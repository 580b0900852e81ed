//! Where results go: looked at before the work, written whole or not at all.

use crate::common;

use common::{Desk, WINE, label_column};
use std::fs;
use std::path::Path;

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

/// Before the fit: with no table to read, the complaint is still about the target.
#[test]
fn targets_are_refused_before_the_table_is_read() {
    let desk = Desk::new();
    desk.refused("cluster none.csv -k 3 -o out/l.csv", &["out/l.csv", "does not exist", "create"]);
    desk.refused("cluster none.csv -k 3 --model out/m.separa", &["out/m.separa", "does not exist"]);
    desk.refused("cluster none.csv -k 3 -o l.json", &["l.json", "unknown type", ".parquet"]);
    desk.refused("predict none.separa none.csv -o out/l.csv", &["out/l.csv", "does not exist"]);
    fs::create_dir(desk.path("here.csv")).unwrap();
    desk.refused("cluster none.csv -k 3 -o here.csv", &["here.csv", "this is a folder"]);
}

#[test]
fn a_read_only_file_is_left_alone() {
    let desk = wine();
    for (option, name) in [("-o", "kept.csv"), ("--model", "kept.separa")] {
        desk.put(name, "precious");
        let mut permissions = fs::metadata(desk.path(name)).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(desk.path(name), permissions).unwrap();
        desk.refused(&format!("cluster wine.csv -k 3 {option} {name}"), &[name, "read-only"]);
        assert_eq!(desk.get(name), "precious");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let desk = wine();
    let folder = desk.path("locked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        println!("skipped: this user may write into read-only folders");
        return;
    }
    desk.refused("cluster wine.csv -k 3 -o locked/l.csv", &["locked", "cannot be written to"]);
}

#[cfg(unix)]
#[test]
fn a_full_target_is_an_error() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: this system has no /dev/full");
        return;
    }
    let desk = wine();
    let full = ["/dev/full", "cannot be written"];
    desk.refused("cluster wine.csv -k 3 --model /dev/full", &full);
    std::os::unix::fs::symlink("/dev/full", desk.path("full.csv")).unwrap();
    desk.refused("cluster wine.csv -k 3 -o full.csv", &["full.csv", "cannot be written"]);
    assert!(fs::metadata("/dev/full").is_ok_and(|m| !m.is_file()), "the device is still one");
    let out = fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = desk.command(&["methods"]).stdout(out).output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("standard output: cannot be written"));
}

#[test]
fn the_input_is_never_overwritten() {
    let desk = wine();
    desk.refused("cluster wine.csv -k 3 -o wine.csv", &["wine.csv", "the input itself"]);
    desk.refused("cluster wine.csv -k 3 --model ./wine.csv", &["the input itself"]);
    desk.refused("cluster wine.csv -k 3 -o a.csv --model a.csv", &["a.csv", "same file"]);
    assert_eq!(desk.get("wine.csv"), WINE);
}

#[test]
fn every_label_format_holds_the_same_labels() {
    let desk = wine();
    let cluster = "cluster wine.csv -k 3 --drop cultivar -q -o";
    for name in ["l.csv", "l.tsv", "l.csv.gz", "l.csv.zst", "l.parquet"] {
        desk.separa(&format!("{cluster} {name}")).ok();
    }
    let labels = label_column(&desk.get("l.csv"));
    assert_eq!(labels.len(), 178);
    assert_eq!(label_column(&desk.get("l.tsv").replace('\t', ",")), labels);
    // The others are read back by the reader: a perfect agreement of `row`s is not needed.
    for name in ["l.csv.gz", "l.csv.zst", "l.parquet"] {
        let json =
            desk.separa(&format!("score {name} --labels cluster --features row --json")).json();
        let size = |c: i32| labels.iter().filter(|l| **l == c).count();
        let sizes: Vec<usize> = (0..3).map(size).collect();
        assert_eq!(json["sizes"], serde_json::json!(sizes), "{name}");
    }
}

#[test]
fn existing_files_are_replaced_whole_and_nothing_else_is_left() {
    let desk = wine();
    desk.put("l.csv", "old".repeat(10_000));
    desk.separa("cluster wine.csv -k 3 -o l.csv --model m.separa").ok();
    assert!(desk.get("l.csv").starts_with("row,cluster,confidence,runner_up,margin\n1,0,"));
    assert_eq!(desk.files(), ["l.csv", "m.separa", "wine.csv"]);
}

#[test]
fn rows_left_out_keep_their_numbers() {
    let desk = Desk::new();
    desk.put("data.csv", "a,b\n1,1\n2,\n9,9\n8,9\n1,2\n9,8\n");
    desk.separa("cluster data.csv -k 2 --missing drop -q -o l.csv").ok();
    let rows: Vec<String> =
        desk.get("l.csv").lines().map(|l| l.split(',').next().unwrap().to_owned()).collect();
    assert_eq!(rows, ["row", "1", "3", "4", "5", "6"]);
}
