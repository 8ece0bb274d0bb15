//! The command line, as clap reads it.

mod fuzz;

pub(crate) use fuzz::FuzzArguments;

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// FUN: array programs, compiled in milliseconds, whose optimisations can be checked.
#[derive(Parser)]
#[command(name = "fun", version, about, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// Print no warnings.
    #[arg(short = 'w', long, global = true)]
    pub(crate) no_warnings: bool,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The verbs.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compile a program, read its arguments from standard input, run it and print the results.
    Run(RunArguments),
    /// Check the types, sizes and consumption of programs.
    Check(CheckArguments),
    /// Work interactively.
    Repl(ReplArguments),
    /// Run the tests in the comments of source files (`-- ==`).
    Test(TestArguments),
    /// Time entry points on the data sets of their tests, alone or beside other programs.
    Bench(BenchArguments),
    /// Look for the thresholds with which a program runs fast on a device, by its data sets, and write them beside it.
    Autotune(AutotuneArguments),
    /// Compare all semantics of programs, after every pass, on given, random or all small inputs.
    Verify(VerifyArguments),
    /// Check the laws on generated programs, and shrink those that break one.
    Fuzz(FuzzArguments),
    /// Make an executable or a library of a program, or write it in one of the intermediate languages or as machine code.
    Compile(CompileArguments),
    /// Show where the memory of a program goes: allocations, copies that remain and why, the peak as a formula, a picture of a run.
    Explain(ExplainArguments),
    /// Run chosen passes and look at the program between them.
    Dev(DevArguments),
}

/// How a program is executed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// Machine code through Cranelift.
    Jit,
    /// C, compiled with the system's compiler (`CC`, or else cc, gcc or clang).
    C,
    /// Kernels for the OpenCL device of the machine, and C for the host.
    Opencl,
    /// Kernels for the machine's first GPU that CUDA knows, and C for the host.
    Cuda,
    /// The interpreter of FUN's value semantics.
    Interp,
}

/// Devices that programs are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceBackend {
    /// The OpenCL device of the machine.
    Opencl,
    /// The machine's first GPU that CUDA knows.
    Cuda,
}

/// `fun autotune`.
#[derive(clap::Args)]
pub(crate) struct AutotuneArguments {
    /// A source file with test stanzas; the numbers go to a file of the same name behind which `.tuning` stands.
    pub(crate) program: PathBuf,
    /// What it is tuned for.
    #[arg(long, value_enum, default_value = "opencl")]
    pub(crate) backend: DeviceBackend,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    /// Only this entry point; may be repeated.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Seconds that a data set runs with the same numbers, at least.
    #[arg(long, default_value_t = 0.2, value_name = "SECONDS")]
    pub(crate) time: f64,
    /// Relative tolerance for floats in results.
    #[arg(long, default_value_t = 0.002, value_parser = tolerance)]
    pub(crate) tolerance: f64,
}

/// How tests run compiled code.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestBackend {
    /// Machine code through Cranelift.
    Jit,
    /// C, compiled with the system's compiler (`CC`, or else cc, gcc or clang).
    C,
    /// Kernels for the OpenCL device of the machine.
    Opencl,
    /// Kernels for the machine's first GPU that CUDA knows.
    Cuda,
}

/// How libraries, executables and servers are made.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompileBackend {
    /// C, compiled with the system's compiler (`CC`, or else cc, gcc or clang); it stays beside the library.
    C,
    /// Machine code through Cranelift, which takes a linker alone: for libraries.
    Cranelift,
    /// C with kernels for the OpenCL device of the machine that it is used on.
    Opencl,
    /// C with kernels for the first GPU that CUDA knows of the machine that it is used on.
    Cuda,
}

/// A file format for results.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Futhark's text format.
    Text,
    /// Futhark's binary format.
    Binary,
    /// NumPy's `.npy`, one after the other.
    Npy,
}

/// Numbers that a program leaves open.
#[derive(clap::Args)]
pub(crate) struct Tuning {
    /// What `#[param(NAME)]` stands for, or a threshold of devices (`fun dev --thresholds`); may be repeated.
    #[arg(long = "param", value_name = "NAME=NUMBER")]
    pub(crate) parameters: Vec<String>,
    /// Read such parameters from this file, one a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) tuning: Option<PathBuf>,
}

