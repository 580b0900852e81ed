//! Faults on purpose: writes that fail at every byte, names that cannot be given, headers that lie.

use crate::common;

use std::fs::{self, File};
use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use common::{Col, Folder, npy_bytes, parquet_bytes, says};
use separa_io::{
    FileSet, Shown, TableOptions, labels_to_csv, read, read_bytes, real_path, write_atomic,
};

/// Writes that end with an error after so many bytes.
struct FailsAt<'a> {
    out: &'a mut dyn Write,
    left: usize,
}

impl Write for FailsAt<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the disk is full"));
        }
        // One byte at a time: every place is one to fail at.
        let written = self.out.write(&bytes[..1.min(bytes.len())])?;
        self.left -= written;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[test]
fn a_write_that_fails_at_any_byte_of_any_file_of_a_set_changes_none_of_them() {
    let folder = Folder::new();
    let paths = ["model.separa", "labels.csv", "report.html"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| fs::write(path, "old").unwrap());
    let content = [7; 97];
    for failing in 0..3 {
        for at in 0..content.len() {
            let mut set = FileSet::default();
            let added = paths.iter().enumerate().try_for_each(|(i, path)| {
                let left = if i == failing { at } else { usize::MAX };
                set.add(path, |out| FailsAt { out, left }.write_all(&content))
            });
            let said = added.unwrap_err().to_string();
            says(&said, &["cannot be written (the disk is full)", "nothing was changed"]);
            drop(set);
            assert!(paths.iter().all(|path| fs::read(path).unwrap() == b"old"), "{failing} {at}");
            assert_eq!(folder.listing(), ["labels.csv", "model.separa", "report.html"]);
        }
    }
}

#[test]
fn a_name_that_cannot_be_given_takes_the_others_back() {
    let folder = Folder::new();
    let [kept, made, lost] = ["kept", "made", "lost"].map(|name| folder.path().join(name));
    fs::write(&kept, "old").unwrap();
    let mut set = FileSet::default();
    for path in [&kept, &made, &lost] {
        set.add(path, |out| out.write_all(b"new")).unwrap();
    }
    // Between preparing and naming somebody makes a folder of that name.
    fs::create_dir(&lost).unwrap();
    let said = set.commit().unwrap_err().to_string();
    says(&said, &["lost: cannot be written", "nothing was changed"]);
    assert_eq!(fs::read(&kept).unwrap(), b"old");
    assert_eq!(folder.listing(), ["kept", "lost"]);
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_followed_and_one_file_has_one_real_path() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("inner")).unwrap();
    let (link, real) = (folder.path().join("link.csv"), folder.path().join("inner/real.csv"));
    std::os::unix::fs::symlink("inner/real.csv", &link).unwrap();
    assert_eq!(real_path(&link), real_path(&real));
    assert_eq!(real_path(&folder.path().join("inner/../inner/./real.csv")), real_path(&real));
    assert_ne!(real_path(&link), real_path(&folder.path().join("inner/other.csv")));
    write_atomic(&link, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    // A link to itself leads nowhere, and says so.
    let round = folder.path().join("round.csv");
    std::os::unix::fs::symlink("round.csv", &round).unwrap();
    let said = write_atomic(&round, |out| out.write_all(b"x")).unwrap_err().to_string();
    says(&said, &["round.csv: cannot be written (it is a link that leads nowhere)"]);
}

