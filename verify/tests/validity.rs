//! Validity on many inputs: random ones that pass assertions, all small ones, and the first pass that breaks a program.

use fun_base::name::Symbol;
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_passes::pipeline::{PIPELINES, passes_from};
use fun_passes::program::{Program, Stage};
use fun_passes::registry::Pass;
use fun_verify::validity::{Inputs, Plan, Report, Rules, validate};
use fun_verify::{Options, Signature, SmallInputs, stages};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

fn parse(stage: Stage, text: &str) -> Program {
    let source = Source { name: Symbol::new("test"), text: text.into() };
    let program = stage.parse(&source).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(program.check(), Vec::<String>::new());
    program
}

fn report(program: &Program, passes: &[&'static Pass], inputs: Inputs, first_pass: bool) -> Report {
    let options = Options { limits: Limits::default(), tolerance: 1e-5, jit: true, order: 0 };
    let stages = stages(program.clone(), passes, &options).unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan { entry: "main", inputs, rules: Rules::default(), first_pass, options: &options };
    validate(&stages, &plan, &mut |_| ControlFlow::Continue(())).unwrap_or_else(|error| panic!("{error}"))
}

fn default_passes(program: &Program) -> Vec<&'static Pass> {
    passes_from(&PIPELINES[0], program.stage())
}

