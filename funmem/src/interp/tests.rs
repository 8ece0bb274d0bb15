//! Programs of known results, and programs that break each rule which only the heap semantics sees.

use super::run;
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader, write_text};

fn program(text: &str) -> crate::ir::Program {
    let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
    crate::text::parse_program(&source, 0).unwrap_or_else(|error| panic!("{error}"))
}

fn values(text: &str) -> Vec<Value> {
    ValueReader::new(text.as_bytes()).read_all().unwrap()
}

fn print(values: &[Value]) -> String {
    let mut out = Vec::new();
    for value in values {
        write_text(value, &mut out).unwrap();
        out.push(b' ');
    }
    String::from_utf8(out).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs `main`; gives the results or the error as text.
fn outcome(text: &str, args: &str) -> String {
    match run(&program(text), "main", &values(args), Limits::default()) {
        Ok(results) => print(&results),
        Err(error) => error.to_string(),
    }
}

/// An entry point with this head and body; the body has been checked.
fn main(head: &str, body: &str, args: &str) -> String {
    let text = format!("entry main {head} = {{\n{body}\n}}");
    if let Err(errors) = crate::check::check_program(&program(&text)) {
        panic!("{}", crate::check::errors_to_string(&errors));
    }
    outcome(&text, args)
}

#[test]
fn figure_7() {
    let text = include_str!("../text/figure7.funmem");
    assert_eq!(outcome(text, "2i64 3i64 true"), "[0i64, 1i64]");
    assert_eq!(outcome(text, "2i64 3i64 false"), "[0i64, 1i64, 2i64]");
}

#[test]
fn layouts_are_free_choices() {
    // A matrix in column-major order with gaps, and the rows read back from it.
    let out = main(
        "[n_0: i64] [a_mem_1: mem] (a_2: [n_0][3i64]i32 @ a_mem_1 -> 0 + {(n_0 : 3)(3 : 1)}) : \
         [r_mem_3: mem] (r_4: [3i64]i32 @ r_mem_3 -> 0 + {(3 : 1)})",
        "let (b_mem_5: mem) = alloc [n_0][9i64] i32
         let (b_6: [n_0][3i64]i32 @ b_mem_5 -> 4 + {(n_0 : 2)(3 : 2*n_0)}) = copy a_2
         let (c_7: [3i64]i32 @ b_mem_5 -> 6 + {(3 : 2*n_0)}) = slice b_6[1i64, 0i64 : 3i64 : 1i64]
         let (d_8: [3i64]i32 @ b_mem_5 -> 4*n_0 + 6 + {(3 : -2*n_0)}) = reverse 0 c_7
         let (r_mem_9: mem) = alloc [3i64] i32
         let (r_10: [3i64]i32 @ r_mem_9 -> 0 + {(3 : 1)}) = copy d_8
         in (r_mem_9, r_10)",
        "[[1,2,3],[4,5,6]]",
    );
    assert_eq!(out, "[6i32, 5i32, 4i32]");
}

#[test]
fn kernels_reduce_scan_hist_and_scatter() {
    let op = "\\(x_20: i64) (y_21: i64) : i64 {
      let (s_22: i64) = add.i64 x_20 y_21
      in (s_22)
    } (0i64)";
    let heads = "[a_mem_0: mem] (a_1: [2i64][3i64]i64 @ a_mem_0 -> 0 + {(2 : 3)(3 : 1)})";
    let result =
        |size: i64| format!("[r_mem_2: mem] (r_3: [{size}i64]i64 @ r_mem_2 -> 0 + {{({size} : 1)}})");
    let body = |combine: &str, inner: &str, size: i64, before: &str| {
        format!(
            "let (r_mem_4: mem) = alloc [{size}i64] i64
             {before}
             let (r_5: [{size}i64]i64 @ r_mem_4 -> 0 + {{({size} : 1)}}) = kernel {combine} {{
               {inner}
             }}
             in (r_mem_4, r_5)"
        )
    };
    let element = "let (e_10: i64) = index a_1[i_6, j_7] in (e_10)";
    let flat = "let (e_10: i64) = index a_1[0i64, i_6] in";
    let old = "let (o_11: [4i64]i64 @ r_mem_4 -> 0 + {(4 : 1)}) = replicate [4i64] 100i64";
    let args = "[[1i64,2i64,3i64],[4i64,5i64,6i64]]";
    let run = |size, body: String| main(&format!("{heads} : {}", result(size)), &body, args);
    assert_eq!(
        run(2, body(&format!("(i_6 < 2i64, j_7 < 3i64) reduce {op}"), element, 2, "")),
        "[6i64, 15i64]"
    );
    assert_eq!(
        run(2, body(&format!("(i_6 < 2i64, j_7 < 0i64) reduce {op}"), element, 2, "")),
        "[0i64, 0i64]"
    );
    let scan = format!("(i_6 < 3i64) scan {op}");
    assert_eq!(run(3, body(&scan, &format!("{flat} (e_10)"), 3, "")), "[1i64, 3i64, 6i64]");
    // Each value to its own bin; then all into one.
    let hist = format!("(i_6 < 3i64) hist {op} (o_11)");
    assert_eq!(
        run(4, body(&hist, &format!("{flat} (e_10, e_10)"), 4, old)),
        "[100i64, 101i64, 102i64, 103i64]"
    );
    assert_eq!(
        run(4, body(&hist, &format!("{flat} (2i64, e_10)"), 4, old)),
        "[100i64, 100i64, 106i64, 100i64]"
    );
    // The last write wins; index 4 is out of range.
    assert_eq!(
        run(4, body("(i_6 < 3i64) scatter (o_11)", &format!("{flat} (1i64, e_10)"), 4, old)),
        "[100i64, 3i64, 100i64, 100i64]"
    );
    let beyond = "let (e_10: i64) = index a_1[0i64, i_6] let (k_12: i64) = add.i64 e_10 1i64 in (k_12, e_10)";
    assert_eq!(run(4, body("(i_6 < 3i64) scatter (o_11)", beyond, 4, old)), "[100i64, 100i64, 1i64, 2i64]");
}

