//! The value semantics of each construct, and its faults.

use super::*;
use crate::check::{Phase, check_program, errors_to_string};
use crate::text::parse_program;
use fun_base::run::RunErrorKind;
use fun_base::source::Source;
use fun_base::value::ArrayValue;

/// Runs `main` of a program that the checker accepts.
fn run_text(text: &str, args: &[Value], limits: Limits) -> Result<Vec<Value>, RunError> {
    let source = Source { name: Symbol::new("t.fun"), text: text.into() };
    let program: Program = parse_program(&source, 0).unwrap();
    if let Err(errors) = check_program(&program, Phase::Any) {
        panic!("{}", errors_to_string(&errors));
    }
    run(&program, "main", args, limits)
}

/// The results of a body, each as `shape: elements`.
fn results(params: &str, types: &str, body: &str, args: &[Value]) -> String {
    let text = format!("entry main {params} : {types} = {{ {body} }}");
    match run_text(&text, args, Limits::default()) {
        Ok(values) => values.iter().map(show).collect::<Vec<_>>().join("; "),
        Err(error) => format!("{:?}: {}", error.kind, error.message),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Prim(value) => value.to_string(),
        Value::Array(array) => {
            let cells: Vec<String> = array.iter().map(|cell| cell.to_string()).collect();
            format!("{:?}: {}", array.shape, cells.join(" "))
        }
    }
}

fn i64s(shape: &[i64], cells: &[i64]) -> Value {
    let data = fun_base::value::ArrayData::I64(cells.to_vec());
    Value::from(ArrayValue::new(shape.to_vec(), data).unwrap())
}

fn i64(n: i64) -> Value {
    Value::Prim(PrimValue::I64(n))
}

const XS: &str = "[n_1: i64] (xs_2: [n_1]i64)";
const ROWS: &str = "[n_1: i64] [m_2: i64] (a_3: [n_1][m_2]i64)";

/// Two rows: 1 2 3 and 4 5 6.
fn rows() -> Value {
    i64s(&[2, 3], &[1, 2, 3, 4, 5, 6])
}

#[test]
fn figure_2() {
    let program = "entry main (xsize_1: i64) (ysize_2: i64) (zcond_3: bool) : [k_4: i64] (r_5: [k_4]i64) = {
        let (zsize_6: i64) (zarr_7: [zsize_6]i64) = if zcond_3 {
          let (x_8: [xsize_1]i64) = iota.i64 xsize_1 0i64 1i64
          in (xsize_1, x_8)
        } else {
          let (y_9: [ysize_2]i64) = iota.i64 ysize_2 0i64 1i64
          in (ysize_2, y_9)
        }
        in (zsize_6, zarr_7) }";
    let with = |condition| {
        let args = [i64(3), i64(1), Value::Prim(PrimValue::Bool(condition))];
        show(&run_text(program, &args, Limits::default()).unwrap()[0])
    };
    assert_eq!(with(true), "[3]: 0i64 1i64 2i64");
    assert_eq!(with(false), "[1]: 0i64");
}

