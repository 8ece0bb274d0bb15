//! Which passes run, in which order, and why.

use crate::evidence::PassEvidence;
use crate::program::{Program, Stage};
use crate::registry::{self, Pass, WrongStage};
use crate::thresholds::Thresholds;
use fun_index::certificate::Certificate;
use std::time::{Duration, Instant};

/// A named list of passes.
pub struct Pipeline {
    /// What `fun dev --pipeline` calls it.
    pub name: &'static str,
    /// One line for the help.
    pub about: &'static str,
    /// Names of passes.
    pub passes: &'static [&'static str],
}

/// The passes that compile a program: those on memory (with what they leave to do on IMP) may be absent, tiles and lanes be of any size.
macro_rules! compiling {
    (ad: $ad:literal, operators: [$($operators:literal),*], joined: [$($joined:literal),*], loops: [$($loops:literal),*], rows: [$($rows:literal),*], $introduce:literal, memory: [$($memory:literal),*], $lower:literal, imp: [$($imp:literal),*]) => {
        &[
            // first, so that derivatives are simplified like everything else
            $ad,
            // before inlining, so that dead calls and constant branches are not copied
            "simplify",
            // before inlining, which leaves alone what calls itself
            "tail-calls",
            "inline",
            // inlined bodies meet constant arguments
            "simplify",
            "cse",
            // merged expressions leave dead ones
            "simplify",
            // while operators have the form of the source
            $($operators,)*
            "soac-to-kernel",
            // index expressions of merged kernels repeat
            "cse",
            "simplify",
            // nests that only the array of an inner `iota` kept apart
            "soac-to-kernel",
            // while arrays between maps and what reads them are there: more are of one place then
            "hoist-invariants",
            $($joined,)*
            // the arrays between maps and what reads them
            "fuse",
            // what is read once for all that is computed in one place
            "cse",
            // while every element has a value
            "early-reads",
            // while operators have the form of the source
            "settle-ties",
            $($loops,)*
            // before memory: a fill may be a copy that needs a block
            "dead-stores",
            // reads are where they stay by now
            "save-slices",
            "simplify",
            $($rows,)*
            // late, as the others have rules for maps
            "fuse-epilogues",
            $introduce,
            $($memory,)*
            $lower,
            $($imp,)*
        ]
    };
    ($ad:literal, $part:literal, $introduce:literal, memory: [$($memory:literal),*], $lower:literal, blocks: [$($blocks:literal),*], $delinearize:literal, $strip:literal, $short:literal, $tile:literal, $spread:literal, hoist: [$($hoist:literal),*], $inner_folds:literal, $split:literal, $histograms:literal, $sweeps:literal, $jam:literal, $butterflies:literal, $steps:literal, $inner:literal, $fill:literal) => {
        compiling!(
            ad: $ad,
            // while maps and operators have the form of the source, and sizes that are the same one name
            operators: ["map-loops", "unpack-operators", "element-reductions", $part],
            joined: [],
            // while iterations have few maps; with reads where they are, and elements of reductions are scalars alone then
            loops: ["interchange-products", "unroll-folds"],
            // after fusion, which leaves what it does not put into scans
            rows: ["part-scans"],
            $introduce,
            memory: [$($memory),*],
            $lower,
            imp: [
                $($blocks,)*
                // bounds tests and chunk sizes whose operands are known
                "simplify-imp",
                // first, so that all others see the nest
                $delinearize,
                // while nests have one version
                $strip,
                // early, so that the others see which loops run in order
                $short,
                // before reductions are split: each cell of a tile has an accumulator of its own
                $tile,
                // so that lanes have no branches with loops
                "split-nests",
                // while reductions are loops, and before rims are split: lanes have no branches of their own there;
                // and while iterations have blocks of their own
                $spread,
                $($hoist,)*
                // while reductions are loops
                $inner_folds,
                // while reductions are one loop, without lanes
                "fuse-folds",
                $split,
                $histograms,
                // while a matrix is made right before the sweep over it
                "drop-dead-cells",
                $sweeps,
                // the rows of tiles, too
                $jam,
                // after tiles: what runs in front of a nest would hide it
                "fuse-loops",
                // of loops that are one sweep then
                "pair-steps",
                // late, as the others go by the form of loops
                "split-rims",
                // rows that lie on a rim as a whole
                "unswitch-loops",
                // of what is left in the middle
                "unroll-loops",
                // behind it, as it writes out loops of a few iterations
                $butterflies,
                // late, as the others know what holds in a branch
                "convert-branches",
                // of steps whose rows have their final form
                $steps,
                // late, as the others go by the form of nests
                $inner,
                // of loops that nobody looks at any more
                $fill,
                // late, as it makes loops depend on a scalar
                "carry-cells",
                // indices of tiles and lanes
                "simplify-imp"
            ]
        )
    };
    (ad: $ad:literal, lower: $lower:literal, tile: $tile:literal, stencils: $stencils:literal, sweeps: $sweeps:literal, iterations: $iterations:literal, kernels: $kernels:literal) => {
        compiling!(
            ad: $ad,
            // as for the host, but that blocks hold cells of one type: those of threads lie between each other
            memory: [
                "remove-checks",
                "hoist-scalars",
                "in-place-loops",
                "hoist-allocations",
                "pass-destinations",
                "short-circuit",
                "join-blocks",
                "choose-layouts-device",
                // arrays whose layout is not the program's to choose
                "turn-arrays",
                "double-buffer",
                "hoist-allocations",
                "reuse-memory-device",
                "sink-allocations"
            ],
            // what a thread keeps in memory of its own
            blocks: ["stack-blocks"],
            lower: $lower, tile: $tile, stencils: $stencils, sweeps: $sweeps, iterations: $iterations, kernels: $kernels
        )
    };
    (ad: $ad:literal, memory: [$($memory:literal),*], blocks: [$($blocks:literal),*], lower: $lower:literal, tile: $tile:literal, stencils: $stencils:literal, sweeps: $sweeps:literal, iterations: $iterations:literal, kernels: $kernels:literal) => {
        compiling!(
            ad: $ad,
            // while maps and operators have the form of the source, and sizes that are the same one name
            operators: ["map-loops-device", "unpack-operators-device", "element-operators"],
            // before fusion: what two reductions read is one consumer's then
            joined: ["join-reductions"],
            // while iterations have few maps
            loops: ["interchange-loops"],
            // after fusion, so that maps behind reductions are known; sorts have reductions too
            rows: [
                // of what is left to threads
                "fuse-threads",
                "sort-histograms",
                "merge-rows",
                "copy-maps",
                "simplify"
            ],
            "introduce-memory",
            memory: [$($memory),*],
            $lower,
            imp: [
                $($blocks,)*
                "simplify-imp",
                // while products are loops
                $tile,
                // of parallel loops that are no products
                $stencils,
                // of loops that would be one thread's
                $sweeps,
                // behind all that makes several kernels of an iteration
                $iterations,
                $kernels,
                // which tells what the host does
                "keep-scalars",
                // the indices of threads
                "simplify-imp"
            ]
        )
    };
    (without memory) => {
        compiling!("ad", "part-histograms", "introduce-memory", memory: [], "lower-to-imp", blocks: [], "delinearize", "strip-steps", "short-rows", "tile-products", "spread-lanes", hoist: [], "inner-threads-folds", "split-folds", "split-histograms", "tile-sweeps", "jam-sweeps", "butterflies", "tile-steps", "inner-threads", "fill-vectors")
    };
    ($ad:literal, $part:literal, $introduce:literal, $lower:literal, $delinearize:literal, $strip:literal, $short:literal, $tile:literal, $spread:literal, $inner_folds:literal, $split:literal, $histograms:literal, $sweeps:literal, $jam:literal, $butterflies:literal, $steps:literal, $inner:literal, $fill:literal) => {
        compiling!(
            $ad,
            $part,
            $introduce,
            memory: [
                // what cannot stop the program lets other checks move up
                "remove-checks",
                // sizes and places come into scope before what has them
                "hoist-scalars",
                // while each block has one array, and maps have no checks
                "join-kernels",
                // before results go elsewhere, and while blocks are where they are used
                "in-place-loops",
                // before the passes that build or reuse in blocks: these must be in scope
                "hoist-allocations",
                // before what calls give is built where it goes
                "pass-destinations",
                // before blocks are shared: each has the arrays of one value then
                "short-circuit",
                // arrays that branches give and that were not built elsewhere
                "join-blocks",
                // what was built in another array has its layout
                "choose-layouts",
                // loops whose arrays keep their size need two blocks
                "double-buffer",
                // which leave the loops around
                "hoist-allocations",
                "reuse-memory",
                // blocks live no longer than needed
                "sink-allocations"
            ],
            $lower,
            blocks: [
                // small ones need no call of the allocator wherever they are
                "stack-blocks"
            ],
            $delinearize,
            $strip,
            $short,
            $tile,
            $spread,
            hoist: [
                // blocks that take turns are one, small or to be hoisted
                "pair-blocks",
                "stack-blocks",
                // temporary arrays of kernels and loops
                "hoist-blocks"
            ],
            $inner_folds,
            $split,
            $histograms,
            $sweeps,
            $jam,
            $butterflies,
            $steps,
            $inner,
            $fill
        )
    };
}

