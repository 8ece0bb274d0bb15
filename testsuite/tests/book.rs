//! The book's table of constructs: what it refers to exists.

use std::path::Path;

#[test]
fn every_case_that_the_table_of_constructs_names_exists() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let text = std::fs::read_to_string(&book).expect("the book is there");
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| construct ")) {
        rows += 1;
        // The last cell; `\|` is a bar inside of a cell.
        let cell = line.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no case in: {line}");
        for name in named {
            let path = cases.join(name);
            assert!(path.exists(), "{name} is missing; named in: {line}");
        }
    }
    assert!(rows > 60, "the table has only {rows} rows");
}