#[test]
fn parts_of_arrays() {
    let slice = |dims: &str, shape: &str| {
        let body = format!("let (s_4: {shape}i64) = slice a_3[{dims}] in (s_4)");
        results(ROWS, &format!("(r_5: {shape}i64)"), &body, &[rows()])
    };
    assert_eq!(slice("1i64, 0i64 : 3i64 : 1i64", "[3i64]"), "[3]: 4i64 5i64 6i64");
    assert_eq!(
        slice("0i64 : 2i64 : 1i64, 2i64 : 2i64 : -2i64", "[2i64][2i64]"),
        "[2, 2]: 3i64 1i64 6i64 4i64"
    );
    assert_eq!(slice("0i64 : 2i64 : 0i64, 1i64", "[2i64]"), "[2]: 2i64 2i64");
    assert_eq!(slice("9i64 : 0i64 : 1i64, 1i64", "[0i64]"), "[0]: ");
    assert!(slice("0i64 : 3i64 : 1i64, 1i64", "[3i64]").starts_with("Fault: F6: index [2, 1] outside"));
    let array = |exp: &str, shape: &str| {
        let body = format!("let (s_4: {shape}i64) = {exp} in (s_4)");
        results(ROWS, &format!("(r_5: {shape}i64)"), &body, &[rows()])
    };
    assert_eq!(array("permute (1, 0) a_3", "[m_2][n_1]"), "[3, 2]: 1i64 4i64 2i64 5i64 3i64 6i64");
    assert_eq!(array("reverse 1 a_3", "[n_1][m_2]"), "[2, 3]: 3i64 2i64 1i64 6i64 5i64 4i64");
    assert_eq!(array("reshape [3i64][2i64] a_3", "[3i64][2i64]"), "[3, 2]: 1i64 2i64 3i64 4i64 5i64 6i64");
    assert!(array("reshape [3i64] a_3", "[3i64]").starts_with("Fault: F6: reshape"));
    assert_eq!(
        array("concat 4i64 a_3 a_3", "[4i64][m_2]"),
        "[4, 3]: 1i64 2i64 3i64 4i64 5i64 6i64 1i64 2i64 3i64 4i64 5i64 6i64"
    );
    assert_eq!(array("replicate [2i64][1i64] m_2", "[2i64][1i64]"), "[2, 1]: 3i64 3i64");
    assert_eq!(array("iota.i64 n_1 7i64 -9i64", "[n_1]"), "[2]: 7i64 -2i64");
    assert_eq!(array("array i64 [n_1, m_2]", "[2i64]"), "[2]: 2i64 3i64");
}

#[test]
fn iota_wraps_at_its_width() {
    let body = "let (s_1: [4i64]u8) = iota.u8 4i64 250u8 3u8 in (s_1)";
    assert_eq!(results("", "(r_2: [4i64]u8)", body, &[]), "[4]: 250u8 253u8 0u8 3u8");
}

#[test]
fn updates_and_undefined_cells() {
    let body = |more: &str, result: &str| {
        format!(
            "let (s_3: [2i64]i64) = scratch [2i64]i64 let (t_4: [2i64]i64) = update s_3[1i64] n_1 {more} in ({result})"
        )
    };
    let run =
        |more: &str, result: &str, ty: &str| results(XS, ty, &body(more, result), &[i64s(&[5], &[0; 5])]);
    assert_eq!(run("let (x_5: i64) = index t_4[1i64]", "x_5", "(r_9: i64)"), "5i64");
    assert!(run("let (x_5: i64) = index t_4[0i64]", "x_5", "(r_9: i64)").starts_with("Fault: the cell [0]"));
    assert!(run("", "t_4", "(r_9: [2i64]i64)").starts_with("Fault: a result has cells"));
    let more = "let (u_5: [1i64]i64) = slice xs_2[0i64 : 1i64 : 1i64]
        let (v_6: [2i64]i64) = update t_4[0i64 : 1i64 : 1i64] u_5";
    assert_eq!(run(more, "v_6", "(r_9: [2i64]i64)"), "[2]: 0i64 5i64");
}

#[test]
fn loops() {
    let sum = "let (s_3: i64) = loop (t_4: i64 = 10i64) for i_5: i64 < n_1 {
        let (x_6: i64) = index xs_2[i_5] let (u_7: i64) = add.i64 t_4 x_6 in (u_7) } in (s_3)";
    assert_eq!(results(XS, "(r_8: i64)", sum, &[i64s(&[3], &[1, 2, 4])]), "17i64");
    assert_eq!(results(XS, "(r_8: i64)", sum, &[i64s(&[0], &[])]), "10i64");
    let negative = "let (s_3: i64) = loop (t_4: i64 = 10i64) for i_5: i8 < -3i8 { in (0i64) } in (s_3)";
    assert_eq!(results(XS, "(r_8: i64)", negative, &[i64s(&[0], &[])]), "10i64");
    let collatz = "let (g_3: bool) (x_4: i64) (c_5: i64) = loop (go_6: bool = true) (y_7: i64 = n_1) (k_8: i64 = 0i64) while go_6 {
        let (h_9: i64) = div.i64 y_7 2i64 let (k2_10: i64) = add.i64 k_8 1i64
        let (more_11: bool) = gt.i64 h_9 1i64 in (more_11, h_9, k2_10) } in (c_5)";
    assert_eq!(results(XS, "(r_12: i64)", collatz, &[i64s(&[9], &[0; 9])]), "3i64");
    let swap = "let (a_3: i64) (b_4: i64) = loop (c_5: i64 = 1i64) (d_6: i64 = 2i64) for i_7: u8 < 3u8 { in (d_6, c_5) } in (a_3)";
    assert_eq!(results(XS, "(r_8: i64)", swap, &[i64s(&[0], &[])]), "2i64");
}