/// `fun run`.
#[derive(clap::Args)]
pub(crate) struct RunArguments {
    /// A source file (`.fut`), or a program in an intermediate language (`.fun`, `.funmem`, `.imp`).
    pub(crate) program: PathBuf,
    /// The entry point.
    #[arg(short, long, default_value = "main")]
    pub(crate) entry: String,
    /// Read the arguments from this file instead of standard input; may be repeated (text, binary or .npy).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    /// Write the run times in microseconds to this file, one line for each run.
    #[arg(short = 't', long = "write-runtime-to", value_name = "FILE")]
    pub(crate) write_runtime_to: Option<PathBuf>,
    /// Run this many times, after one run to warm up.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: Option<u32>,
    /// Print the results in the binary format.
    #[arg(short, long)]
    pub(crate) binary_output: bool,
    /// The format of the results.
    #[arg(long, value_enum, default_value = "text", conflicts_with = "binary_output")]
    pub(crate) output: Format,
    /// Print no results.
    #[arg(short = 'n', long)]
    pub(crate) no_print_result: bool,
    /// How to execute the program.
    #[arg(long, value_enum, default_value = "jit")]
    pub(crate) backend: Backend,
    /// Compile with this pipeline (`fun dev --list` shows them).
    #[arg(long, default_value = "default", default_value_ifs([("backend", "c", "c"), ("backend", "opencl", "gpu"), ("backend", "cuda", "gpu")]))]
    pub(crate) pipeline: String,
    /// With `--backend interp`: the seed of the orders in which blocks and threads of kernels run, where the program is in IMP; 0 when absent.
    #[arg(long, value_name = "N")]
    pub(crate) order: Option<u64>,
    /// Print to standard error how long each stage and pass took.
    #[arg(long)]
    pub(crate) time_passes: bool,
    /// Print to standard error the memory that the run used: bytes at the peak, heap calls, bytes copied.
    #[arg(long)]
    pub(crate) mem: bool,
    /// Let the run have at most so many MiB in blocks at once, its arguments aside; one that wants more fails. (Compiled code alone.)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(..1 << 40))]
    pub(crate) memory_limit: Option<u64>,
}

/// `fun check`.
#[derive(clap::Args)]
pub(crate) struct CheckArguments {
    /// Programs.
    #[arg(required = true)]
    pub(crate) programs: Vec<PathBuf>,
}

/// `fun repl`.
#[derive(clap::Args)]
pub(crate) struct ReplArguments {
    /// A source file to load first.
    pub(crate) program: Option<PathBuf>,
}

/// `fun test`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 every test holds, 1 some fail, 2 no test was run, 70 the compiler crashed."
)]
pub(crate) struct TestArguments {
    /// Source files, and folders whose source files are meant.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Only run the interpreter.
    #[arg(short, long, conflicts_with = "compiled")]
    pub(crate) interpreter: bool,
    /// Only run compiled code.
    #[arg(short, long)]
    pub(crate) compiled: bool,
    /// Run compiled code by this backend: jit, c, opencl or cuda.
    #[arg(long, value_enum, default_value = "jit")]
    pub(crate) backend: TestBackend,
    /// Only run tests of this entry point.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Leave out files and tests with this tag; may be repeated.
    #[arg(long, value_name = "TAG")]
    pub(crate) exclude: Vec<String>,
    /// Run this many files at once; as many as there are processors when absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) concurrency: Option<u32>,
    /// Seconds that one run may take.
    #[arg(long, default_value_t = 15.0, value_name = "SECONDS")]
    pub(crate) time: f64,
    /// Seconds that one file may take.
    #[arg(long, default_value_t = 18.0, value_name = "SECONDS")]
    pub(crate) file_time: f64,
    /// Relative tolerance for floats.
    #[arg(long, default_value_t = 0.002, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    /// Write values that are not as expected, and the expected ones, to files in this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
    /// Where the random arguments of properties begin.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// Require that messages of the compiler match the patterns of the tests.
    #[arg(long)]
    pub(crate) strict_errors: bool,
    /// Print every test with its outcome.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Run the tests of one file in this process and write the outcomes for the process that started it.
    #[arg(long, hide = true)]
    pub(crate) in_process: bool,
}