fn texts(program: &Program, largest: i64) -> Vec<String> {
    let signature = Signature::of(program, "main");
    let small = SmallInputs::new(&signature, largest, BTreeMap::new()).expect("few sizes");
    let texts: Vec<String> = small
        .iter()
        .map(|values| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(texts.len() as u128, small.count());
    texts
}

#[test]
fn small_inputs_are_all_there_are_smallest_first() {
    let program = parse(Stage::Fun, "entry main [n_0: i64] (xs_1: [n_0]bool) (b_2: bool) : = { in () }");
    assert_eq!(
        texts(&program, 1),
        [
            "empty([0]bool) false",
            "empty([0]bool) true",
            "[false] false",
            "[false] true",
            "[true] false",
            "[true] true",
        ]
    );
    assert_eq!(texts(&program, 2).len(), 2 * (1 + 2 + 4));
    // four numbers stand for all; i64 scalars may be sizes or indices, so they go from -1 to the bound
    let program = parse(Stage::Fun, "entry main (x_0: i32) (y_1: f64) : = { in () }");
    assert_eq!(texts(&program, 9).len(), 4 * 4);
    let program = parse(Stage::Fun, "entry main (x_0: i64) : = { in () }");
    assert_eq!(texts(&program, 4), ["0i64", "1i64", "2i64", "3i64", "4i64", "-1i64"]);
    // two sizes, their sum ascending
    let program = parse(
        Stage::Fun,
        "entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]bool) (m_1x_3: i64) : = { in () }",
    );
    let count: usize = [1, 1, 1, 1, 1, 1, 2, 4, 4, 16].into_iter().sum::<usize>() - 1;
    assert_eq!(texts(&program, 2).len(), count * 4);
    // a scalar that is a size has its value
    let program = parse(Stage::Fun, "entry main (n_0: i64) (xs_1: [n_0]bool) : = { in () }");
    assert_eq!(texts(&program, 1), ["0i64 empty([0]bool)", "1i64 [false]", "1i64 [true]"]);
}

#[test]
fn sizes_that_an_assertion_refuses_are_left_out() {
    let program = parse(
        Stage::Fun,
        r#"
entry main [n_0: i64] [m_1: i64] (a_2: [n_0]bool) (b_3: [m_1]bool) : = {
  let (x_4: i64) = add.i64 n_0 1i64
  let (x_5: bool) = eq.i64 m_1 x_4
  let = assert x_5 "size" #"test.fut":1:1
  in ()
}
"#,
    );
    // 0 and 1, 1 and 2
    assert_eq!(texts(&program, 2).len(), 2 + 2 * 4);
}

/// `a` and `b` in one block: wrong for every input but the empty one.
const OVERLAP: &str = r#"
entry main [n_0: i64] [xs_mem_1: mem] (xs_2: [n_0]i64 @ xs_mem_1 -> 0 + {(n_0 : 1)}) : [r_mem_3: mem] (*r_4: [n_0]i64 @ r_mem_3 -> 0 + {(n_0 : 1)}) = {
  let (m_5: mem) = alloc [n_0]i64
  let (a_6: [n_0]i64 @ m_5 -> 0 + {(n_0 : 1)}) = copy xs_2
  let (b_7: [n_0]i64 @ m_5 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
  let (r_mem_8: mem) = alloc [n_0]i64
  let (r_9: [n_0]i64 @ r_mem_8 -> 0 + {(n_0 : 1)}) = kernel (i_10 < n_0) {
    let (x_11: i64) = index a_6[i_10]
    let (y_12: i64) = index b_7[i_10]
    let (z_13: i64) = add.i64 x_11 y_12
    in (z_13)
  }
  in (r_mem_8, r_9)
}
"#;

#[test]
fn a_disagreement_is_found_on_smallest_inputs() {
    let program = parse(Stage::FunMem, OVERLAP);
    for inputs in [Inputs::Random { count: 20, seed: 3 }, Inputs::Small { largest: 2, most: None }] {
        let report = report(&program, &default_passes(&program), inputs, false);
        let (found, point) = report.found.expect("a disagreement");
        assert_eq!(found.inputs.len(), 1);
        assert_eq!(found.inputs[0].to_string(), "[0i64]");
        assert_eq!((point, found.semantics.how), (1, "the heap semantics"));
    }
}

/// Forgets negations.
static WRONG: Pass = Pass::on_fun("forget-negation", "a pass for this test", |mut program| {
    for function in &mut program.functions {
        for statement in &mut function.body.statements {
            if let fun::ir::Exp::Un(fun_base::prim::UnOp::Neg, _, atom) = &statement.exp {
                statement.exp = fun::ir::Exp::Atom(*atom);
            }
        }
    }
    program
});

#[test]
fn the_first_pass_that_breaks_a_program_is_named() {
    // `simplify` takes the sum away before
    let text = "entry main (x_0: i32) : (y_1: i32) = {
        let (y_2: i32) = neg.i32 x_0
        let (z_3: i32) = add.i32 y_2 0i32
        in (z_3)
    }";
    let program = parse(Stage::Fun, text);
    let mut passes = default_passes(&program);
    passes.insert(3, &WRONG);
    let inputs = Inputs::Random { count: 10, seed: 0 };
    let report = report(&program, &passes, inputs, true);
    let (found, point) = report.found.expect("a disagreement");
    assert_eq!(found.semantics.after, Some("forget-negation"));
    assert_eq!(found.inputs[0].to_string(), "1i32");
    // what comes before it agrees, on all inputs
    assert_eq!(point, 2);
    assert!(report.points[..point].iter().all(|point| point.same == 10), "{:?}", report.points);
}

const PICKY: &str = r#"
entry main [n_0: i64] (xs_1: [n_0]i64) : (y_2: i64) = {
  let (b_3: bool) = gt.i64 n_0 1i64
  let = assert b_3 "too short" #"test.fut":1:1
  let (first_4: i64) = index xs_1[0i64]
  let (second_5: i64) = index xs_1[1i64]
  let (b_6: bool) = lt.i64 first_4 second_5
  let = assert b_6 "not in order" #"test.fut":2:1
  in (second_5)
}
"#;

#[test]
fn inputs_that_stop_the_program_are_drawn_again() {
    let program = parse(Stage::Fun, PICKY);
    let report = report(&program, &default_passes(&program), Inputs::Random { count: 50, seed: 0 }, false);
    assert!(report.found.is_none());
    assert_eq!((report.agreed, report.unmet), (50, 0));
    assert!(report.stopped > 0);
}

#[test]
fn nothing_is_tested_where_nothing_passes() {
    let program = parse(
        Stage::Fun,
        r#"entry main (x_0: f32) : = { let = assert false "never" #"test.fut":1:1 in () }"#,
    );
    let report = report(&program, &default_passes(&program), Inputs::Random { count: 20, seed: 0 }, false);
    assert_eq!((report.agreed, report.unmet), (0, 20));
    assert_eq!(report.stop.expect("an assertion").message, "never");
    assert!(report.stopped < 500, "{}", report.stopped); // it gives up early
}

#[test]
fn too_many_small_inputs_are_counted_not_run() {
    let program = parse(Stage::Fun, "entry main [n_0: i64] (xs_1: [n_0]i32) : = { in () }");
    let options = Options { limits: Limits::default(), tolerance: 0.0, jit: true, order: 0 };
    let stages = stages(program.clone(), &default_passes(&program), &options).expect("stages");
    let run = |largest, most| {
        let inputs = Inputs::Small { largest, most };
        let plan =
            Plan { entry: "main", inputs, rules: Rules::default(), first_pass: false, options: &options };
        validate(&stages, &plan, &mut |_| ControlFlow::Continue(()))
    };
    // 4^10 and what is shorter
    let error = run(10, None).expect_err("too many");
    assert!(error.contains("1398101") && error.contains("--most"), "{error}");
    assert!(run(1000, None).expect_err("too many").contains("more than 2^64"));
    let report = run(10, Some(30)).expect("a report");
    assert_eq!((report.agreed, report.capped, report.planned), (30, true, Some(30)));
    let report = run(2, None).expect("a report");
    assert_eq!((report.agreed, report.capped, report.planned), (21, false, Some(21)));
}