const ADD: &str = "\\(p_90: i64) (q_91: i64) : i64 { let (s_92: i64) = add.i64 p_90 q_91 in (s_92) } (0i64)";

#[test]
fn soacs() {
    let xs = || [i64s(&[4], &[3, 1, 4, 1])];
    let run = |exp: &str, ty: &str| {
        let body =
            format!("let (d_80: [2i64]i64) = iota.i64 2i64 100i64 100i64 let (v_81: {ty}) = {exp} in (v_81)");
        results(XS, &format!("(r_82: {ty})"), &body, &xs())
    };
    let double = "\\(x_3: i64) : i64 { let (y_4: i64) = add.i64 x_3 x_3 in (y_4) }";
    assert_eq!(run(&format!("map n_1 {double} xs_2"), "[n_1]i64"), "[4]: 6i64 2i64 8i64 2i64");
    assert_eq!(run(&format!("reduce n_1 {ADD} xs_2"), "i64"), "9i64");
    assert_eq!(run(&format!("scan n_1 {ADD} xs_2"), "[n_1]i64"), "[4]: 3i64 4i64 8i64 9i64");
    // Index 0 is out of range twice (3 and 4), index 1 is hit twice.
    assert_eq!(run(&format!("hist n_1 {ADD} (d_80) xs_2 xs_2"), "[2i64]i64"), "[2]: 100i64 202i64");
    assert_eq!(run("scatter n_1 (d_80) xs_2 xs_2", "[2i64]i64"), "[2]: 100i64 1i64");
}

#[test]
fn the_last_write_of_a_scatter_wins() {
    let body = "let (d_3: [2i64]i64) = iota.i64 2i64 0i64 0i64
        let (at_4: [n_1]i64) = iota.i64 n_1 1i64 0i64
        let (e_5: [2i64]i64) = scatter n_1 (d_3) at_4 xs_2 in (e_5)";
    assert_eq!(results(XS, "(r_6: [2i64]i64)", body, &[i64s(&[3], &[7, 8, 9])]), "[2]: 0i64 9i64");
}

#[test]
fn empty_arrays_keep_their_inner_shape() {
    let body = "let (b_4: [n_1][m_2]i64) = map n_1 \\(r_5: [m_2]i64) : [m_2]i64 { in (r_5) } a_3
        let (c_6: [n_1][7i64]i64) = kernel (i_7 < n_1) { let (z_8: [7i64]i64) = iota.i64 7i64 0i64 1i64 in (z_8) }
        in (b_4, c_6)";
    let types = "(r_9: [n_1][m_2]i64) (s_10: [n_1][7i64]i64)";
    assert_eq!(results(ROWS, types, body, &[i64s(&[0, 3], &[])]), "[0, 3]: ; [0, 7]: ");
}