/// `fun bench`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 all was timed, 1 something stopped or gave a wrong result.\n\nA COMMAND of --vs is started \
                        once for each data set, with FUN_PROGRAM, FUN_ENTRY and FUN_DATA set. For each line on its standard \
                        input it does one run and prints the microseconds that took on a line."
)]
pub(crate) struct BenchArguments {
    /// Source files with test stanzas.
    #[arg(required_unless_present = "compare")]
    pub(crate) programs: Vec<PathBuf>,
    /// How to compile: jit, c, opencl or cuda.
    #[arg(long, value_enum, default_value = "jit")]
    pub(crate) backend: Backend,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    /// Only this entry point; may be repeated.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Run exactly so often, after two runs to warm up; otherwise until the mean is sure.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: Option<u32>,
    /// Seconds after which no further run of a data set begins.
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    pub(crate) time: f64,
    /// Stop when the 95 % confidence interval of the mean is within this part of it.
    #[arg(long, default_value_t = 0.01, value_name = "PART", value_parser = tolerance)]
    pub(crate) precision: f64,
    /// How many threads parallel loops have; all processors when absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
    /// Run this program alternately with ours; may be repeated.
    #[arg(long, value_name = "[NAME=]COMMAND")]
    pub(crate) vs: Vec<String>,
    /// Relative tolerance for floats in results.
    #[arg(long, default_value_t = 0.002, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    /// Print to standard error how long each stage and pass took.
    #[arg(long)]
    pub(crate) time_passes: bool,
    /// Write all results to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Compare two such files instead, with the significance of each difference.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["programs", "backend", "entry", "runs", "time", "precision", "threads", "vs", "tolerance", "time_passes", "json"])]
    pub(crate) compare: Vec<PathBuf>,
}

/// `fun verify`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 all semantics agree, 1 some disagree, 2 a program or the command line is wrong, 3 nothing was \
                  tested (every input stops at an assertion or takes too long), 70 a bug in FUN."
)]
pub(crate) struct VerifyArguments {
    /// Programs, source or intermediate.
    #[arg(required = true)]
    pub(crate) programs: Vec<PathBuf>,
    /// Only this entry point.
    #[arg(short, long)]
    pub(crate) entry: Option<String>,
    /// Run on the values of this file instead of random ones; may be repeated.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["random", "small"])]
    pub(crate) input: Vec<PathBuf>,
    /// How many random inputs for each entry point.
    #[arg(long, default_value_t = 50, value_name = "N", conflicts_with = "small",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) random: u64,
    /// Run on all inputs with sizes up to N instead, with a few values for scalars and elements.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
    pub(crate) small: Option<i64>,
    /// With `--small`: only the first N inputs, smallest first.
    #[arg(long, value_name = "N", requires = "small", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) most: Option<u64>,
    /// The seed of the first random input.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// The seed of the orders in which the interpreter of IMP runs blocks and threads of kernels: on each input those of N to N + 3.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) order: u64,
    /// Relative tolerance for floats.
    #[arg(long, default_value_t = 1e-4, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    /// Say what was compared after each pass, and find the first pass that breaks the program.
    #[arg(long)]
    pub(crate) passes: bool,
    /// Run these passes, in order, instead of a pipeline.
    #[arg(short, long = "pass", value_name = "PASS,…", value_delimiter = ',')]
    pub(crate) pass: Vec<String>,
    /// Run this pipeline.
    #[arg(long, default_value = "default", conflicts_with = "pass")]
    pub(crate) pipeline: String,
    /// Write what disagrees as a case file into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save: Option<PathBuf>,
}

/// What `fun compile` writes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// FUN, as lowered from the source.
    Fun,
    /// FUNMEM, as the default pipeline makes it.
    Funmem,
    /// IMP, as the default pipeline makes it.
    Imp,
    /// Which loops machine code runs in vectors, and why not the others.
    Loops,
    /// Cranelift's intermediate language.
    Clif,
    /// Assembly text of this machine.
    Asm,
    /// C.
    C,
    /// The kernels of a program for an accelerator in OpenCL C.
    Opencl,
    /// The same in CUDA C.
    Cuda,
}

