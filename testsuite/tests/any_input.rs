//! Inputs that crashed a reader before, and some that might: `fuzz/seeds/`, one folder for each target.

use fun_testsuite::any_input::TARGETS;
use std::path::Path;

#[test]
fn the_readers_take_all_seeds() {
    // the command runs on a big stack as well: nesting is refused at a depth that it has room for
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(run_seeds).expect("a thread");
    worker.join().expect("no reader panics");
}

fn run_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    for (name, target) in TARGETS {
        let entries = std::fs::read_dir(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        assert!(!paths.is_empty(), "{name} has no seeds");
        for path in paths {
            let bytes = std::fs::read(&path).expect("a seed");
            let taken = std::panic::catch_unwind(|| target(&bytes));
            assert!(taken.is_ok(), "{} brings the reader down", path.display());
        }
    }
}
