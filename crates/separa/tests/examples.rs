//! The teaching examples run to their end, and what they assert holds.

macro_rules! run {
    ($($name:ident = $path:literal;)*) => {$(
        #[path = $path]
        #[allow(dead_code, reason = "an example is a program, and here a module")]
        mod $name;

        #[test]
        fn $name() {
            $name::main().unwrap();
        }
    )*};
}

run! {
    quick_start = "../examples/quick_start.rs";
    any_units = "../examples/any_units.rs";
    how_many = "../examples/how_many.rs";
    choose_a_method = "../examples/choose_a_method.rs";
    save_and_serve = "../examples/save_and_serve.rs";
    your_own_method = "../examples/your_own_method.rs";
}
