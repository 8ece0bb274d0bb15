//! Programs on which all semantics agree, and programs on which they must not.

use fun_base::name::Symbol;
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader};
use fun_passes::pipeline::{PIPELINES, passes_from, run_passes};
use fun_passes::program::{Program, Stage};
use fun_passes::registry::Pass;
use fun_verify::{Agreement, Options, Verdict, agree, agree_watched, random_inputs, stages};

fn parse(stage: Stage, text: &str) -> Program {
    let source = Source { name: Symbol::new("test"), text: text.into() };
    let program = stage.parse(&source).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(program.check(), Vec::<String>::new());
    program
}

fn options() -> Options {
    Options { limits: Limits::default(), tolerance: 1e-5, jit: true, order: 0 }
}

fn compare(program: &Program, inputs: &[Value]) -> Agreement {
    let passes = passes_from(&PIPELINES[0], program.stage());
    let stages = stages(program.clone(), &passes, &options()).unwrap_or_else(|error| panic!("{error}"));
    agree(&stages, "main", inputs, &options())
}

fn values(text: &str) -> Vec<Value> {
    ValueReader::new(text.as_bytes()).read_all().expect("values")
}

const SQUARES: &str = r#"
entry main [n_0: i64] (xs_1: [n_0]i32) : (s_2: i32) (*ys_3: [n_0]i32) = {
  let (ys_4: [n_0]i32) = map n_0 \(x_5: i32): i32 {
    let (y_6: i32) = mul.i32 x_5 x_5
    in (y_6)
  } xs_1
  let (s_7: i32) = reduce n_0 \(a_8: i32) (b_9: i32): i32 {
    let (c_10: i32) = add.i32 a_8 b_9
    in (c_10)
  } (0i32) ys_4
  in (s_7, ys_4)
}
"#;

#[test]
fn all_semantics_agree() {
    let program = parse(Stage::Fun, SQUARES);
    let agreement = compare(&program, &values("[1i32, 2i32, -3i32]"));
    let Agreement::Agreed { compared: count, limited: None } = agreement else { panic!("{agreement:?}") };
    // the source, the program after each pass that changes it (FUNMEM twice), machine code
    let passes = passes_from(&PIPELINES[0], Stage::Fun);
    let (mut expected, mut before) = (2, program.print());
    let mut note = |pass: &Pass, program: &Program| {
        if before != program.print() {
            expected += if pass.to == Stage::FunMem { 2 } else { 1 };
            before = program.print();
        }
    };
    run_passes(program.clone(), &passes, true, &mut Vec::new(), &mut |pass, program| note(pass, program))
        .expect("passes");
    assert_eq!(count, expected);
    for seed in 0..20 {
        let inputs = random_inputs(&program, "main", seed);
        let agreement = compare(&program, &inputs);
        assert!(matches!(agreement, Agreement::Agreed { .. }), "{inputs:?}: {agreement:?}");
    }
}

/// No two threads race, but the result is that of the last of them.
const LAST: &str = "entry proc main(): (i64) takes () gives (i64 @ 0) {
  alloc l_1: i32[1i64] alloc s_2: i64[1i64]
  view locks_3: i32 @ l_1 -> 0 + {(1 : 1)}
  view last_4: i64 @ s_2 -> 0 + {(1 : 1)}
  locks_3[0i64] := 0i32
  last_4[0i64] := -1i64
  for b_5: i64 < 2i64 block { for t_6: i64 < 3i64 thread {
    lock locks_3[0i64] { last_4[0i64] := add.i64(mul.i64(b_5, 3i64), t_6) } } }
  let r_7: i64 = last_4[0i64]
  free l_1 free s_2
  return (r_7) }";

#[test]
fn what_depends_on_the_order_is_found_and_found_again() {
    let program = parse(Stage::Imp, LAST);
    let at = |order| Options { order, jit: false, ..options() };
    let stages = stages(program, &[], &at(0)).unwrap_or_else(|error| panic!("{error}"));
    let mut count = 0;
    for first in 0..10 {
        let Agreement::Disagreed(found) = agree(&stages, "main", &[], &at(first)) else { continue };
        count += 1;
        // the message says in which order, and that order gives the same once more
        let order = found.order.expect("an order");
        assert!(found.to_string().ends_with(&format!("in the order of seed {order}")), "{found}");
        let last = |order| stages.reference("main", &[], &at(order)).expect("a value").remove(0).to_string();
        assert!(found.to_string().contains(&last(order)), "{found}");
        assert_ne!(last(first), last(order));
    }
    assert!(count > 4, "{count} of 10");
}

