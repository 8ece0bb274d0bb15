//! The examples: their stanzas hold, with the JIT and the interpreter, and every semantics agrees on them.

mod support;

use fun_base::value::{Value, ValueReader};
use support::{fun, repository};

/// One `input … output …` pair of a stanza.
struct Stanza {
    entry: String,
    input: String,
    output: String,
}

/// The stanzas of a program: the comment block after `-- ==`.
fn stanzas(text: &str) -> Vec<Stanza> {
    let lines = text.lines().skip_while(|line| line.trim() != "-- ==").skip(1);
    let block: String =
        lines.map_while(|line| line.strip_prefix("--")).flat_map(|line| [line, "\n"]).collect();
    let mut found = Vec::new();
    let mut entry = "main".to_owned();
    let mut rest = block.as_str();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("entry:") {
            let (name, after) = after.split_once('\n').expect("a line");
            entry = name.trim().to_owned();
            rest = after;
        } else if let Some(after) = rest.strip_prefix("input {") {
            let (input, after) = after.split_once('}').expect("a closing brace");
            let after = after.trim_start().strip_prefix("output {").expect("an output after the input");
            let (output, after) = after.split_once('}').expect("a closing brace");
            found.push(Stanza { entry: entry.clone(), input: input.to_owned(), output: output.to_owned() });
            rest = after;
        } else {
            assert!(rest.is_empty(), "can't read the stanza from: {rest}");
            return found;
        }
    }
}

fn values(text: &str) -> Vec<Value> {
    let mut reader = ValueReader::new(text.as_bytes());
    std::iter::from_fn(|| reader.read(None).expect("values")).collect()
}

fn example(name: &str) {
    let path = repository("examples").join(name);
    let text = std::fs::read_to_string(&path).expect("an example");
    let path = path.display().to_string();
    let stanzas = stanzas(&text);
    assert!(!stanzas.is_empty(), "{name} has no stanza");
    for stanza in stanzas {
        for backend in ["jit", "interp"] {
            let arguments = ["run", &path, "-e", &stanza.entry, "--backend", backend];
            let printed = fun(&arguments, stanza.input.as_bytes()).printed();
            let (expected, found) = (values(&stanza.output), values(&printed));
            assert_eq!(expected.len(), found.len(), "{name}, {backend}: {printed}");
            for (expected, found) in expected.iter().zip(&found) {
                if let Err(difference) = found.close(expected, 1e-5) {
                    panic!("{name}, {backend}: {difference}");
                }
            }
        }
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
