//! Tests of the parser: snippets in, shape of the tree or problems out.

use super::*;

fn source(text: &str) -> Source {
    Source { name: "test".into(), text: text.into() }
}

#[test]
fn a_program() {
    let text = "-- | Sums.\ndef sum [n] (xs: [n]i32): i32 = reduce (+) 0 xs\nentry main = sum [1, 2]\n";
    let program = parse_program(&source(text), 0).unwrap();
    let [Declaration::Value(sum), Declaration::Value(main)] = &program.declarations[..] else { panic!("two values") };
    assert_eq!(sum.doc.as_deref(), Some("Sums."));
    assert_eq!((sum.type_params.len(), sum.params.len(), sum.entry), (1, 1, false));
    assert!(main.entry);
}