/// `fun compile`.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("made").args(["exe", "lib", "server"]))]
pub(crate) struct CompileArguments {
    /// A program, source or intermediate.
    pub(crate) program: PathBuf,
    #[command(flatten)]
    pub(crate) tuning: Tuning,
    /// What to write.
    #[arg(long, value_enum, required_unless_present_any = ["certify", "exe", "lib", "server"])]
    pub(crate) emit: Option<Emit>,
    /// Make an executable, by way of C, that reads the arguments of an entry point, runs it and prints the results. With `--emit c`,
    /// write its C alone.
    #[arg(long)]
    pub(crate) exe: bool,
    /// Make a shared library with a header and a manifest that describes it: Futhark's C interface. With `--emit c`, write its C alone.
    #[arg(long, conflicts_with = "exe")]
    pub(crate) lib: bool,
    /// How what `--lib`, `--exe` or `--server` asks for is made.
    #[arg(long, value_enum, default_value = "c", requires = "made")]
    pub(crate) backend: CompileBackend,
    /// Make the library a static one.
    #[arg(long = "static", requires = "lib", conflicts_with_all = ["python", "exe", "server"])]
    pub(crate) static_library: bool,
    /// Write a Python module beside the library, which is then called libNAME.so: its entry points as functions over NumPy arrays.
    #[arg(long, requires = "lib", conflicts_with_all = ["exe", "server"])]
    pub(crate) python: bool,
    /// Write a Rust module beside the library: its entry points as functions over views of slices.
    #[arg(long, requires = "lib", conflicts_with_all = ["exe", "server"])]
    pub(crate) rust: bool,
    /// Leave out of the library the code for arrays in other than row order, which it copies then.
    #[arg(long, requires = "lib", conflicts_with_all = ["exe", "server"])]
    pub(crate) no_views: bool,
    /// Make an executable, by way of C, that speaks Futhark's server protocol. With `--emit c`, write its C alone.
    #[arg(long, conflicts_with_all = ["exe", "lib"])]
    pub(crate) server: bool,
    /// Make machine code or C with this pipeline (`fun dev --list` shows them); C is made with `c`, kernels with `gpu`.
    #[arg(long, default_value = "default", default_value_ifs([("emit", "opencl", "gpu"), ("emit", "cuda", "gpu"), ("backend", "opencl", "gpu"), ("backend", "cuda", "gpu"), ("backend", "cranelift", "default"), ("emit", "c", "c"), ("exe", "true", "c"), ("lib", "true", "c"), ("server", "true", "c")]))]
    pub(crate) pipeline: String,
    /// Check what the passes can show for their decisions, and say how many of each kind hold.
    #[arg(long)]
    pub(crate) certify: bool,
    /// Where to; standard output when absent, and the program's name without its ending for executables and libraries.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `fun explain`.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    /// A source file, or a program in an intermediate language.
    pub(crate) program: PathBuf,
    /// The entry point.
    #[arg(short, long, default_value = "main")]
    pub(crate) entry: String,
    /// Run it on the values of this file instead of small random ones, and compare the peak with the formula; may be repeated.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Vec<PathBuf>,
    /// Where random inputs begin.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// Also print the reads and writes of each block, by statement.
    #[arg(long)]
    pub(crate) trace: bool,
    /// Print JSON, without the picture of a run.
    #[arg(long, conflicts_with = "trace")]
    pub(crate) json: bool,
    /// Also write the picture to this file, as a figure.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Instead of memory, print how far apart the cells are that neighbouring threads of a device touch.
    #[arg(long, conflicts_with_all = ["trace", "svg", "input"])]
    pub(crate) kernels: bool,
    /// Instead of memory, print which arrays stay between maps and what reads them, and why.
    #[arg(long, conflicts_with_all = ["trace", "svg", "input", "kernels"])]
    pub(crate) fusion: bool,
}

/// `fun dev`.
#[derive(clap::Args)]
#[command(after_help = crate::commands::passes_help())]
pub(crate) struct DevArguments {
    /// A program, source or intermediate; passes start at its stage.
    #[arg(required_unless_present_any = ["list", "thresholds"])]
    pub(crate) program: Option<PathBuf>,
    /// Run these passes, in order, instead of a pipeline.
    #[arg(short, long = "pass", value_name = "PASS")]
    pub(crate) passes: Vec<String>,
    /// Run this pipeline.
    #[arg(long, default_value = "default", conflicts_with = "passes")]
    pub(crate) pipeline: String,
    /// Leave out this pass.
    #[arg(long, value_name = "PASS")]
    pub(crate) disable: Vec<String>,
    /// Print the program before this pass, or before `all`.
    #[arg(long, value_name = "PASS")]
    pub(crate) print_before: Vec<String>,
    /// Print the program after this pass, or after `all`.
    #[arg(long, value_name = "PASS")]
    pub(crate) print_after: Vec<String>,
    /// Stop after this pass.
    #[arg(long, value_name = "PASS")]
    pub(crate) stop_after: Option<String>,
    /// Print to standard error how long each pass and the checker after it took.
    #[arg(long)]
    pub(crate) time_passes: bool,
    /// Do not check the program after each pass.
    #[arg(long)]
    pub(crate) no_check: bool,
    /// List passes and pipelines.
    #[arg(long)]
    pub(crate) list: bool,
    /// List the thresholds that programs for devices ask for, with their usual numbers and what they decide; with a program, those of its places.
    #[arg(long, conflicts_with = "list")]
    pub(crate) thresholds: bool,
}

/// A relative tolerance: a number from 0 on.
fn tolerance(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if number >= 0.0 { Ok(number) } else { Err("a tolerance is not negative".to_owned()) }
}