#[test]
fn what_a_killed_process_left_is_swept_and_what_a_living_one_writes_is_not() {
    let folder = Folder::new();
    let leave = |name: &str, age: u64| {
        let file = File::create(folder.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        file
    };
    drop(leave(".separa-dead.tmp", 3600));
    let living = leave(".separa-living.tmp", 3600);
    living.lock().unwrap();
    drop(leave(".separa-new.tmp", 0));
    drop(leave("mine.tmp", 3600));
    write_atomic(&folder.path().join("out.csv"), |out| out.write_all(b"x")).unwrap();
    let left = folder.listing();
    assert_eq!(left, [".separa-living.tmp", ".separa-new.tmp", "mine.tmp", "out.csv"]);
}

fn refused(name: &str, bytes: Vec<u8>) -> String {
    read_bytes(name, bytes, &TableOptions::default()).unwrap_err().to_string()
}

#[test]
fn a_header_cannot_ask_for_more_than_the_file_holds() {
    let mut npy = npy_bytes("'<f8'", false, "(4, 2)", &[1; 64]);
    npy[8..10].copy_from_slice(&u16::MAX.to_le_bytes());
    says(&refused("a.npy", npy), &["a.npy: the file is damaged", "header of 65535 bytes"]);
    let mut two = b"\x93NUMPY\x02\x00".to_vec();
    two.extend(u32::MAX.to_le_bytes());
    two.extend([b' '; 100]);
    says(&refused("b.npy", two), &["b.npy: the file is damaged", "header of 4294967295 bytes"]);
}

#[test]
fn a_line_of_sparse_rows_cannot_ask_for_more_features_than_its_file_has_entries_for() {
    // Every index up to the largest is a feature: these forty bytes took 6 GB and half a minute.
    let far = |index: usize| format!("1 1:2\n0 2:3 {index}:1\n1 1:1\n").into_bytes();
    says(
        &refused("t.svm", far(9_999_999)),
        &["t.svm: row 2: holds the index 9999999, too large for a file of 4 entries"],
    );
    let options = TableOptions::default();
    assert_eq!(read_bytes("t.svm", far(50_000), &options).unwrap().cols(), 50_000);
    // With entries to speak for it such an index is one of many.
    let mut large = "1 1:1\n0 2:1\n".repeat(5_500).into_bytes();
    large.extend(far(1_050_000));
    assert_eq!(read_bytes("t.svm", large, &options).unwrap().cols(), 1_050_000);
}

#[test]
fn a_page_cannot_be_larger_than_its_column() {
    let message = "message t { required double a; }";
    let good = parquet_bytes(
        message,
        &[vec![Col::F64((0..300).map(|i| f64::from(i * i % 97) * 0.5).collect())]],
    );
    assert!(read_bytes("t.parquet", good.clone(), &TableOptions::default()).is_ok());
    // A header begins with two 32-bit integers: its type, and the size of the page, here of two bytes.
    let pages: Vec<usize> = (4..good.len() - 5)
        .filter(|&at| matches!(good[at..at + 5], [0x15, 0 | 4, 0x15, 0x80..=0xff, 0..=0x7f]))
        .collect();
    assert!(!pages.is_empty());
    for at in pages {
        let mut bad = good.clone();
        (bad[at + 3], bad[at + 4]) = (0xfe, 0x7f);
        says(
            &refused("t.parquet", bad),
            &["t.parquet: the file is damaged", "a page of 8191 bytes"],
        );
    }
}

#[test]
fn names_of_rows_are_kept_as_they_are_and_formulas_are_quoted_if_asked() {
    let folder = Folder::new();
    let path = folder.path().join("t.csv");
    fs::write(&path, "id,x,y\n a ,1,2\r\n=cmd|' /C calc'!A0,2,1\n\"  b\",3,5\n-7,4,4\n").unwrap();
    let options = TableOptions { id: Some("id".into()), ..TableOptions::default() };
    let table = read(path.to_str().unwrap(), &options).unwrap();
    let ids = table.column("id").unwrap();
    assert_eq!(ids, [" a ", "=cmd|' /C calc'!A0", "  b", "-7"]);
    let csv = |safe: bool| {
        let mut out = Vec::new();
        let labels = Shown::from(&[0, 1, 0, -1]).excel_safe(safe);
        labels_to_csv(&mut out, Some(("id", ids)), labels, None).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(csv(false), "id,cluster\n a ,0\n=cmd|' /C calc'!A0,1\n  b,0\n-7,-1\n");
    assert_eq!(csv(true), "id,cluster\n a ,0\n'=cmd|' /C calc'!A0,1\n  b,0\n-7,-1\n");
}