/// The error of a body without arguments and results.
fn fails(body: &str) -> String {
    main(":", &format!("{body}\nin ()"), "")
}

#[test]
fn races_name_both_iterations_and_statements() {
    let twelve = "let (a_mem_0: mem) = alloc [4i64] i64
         let (a_1: [4i64]i64 @ a_mem_0 -> 0 + {(4 : 1)}) = replicate [4i64] 0i64";
    // Two results in one cell: iterations 0 and 2 of a shape that folds over.
    assert_eq!(
        fails(&format!(
            "{twelve}
             let (one_8: i64) = 1i64
             let (m_9: i64) = sub.i64 one_8 1i64
             let (b_2: [2i64][2i64]i64 @ a_mem_0 -> 0 + {{(2 : m_9)(2 : 1)}}) = kernel (i_3 < 2i64, j_4 < 2i64) {{
               in (i_3)
             }} # \"t.fut\":3:7"
        )),
        "fault: M8: race on i64 0 of `a_mem_0` at t.fut:3:7 in main\n  \
         writes b_2[1, 0], iteration (1, 0) of a kernel: `let (b_2: [2i64][2i64]i64 @ a_mem_0 -> 0 + {(2 : m_9)(2 : 1)}) = kernel \
         (i_3 < 2i64, j_4 < 2i64) { …` (t.fut:3:7)\n  \
         writes b_2[0, 0], iteration (0, 0) of a kernel: `let (b_2: [2i64][2i64]i64 @ a_mem_0 -> 0 + {(2 : m_9)(2 : 1)}) = kernel \
         (i_3 < 2i64, j_4 < 2i64) { …` (t.fut:3:7)\n  \
         `a_mem_0`, 32 bytes, is allocated: `let (a_mem_0: mem) = alloc [4i64] i64`"
    );
    // A result over an array that other iterations read: what a wrong reuse of memory does.
    let overlapping = fails(&format!(
        "{twelve}
         let (b_2: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = kernel (i_3 < 4i64) {{
           let (j_4: i64) = sub.i64 3i64 i_3
           let (x_5: i64) = index a_1[j_4]
           in (x_5)
         }}"
    ));
    assert!(
        overlapping.starts_with(
            "fault: M8: race on i64 1 of `a_mem_0` in main\n  \
             reads a_1[1], iteration (2) of a kernel: `let (x_5: i64) = index a_1[j_4]`\n  \
             writes b_2[1], iteration (1) of a kernel: `let (b_2: "
        ),
        "{overlapping}"
    );
    // Each reading only its own cell is no race.
    let own = fails(&format!(
        "{twelve}
         let (b_2: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = kernel (i_3 < 4i64) {{
           let (x_5: i64) = index a_1[i_3]
           let (y_6: i64) = add.i64 x_5 i_3
           in (y_6)
         }}"
    ));
    assert_eq!(own, "");
    // All iterations use one block as scratch space.
    let shared = fails(&format!(
        "{twelve}
         let (b_mem_20: mem) = alloc [4i64] i64
         let (b_2: [4i64]i64 @ b_mem_20 -> 0 + {{(4 : 1)}}) = kernel (i_3 < 4i64) {{
           let (c_5: [1i64]i64 @ a_mem_0 -> 0 + {{(1 : 1)}}) = replicate [1i64] i_3
           let (x_6: i64) = index c_5[0i64]
           in (x_6)
         }}"
    ));
    assert!(
        shared.contains("writes c_5[0], iteration (1) of a kernel: `let (c_5")
            && shared.contains("writes c_5[0], iteration (0) of a kernel: `let (c_5"),
        "{shared}"
    );
}

#[test]
fn a_race_is_seen_through_inner_kernels() {
    // Rows of the outer kernel are written by an inner one into the same place for each outer iteration.
    let error = fails(
        "let (t_mem_0: mem) = alloc [2i64] i64
         let (r_mem_1: mem) = alloc [3i64][2i64] i64
         let (r_2: [3i64][2i64]i64 @ r_mem_1 -> 0 + {(3 : 2)(2 : 1)}) = kernel (i_3 < 3i64) {
           let (t_4: [2i64]i64 @ t_mem_0 -> 0 + {(2 : 1)}) = kernel (j_5 < 2i64) {
             in (i_3)
           }
           in (t_4)
         }",
    );
    assert!(
        error.contains("race on i64 0 of `t_mem_0`")
            && error
                .contains("writes t_4[0], iteration (0) of a kernel in iteration (1) of a kernel: `let (t_4")
            && error
                .contains("writes t_4[0], iteration (0) of a kernel in iteration (0) of a kernel: `let (t_4"),
        "{error}"
    );
    // With a block for each iteration there is none.
    let apart = fails(
        "let (r_mem_1: mem) = alloc [3i64][2i64] i64
         let (r_2: [3i64][2i64]i64 @ r_mem_1 -> 0 + {(3 : 2)(2 : 1)}) = kernel (i_3 < 3i64) {
           let (t_mem_0: mem) = alloc [2i64] i64
           let (t_4: [2i64]i64 @ t_mem_0 -> 0 + {(2 : 1)}) = kernel (j_5 < 2i64) {
             in (i_3)
           }
           in (t_4)
         }",
    );
    assert_eq!(apart, "");
}

#[test]
fn overlapping_live_arrays_are_clobbered() {
    // `b` was put where `a` lies, which is read afterwards.
    let text = "
      let (a_mem_0: mem) = alloc [2i64] i64
      let (a_1: [2i64]i64 @ a_mem_0 -> 0 + {(2 : 1)}) = replicate [2i64] 1i64
      let (b_mem_5: mem) = alloc [2i64] i64
      let (b_2: [2i64]i64 @ b_mem_5 -> 0 + {(2 : 1)}) = iota.i64 2i64 7i64 1i64
      let (x_3: i64) = index a_1[0i64]
      let (y_4: i64) = index b_2[0i64]
      in (x_3, y_4)";
    let head = ": (x_10: i64) (y_11: i64)";
    assert_eq!(main(head, text, ""), "1i64 7i64");
    assert_eq!(
        main(head, &text.replace("b_2: [2i64]i64 @ b_mem_5", "b_2: [2i64]i64 @ a_mem_0"), ""),
        "fault: M8: a_1[0] was overwritten through another array (i64 0 of `a_mem_0`) in main\n  \
         reads a_1[0]: `let (x_3: i64) = index a_1[0i64]`\n  \
         writes b_2[0]: `let (b_2: [2i64]i64 @ a_mem_0 -> 0 + {(2 : 1)}) = iota.i64 2i64 7i64 1i64`\n  \
         `a_mem_0`, 16 bytes, is allocated: `let (a_mem_0: mem) = alloc [2i64] i64`"
    );
}

#[test]
fn undefined_cells() {
    let scratch = "let (a_mem_0: mem) = alloc [2i64] i64
         let (a_1: [2i64]i64 @ a_mem_0 -> 0 + {(2 : 1)}) = scratch [2i64]i64
         let (b_2: [2i64]i64 @ a_mem_0 -> 0 + {(2 : 1)}) = update a_1[0i64] 5i64";
    // Copies move undefined cells; only looking at one is a fault.
    let copy = "let (c_mem_3: mem) = alloc [2i64] i64
         let (c_4: [2i64]i64 @ c_mem_3 -> 0 + {(2 : 1)}) = copy b_2";
    assert_eq!(
        main(": (x_9: i64)", &format!("{scratch}\n{copy}\nlet (x_5: i64) = index c_4[0i64]\nin (x_5)"), ""),
        "5i64"
    );
    assert_eq!(
        fails(&format!("{scratch}\n{copy}\nlet (x_5: i64) = index c_4[1i64] # \"t.fut\":1:2")),
        "fault: M8: c_4[1] is read before it is written (i64 1 of `c_mem_3`) at t.fut:1:2 in main\n  \
         reads c_4[1]: `let (x_5: i64) = index c_4[1i64]` (t.fut:1:2)\n  \
         leaves undefined c_4[1]: `let (c_4: [2i64]i64 @ c_mem_3 -> 0 + {(2 : 1)}) = copy b_2`\n  \
         `c_mem_3`, 16 bytes, is allocated: `let (c_mem_3: mem) = alloc [2i64] i64`"
    );
    assert_eq!(
        main(
            ": [r_mem_8: mem] (r_9: [2i64]i64 @ r_mem_8 -> 0 + {(2 : 1)})",
            &format!("{scratch}\nin (a_mem_0, b_2)"),
            ""
        ),
        "fault: M8: b_2[1] is read before it is written (i64 1 of `a_mem_0`) in main\n  reads b_2[1] as a result\n  \
         leaves undefined a_1[1]: `let (a_1: [2i64]i64 @ a_mem_0 -> 0 + {(2 : 1)}) = scratch [2i64]i64`\n  \
         `a_mem_0`, 16 bytes, is allocated: `let (a_mem_0: mem) = alloc [2i64] i64`"
    );
}

#[test]
fn accesses_outside_of_blocks() {
    assert_eq!(
        fails(
            "let (a_mem_0: mem) = alloc [3i64] i32
             let (a_1: [4i64]i32 @ a_mem_0 -> 0 + {(4 : 1)}) = replicate [4i64] 1i32"
        ),
        "fault: M8: a_1[3] is outside of its block (i32 3 of `a_mem_0`) in main\n  \
         has a cell at a_1[3]: `let (a_1: [4i64]i32 @ a_mem_0 -> 0 + {(4 : 1)}) = replicate [4i64] 1i32`\n  \
         `a_mem_0`, 12 bytes, is allocated: `let (a_mem_0: mem) = alloc [3i64] i32`"
    );
    assert_eq!(
        fails(
            "let (a_mem_0: mem) = alloc [4i64] i32
             let (a_1: [4i64]i32 @ a_mem_0 -> 2 + {(4 : -1)}) = iota.i32 4i64 0i32 1i32"
        ),
        "fault: M8: a_1[3] is outside of its block (i32 -1 of `a_mem_0`) in main\n  \
         has a cell at a_1[3]: `let (a_1: [4i64]i32 @ a_mem_0 -> 2 + {(4 : -1)}) = iota.i32 4i64 0i32 1i32`\n  \
         `a_mem_0`, 16 bytes, is allocated: `let (a_mem_0: mem) = alloc [4i64] i32`"
    );
    // An empty array needs no room.
    assert_eq!(
        fails(
            "let (a_mem_0: mem) = alloc [0i64] i32
             let (a_1: [0i64][4i64]i32 @ a_mem_0 -> 7 + {(0 : 1)(4 : 100)}) = replicate [0i64][4i64] 1i32"
        ),
        ""
    );
}

#[test]
fn blocks_end_with_their_body() {
    // 1000 iterations of 1 MiB fit into a limit of 4 MiB, two at a time.
    let text = "entry main : (r_0: i64) = {
      let (x_1: i64) = loop (y_2: i64 = 0i64) for i_3: i64 < 1000i64 {
        let (a_mem_4: mem) = alloc [1048576i64] i8
        let (a_5: [1i64]i64 @ a_mem_4 -> 0 + {(1 : 1)}) = replicate [1i64] y_2
        let (b_6: i64) = index a_5[0i64]
        let (c_7: i64) = add.i64 b_6 i_3
        in (c_7)
      }
      in (x_1)
    }";
    let limits = Limits { steps: 1_000_000, bytes: 4 << 20 };
    assert_eq!(print(&run(&program(text), "main", &[], limits).unwrap()), "499500i64");
    let limits = Limits { steps: 1_000_000, bytes: 1 << 19 };
    assert_eq!(run(&program(text), "main", &[], limits).unwrap_err().kind, RunErrorKind::Limit);
    let limits = Limits { steps: 1000, bytes: 4 << 20 };
    assert_eq!(run(&program(text), "main", &[], limits).unwrap_err().kind, RunErrorKind::Limit);
}

#[test]
fn a_block_carried_by_a_loop_lives_on() {
    let out = main(
        "(n_0: i64) : (r_1: i64)",
        "let (z_mem_2: mem) = alloc [1i64] i64
         let (z_3: [1i64]i64 @ z_mem_2 -> 0 + {(1 : 1)}) = replicate [1i64] 1i64
         let (l_mem_4: mem) (l_5: [1i64]i64 @ l_mem_4 -> 0 + {(1 : 1)}) = loop (p_mem_6: mem = z_mem_2) (p_7: [1i64]i64 @ p_mem_6 \
         -> 0 + {(1 : 1)} = z_3) for i_8: i64 < n_0 {
           let (q_mem_9: mem) = alloc [1i64] i64
           let (x_10: i64) = index p_7[0i64]
           let (y_11: i64) = mul.i64 x_10 2i64
           let (q_12: [1i64]i64 @ q_mem_9 -> 0 + {(1 : 1)}) = replicate [1i64] y_11
           in (q_mem_9, q_12)
         }
         let (x_13: i64) = index l_5[0i64]
         in (x_13)",
        "10i64",
    );
    assert_eq!(out, "1024i64");
}

#[test]
fn values_that_lie_there_already_are_not_written() {
    // The argument may not be overwritten, and isn't. (The checker would ask for a consumed parameter.)
    let text = |dims: &str, part: &str| {
        format!(
            "entry main [a_mem_0: mem] (a_1: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) : (r_2: i64) = {{
               let (b_3: [2i64]i64 @ a_mem_0 -> {part} + {{(2 : 1)}}) = slice a_1[{part}i64 : 2i64 : 1i64]
               let (c_4: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = update a_1[{dims}] b_3
               let (x_5: i64) = index c_4[1i64]
               in (x_5)
             }}"
        )
    };
    let args = "[10i64,11i64,12i64,13i64]";
    assert_eq!(outcome(&text("1i64 : 2i64 : 1i64", "1"), args), "11i64");
    assert_eq!(
        outcome(&text("0i64 : 2i64 : 1i64", "1"), args),
        "fault: F5: `a_mem_0`, an argument that is not consumed, is overwritten in main\n  \
         writes c_4[0]: `let (c_4: [4i64]i64 @ a_mem_0 -> 0 + {(4 : 1)}) = update a_1[0i64 : 2i64 : 1i64] b_3`\n  \
         `a_mem_0`, 32 bytes, holds an argument"
    );
    // Where source and destination overlap, all is read before anything is written.
    let consumed = text("1i64 : 2i64 : 1i64", "0").replace("(a_1: [4i64]i64 @", "(*a_1: [4i64]i64 @");
    let both = consumed.replace("index c_4[1i64]", "index c_4[2i64]");
    assert_eq!((outcome(&consumed, args), outcome(&both, args)), ("10i64".to_owned(), "11i64".to_owned()));
}

