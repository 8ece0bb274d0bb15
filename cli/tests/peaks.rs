//! The peak of `fun explain` as a formula, and the peak of runs.

mod support;

use fun_spec::stanza::{Input, Test};
use support::{Folder, corpus, fun, repository};

/// Programs with inputs that go through the branch that needs less, or whose loops end before the formula is met; and inputs that
/// meet it.
const CHEAPER: [(&str, &str); 6] = [
    ("bench/memory/hotspot.fut", "2i64 [[80f32, 81f32], [82f32, 83f32]] [[0f32, 0f32], [0f32, 0f32]]"),
    ("testsuite/memory/hoist/in_branch.fut", "[1i32, 2i32] true 2i64"),
    ("testsuite/memory/branch/one_inside_one_outside.fut", "[[0i32, 0i32]] true [1i32, 2i32]"),
    ("testsuite/memory/call/rows_in_loop.fut", "[[1i32, 2i32], [0i32, 0i32], [0i32, 0i32]]"),
    ("testsuite/memory/branch/sizes.fut", "false [1i32, 2i32]"),
    (
        "testsuite/memory/loop/shrinking_view.fut",
        "[1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32]",
    ),
];

/// Programs with blocks that only large inputs need, which the formula counts: a histogram is cut in parts where there are many elements for each cell,
/// operands of a product are packed where it is tiled, rows are copied for lanes, and all columns of a matrix have sums at once.
const LARGE_ALONE: [&str; 7] = [
    "examples/kmeans.fut",
    "examples/matmul.fut",
    "examples/pagerank.fut",
    "testsuite/memory/block/inside.fut",
    "testsuite/memory/map/tridiagonal.fut",
    "bench/memory/lud.fut",
    "bench/memory/lbm.fut",
];

/// Programs whose formula is not found: what the loops of one carry along does not settle, the other calls a function twice in which a
/// size shows that the formula has a name for.
const WITHOUT: [&str; 2] = ["bench/memory/locvolcalib.fut", "testsuite/memory/call/size_of_result.fut"];

/// Larger runs of the benchmarks.
const BENCHMARKS: [(&str, &str); 6] = [
    ("nw", "256i64 32i64"),
    ("lud", "128i64 16i64"),
    ("hotspot", "128i64 4i64"),
    ("lbm", "2i64 10i64 10i64 15i64"),
    ("option_pricing", "4096i64 5i64"),
    ("nn", "8552i64 10i64"),
];

/// A run beside the formula.
struct Run {
    peak: f64,
    /// With one strand, and with all.
    formula: (f64, f64),
}

impl Run {
    /// Within 10 %, above too only where the formula is that of some number of strands.
    fn agrees(&self) -> bool {
        self.peak >= 0.9 * self.formula.0 && self.peak <= 1.1 * self.formula.1
    }
}

/// `None` if the run stops, or if functions call themselves.
fn measured(program: &str, entry: &str, input: &str) -> Option<Run> {
    let folder = Folder::new();
    let input = folder.file("in", input);
    let outcome = fun(&["explain", "-w", "--json", "-e", entry, "-i", &input, program], b"");
    let text = outcome.text();
    assert!(!outcome.stderr.contains("bug in FUN"), "{program}: {}", outcome.stderr);
    let at = text.find("\"measured\":{")?;
    // (how deep a function calls itself is no formula)
    if text.contains("calls itself: how deep depends on the run") {
        return None;
    }
    let number = |name: &str| -> f64 {
        let rest = &text[at..];
        let start = rest.find(&format!("\"{name}\":")).expect("a field") + name.len() + 3;
        let digits: String = rest[start..].chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_else(|_| panic!("{program}: no {name} in\n{text}"))
    };
    Some(Run { peak: number("peak_bytes"), formula: (number("formula"), number("formula_with_all_strands")) })
}

#[test]
fn formulas_agree_with_runs() {
    let (mut runs, mut off) = (0, Vec::new());
    for (name, path) in corpus() {
        if WITHOUT.contains(&name.as_str()) {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("the program");
        let spec = fun_spec::parse::parse(&source).expect("the stanzas are well-formed");
        for test in spec.blocks.iter().flat_map(|block| &block.tests) {
            let Test::Case(case) = test else { continue };
            let Input::Values(values) = &case.input else { continue };
            for entry in &case.entries {
                let Some(run) = measured(&path.display().to_string(), entry, &values.text) else {
                    continue;
                };
                runs += 1;
                let cheaper = CHEAPER.iter().any(|(program, _)| *program == name)
                    || LARGE_ALONE.contains(&name.as_str());
                if !(run.agrees() || cheaper && run.peak <= run.formula.1) {
                    off.push(format!("{name} {entry}: {} bytes, not {:?}", run.peak, run.formula));
                }
            }
        }
    }
    assert!(off.is_empty(), "{off:#?}");
    assert!(runs > 150, "only {runs} runs");
}

#[test]
fn formulas_are_met() {
    let points = "[0f32, 1f32], ".repeat(65_535);
    let many = format!("2i32 [{points}[2f32, 2f32]]");
    for (program, input) in CHEAPER.into_iter().chain([(LARGE_ALONE[0], many.as_str())]) {
        let run = measured(&repository(program).display().to_string(), "main", input).expect("a run");
        assert!(run.agrees(), "{program}: {} bytes, not {:?}", run.peak, run.formula);
    }
}

#[test]
fn formulas_of_benchmarks_agree_with_runs() {
    for (program, input) in BENCHMARKS {
        let path = repository(&format!("bench/memory/{program}.fut")).display().to_string();
        let run = measured(&path, "bench", input).expect("a run");
        assert!(run.agrees(), "{program}: {} bytes, not {:?}", run.peak, run.formula);
    }
}