/// The pipelines; the first is the default.
pub static PIPELINES: &[Pipeline] = &[
    Pipeline {
        name: "default",
        about: "what `fun run` does, and `fun compile` to machine code by Cranelift",
        passes: compiling!(
            "ad",
            "part-histograms",
            "introduce-memory",
            "lower-to-imp",
            "delinearize",
            "strip-steps",
            "short-rows",
            "tile-products",
            "spread-lanes",
            "inner-threads-folds",
            "split-folds",
            "split-histograms",
            "tile-sweeps",
            "jam-sweeps",
            "butterflies",
            "tile-steps",
            "inner-threads",
            "fill-vectors"
        ),
    },
    Pipeline {
        name: "no-memory",
        about: "the default without the passes on memory, to see what these do",
        passes: compiling!(without memory),
    },
    Pipeline {
        name: "small",
        about: "the default with tiles and lanes so few that small inputs fill them, for tests",
        passes: compiling!(
            "ad-small",
            "part-histograms-small",
            "introduce-memory",
            "lower-to-imp-small",
            "delinearize-small",
            "strip-steps-small",
            "short-rows-small",
            "tile-products-small",
            "spread-lanes-small",
            "inner-threads-folds",
            "split-folds-small",
            "split-histograms-small",
            "tile-sweeps-small",
            "jam-sweeps-small",
            "butterflies-small",
            "tile-steps",
            "inner-threads",
            "fill-vectors-small"
        ),
    },
    Pipeline {
        name: "small-tiles",
        about: "the same with as many lanes as the default has, so that nests are left for tiles and threads",
        passes: compiling!(
            "ad-small",
            "part-histograms-small",
            "introduce-memory",
            "lower-to-imp-small",
            "delinearize-small",
            "strip-steps-small",
            "short-rows-small",
            "tile-products-small",
            "spread-lanes",
            "inner-threads-folds-small",
            "split-folds-small",
            "split-histograms-small",
            "tile-sweeps-small",
            "jam-sweeps-small",
            "butterflies-small",
            "tile-steps-small",
            "inner-threads-small",
            "fill-vectors-small"
        ),
    },
    Pipeline {
        name: "c",
        about: "what `fun run --backend c` and `fun compile` by way of C do: the default but for what C compilers do themselves",
        passes: compiling!(
            "ad",
            "part-histograms",
            "introduce-memory",
            "lower-to-imp",
            "delinearize",
            "strip-steps",
            "short-rows",
            "tile-products-c",
            "spread-lanes",
            "inner-threads-folds",
            "split-folds-c",
            "split-histograms",
            "tile-sweeps",
            "jam-sweeps",
            "butterflies",
            "tile-steps",
            "inner-threads",
            "fill-vectors"
        ),
    },
    Pipeline {
        name: "views",
        about: "the default with entry points that take arrays in any order, as libraries have them beside the usual ones",
        passes: compiling!(
            "ad",
            "part-histograms",
            "introduce-memory-views",
            "lower-to-imp",
            "delinearize",
            "strip-steps",
            "short-rows",
            "tile-products",
            "spread-lanes",
            "inner-threads-folds",
            "split-folds",
            "split-histograms",
            "tile-sweeps",
            "jam-sweeps",
            "butterflies",
            "tile-steps",
            "inner-threads",
            "fill-vectors"
        ),
    },
    Pipeline {
        name: "gpu",
        about: "what `fun run --backend opencl` and `--backend cuda` do",
        passes: compiling!(ad: "ad-device", lower: "lower-to-device", tile: "tile-kernels", stencils: "tile-stencils", sweeps: "sweep-kernels", iterations: "iteration-blocks", kernels: "kernels"),
    },
    Pipeline {
        name: "gpu-no-memory",
        about: "the same without the passes on memory, to see what these do",
        passes: compiling!(ad: "ad-device", memory: [], blocks: [], lower: "lower-to-device", tile: "tile-kernels", stencils: "tile-stencils", sweeps: "sweep-kernels", iterations: "iteration-blocks", kernels: "kernels"),
    },
    Pipeline {
        name: "gpu-small",
        about: "the same with threads so few that small inputs fill several blocks, for tests",
        passes: compiling!(
            ad: "ad-device-small",
            lower: "lower-to-device-small",
            tile: "tile-kernels-small",
            stencils: "tile-stencils-small",
            sweeps: "sweep-kernels-small",
            iterations: "iteration-blocks-small",
            kernels: "kernels-small"
        ),
    },
    Pipeline {
        name: "gpu-library",
        about: "what `fun compile` with `--lib`, `--exe` or `--server` and `--backend opencl` or `cuda` does: arrays stay on the device between calls",
        passes: compiling!(ad: "ad-device", lower: "lower-to-device", tile: "tile-kernels", stencils: "tile-stencils", sweeps: "sweep-kernels", iterations: "iteration-blocks", kernels: "kernels-resident"),
    },
    Pipeline {
        name: "none",
        about: "only what lowering needs",
        passes: &["ad", "soac-to-kernel", "introduce-memory", "lower-to-imp"],
    },
];

