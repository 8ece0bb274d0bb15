//! All passes. Flags, help and the tests' folders come from this list: a pass of the compiler is added here and nowhere else. Others
//! make a [`Pass`] of their own (an idea to try, a seeded bug) and put it into a list of passes themselves.

use crate::evidence::PassEvidence;
use crate::program::{Program, Stage};
use crate::thresholds::Thresholds;

/// A pass: a named function from a program of one stage to a program of the same or the next stage.
#[derive(Debug)]
pub struct Pass {
    /// What flags, files and folders call it.
    pub name: &'static str,
    /// One line for the help.
    pub about: &'static str,
    /// The stage that it takes.
    pub from: Stage,
    /// The stage that it gives.
    pub to: Stage,
    run: Run,
}

#[derive(Debug)]
enum Run {
    Fun(fn(::fun::ir::Program) -> ::fun::ir::Program),
    FunCertified(fn(::fun::ir::Program, &mut PassEvidence) -> ::fun::ir::Program),
    FunMem(fn(::funmem::ir::Program) -> ::funmem::ir::Program),
    FunMemCertified(fn(::funmem::ir::Program, &mut PassEvidence) -> ::funmem::ir::Program),
    FunToFunMem(fn(::fun::ir::Program) -> ::funmem::ir::Program),
    FunMemToImp(fn(::funmem::ir::Program) -> ::imp::ir::Program),
    FunMemToImpTuned(fn(::funmem::ir::Program, &Thresholds) -> ::imp::ir::Program),
    Imp(fn(::imp::ir::Program) -> ::imp::ir::Program),
    ImpTuned(fn(::imp::ir::Program, &Thresholds) -> ::imp::ir::Program),
}

/// A pass was given a program of another stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongStage {
    /// The pass.
    pub pass: &'static str,
    /// What it takes.
    pub takes: Stage,
    /// What it was given.
    pub given: Stage,
}

impl std::fmt::Display for WrongStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (takes, given) = (self.takes.name(), self.given.name());
        write!(f, "pass `{}` takes a {takes} program, but the program is at stage {given}", self.pass)
    }
}

impl Pass {
    /// A pass from FUN to FUN.
    pub const fn on_fun(
        name: &'static str,
        about: &'static str,
        run: fn(::fun::ir::Program) -> ::fun::ir::Program,
    ) -> Pass {
        Pass { name, about, from: Stage::Fun, to: Stage::Fun, run: Run::Fun(run) }
    }

    /// A pass from FUN to FUN that adds a certificate for each decision that it bases on a proof.
    pub const fn on_fun_with_certificates(
        name: &'static str,
        about: &'static str,
        run: fn(::fun::ir::Program, &mut PassEvidence) -> ::fun::ir::Program,
    ) -> Pass {
        Pass { name, about, from: Stage::Fun, to: Stage::Fun, run: Run::FunCertified(run) }
    }

    /// A pass from FUNMEM to FUNMEM.
    pub const fn on_funmem(
        name: &'static str,
        about: &'static str,
        run: fn(::funmem::ir::Program) -> ::funmem::ir::Program,
    ) -> Pass {
        Pass { name, about, from: Stage::FunMem, to: Stage::FunMem, run: Run::FunMem(run) }
    }

    /// A pass from FUNMEM to FUNMEM that adds a certificate for each decision that it bases on a proof.
    pub const fn on_funmem_with_certificates(
        name: &'static str,
        about: &'static str,
        run: fn(::funmem::ir::Program, &mut PassEvidence) -> ::funmem::ir::Program,
    ) -> Pass {
        Pass { name, about, from: Stage::FunMem, to: Stage::FunMem, run: Run::FunMemCertified(run) }
    }

    /// A pass from IMP to IMP.
    pub const fn on_imp(
        name: &'static str,
        about: &'static str,
        run: fn(::imp::ir::Program) -> ::imp::ir::Program,
    ) -> Pass {
        Pass { name, about, from: Stage::Imp, to: Stage::Imp, run: Run::Imp(run) }
    }