#[test]
fn results_must_be_where_binders_say() {
    let text = include_str!("../text/figure7.funmem").replace(
        "in (x_size_0, x_mem_9, x_10)",
        "let (w_mem_20: mem) = alloc [x_size_0] i64\n    in (x_size_0, w_mem_20, x_10)",
    );
    assert_eq!(outcome(&text, "2i64 3i64 true"), "fault: M4: `z_arr_8` is not where its binder says in main");
    assert_eq!(outcome(&text, "2i64 3i64 false"), "[0i64, 1i64, 2i64]");
}

#[test]
fn programs_stop_themselves() {
    assert_eq!(fails("let = assert false \"no\" # \"t.fut\":7:1"), "no at t.fut:7:1 in main");
    assert_eq!(fails("let (x_0: i32) = div.i32 1i32 0i32"), "division by zero in main");
    assert_eq!(
        fails("let (n_0: i64) = neg.i64 3i64\nlet (a_mem_1: mem) = alloc [n_0] i64"),
        "allocation of negative size -3 in main"
    );
    assert_eq!(
        fails("let (a_mem_1: mem) = alloc [1152921504606846976i64][2i64] i64"),
        "allocation of [1152921504606846976][2]i64 is more than the machine has in main"
    );
}

#[test]
fn arguments_must_fit() {
    let head = "[n_0: i64] [a_mem_1: mem] (a_2: [n_0]i64 @ a_mem_1 -> 0 + {(n_0 : 1)}) [b_mem_3: mem] (b_4: [n_0]i64 @ b_mem_3 -> 0 + \
                {(n_0 : 1)}) : (r_5: i64)";
    let run = |args| main(head, "in (n_0)", args);
    assert_eq!(run("[1i64,2i64] [3i64,4i64]"), "2i64");
    assert_eq!(
        run("[1i64,2i64] [3i64]"),
        "entry point arguments have invalid sizes: dimension 0 of argument 1 has size 1 where 2 is needed in main"
    );
    assert_eq!(run("[1i64,2i64]"), "`main` takes 2 values and is given 1 in main");
    assert_eq!(run("[1i64] 2i64"), "argument 1 must have type []i64 and has type i64 in main");
    assert_eq!(run("[1i32] [3i64]"), "argument 0 must have type []i64 and has type []i32 in main");
    let missing = super::run(&program("entry main : = { in () }"), "other", &[], Limits::default());
    assert_eq!(missing.unwrap_err().to_string(), "no entry point `other`");
}

mod faults;

mod traces;
