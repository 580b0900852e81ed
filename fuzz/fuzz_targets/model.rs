#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (separa_fuzz::target("model").expect("a target").run)(bytes));
