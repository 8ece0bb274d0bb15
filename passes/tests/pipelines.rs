//! Law 3 on generated programs and small ones of ours, over whole pipelines: what comes out at the end gives what FUN's interpreter gives, and every
//! program in between is well-formed. `FUN_PROGRAMS` and `FUN_SEED` say how many there are, and where they start.

use fun::r#gen::{Form, generate};
use fun::ir::Fun;
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader};
use fun_passes::pipeline::{find, passes_from, run_passes};
use fun_passes::program::{Program, Stage};

/// Values, or that the program stopped itself.
fn outcome(result: Result<Vec<Value>, RunError>) -> Result<Vec<Value>, String> {
    result.map_err(|error| match error.kind {
        RunErrorKind::Assert => "stopped".to_owned(),
        RunErrorKind::Fault | RunErrorKind::Limit | RunErrorKind::Input => error.to_string(),
    })
}

/// What a pipeline makes of a program, and how the results differ from those of FUN.
fn difference(program: &fun::ir::Program, args: &[Value], pipeline: &str) -> Option<String> {
    let wanted = outcome(fun::interp::run(program, "main", args, Limits::default()));
    let passes = passes_from(find(pipeline).expect("is one"), Stage::Fun);
    let made = run_passes(Program::Fun(program.clone()), &passes, true, &mut Vec::new(), &mut |_, _| {});
    let made = match made {
        Ok(Program::Imp(made)) => made,
        Ok(_) => return Some("not lowered".to_owned()),
        Err(error) => return Some(error.to_string()),
    };
    let found = outcome(imp::interp::run(&made, "main", args, Limits::default()));
    let same = match (&wanted, &found) {
        (Ok(wanted), Ok(found)) => {
            wanted.len() == found.len() && wanted.iter().zip(found).all(|(a, b)| a.close(b, 1e-4).is_ok())
        }
        (wanted, found) => wanted.as_ref().err() == found.as_ref().err(),
    };
    (!same).then(|| format!("{found:?} should be {wanted:?}\n{}", imp::text::print_program(&made)))
}

/// Both pipelines on a program in FUN.
fn agrees(text: &str, args: &str) -> String {
    let source = Source { name: Symbol::new("t.fun"), text: text.into() };
    let program = fun::text::parse_program::<Fun>(&source, 0).unwrap_or_else(|error| panic!("{error}"));
    let args = ValueReader::new(args.as_bytes()).read_all().expect("arguments are values");
    for pipeline in ["default", "small"] {
        if let Some(what) = difference(&program, &args, pipeline) {
            panic!("{pipeline}: {what}");
        }
    }
    let passes = passes_from(find("default").expect("is one"), Stage::Fun);
    let made = run_passes(Program::Fun(program), &passes, true, &mut Vec::new(), &mut |_, _| {});
    made.unwrap_or_else(|error| panic!("{error}")).print()
}

#[test]
fn pipelines_agree_on_generated_programs() {
    let number = |name, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (start, count): (u64, u64) = (number("FUN_SEED", 0), number("FUN_PROGRAMS", 60));
    for seed in start..start + count {
        let form = if seed % 2 == 0 { Form::Soac } else { Form::Kernel };
        let case = generate(seed, 20, form);
        for pipeline in ["default", "small"] {
            if let Some(what) = difference(&case.program, &case.inputs, pipeline) {
                let program = fun::text::program_to_string(&case.program);
                panic!("seed {seed}, {pipeline}: {what}\n{program}\n{:?}", case.inputs);
            }
        }
    }
}

/// A window of three by three over a matrix, of which nothing is beyond the rim.
#[test]
fn windows_have_a_middle_without_branches() {
    let text = "entry main [h_0: i64] [w_1: i64] (a_2: [h_0][w_1]i32) : (*r_3: [h_0][w_1]i32) = {
  let (m_4: [h_0][w_1]i32) = kernel (i_5 < h_0, j_6 < w_1) {
    let (s_7: i32) = kernel (y_8 < 3i64) reduce \\(a_9: i32) (b_10: i32): i32 { let (c_11: i32) = add.i32 a_9 b_10 in (c_11) } (0i32) {
      let (t_12: i32) = kernel (x_13 < 3i64) reduce \\(d_14: i32) (e_15: i32): i32 { let (f_16: i32) = add.i32 d_14 e_15 in (f_16) } (0i32) {
        let (p_17: i64) = add.i64 i_5 y_8
        let (q_18: i64) = sub.i64 p_17 1i64
        let (u_19: i64) = add.i64 j_6 x_13
        let (v_20: i64) = sub.i64 u_19 1i64
        let (b1_21: bool) = ge.i64 q_18 0i64
        let (b2_22: bool) = lt.i64 q_18 h_0
        let (b3_23: bool) = ge.i64 v_20 0i64
        let (b4_24: bool) = lt.i64 v_20 w_1
        let (c1_25: bool) = and.bool b1_21 b2_22
        let (c2_26: bool) = and.bool b3_23 b4_24
        let (in_27: bool) = and.bool c1_25 c2_26
        let (g_28: i32) = if in_27 {
          let (o_29: i32) = index a_2[q_18, v_20]
          let (k_30: i64) = mul.i64 y_8 3i64
          let (l_31: i64) = add.i64 k_30 x_13
          let (z_32: i32) = convert.i32.i64 l_31
          let (w_33: i32) = mul.i32 o_29 z_32
          in (w_33)
        } else { in (0i32) }
        in (g_28)
      }
      in (t_12)
    }
    in (s_7)
  }
  in (m_4)
}";
    for columns in [1usize, 2, 3, 5, 20, 40] {
        for rows in [1usize, 2, 3, 6] {
            let row = |i: usize| {
                let cells: Vec<String> =
                    (0..columns).map(|j| format!("{}i32", (i * 7 + j * j) % 23)).collect();
                format!("[{}]", cells.join(", "))
            };
            let all: Vec<String> = (0..rows).map(row).collect();
            let made = agrees(text, &format!("[{}]", all.join(", ")));
            // nine products and no loop over the window in the middle
            assert!(made.matches("mul.i32").count() >= 9, "{made}");
        }
    }
}

/// Two maps of one array, and both halves of a butterfly.
#[test]
fn maps_of_one_array_are_joined() {
    let text = "entry main [n_0: i64] (a_1: [n_0]i32) : (*r_2: [2i64][n_0]i32) (*q_3: [2i64][n_0]i32) = {
  let (x_4: [2i64][n_0]i32) = kernel (h_5 < 2i64, i_6 < n_0) {
    let (y_7: i32) = index a_1[i_6]
    let (k_8: i32) = convert.i32.i64 h_5
    let (z_9: i32) = add.i32 y_7 k_8
    in (z_9)
  }
  let (u_10: [2i64][n_0]i32) = kernel (h_11 < 2i64, i_12 < n_0) {
    let (y_13: i32) = index a_1[i_12]
    let (k_14: i32) = convert.i32.i64 h_11
    let (z_15: i32) = mul.i32 y_13 k_14
    in (z_15)
  }
  in (x_4, u_10)
}";
    let made = agrees(text, "[3i32, 1i32, 4i32, 1i32, 5i32]");
    assert_eq!(made.matches("for ").count(), 1, "{made}");
    assert_eq!(made.matches("a_1[").count(), 2, "{made}");
}