/// The pipeline of this name.
pub fn find(name: &str) -> Option<&'static Pipeline> {
    PIPELINES.iter().find(|pipeline| pipeline.name == name)
}

/// A program that a pass made broke an invariant: a bug of the pass.
#[derive(Debug)]
pub struct BrokenInvariant {
    /// The pass; `None` when the program was broken before the first.
    pub pass: Option<&'static str>,
    /// What the checker says.
    pub errors: Vec<String>,
    /// The program that it made.
    pub program: Box<Program>,
}

/// Why a pipeline stopped.
#[derive(Debug)]
pub enum PipelineError {
    /// A pass does not fit the program's stage.
    WrongStage(WrongStage),
    /// The checker refused what a pass made.
    Broken(BrokenInvariant),
}

impl std::fmt::Display for PipelineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PipelineError::WrongStage(error) => error.fmt(f),
            PipelineError::Broken(broken) => {
                let who = broken.pass.map_or("the front end".to_owned(), |pass| format!("pass `{pass}`"));
                write!(f, "bug in FUN: {who} made a program that breaks an invariant")?;
                broken.errors.iter().try_for_each(|error| write!(f, "\n{error}"))
            }
        }
    }
}

/// Time spent in one pass.
#[derive(Clone, Copy, Debug)]
pub struct PassTime {
    /// The pass.
    pub name: &'static str,
    /// In the pass itself.
    pub pass: Duration,
    /// In the checker after it.
    pub check: Duration,
}

