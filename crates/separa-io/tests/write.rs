//! Results on disk: whole or not at all.

use crate::common;

use std::io::{self, Write};
use std::path::Path;

use common::{Folder, dense, names, plain, says};
use separa_io::{Shown, Sure, TableOptions, read, write_atomic, write_labels};

#[test]
fn a_file_is_written_and_replaced_whole() {
    let folder = Folder::new();
    let path = folder.path().join("model.separa");
    write_atomic(&path, |out| out.write_all(b"first")).unwrap();
    write_atomic(&path, |out| out.write_all(b"second")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"second");
    assert_eq!(folder.listing(), ["model.separa"]);
}

#[test]
fn a_failed_write_changes_nothing_and_leaves_nothing() {
    let folder = Folder::new();
    let path = folder.path().join("model.separa");
    let fail = |out: &mut dyn Write| {
        out.write_all(&[0; 100_000])?;
        Err(io::Error::other("no space left on device"))
    };
    let error = write_atomic(&path, fail).unwrap_err().to_string();
    says(&error, &["model.separa: cannot be written", "no space left", "nothing was changed"]);
    assert!(folder.listing().is_empty());
    write_atomic(&path, |out| out.write_all(b"old")).unwrap();
    write_atomic(&path, fail).unwrap_err();
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(folder.listing(), ["model.separa"]);
}

/// Not even root makes files in /proc.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_told_by_the_target() {
    let path = Path::new("/proc/model.separa");
    let error = write_atomic(path, |out| out.write_all(b"x")).unwrap_err().to_string();
    says(&error, &["/proc/model.separa: cannot be written", "nothing was changed"]);
    assert!(!error.contains(".tmp"), "{error}");
}

#[test]
fn a_panic_while_writing_leaves_nothing() {
    let folder = Folder::new();
    let path = folder.path().join("model.separa");
    let panicking = std::panic::AssertUnwindSafe(|| write_atomic(&path, |_| panic!("a test")));
    assert!(std::panic::catch_unwind(panicking).is_err());
    assert!(folder.listing().is_empty());
}

