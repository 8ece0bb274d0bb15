//! The fuzz target `imp`: see `testsuite/src/any_input.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fun_testsuite::any_input::target("imp")(bytes));
