#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (separa_fuzz::target("csv").expect("a target").run)(bytes));