#[test]
fn targets_that_cannot_be_are_refused() {
    let folder = Folder::new();
    let message =
        |path: &Path| write_atomic(path, |out| out.write_all(b"x")).unwrap_err().to_string();
    says(
        &message(&folder.path().join("no/where.csv")),
        &["no/where.csv", "does not exist", "create it first"],
    );
    says(&message(folder.path()), &["cannot be written"]);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_refused_and_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let inner = folder.path().join("locked");
    std::fs::create_dir(&inner).unwrap();
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write everywhere: then only folders of the kernel refuse.
    let superuser = std::fs::write(inner.join("probe"), "").is_ok();
    let target =
        if superuser { Path::new("/proc/labels.csv").to_owned() } else { inner.join("labels.csv") };
    if superuser && !Path::new("/proc/self").exists() {
        return;
    }
    let error = write_labels(&target, None, &[0, 1], None).unwrap_err().to_string();
    says(&error, &["labels.csv: cannot be written", "nothing was changed"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_reported_and_devices_are_never_replaced() {
    let error =
        write_atomic(Path::new("/dev/full"), |out| out.write_all(b"x")).unwrap_err().to_string();
    says(&error, &["/dev/full: cannot be written", "No space left"]);
    write_atomic(Path::new("/dev/null"), |out| out.write_all(b"x")).unwrap();
    use std::os::unix::fs::FileTypeExt;
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_not_replaced() {
    let folder = Folder::new();
    let (real, link) = (folder.path().join("real.csv"), folder.path().join("link.csv"));
    std::fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_atomic(&link, |out| out.write_all(b"new")).unwrap();
    assert_eq!(std::fs::read(&real).unwrap(), b"new");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn labels_are_numbered_by_row_or_named_by_id() {
    let folder = Folder::new();
    let path = folder.path().join("labels.csv");
    write_labels(&path, None, &[0, 1, -1], None).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "row,cluster\n1,0\n2,1\n3,-1\n");
    let ids = names(&["a,b", "say \"x\""]);
    let scores = names(&["score"]);
    write_labels(&path, Some(("name", &ids)), &[0, 1], Some((&scores, &[0.1, -2e-300]))).unwrap();
    let text = "name,cluster,score\n\"a,b\",0,0.1\n\"say \"\"x\"\"\",1,-2e-300\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn labels_read_back_from_every_format() {
    let folder = Folder::new();
    let ids = names(&["p", "q", "r"]);
    let score_names = names(&["s0", "s1"]);
    let scores = [0.1, 0.2, 1.0 / 3.0, -1e-17, 5e300, 0.0];
    for name in ["l.csv", "l.tsv", "l.csv.gz", "l.tsv.zst", "l.parquet"] {
        let path = folder.path().join(name);
        write_labels(&path, Some(("who", &ids)), &[2, 0, -1], Some((&score_names, &scores)))
            .unwrap();
        let options = TableOptions { id: Some("who".to_owned()), ..Default::default() };
        let table = read(path.to_str().unwrap(), &options).unwrap();
        assert_eq!(table.column("who").unwrap(), ids, "{name}");
        assert_eq!(
            dense(&table),
            [2.0, 0.1, 0.2, 0.0, 1.0 / 3.0, -1e-17, -1.0, 5e300, 0.0],
            "{name}"
        );
    }
    let path = folder.path().join("rows.parquet");
    write_labels(&path, None, &[4, 5], None).unwrap();
    let table = plain(path.to_str().unwrap()).unwrap();
    assert_eq!(
        (table.names.join(","), dense(&table)),
        ("row,cluster".to_owned(), &[1.0, 4.0, 2.0, 5.0][..])
    );
}

#[test]
fn how_sure_a_label_is_stands_behind_it() {
    let folder = Folder::new();
    let sure = Sure {
        confidence: &[0.75, 1.0, 0.0],
        runner_up: &[1, 0, -1],
        margin: &[0.5, 1e-9, f64::NAN],
    };
    let path = folder.path().join("l.csv");
    let scores = names(&["score"]);
    let labels = Shown::from(&[0, 1, -1]).sure(sure);
    write_labels(&path, None, labels, Some((&scores, &[7.0, 8.0, 9.0]))).unwrap();
    let text = "row,cluster,confidence,runner_up,margin,score\n\
                1,0,0.75,1,0.5,7.0\n2,1,1.0,0,1e-9,8.0\n3,-1,0.0,,,9.0\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let classes = names(&["red", "blue"]);
    write_labels(&path, None, Shown::named(&[0, 1, -1], &classes).sure(sure), None).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("\n1,red,0.75,blue,0.5\n"));
    let named = Shown::named(&[0, 1, -1], &classes).sure(sure);
    for (labels, name, title) in [(labels, "l.parquet", "cluster"), (named, "n.parquet", "label")] {
        let path = folder.path().join(name);
        write_labels(&path, None, labels, None).unwrap();
        let kept = [title, "confidence", "runner_up", "margin"].map(str::to_owned).to_vec();
        let options = TableOptions { aside: kept, only_aside: true, ..Default::default() };
        let table = read(path.to_str().unwrap(), &options).unwrap();
        assert_eq!(table.column("confidence").unwrap().len(), 3);
        assert_eq!(table.column("runner_up").unwrap()[2], "", "{name}");
        assert_eq!(table.column("margin").unwrap()[2], "", "{name}");
    }
    let short = Sure { margin: &[1.0], ..sure };
    let error = write_labels(&path, None, Shown::from(&[0, 1, -1]).sure(short), None);
    says(&error.unwrap_err().to_string(), &["column \"margin\" has 1 entries for 3 labels"]);
}

#[test]
fn names_of_clusters_stand_behind_their_numbers() {
    let folder = Folder::new();
    let called = names(&["=bulk", ""]);
    let labels = Shown::from(&[0, 1, -1]).called(&called);
    let path = folder.path().join("l.csv");
    write_labels(&path, None, labels, None).unwrap();
    let written = || std::fs::read_to_string(&path).unwrap();
    assert_eq!(written(), "row,cluster,name\n1,0,=bulk\n2,1,\n3,-1,\n");
    write_labels(&path, None, labels.excel_safe(true), None).unwrap();
    assert!(written().contains("\n1,0,'=bulk\n"), "{}", written());
    // Nobody has a name: no column.
    let nobody = names(&["", ""]);
    write_labels(&path, None, Shown::from(&[0, 1, -1]).called(&nobody), None).unwrap();
    assert!(written().starts_with("row,cluster\n"));
    let path = folder.path().join("l.parquet");
    write_labels(&path, None, labels, None).unwrap();
    let kept = ["cluster", "name"].map(str::to_owned).to_vec();
    let options = TableOptions { aside: kept, only_aside: true, ..Default::default() };
    let table = read(path.to_str().unwrap(), &options).unwrap();
    assert_eq!(table.column("name").unwrap(), ["=bulk", "", ""]);
}

#[test]
fn unknown_endings_and_wrong_lengths_are_refused_before_writing() {
    let folder = Folder::new();
    let message = |name: &str, ids: &[String]| {
        write_labels(&folder.path().join(name), Some(("id", ids)), &[0, 1], None)
            .unwrap_err()
            .to_string()
    };
    let two = names(&["a", "b"]);
    says(&message("labels.xls", &two), &["labels.xls", "unknown type \".xls\"", ".parquet"]);
    says(&message("labels.parquet.gz", &two), &["unknown type"]);
    says(&message("labels.csv", &two[..1]), &["column \"id\" has 1 entries for 2 labels"]);
    assert!(folder.listing().is_empty());
}
