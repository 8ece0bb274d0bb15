//! The examples: their stanzas hold, with the JIT and the interpreter, and every semantics agrees on them.

mod support;

use support::{fun, repository};

fn example(name: &str) {
    let path = repository("examples").join(name).display().to_string();
    for backend in ["--compiled", "--interpreter"] {
        let printed = fun(&["test", "--tolerance", "1e-5", backend, &path], b"").printed();
        assert!(printed.contains(", 0 failed, 0 skipped"), "{printed}");
    }
    let agreed = fun(&["verify", "--random", "6", &path], b"").printed();
    assert!(agreed.contains("inputs agree"), "{agreed}");
}

/// One test for each example, and a check that none is forgotten.
macro_rules! examples {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            example(concat!(stringify!($name), ".fut"));
        })*

        #[test]
        fn every_example_is_tested() {
            let tested = [$(concat!(stringify!($name), ".fut")),*];
            for entry in std::fs::read_dir(repository("examples")).expect("the examples").flatten() {
                let name = entry.file_name().into_string().expect("a name");
                assert!(!name.ends_with(".fut") || tested.contains(&name.as_str()), "{name} is not tested");
            }
        }
    };
}

examples! { bfs dot_product heat kmeans life lud mandelbrot matmul pagerank }
