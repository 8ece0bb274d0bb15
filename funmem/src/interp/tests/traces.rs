//! Traces of small programs, in full.

use super::super::run_traced;
use super::{program, values};
use crate::trace::{Life, MOST_ACCESSES, MOST_LIVES, Trace};
use fun_base::run::Limits;

fn trace(text: &str, args: &str) -> Trace {
    let (outcome, trace) = run_traced(&program(text), "main", &values(args), Limits::default());
    outcome.unwrap_or_else(|error| panic!("{error}"));
    trace
}

#[test]
fn blocks_arrays_and_uses() {
    let trace = trace(
        "entry main [a_mem_0: mem] (a_1: [2i64]i32 @ a_mem_0 -> 0 + {(2 : 1)}) : (r_2: i32) = {
           let (b_mem_3: mem) = alloc [3i64] i32 # \"t.fut\":1:2
           let (b_4: [2i64]i32 @ b_mem_3 -> 1 + {(2 : 1)}) = copy a_1
           let (c_5: [2i64]i32 @ b_mem_3 -> 2 + {(2 : -1)}) = reverse 0 b_4
           let (x_6: i32) = index c_5[0i64]
           let (y_7: i32) = add.i32 x_6 1i32
           in (x_6)
         }",
        "[7i32, 8i32]",
    );
    let [a, b] = trace.blocks.as_slice() else { panic!("{trace:?}") };
    // Arguments are there from time 0 to the end; each statement has a time of its own, and the results come after them.
    assert_eq!(a.lives, [Life { bytes: 8, start: 0, first_write: Some(0), last_use: Some(2), end: 7 }]);
    assert_eq!(b.lives, [Life { bytes: 12, start: 1, first_write: Some(2), last_use: Some(4), end: 5 }]);
    assert_eq!((trace.peak, trace.total, trace.end), ((20, 1), 20, 7));
    assert_eq!(b.allocated.loc.map(|loc| loc.to_string()).as_deref(), Some("t.fut:1:2"));
    let arrays: Vec<_> = b.arrays.iter().map(|array| (array.name.as_str(), array.lives.clone())).collect();
    assert_eq!(arrays, [("b_4", vec![(2, 2)]), ("c_5", vec![(3, 4)])]);
    let uses = |block: &crate::trace::BlockTrace| -> Vec<(String, String, u64, u64)> {
        let of = |of: &crate::trace::UseTrace| {
            (of.array.clone(), of.statement.text.chars().take(9).collect(), of.reads, of.writes)
        };
        block.uses.iter().map(of).collect()
    };
    let use_ =
        |array: &str, statement: &str, reads, writes| (array.to_owned(), statement.to_owned(), reads, writes);
    assert_eq!(uses(a), [use_("a_1", "", 0, 2), use_("a_1", "let (b_4:", 2, 0)]);
    assert_eq!(uses(b), [use_("b_4", "let (b_4:", 0, 2), use_("c_5", "let (x_6:", 1, 0)]);
    assert_eq!(trace.totals(), (3, 4));
    let last = trace.accesses.last().expect("accesses");
    assert_eq!(
        (last.verb, last.array.as_str(), last.index.clone(), last.address),
        ("reads", "c_5", Some(vec![0]), 2)
    );
}

#[test]
fn long_runs_have_short_traces() {
    let trace = trace(
        "entry main : (r_0: i64) = {
           let (x_1: i64) = loop (y_2: i64 = 0i64) for i_3: i64 < 5000i64 {
             let (a_mem_4: mem) = alloc [1i64] i64
             let (a_5: [1i64]i64 @ a_mem_4 -> 0 + {(1 : 1)}) = replicate [1i64] y_2
             let (b_6: i64) = index a_5[0i64]
             in (b_6)
           }
           in (x_1)
         }",
        "",
    );
    let [block] = trace.blocks.as_slice() else { panic!("{} blocks", trace.blocks.len()) };
    assert_eq!((block.count, block.lives.len(), block.bytes), (5000, MOST_LIVES, 8));
    assert_eq!(
        (block.arrays.len(), block.arrays[0].count, block.arrays[0].lives.len()),
        (1, 5000, MOST_LIVES)
    );
    assert_eq!((trace.accesses.len(), trace.count, trace.totals()), (MOST_ACCESSES, 10_000, (5000, 5000)));
    assert_eq!((trace.peak.0, trace.total), (8, 40_000));
}

#[test]
fn a_trace_goes_up_to_a_fault() {
    let text = "entry main : (r_0: i64) = {
       let (a_mem_1: mem) = alloc [2i64] i64
       let (a_2: [2i64]i64 @ a_mem_1 -> 0 + {(2 : 1)}) = replicate [2i64] 1i64
       let (b_3: [1i64]i64 @ a_mem_1 -> 1 + {(1 : 1)}) = replicate [1i64] 2i64
       let (x_4: i64) = index a_2[1i64]
       in (x_4)
     }";
    let (outcome, trace) = run_traced(&program(text), "main", &[], Limits::default());
    let fault = outcome.unwrap_err().fault.expect("a fault in memory");
    assert_eq!(fault.accesses.len(), 2);
    assert_eq!((trace.totals(), trace.blocks[0].whole.last_use), ((1, 3), Some(4)));
}

#[test]
fn scatters_that_write_a_place_twice() {
    let conflicts = |index: &str| {
        let text = format!(
            "entry main : (r_0: i64) = {{
               let (a_mem_1: mem) = alloc [4i64] i64
               let (a_2: [4i64]i64 @ a_mem_1 -> 0 + {{(4 : 1)}}) = replicate [4i64] 0i64
               let (b_3: [4i64]i64 @ a_mem_1 -> 0 + {{(4 : 1)}}) = kernel (i_4 < 4i64) scatter (a_2) {{
                 let (h_5: i64) = div.i64 i_4 2i64
                 let (k_6: i64) = mul.i64 i_4 2i64
                 in ({index}, h_5)
               }}
               let (x_7: i64) = index b_3[0i64]
               in (x_7)
             }}"
        );
        let found = trace(&text, "").conflicts;
        found
            .into_iter()
            .map(|conflict| (conflict.array, conflict.index, conflict.iterations))
            .collect::<Vec<_>>()
    };
    // Iterations 0 and 1 write the same value to one place, and so do 2 and 3.
    assert_eq!(conflicts("h_5"), []);
    // All write to one place: only from 1 to 2 does the value change. Places outside count for nothing.
    assert_eq!(conflicts("3i64"), [("a_2".to_owned(), Some(vec![3]), (1, 2))]);
    assert_eq!(conflicts("4i64"), []);
}