#[test]
fn kernels() {
    let run = |exp: &str, ty: &str| {
        let body =
            format!("let (d_80: [2i64]i64) = iota.i64 2i64 100i64 100i64 let (v_81: {ty}) = {exp} in (v_81)");
        results(ROWS, &format!("(r_82: {ty})"), &body, &[rows()])
    };
    let cell = "{ let (x_6: i64) = index a_3[i_4, j_5] in (x_6) }";
    assert_eq!(
        run(&format!("kernel (j_5 < m_2, i_4 < n_1) {cell}"), "[m_2][n_1]i64"),
        "[3, 2]: 1i64 4i64 2i64 5i64 3i64 6i64"
    );
    assert_eq!(
        run(&format!("kernel (i_4 < n_1, j_5 < m_2) reduce {ADD} {cell}"), "[n_1]i64"),
        "[2]: 6i64 15i64"
    );
    assert_eq!(
        run(&format!("kernel (i_4 < n_1, j_5 < m_2) scan {ADD} {cell}"), "[n_1][m_2]i64"),
        "[2, 3]: 1i64 3i64 6i64 4i64 9i64 15i64"
    );
    assert_eq!(run(&format!("kernel (i_4 < 0i64) reduce {ADD} {{ in (1i64) }}"), "i64"), "0i64");
    assert_eq!(
        run(&format!("kernel (i_4 < 3i64) hist {ADD} (d_80) {{ in (1i64, i_4) }}"), "[2i64]i64"),
        "[2]: 100i64 203i64"
    );
    assert_eq!(run("kernel (i_4 < 3i64) scatter (d_80) { in (i_4, i_4) }", "[2i64]i64"), "[2]: 0i64 1i64");
    let rows = "kernel (i_4 < 1i64) scatter (d_80) { let (z_5: i64) = index d_80[0i64] in (i_4, z_5) }";
    let text = format!(
        "entry main : = {{ let (d_80: [2i64]i64) = iota.i64 2i64 0i64 1i64 let (e_81: [2i64]i64) = {rows} in () }}"
    );
    let source = Source { name: Symbol::new("t.fun"), text: text.as_str().into() };
    assert!(
        check_program(&parse_program(&source, 0).unwrap(), Phase::Any).is_err(),
        "the destination is consumed"
    );
}

#[test]
fn failures_say_what_and_where() {
    let text = "entry main (x_1: i64) : (r_2: i64) = {
        let (ok_3: bool) = gt.i64 x_1 0i64
        let = assert ok_3 \"too small\" # \"a.fut\":3:7
        let (y_4: i64) = div.i64 1i64 0i64 # \"a.fut\":4:1
        in (y_4) }";
    let error = run_text(text, &[i64(0)], Limits::default()).unwrap_err();
    assert_eq!(
        (error.kind, error.to_string()),
        (RunErrorKind::Assert, "too small at a.fut:3:7 in main".to_owned())
    );
    let error = run_text(text, &[i64(1)], Limits::default()).unwrap_err();
    assert_eq!(
        (error.kind, error.to_string()),
        (RunErrorKind::Assert, "division by zero at a.fut:4:1 in main".to_owned())
    );
}

#[test]
fn limits() {
    let forever = "entry main : = { let (g_1: bool) = loop (h_2: bool = true) while h_2 { in (h_2) } in () }";
    let few = Limits { steps: 1000, bytes: 1000 };
    assert_eq!(run_text(forever, &[], few).unwrap_err().kind, RunErrorKind::Limit);
    let allocate = |n: i64| format!("entry main : = {{ let (a_1: [{n}i64]u8) = scratch [{n}i64]u8 in () }}");
    assert_eq!(run_text(&allocate(1001), &[], few).unwrap_err().kind, RunErrorKind::Limit);
    assert!(run_text(&allocate(1000), &[], Limits { steps: 10_000, ..few }).is_ok());
    let error = run_text(&allocate(1 << 60), &[], Limits::NONE).unwrap_err();
    assert_eq!(error.message, "allocation of [1152921504606846976]u8 is more than the machine has");
    // A loop whose iterations allocate keeps only what is alive.
    let churn = "entry main : (r_1: i64) = { let (s_2: i64) = loop (t_3: i64 = 0i64) for i_4: i64 < 50i64 {
        let (a_5: [50i64]i64) = iota.i64 50i64 i_4 1i64 let (x_6: i64) = index a_5[0i64] in (x_6) } in (s_2) }";
    assert!(run_text(churn, &[], Limits { steps: 1_000_000, bytes: 1000 }).is_ok());
}

