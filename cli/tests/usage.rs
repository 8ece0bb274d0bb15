//! `fun run --mem`: what a run used.

mod support;

use support::{Folder, fun, without_c_compiler};

/// Allocates once before a loop and once in each iteration, and copies 17 numbers; 4 more are so few that they count as stores.
const PROGRAM: &str = "\
entry proc main (n_0: i64) : (i64) takes (i64 @ 0) gives (i64 @ 0) {
  alloc a_1: i64[n_0]
  view v_2: i64 @ a_1 -> 0 + {(4 : 1)}
  view w_3: i64 @ a_1 -> 4 + {(4 : 1)}
  copy v_2 <- w_3
  view x_6: i64 @ a_1 -> 0 + {(17 : 1)}
  view y_7: i64 @ a_1 -> 17 + {(17 : 1)}
  copy x_6 <- y_7
  for i_4: i64 < n_0 seq {
    alloc b_5: i32[3i64]
    free b_5
  }
  free a_1
  return (n_0)
}
";

#[test]
fn heap_calls_and_copies_are_counted() {
    let folder = Folder::new();
    let path = folder.file("program.imp", PROGRAM);
    let outcome = fun(&["run", "--mem", "--pipeline", "none", &path], b"34");
    assert_eq!(outcome.printed(), "34i64\n");
    // 34 numbers of 8 bytes, and 34 times 3 of 4
    let expected = "peak_bytes 284\nargument_bytes 0\nheap_calls 35\nheap_calls_in_loops 34\nallocated_bytes 680\ncopied_bytes 136\n";
    assert_eq!(outcome.stderr, expected);
    if !without_c_compiler() {
        let by_c = fun(&["run", "--mem", "--backend", "c", "--pipeline", "none", &path], b"34");
        assert_eq!(by_c.stderr, expected);
    }
    assert_ne!(fun(&["run", "--mem", "--backend", "interp", &path], b"8").status, 0);
}

/// A run that wants more than it may have fails, and says where; one that has enough does not.
#[test]
fn memory_has_a_limit() {
    let folder = Folder::new();
    let path = folder.file("large.fut", "entry main (n: i64) = let xs = iota n in xs[1:] with [0] = 7\n");
    let mut backends = vec!["jit"];
    backends.extend((!without_c_compiler()).then_some("c"));
    for backend in backends {
        let run = |limit: &str| {
            fun(&["run", "-n", "--memory-limit", limit, "--backend", backend, &path], b"1000000")
        };
        assert_eq!(run("64").status, 0, "{}", run("64").stderr);
        let outcome = run("4");
        assert_ne!(outcome.status, 0);
        assert!(outcome.stderr.contains("large.fut:1"), "{}", outcome.stderr);
    }
    assert_ne!(fun(&["run", "--memory-limit", "64", "--backend", "interp", &path], b"8").status, 0);
}
