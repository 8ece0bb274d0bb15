//! Derivatives of scalar operators against differences of their values, and small programs in full.

use super::eliminate;
use crate::check::{Phase, check_program, errors_to_string};
use crate::interp;
use crate::ir::Program;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_base::value::Value;

fn parse(text: &str) -> Program {
    let source = Source { name: "test".into(), text: text.into() };
    let program = crate::text::parse_program(&source, 0).expect("it parses");
    for program in [&program, &eliminate(&program, None)] {
        if let Err(errors) = check_program(program, Phase::Soac) {
            panic!("{}\n{program}", errors_to_string(&errors));
        }
    }
    program
}

fn run(program: &Program, entry: &str, args: &[f64]) -> Vec<f64> {
    let args: Vec<Value> = args.iter().map(|x| Value::Prim(PrimValue::F64(*x))).collect();
    let results = interp::run(program, entry, &args, Limits::default()).expect("it runs");
    let number = |value: Value| if let Value::Prim(prim) = value { prim.as_f64() } else { None };
    results.into_iter().filter_map(number).collect()
}

/// Compares with the slope between two points nearby, where there are two points.
fn compare(what: &str, derivative: f64, value: impl Fn(f64) -> f64, x: f64) {
    let h = 1e-5 * x.abs().max(1.0);
    let slope = (value(x + h) - value(x - h)) / (2.0 * h);
    if slope.is_finite() {
        let error = (derivative - slope).abs();
        assert!(
            error <= 1e-4 * slope.abs().max(1.0),
            "{what} at {x}: {derivative}, but the slope is {slope}"
        );
    }
}

#[test]
fn operators_on_one_operand() {
    let floats = UnOp::ALL.into_iter().filter(|op| op.result_type(PrimType::F64) == Some(PrimType::F64));
    for op in floats {
        let name = op.name();
        let program = parse(&format!(
            "entry value (x_0: f64) : (y_1: f64) = {{ let (r_2: f64) = {name}.f64 x_0 in (r_2) }}
             entry forward (x_3: f64) : (y_4: f64) (d_5: f64) = {{
               let (a_6: f64) (b_7: f64) = jvp \\(p_8: f64) : f64 {{
                 let (r_9: f64) = {name}.f64 p_8 in (r_9)
               }} (x_3) (1.0f64)
               in (a_6, b_7)
             }}
             entry back (x_10: f64) : (y_11: f64) (d_12: f64) = {{
               let (a_13: f64) (b_14: f64) = vjp \\(p_15: f64) : f64 {{
                 let (r_16: f64) = {name}.f64 p_15 in (r_16)
               }} (x_10) (1.0f64)
               in (a_13, b_14)
             }}"
        ));
        for x in [-3.3, -1.7, -0.4, 0.3, 0.8, 1.7, 2.4, 6.1] {
            let (forward, back) = (run(&program, "forward", &[x]), run(&program, "back", &[x]));
            compare(name, forward[1], |x| run(&program, "value", &[x])[0], x);
            assert!(forward[1] == back[1] || forward[1].is_nan(), "{name} at {x}");
        }
    }
}

#[test]
fn operators_on_two_operands() {
    let floats = BinOp::ALL.into_iter().filter(|op| op.result_type(PrimType::F64) == Some(PrimType::F64));
    for op in floats.filter(|op| *op != BinOp::NextAfter) {
        let name = op.name();
        let program = parse(&format!(
            "entry value (x_0: f64) (y_1: f64) : (z_2: f64) = {{
               let (r_3: f64) = {name}.f64 x_0 y_1 in (r_3)
             }}
             entry forward (x_4: f64) (y_5: f64) (u_6: f64) (v_7: f64) : (d_8: f64) = {{
               let (a_9: f64) (b_10: f64) = jvp \\(p_11: f64) (q_12: f64) : f64 {{
                 let (r_13: f64) = {name}.f64 p_11 q_12 in (r_13)
               }} (x_4, y_5) (u_6, v_7)
               in (b_10)
             }}
             entry back (x_14: f64) (y_15: f64) : (d_16: f64) (e_17: f64) = {{
               let (a_18: f64) (b_19: f64) (c_20: f64) = vjp \\(p_21: f64) (q_22: f64) : f64 {{
                 let (r_23: f64) = {name}.f64 p_21 q_22 in (r_23)
               }} (x_14, y_15) (1.0f64)
               in (b_19, c_20)
             }}"
        ));
        for x in [-2.3, 0.6, 1.9, 7.2] {
            for y in [-1.4, 0.7, 2.1] {
                let back = run(&program, "back", &[x, y]);
                compare(name, back[0], |x| run(&program, "value", &[x, y])[0], x);
                compare(name, back[1], |y| run(&program, "value", &[x, y])[0], y);
                let forward = |u: f64, v: f64| run(&program, "forward", &[x, y, u, v])[0];
                assert!(forward(1.0, 0.0) == back[0] || back[0].is_nan(), "{name} at {x} {y}");
                assert!(forward(0.0, 1.0) == back[1] || back[1].is_nan(), "{name} at {x} {y}");
            }
        }
    }
}

#[test]
fn a_function_that_calls_itself_stops_rather_than_give_a_wrong_derivative() {
    let program = parse(
        "fun f (x_0: f64) (n_1: i64) : (y_2: f64) = {
           let (c_3: bool) = le.i64 n_1 0i64
           let (r_4: f64) = if c_3 { in (x_0) } else {
             let (m_5: i64) = sub.i64 n_1 1i64
             let (s_6: f64) = call f x_0 m_5
             let (t_7: f64) = mul.f64 s_6 x_0
             in (t_7)
           }
           in (r_4)
         }
         entry main (x_8: f64) : (y_9: f64) = {
           let (a_10: f64) (b_11: f64) = jvp \\(p_12: f64) : f64 {
             let (r_13: f64) = call f p_12 3i64
             in (r_13)
           } (x_8) (1.0f64)
           in (b_11)
         }",
    );
    let error = interp::run(&program, "main", &[Value::Prim(PrimValue::F64(2.0))], Limits::default());
    let error = error.expect_err("it stops").to_string();
    assert!(error.contains("calls itself"), "{error}");
}