#[test]
fn arguments_must_fit() {
    let text = "entry main [n_1: i64] (xs_2: [n_1]i64) (ys_3: [n_1]i64) (k_4: i64) (zs_5: [k_4]i64) : (r_6: i64) = { in (n_1) }";
    let vector = |n: usize| i64s(&[n as i64], &vec![0; n]);
    let run = |args: &[Value]| run_text(text, args, Limits::default());
    assert_eq!(show(&run(&[vector(3), vector(3), i64(2), vector(2)]).unwrap()[0]), "3i64");
    let error = run(&[vector(3), vector(2), i64(2), vector(2)]).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (
            RunErrorKind::Input,
            "entry point arguments have invalid sizes: dimension 0 of argument 1 has size 2 where 3 is needed"
        )
    );
    let error = run(&[vector(3), vector(3), i64(2), vector(3)]).unwrap_err();
    assert!(error.message.starts_with("entry point arguments have invalid sizes"));
    assert_eq!(run(&[vector(3)]).unwrap_err().kind, RunErrorKind::Input);
    assert_eq!(run(&[vector(3), vector(3), vector(2), vector(2)]).unwrap_err().kind, RunErrorKind::Input);
    let source = Source { name: Symbol::new("t.fun"), text: text.into() };
    let program: Program = parse_program(&source, 0).unwrap();
    assert_eq!(super::run(&program, "other", &[], Limits::default()).unwrap_err().kind, RunErrorKind::Input);
}

#[test]
fn sums_of_floats_lose_nothing() {
    let add = "\\(a_20: f32) (b_21: f32) : f32 { let (c_22: f32) = add.f32 a_20 b_21 in (c_22) }";
    // (f32 has no number between the first one and the next but one)
    let values = "let (v_3: [3i64]f32) = array f32 [16777216f32, 1f32, 1f32]";
    let of = |types: &str, body: &str| results("", types, &format!("{values} {body}"), &[]);
    let read = "{ let (e_24: f32) = index v_3[i_23] in (e_24) }";
    assert_eq!(
        of("(r_9: f32)", &format!("let (s_4: f32) = reduce 3i64 {add} (0f32) v_3 in (s_4)")),
        "16777218.0f32"
    );
    assert_eq!(
        of(
            "(r_9: f32)",
            &format!("let (s_4: f32) = kernel (i_23 < 3i64) reduce {add} (0f32) {read} in (s_4)")
        ),
        "16777218.0f32"
    );
    let sums = "[3]: 16777216.0f32 16777216.0f32 16777218.0f32";
    assert_eq!(
        of("(r_9: [3i64]f32)", &format!("let (s_4: [3i64]f32) = scan 3i64 {add} (0f32) v_3 in (s_4)")),
        sums
    );
    assert_eq!(
        of(
            "(r_9: [3i64]f32)",
            &format!("let (s_4: [3i64]f32) = kernel (i_23 < 3i64) scan {add} (0f32) {read} in (s_4)")
        ),
        sums
    );
    assert_eq!(
        of(
            "(r_9: [2i64]f32)",
            &format!(
                "let (d_5: [2i64]f32) = replicate [2i64] 1f32 let (i_6: [3i64]i64) = replicate [3i64] 1i64
                 let (s_4: [2i64]f32) = hist 3i64 {add} (0f32) (d_5) i_6 v_3 in (s_4)"
            )
        ),
        "[2]: 1.0f32 16777220.0f32"
    );
    // an operator that does more adds as it says
    let other = "\\(a_20: f32) (b_21: f32) : f32 { let (c_22: f32) = add.f32 a_20 b_21 let (d_25: f32) = max.f32 c_22 0f32 in (d_25) }";
    assert_eq!(
        of("(r_9: f32)", &format!("let (s_4: f32) = reduce 3i64 {other} (0f32) v_3 in (s_4)")),
        "16777216.0f32"
    );
}

#[test]
fn sums_of_floats_keep_infinities_and_signs() {
    let sum = |values: &str, neutral: &str| {
        let body = format!(
            "let (v_3: [3i64]f32) = array f32 [{values}]
             let (s_4: f32) = reduce 3i64 \\(a_20: f32) (b_21: f32) : f32 {{ let (c_22: f32) = add.f32 a_20 b_21 in (c_22) }} ({neutral}) v_3
             in (s_4)"
        );
        results("", "(r_9: f32)", &body, &[])
    };
    assert_eq!(sum("3e38f32, 3e38f32, 1f32", "0f32"), "f32.inf");
    assert_eq!(sum("-0.0f32, -0.0f32, -0.0f32", "-0.0f32"), "-0.0f32");
    assert_eq!(sum("1f32, 0f32, -1f32", "0f32"), "0.0f32");
}
