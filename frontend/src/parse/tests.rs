use super::*;
#[test]
fn adhoc() {
    let Ok(list) = std::env::var("FUN_FILES") else { return };
    for path in std::fs::read_to_string(list).unwrap().lines() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let source = Source { name: path.into(), text: text.into() };
        let start = std::time::Instant::now();
        let result = parse_program(&source, 0);
        let time = start.elapsed();
        match result {
            Ok(p) => println!("OK {path} {} {time:?}", p.declarations.len()),
            Err(ds) => {
                for d in ds {
                    println!("ERR {} {d} {:?}", source.loc(d.span().unwrap().start), d.labels);
                }
            }
        }
    }
}
