//! Counts of more than the counters of lanes hold (`passes/src/imp/split_folds/counts.rs`), by way of C and by the JIT.

mod support;

use support::{Folder, fun, without_c_compiler};

const PROGRAM: &str = "
def count [n] 't (p: t -> bool) (xs: [n]t) : i64 = i64.sum (map (\\x -> i64.bool (p x)) xs)
entry main (n: i64) =
  let below xs = count (< 3) xs
  in (count (\\x -> x != 9) (map u8.i64 (map (% 7) (iota n))),
      count (>= 0) (map (\\x -> i16.i64 (x % 1000)) (iota n)),
      below (map (\\x -> i32.i64 (x & 1)) (iota n)),
      i32.sum (map (\\x -> i32.bool (x < 200)) (map (\\x -> u8.i64 (x & 127)) (iota n))))
";

/// All hold, some hundred thousand times.
#[test]
fn counts_do_not_wrap() {
    let folder = Folder::new();
    let program = folder.file("counts.fut", PROGRAM);
    let backends = if without_c_compiler() { &["jit"][..] } else { &["jit", "c"] };
    for n in [0, 1, 127 * 256, 127 * 256 + 1, 128 * 256, 700_001] {
        for backend in backends {
            let run = fun(&["run", "-w", "--backend", backend, &program], format!("{n}i64").as_bytes());
            assert_eq!(run.printed(), format!("{n}i64\n{n}i64\n{n}i64\n{n}i32\n"), "{n}, {backend}");
        }
    }
}