/// Runs passes in order, checking the program before the first and after each (law 2). `observe` sees every program with the
/// name of the pass that made it.
pub fn run_passes(
    program: Program,
    passes: &[&'static Pass],
    check: bool,
    times: &mut Vec<PassTime>,
    observe: &mut dyn FnMut(&'static Pass, &Program),
) -> Result<Program, PipelineError> {
    let thresholds = Thresholds::default();
    run_passes_tuned(program, passes, &thresholds, check, times, observe)
}

/// As [`run_passes`], where something is said of thresholds.
pub fn run_passes_tuned(
    program: Program,
    passes: &[&'static Pass],
    thresholds: &Thresholds,
    check: bool,
    times: &mut Vec<PassTime>,
    observe: &mut dyn FnMut(&'static Pass, &Program),
) -> Result<Program, PipelineError> {
    run_each(program, passes, thresholds, check, times, &mut Vec::new(), observe)
}

/// As [`run_passes`], and collects what the passes can show for their decisions.
pub fn run_passes_certified(
    program: Program,
    passes: &[&'static Pass],
    check: bool,
    times: &mut Vec<PassTime>,
    certificates: &mut Vec<(&'static str, Certificate)>,
    observe: &mut dyn FnMut(&'static Pass, &Program),
) -> Result<Program, PipelineError> {
    run_each(program, passes, &Thresholds::default(), check, times, certificates, observe)
}

fn run_each(
    program: Program,
    passes: &[&'static Pass],
    thresholds: &Thresholds,
    check: bool,
    times: &mut Vec<PassTime>,
    certificates: &mut Vec<(&'static str, Certificate)>,
    observe: &mut dyn FnMut(&'static Pass, &Program),
) -> Result<Program, PipelineError> {
    let mut program = checked(program, None, check)?;
    let mut evidence = PassEvidence::default();
    for pass in passes {
        // A program that a pass leaves as it was has been checked.
        let before = check.then(|| program.clone());
        let start = Instant::now();
        program =
            pass.run_certified(program, thresholds, &mut evidence).map_err(PipelineError::WrongStage)?;
        let ran = Instant::now();
        certificates.extend(evidence.certificates.drain(..).map(|certificate| (pass.name, certificate)));
        observe(pass, &program);
        let observed = Instant::now();
        let changed = before.is_some_and(|before| before != program);
        program = checked(program, Some(pass.name), changed)?;
        times.push(PassTime { name: pass.name, pass: ran - start, check: observed.elapsed() });
    }
    Ok(program)
}

fn checked(program: Program, pass: Option<&'static str>, check: bool) -> Result<Program, PipelineError> {
    let errors = if check { program.check() } else { Vec::new() };
    if errors.is_empty() {
        return Ok(program);
    }
    Err(PipelineError::Broken(BrokenInvariant { pass, errors, program: Box::new(program) }))
}

/// The passes of a pipeline from the program's stage on: what brings it to IMP.
pub fn passes_from(pipeline: &Pipeline, stage: Stage) -> Vec<&'static Pass> {
    pipeline
        .passes
        .iter()
        .filter_map(|name| registry::find(name))
        .skip_while(|pass| pass.from < stage)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_name_passes_that_fit_each_other() {
        for pipeline in PIPELINES {
            let mut stage = Stage::Fun;
            for name in pipeline.passes {
                let pass = registry::find(name).expect("registered");
                assert_eq!(pass.from, stage, "{name} in {}", pipeline.name);
                stage = pass.to;
            }
            assert_eq!(stage, Stage::Imp, "{}", pipeline.name);
        }
    }

    #[test]
    fn no_memory_is_the_same_without_passes_on_funmem() {
        let of = |name: &str| find(name).expect("registered").passes;
        let on_memory = |name: &&&str| {
            let pass = registry::find(name).expect("registered");
            ["stack-blocks", "pair-blocks", "hoist-blocks"].contains(*name)
                || pass.from == Stage::FunMem && pass.to == Stage::FunMem
        };
        for (with, without) in [("default", "no-memory"), ("gpu", "gpu-no-memory")] {
            let others: Vec<&str> = of(with).iter().filter(|name| !on_memory(name)).copied().collect();
            assert_eq!(of(without), others);
        }
    }

    #[test]
    fn others_are_the_default_with_other_forms_of_passes() {
        let of = |name: &str| find(name).expect("registered").passes;
        for (pipeline, suffix) in [("small", "-small"), ("c", "-c"), ("views", "-views")] {
            let usual = of(pipeline).iter().map(|name| name.strip_suffix(suffix).unwrap_or(name));
            assert_eq!(usual.collect::<Vec<&str>>(), of("default"));
        }
    }

    #[test]
    fn pass_names_are_unique() {
        let mut names: Vec<_> = registry::PASSES.iter().map(|pass| pass.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), registry::PASSES.len());
    }
}