    /// A pass from IMP to IMP that asks for thresholds.
    pub const fn on_imp_tuned(
        name: &'static str,
        about: &'static str,
        run: fn(::imp::ir::Program, &Thresholds) -> ::imp::ir::Program,
    ) -> Pass {
        Pass { name, about, from: Stage::Imp, to: Stage::Imp, run: Run::ImpTuned(run) }
    }

    /// Applies the pass.
    pub fn run(&self, program: Program) -> Result<Program, WrongStage> {
        self.run_certified(program, &Thresholds::default(), &mut PassEvidence::default())
    }

    /// Applies the pass, which adds to the evidence and makes use of what is there.
    pub fn run_certified(
        &self,
        program: Program,
        thresholds: &Thresholds,
        evidence: &mut PassEvidence,
    ) -> Result<Program, WrongStage> {
        match (&self.run, program) {
            (Run::Fun(run), Program::Fun(program)) => Ok(Program::Fun(run(program))),
            (Run::FunCertified(run), Program::Fun(program)) => Ok(Program::Fun(run(program, evidence))),
            (Run::FunMem(run), Program::FunMem(program)) => Ok(Program::FunMem(run(program))),
            (Run::FunMemCertified(run), Program::FunMem(program)) => {
                Ok(Program::FunMem(run(program, evidence)))
            }
            (Run::FunToFunMem(run), Program::Fun(program)) => Ok(Program::FunMem(run(program))),
            (Run::FunMemToImp(run), Program::FunMem(program)) => Ok(Program::Imp(run(program))),
            (Run::FunMemToImpTuned(run), Program::FunMem(program)) => {
                Ok(Program::Imp(run(program, thresholds)))
            }
            (Run::Imp(run), Program::Imp(program)) => Ok(Program::Imp(run(program))),
            (Run::ImpTuned(run), Program::Imp(program)) => Ok(Program::Imp(run(program, thresholds))),
            (
                Run::Fun(_)
                | Run::FunCertified(_)
                | Run::FunMem(_)
                | Run::FunMemCertified(_)
                | Run::FunToFunMem(_)
                | Run::FunMemToImp(_)
                | Run::FunMemToImpTuned(_)
                | Run::Imp(_)
                | Run::ImpTuned(_),
                program,
            ) => Err(WrongStage { pass: self.name, takes: self.from, given: program.stage() }),
        }
    }
}

