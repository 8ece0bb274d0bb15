//! Simplification of IMP: what goes, and what must stay.

use fun_base::source::Source;
use fun_passes::imp::simplify;
use imp::text::{parse_program, print_program};

/// The statements of a procedure before and after, one a line.
fn becomes(before: &str, after: &str) {
    let program = |statements: &str| {
        let text = format!(
            "proc p(n_90: i64, x_91: f32, m_92: mem): (i64) {{
             view a_93: i64 @ m_92 -> 0 + {{(n_90 : 1)}}
             {statements}
             return (a_93[0i64]) }}"
        );
        let source = Source { name: "case.imp".into(), text: text.as_str().into() };
        parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let found = simplify::run(program(before));
    assert_eq!(imp::check::check(&found), Ok(()));
    assert_eq!(print_program(&found), print_program(&program(after)));
}

#[test]
fn constants_and_names_are_forwarded() {
    becomes(
        "let a_1: i64 = add.i64(2i64, 3i64)
         let b_2: i64 = mul.i64(n_90, 1i64)
         let c_3: i64 = b_2
         view v_4: i64 @ m_92 -> a_1 + {(c_3 : 1)}
         v_4[a_1] := add.i64(c_3, convert.i64.i32(-1i32))",
        "view v_4: i64 @ m_92 -> 5 + {(n_90 : 1)}
         v_4[5i64] := add.i64(n_90, -1i64)",
    );
}

#[test]
fn variables_are_not_forwarded() {
    let text = "var a_1: i64 = 3i64
         let b_2: i64 = a_1
         a_1 := 4i64
         a_93[0i64] := b_2";
    becomes(text, text);
}

#[test]
fn dead_code_goes() {
    becomes(
        "let a_1: f32 = sqrt.f32(x_91)
         let b_2: f32 = add.f32(a_1, a_1)
         for i_3: i64 < n_90 seq { let c_4: i64 = i_3 if lt.i64(c_4, 3i64) {} }
         for i_5: i64 < -1i64 par { a_93[0i64] := i_5 }
         while false { a_93[0i64] := 1i64 }
         assert le.i64(1i64, 2i64) \"never\"
         if gt.i64(1i64, 2i64) { a_93[0i64] := 2i64 } else { a_93[0i64] := 3i64 }",
        "a_93[0i64] := 3i64",
    );
}

#[test]
fn failing_operators_stay() {
    let text = "let a_1: i64 = div.i64(1i64, n_90)
         let b_2: i64 = div.i64(1i64, 0i64)
         let c_3: i64 = select(true, n_90, pow.i64(n_90, n_90))";
    becomes(text, text);
    becomes("let a_1: i64 = mod.i64(n_90, 7i64)", "");
}

#[test]
fn floats_have_no_units() {
    let text = "alloc t_1: f32
         view v_2: f32 @ t_1 -> 0 + {}
         v_2[] := add.f32(x_91, 0.0f32)
         a_93[0i64] := convert.i64.f32(v_2[])
         free t_1";
    becomes(text, text);
}

#[test]
fn what_nobody_reads_is_not_written() {
    becomes(
        "alloc t_1: i64[n_90]
         view v_2: i64 @ t_1 -> 0 + {(n_90 : 1)}
         for i_3: i64 < n_90 par {
           v_2[i_3] := i_3
           a_93[i_3] := i_3
         }
         window w_4 = v_2[0i64]
         w_4[] += 1i64
         free t_1",
        "alloc t_1: i64[n_90]
         for i_3: i64 < n_90 par {
           a_93[i_3] := i_3
         }
         free t_1",
    );
    // a part of it is read, or somebody else has the block
    for other in ["window w_4 = v_2[0i64]\na_93[0i64] := w_4[]", "share t_1\nvar b_5: mem = t_1"] {
        let text = format!(
            "alloc t_1: i64[n_90]\nview v_2: i64 @ t_1 -> 0 + {{(n_90 : 1)}}\nv_2[0i64] := 1i64\n{other}\nfree t_1"
        );
        becomes(&text, &text);
    }
}

#[test]
fn blocks_of_the_frame_that_nothing_looks_at_go() {
    becomes(
        "for i_2: i64 < n_90 seq {
           alloc t_1: i64[4i64] in stack
           view v_3: i64 @ t_1 -> 0 + {(4 : 1)}
           v_3[0i64] := i_2
           a_93[i_2] := i_2
           free t_1
         }",
        "for i_2: i64 < n_90 seq {
           a_93[i_2] := i_2
         }",
    );
    // sizes may be wrong, and the heap is counted
    let of_heap = "alloc t_1: i64[4i64]\nfree t_1";
    becomes(of_heap, of_heap);
    let seen = "alloc t_1: i64[4i64] in stack
         view v_3: i64 @ t_1 -> 0 + {(4 : 1)}
         v_3[0i64] := 1i64
         a_93[0i64] := v_3[0i64]
         free t_1";
    becomes(seen, seen);
}

/// Simplification changes no result and no failure of generated programs.
#[test]
fn generated_programs_keep_their_meaning() {
    for seed in 0..400 {
        let case = imp::r#gen::generate(seed, 60);
        let mut simple = case.clone();
        simple.program = simplify::run(case.program.clone());
        let texts = || format!("{}\n{}", print_program(&case.program), print_program(&simple.program));
        assert_eq!(imp::check::check(&simple.program), Ok(()), "{}", texts());
        match (case.run(), simple.run()) {
            (Ok(before), Ok(after)) => {
                let same = before.iter().zip(&after).all(|(before, after)| before.same(after));
                assert!(same && before.len() == after.len(), "seed {seed}\n{}", texts());
            }
            (before, after) => {
                let (before, after) = (before.err(), after.err());
                assert_eq!(before.map(|e| e.to_string()), after.map(|e| e.to_string()), "{}", texts());
            }
        }
    }
}
