#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (separa_fuzz::target("parquet").expect("a target").run)(bytes));