/// Every pass, by stage.
pub static PASSES: &[Pass] = &[
    Pass::on_fun("ad", "turn jvp and vjp into the derivatives that they name", crate::fun::ad::run),
    Pass::on_fun("ad-small", "the same with few chunks, of few iterations too", crate::fun::ad::run_small),
    Pass::on_fun(
        "ad-device",
        "the same with as many chunks of iterations as devices have threads for",
        crate::fun::ad::run_device,
    ),
    Pass::on_fun(
        "ad-device-small",
        "the same with few chunks, of few iterations too",
        crate::fun::ad::run_device_small,
    ),
    Pass::on_fun(
        "tail-calls",
        "turn functions that end in calls of themselves into loops",
        crate::fun::tail_calls::run,
    ),
    Pass::on_fun("inline", "put the bodies of functions in place of calls", crate::fun::inline::run),
    Pass::on_fun("simplify", "fold constants, propagate copies, drop dead code", crate::fun::simplify::run),
    Pass::on_fun("cse", "compute equal expressions once", crate::fun::cse::run),
    Pass::on_fun(
        "unpack-operators",
        "make operators on scalars of those on small arrays of constant size",
        crate::fun::unpack_operators::run,
    ),
    Pass::on_fun(
        "unpack-operators-device",
        "the same for larger ones, which hosts do faster in loops",
        crate::fun::unpack_operators::run_device,
    ),
    Pass::on_fun(
        "element-operators",
        "make operators on elements of those that combine arrays element by element",
        crate::fun::element_operators::run,
    ),
    Pass::on_fun(
        "element-reductions",
        "reduce the columns of a matrix instead of its rows",
        crate::fun::element_operators::run_reductions,
    ),
    Pass::on_fun(
        "part-histograms",
        "give histograms of rows a table for each of several parts of their values",
        crate::fun::part_histograms::run,
    ),
    Pass::on_fun(
        "part-histograms-small",
        "the same for small inputs too",
        crate::fun::part_histograms::run_small,
    ),
    Pass::on_fun(
        "map-loops",
        "make maps and reductions of loops whose iterations do not wait for each other",
        crate::fun::map_loops::run,
    ),
    Pass::on_fun(
        "map-loops-device",
        "the same, and scatters and histograms",
        crate::fun::map_loops::run_device,
    ),
    Pass::on_fun("soac-to-kernel", "turn map, reduce, scan, … into kernels", crate::fun::soac_to_kernel::run),
    Pass::on_fun(
        "sort-histograms",
        "sort the values of histograms of floats by cell where tables would be few",
        crate::fun::sort_histograms::run,
    ),
    Pass::on_fun(
        "part-scans",
        "make maps of what takes long to compute of the values of scans and histograms",
        crate::fun::part_scans::run,
    ),
    Pass::on_fun(
        "interchange-loops",
        "make maps of loops of loops of maps whose elements do not need each other",
        crate::fun::interchange_loops::run,
    ),
    Pass::on_fun(
        "interchange-products",
        "make products of maps whose rows are loops of maps that sum up",
        crate::fun::interchange_loops::run_host,
    ),
    Pass::on_fun(
        "settle-ties",
        "let the place decide between equal elements, so that reductions to the first or last of the least commute",
        crate::fun::settle_ties::run,
    ),
    Pass::on_fun(
        "unroll-folds",
        "write out short loops and reductions in what combines many elements",
        crate::fun::unroll_folds::run,
    ),
    Pass::on_fun(
        "join-reductions",
        "make one reduction of two over one space",
        crate::fun::join_reductions::run,
    ),
    Pass::on_fun(
        "merge-rows",
        "make one kernel of the reductions or scans of all rows",
        crate::fun::merge_rows::run,
    ),
    Pass::on_fun("copy-maps", "make copies of maps that only rearrange an array", crate::fun::copy_maps::run),
    Pass::on_fun(
        "early-reads",
        "move reads of branches in loops in front of these where they cannot fail",
        crate::fun::early_reads::run,
    ),
    Pass::on_fun("dead-stores", "drop what is overwritten before it is read", crate::fun::dead_stores::run),
    Pass::on_fun(
        "save-slices",
        "copy what a step of a loop reads beside its own element, so that it can write in place",
        crate::fun::save_slices::run,
    ),
    Pass::on_fun(
        "hoist-invariants",
        "compute what is the same in all iterations before them",
        crate::fun::hoist_invariants::run,
    ),
    Pass::on_fun_with_certificates(
        "fuse",
        "compute elements of arrays where they are read",
        crate::fun::fuse::run,
    ),
    Pass::on_fun(
        "fuse-threads",
        "the same in what a thread of a device computes",
        crate::fun::fuse::threads::run,
    ),
    Pass::on_fun(
        "fuse-epilogues",
        "compute what is made of each element of a scan where the scan makes it",
        crate::fun::fuse::epilogues::run,
    ),
    Pass {
        name: "introduce-memory",
        about: "say for every array where it lies in memory",
        from: Stage::Fun,
        to: Stage::FunMem,
        run: Run::FunToFunMem(crate::lower::fun_to_funmem::run),
    },
    Pass {
        name: "introduce-memory-views",
        about: "the same, with entry points whose arrays may lie anywhere",
        from: Stage::Fun,
        to: Stage::FunMem,
        run: Run::FunToFunMem(crate::lower::fun_to_funmem::run_with_views),
    },
    Pass::on_funmem_with_certificates(
        "remove-checks",
        "drop assertions that are shown to hold",
        crate::funmem::remove_checks::run,
    ),
    Pass::on_funmem(
        "choose-layouts",
        "order the dimensions of arrays in memory as most accesses do",
        crate::funmem::choose_layouts::run,
    ),
    Pass::on_funmem(
        "choose-layouts-device",
        "the same, by how far neighbouring threads are apart",
        crate::funmem::choose_layouts::run_for_device,
    ),
    Pass::on_funmem(
        "turn-arrays",
        "copy in another order what threads would read with long steps",
        crate::funmem::turn_arrays::run,
    ),
    Pass::on_funmem(
        "hoist-scalars",
        "compute and check scalars as early as possible",
        crate::funmem::hoist_scalars::run,
    ),
    Pass::on_funmem(
        "join-kernels",
        "make one map of two that read the same array, and one reduction of two",
        crate::funmem::join_kernels::run,
    ),
    Pass::on_funmem(
        "hoist-allocations",
        "allocate at the top of bodies and outside of loops",
        crate::funmem::hoist_allocations::run,
    ),
    Pass::on_funmem_with_certificates(
        "in-place-loops",
        "make each value of a loop over the one before where nothing is lost",
        crate::funmem::double_buffer::run_in_place,
    ),
    Pass::on_funmem_with_certificates(
        "pass-destinations",
        "let callers say where results of functions go",
        crate::funmem::pass_destinations::run,
    ),
    Pass::on_funmem_with_certificates(
        "short-circuit",
        "build arrays where they would be copied to",
        crate::funmem::short_circuit::run,
    ),
    Pass::on_funmem(
        "join-blocks",
        "allocate before a branch what both arms allocate and give",
        crate::funmem::join_blocks::run,
    ),
    Pass::on_funmem_with_certificates(
        "double-buffer",
        "allocate the arrays that loops carry along before the loop",
        crate::funmem::double_buffer::run,
    ),
    Pass::on_funmem_with_certificates(
        "reuse-memory",
        "allocate nothing where a dead block is large enough",
        crate::funmem::reuse_memory::run,
    ),
    Pass::on_funmem_with_certificates(
        "reuse-memory-device",
        "the same for blocks of arrays with elements of one type",
        crate::funmem::reuse_memory::run_device,
    ),
    Pass::on_funmem(
        "sink-allocations",
        "allocate right before the first use",
        crate::funmem::sink_allocations::run,
    ),
    Pass {
        name: "lower-to-imp",
        about: "forget values: loops, views, reads and writes",
        from: Stage::FunMem,
        to: Stage::Imp,
        run: Run::FunMemToImp(crate::lower::funmem_to_imp::run),
    },
    Pass {
        name: "lower-to-imp-small",
        about: "the same, with scans in pieces of few values",
        from: Stage::FunMem,
        to: Stage::Imp,
        run: Run::FunMemToImp(crate::lower::funmem_to_imp::run_small),
    },
    Pass {
        name: "lower-to-device",
        about: "the same, with reductions by blocks of threads that share memory",
        from: Stage::FunMem,
        to: Stage::Imp,
        run: Run::FunMemToImpTuned(crate::lower::funmem_to_imp::run_for_device),
    },
    Pass {
        name: "lower-to-device-small",
        about: "the same with few threads, for tests",
        from: Stage::FunMem,
        to: Stage::Imp,
        run: Run::FunMemToImpTuned(crate::lower::funmem_to_imp::run_for_device_small),
    },
    Pass::on_imp(
        "hoist-blocks",
        "allocate once what each iteration of a loop allocates",
        crate::imp::hoist_blocks::run,
    ),
    Pass::on_imp(
        "pair-blocks",
        "make one block of those that change places in an iteration",
        crate::imp::pair_blocks::run,
    ),
    Pass::on_imp(
        "stack-blocks",
        "put small arrays of constant size on the stack",
        crate::imp::stack_blocks::run,
    ),
    Pass::on_imp(
        "delinearize",
        "make nests of loops whose counters are a row and a column",
        crate::imp::delinearize::run,
    ),
    Pass::on_imp(
        "delinearize-small",
        "the same for rows of two columns, for tests",
        crate::imp::delinearize::run_small,
    ),
    Pass::on_imp("short-rows", "run inner loops of few iterations in order", crate::imp::short_rows::run),
    Pass::on_imp(
        "short-rows-small",
        "the same for sizes of small inputs, for tests",
        crate::imp::short_rows::run_small,
    ),
    Pass::on_imp(
        "tile-products",
        "cut nests like matrix products into tiles that stay in registers",
        crate::imp::tile_products::run,
    ),
    Pass::on_imp(
        "tile-products-c",
        "the same where a C compiler comes next",
        crate::imp::tile_products::run_for_c,
    ),
    Pass::on_imp(
        "tile-products-small",
        "the same with tiles that small inputs fill, for tests",
        crate::imp::tile_products::run_small,
    ),
    Pass::on_imp(
        "inner-threads-folds",
        "give threads the inner loops and reductions of nests with few outer iterations",
        crate::imp::inner_threads::run_on_folds,
    ),
    Pass::on_imp(
        "inner-threads-folds-small",
        "the same whatever sizes are, for tests",
        crate::imp::inner_threads::run_on_folds_small,
    ),
    Pass::on_imp(
        "inner-threads",
        "the same for nests without reductions, of loops that have their final form",
        crate::imp::inner_threads::run,
    ),
    Pass::on_imp(
        "inner-threads-small",
        "the same whatever sizes are, for tests",
        crate::imp::inner_threads::run_small,
    ),
    Pass::on_imp("split-folds", "give reductions several accumulators", crate::imp::split_folds::run),
    Pass::on_imp(
        "split-folds-c",
        "the same but for integers along rows, which C compilers do",
        crate::imp::split_folds::run_for_c,
    ),
    Pass::on_imp(
        "split-folds-small",
        "the same with accumulators that small inputs fill, for tests",
        crate::imp::split_folds::run_small,
    ),
    Pass::on_imp(
        "fuse-folds",
        "run a map in the iterations of a long reduction that comes by the same places",
        crate::imp::fuse_folds::run,
    ),
    Pass::on_imp(
        "fuse-loops",
        "run a loop that strides through memory in the iterations of the one behind it",
        crate::imp::fuse_loops::run,
    ),
    Pass::on_imp(
        "pair-steps",
        "run several steps of a loop over a matrix at a time, so that it comes by once",
        crate::imp::pair_steps::run,
    ),
    Pass::on_imp(
        "split-nests",
        "give the inner iterations of loops with others in a branch a loop of their own",
        crate::imp::split_rims::run_nests,
    ),
    Pass::on_imp(
        "spread-lanes",
        "run several iterations of a loop with loops inside side by side, in lanes",
        crate::imp::spread_lanes::run,
    ),
    Pass::on_imp(
        "spread-lanes-small",
        "the same with two lanes, wherever it is legal, for tests",
        crate::imp::spread_lanes::run_small,
    ),
    Pass::on_imp(
        "split-rims",
        "give the inner iterations of loops with a rim a loop of their own",
        crate::imp::split_rims::run,
    ),
    Pass::on_imp(
        "unswitch-loops",
        "run loops without their branch where it goes one way in all iterations",
        crate::imp::unswitch_loops::run,
    ),
    Pass::on_imp(
        "unroll-loops",
        "write out short loops in loops that could run in vectors",
        crate::imp::unroll_loops::run,
    ),
    Pass::on_imp(
        "butterflies",
        "run loops that read at their counter with some bits flipped in blocks of neighbours",
        crate::imp::butterflies::run,
    ),
    Pass::on_imp(
        "butterflies-small",
        "the same in blocks of two, for tests",
        crate::imp::butterflies::run_small,
    ),
    Pass::on_imp(
        "convert-branches",
        "make choices of short branches that data decide",
        crate::imp::convert_branches::run,
    ),
    Pass::on_imp(
        "fill-vectors",
        "let the last vector of a row of small elements overlap the one before",
        crate::imp::fill_vectors::run,
    ),
    Pass::on_imp(
        "fill-vectors-small",
        "the same with vectors of two elements, for tests",
        crate::imp::fill_vectors::run_small,
    ),
    Pass::on_imp(
        "drop-dead-cells",
        "give a matrix no first values where a sweep writes them before it reads them",
        crate::imp::drop_dead_cells::run,
    ),
    Pass::on_imp(
        "tile-sweeps",
        "go over matrices in place by tiles, those of an anti-diagonal in parallel",
        crate::imp::tile_sweeps::run,
    ),
    Pass::on_imp(
        "tile-sweeps-small",
        "the same with tiles that small inputs fill, for tests",
        crate::imp::tile_sweeps::run_small,
    ),
    Pass::on_imp(
        "jam-sweeps",
        "go over matrices in place several rows at a time, each a column behind the one above",
        crate::imp::jam_sweeps::run,
    ),
    Pass::on_imp(
        "jam-sweeps-small",
        "the same with groups that small inputs fill, for tests",
        crate::imp::jam_sweeps::run_small,
    ),
    Pass::on_imp(
        "strip-steps",
        "run all steps over arrays on a strip of elements at a time, where these do not need each other",
        crate::imp::strip_steps::run,
    ),
    Pass::on_imp(
        "strip-steps-small",
        "the same with strips that small inputs fill, for tests",
        crate::imp::strip_steps::run_small,
    ),
    Pass::on_imp(
        "tile-steps",
        "compute several steps over arrays that take turns while their rows are in the cache",
        crate::imp::tile_steps::run,
    ),
    Pass::on_imp(
        "tile-steps-small",
        "the same with pieces that small inputs fill, for tests",
        crate::imp::tile_steps::run_small,
    ),
    Pass::on_imp(
        "carry-cells",
        "carry what an iteration writes and the next one reads in a scalar",
        crate::imp::carry_cells::run,
    ),
    Pass::on_imp(
        "split-histograms",
        "give each of several threads a part of a histogram",
        crate::imp::split_histograms::run,
    ),
    Pass::on_imp(
        "split-histograms-small",
        "the same with parts for small inputs, for tests",
        crate::imp::split_histograms::run_small,
    ),
    Pass::on_imp_tuned(
        "tile-kernels",
        "make kernels of products whose blocks share tiles and whose threads keep sums in registers",
        crate::imp::tile_kernels::run,
    ),
    Pass::on_imp_tuned(
        "tile-kernels-small",
        "the same with tiles that small inputs fill, for tests",
        crate::imp::tile_kernels::run_small,
    ),
    Pass::on_imp_tuned(
        "tile-stencils",
        "make kernels of stencils whose blocks share tiles of what they read",
        crate::imp::tile_stencils::run,
    ),
    Pass::on_imp_tuned(
        "tile-stencils-small",
        "the same with tiles that small inputs fill, for tests",
        crate::imp::tile_stencils::run_small,
    ),
    Pass::on_imp(
        "sweep-kernels",
        "make kernels of sweeps in place, whose threads go along anti-diagonals",
        crate::imp::sweep_kernels::run,
    ),
    Pass::on_imp(
        "sweep-kernels-small",
        "the same with tiles that small inputs fill, for tests",
        crate::imp::sweep_kernels::run_small,
    ),
    Pass::on_imp_tuned(
        "iteration-blocks",
        "give iterations with parallel loops in loops of their own a block of threads each",
        crate::imp::iteration_blocks::run,
    ),
    Pass::on_imp_tuned(
        "iteration-blocks-small",
        "the same with few threads, for tests",
        crate::imp::iteration_blocks::run_small,
    ),
    Pass::on_imp(
        "kernels",
        "turn parallel loops into kernels of an accelerator, with the host's code around",
        crate::imp::kernels::run,
    ),
    Pass::on_imp(
        "kernels-small",
        "the same with few threads, so that small inputs fill several blocks, for tests",
        crate::imp::kernels::run_small,
    ),
    Pass::on_imp(
        "kernels-resident",
        "the same with entry points that take and give blocks of the accelerator, for libraries",
        crate::imp::kernels::run_resident,
    ),
    Pass::on_imp(
        "keep-scalars",
        "leave on the device what kernels compute and only kernels use",
        crate::imp::keep_scalars::run,
    ),
    Pass::on_imp(
        "simplify-imp",
        "fold constants, forward names, drop unused scalars and views",
        crate::imp::simplify::run,
    ),
];

/// The pass of this name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}