#[test]
fn failed_assertions_agree() {
    let program = parse(
        Stage::Fun,
        r#"
entry main (x_0: i32) : (y_1: i32) = {
  let (c_2: bool) = lt.i32 x_0 10i32
  let = assert c_2 "too large" #"test.fut":1:1
  in (x_0)
}
"#,
    );
    assert!(matches!(compare(&program, &values("3i32")), Agreement::Agreed { .. }));
    assert!(matches!(compare(&program, &values("10i32")), Agreement::AllFailed(_)));
}

/// Two live arrays in one block: the heap semantics reads what the second wrote.
const OVERLAP: &str = r#"
entry main [n_0: i64] [xs_mem_1: mem] (xs_2: [n_0]i64 @ xs_mem_1 -> 0 + {(n_0 : 1)}) : [r_mem_3: mem] (*r_4: [n_0]i64 @ r_mem_3 -> 0 + {(n_0 : 1)}) = {
  let (m_5: mem) = alloc [n_0]i64
  let (a_6: [n_0]i64 @ m_5 -> 0 + {(n_0 : 1)}) = copy xs_2
  let (b_7: [n_0]i64 @ m_5 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 7i64 1i64
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
fn overlapping_live_arrays_are_found() {
    let program = parse(Stage::FunMem, OVERLAP);
    let agreement = compare(&program, &values("[1i64, 2i64]"));
    let Agreement::Disagreed(found) = agreement else { panic!("{agreement:?}") };
    assert_eq!(found.semantics.how, "the heap semantics");
    // without elements there is nothing to overlap
    assert!(matches!(compare(&program, &values("empty([0]i64)")), Agreement::Agreed { .. }));
}

/// Where an interpreter reaches a limit, nothing says that machine code would ever end: it is not run.
#[test]
fn machine_code_does_not_run_where_an_interpreter_reached_a_limit() {
    let program = parse(Stage::Fun, SQUARES);
    let passes = passes_from(&PIPELINES[0], Stage::Fun);
    let stages = stages(program, &passes, &options()).unwrap_or_else(|error| panic!("{error}"));
    let machine = stages.points().position(|point| point.how == "machine code").expect("machine code");
    assert_eq!(machine + 1, stages.points().len());
    let inputs = values("[1i32, 2i32, 3i32, 4i32, 5i32]");
    let mut seen = [0; 3];
    for steps in 1..500 {
        let limits = Limits { steps, ..Limits::default() };
        let mut verdicts = vec![None; stages.points().len()];
        let mut watcher = |number: usize, verdict, _| verdicts[number] = Some(verdict);
        let options = Options { limits, ..options() };
        match agree_watched(&stages, "main", &inputs, &options, usize::MAX, &mut watcher) {
            Agreement::Skipped(_) => seen[0] += 1,
            Agreement::Agreed { limited: Some(_), .. } if verdicts.contains(&Some(Verdict::Limited)) => {
                seen[1] += 1;
                assert_eq!(verdicts[machine], Some(Verdict::NotRun));
            }
            Agreement::Agreed { .. } => {
                seen[2] += 1;
                assert_eq!(verdicts[machine], Some(Verdict::Same));
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// The array is dead: a pass that drops it changes nothing that the program says.
#[test]
fn arrays_beyond_all_memory_say_nothing() {
    let program = parse(
        Stage::Fun,
        "entry main (n_0: i64) : (m_1: i64) = { let (xs_2: [n_0]i64) = replicate [n_0] 1i64 in (n_0) }",
    );
    let Agreement::Skipped(error) = compare(&program, &values("1152921504606846976i64")) else {
        panic!("compared")
    };
    assert!(error.is_too_large() && error.message.starts_with("allocation of"), "{error}");
    assert!(matches!(compare(&program, &values("3i64")), Agreement::Agreed { .. }));
}
