//! Runs a program under every semantics and finds the first disagreement.

mod disagreement;

use disagreement::difference;
pub use disagreement::{Difference, Disagreement};
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::value::Value;
use fun_cranelift::RunControl;
use fun_passes::pipeline::{PipelineError, run_passes_certified};
use fun_passes::program::Program;
use fun_passes::registry::Pass;
use std::fmt;
use std::time::{Duration, Instant};

/// How far the comparison goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bounds on each interpreter run.
    pub limits: Limits,
    /// Relative tolerance on floats: reductions may be reassociated.
    pub tolerance: f64,
    /// Whether to run machine code too.
    pub jit: bool,
    /// The seed of the first of the [`ORDERS`] in which IMP with kernels is run on each input; the others follow it.
    pub order: u64,
}

/// In so many orders of blocks and threads IMP is run where they may make a difference.
pub const ORDERS: u64 = 4;

/// One way to run a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Semantics {
    /// The pass that made the program; `None` for the program as given.
    pub after: Option<&'static str>,
    /// How it is run.
    pub how: &'static str,
}

impl fmt::Display for Semantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.after {
            None => write!(f, "{} of the program as given", self.how),
            Some(pass) => write!(f, "{} after pass `{pass}`", self.how),
        }
    }
}

/// The result of a comparison.
#[derive(Debug)]
pub enum Agreement {
    /// Every semantics that ended gave the same values.
    Agreed {
        /// How many were compared.
        compared: usize,
        /// The first that did not end: it reached a limit, which the reference did not.
        limited: Option<Semantics>,
    },
    /// Every semantics stopped with an assertion.
    AllFailed(RunError),
    /// The reference reached a limit or wanted more memory than there is, or refused the inputs: nothing was compared.
    Skipped(RunError),
    /// They disagree.
    Disagreed(Box<Disagreement>),
}

/// A program at each point of a pipeline, and as machine code.
pub struct Stages {
    programs: Vec<(Option<&'static str>, Program)>,
    /// Which programs equal the one before: their pass left it as it was.
    unchanged: Vec<bool>,
    compiled: Option<fun_cranelift::Compiled>,
    /// Every way to run the programs that differ, the reference first.
    points: Vec<Point>,
}

/// One way to run one of the programs.
struct Point {
    semantics: Semantics,
    /// Which program.
    program: usize,
    how: How,
    /// Whether the order of blocks and threads may make a difference.
    has_orders: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Value,
    Heap,
    Imp,
    Machine,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            How::Value => "the value semantics",
            How::Heap => "the heap semantics",
            How::Imp => "the IMP interpreter",
            How::Machine => "machine code",
        }
    }
}

/// Why there is no program at some point of a pipeline: a bug of FUN, or of a pass under test.
#[derive(Debug)]
pub enum StagesError {
    /// A pass does not fit, or the checker refuses what it made.
    Pipeline(PipelineError),
    /// What a pass shows for a decision of its does not hold.
    Certificate(Box<fun_certify::Broken>),
    /// There is no machine code for the last program.
    Machine(String),
}

impl fmt::Display for StagesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StagesError::Pipeline(error) => error.fmt(f),
            StagesError::Certificate(broken) => write!(f, "bug in FUN: {broken}"),
            StagesError::Machine(message) => write!(f, "bug in FUN: no machine code: {message}"),
        }
    }
}

impl Stages {
    /// The programs in order, each with the name of the pass that made it.
    pub fn programs(&self) -> &[(Option<&'static str>, Program)] {
        &self.programs
    }

    /// Whether the pass that made the program of this number left it as it was.
    pub fn is_unchanged(&self, program: usize) -> bool {
        self.unchanged.get(program) == Some(&true)
    }
}

/// Runs the passes once, keeping every program, so that many inputs can be compared, and checks the certificates of the passes.
pub fn stages(program: Program, passes: &[&'static Pass], options: &Options) -> Result<Stages, StagesError> {
    let mut programs = vec![(None, program.clone())];
    let mut certificates = Vec::new();
    let (times, given) = (&mut Vec::new(), &mut certificates);
    let result = run_passes_certified(program, passes, true, times, given, &mut |pass, program| {
        programs.push((Some(pass.name), program.clone()));
    });
    let last = result.map_err(StagesError::Pipeline)?;
    if let Some(broken) = fun_certify::check_all(&certificates).broken.into_iter().next() {
        return Err(StagesError::Certificate(Box::new(broken)));
    }
    let compiled = match &last {
        Program::Imp(imp) if options.jit => {
            let compiled = fun_cranelift::compile(imp, fun_cranelift::Options::default());
            Some(compiled.map_err(|error| StagesError::Machine(error.to_string()))?)
        }
        Program::Imp(_) | Program::Fun(_) | Program::FunMem(_) => None,
    };
    let unchanged = |k: usize| k > 0 && programs[k].1 == programs[k - 1].1;
    let unchanged: Vec<bool> = (0..programs.len()).map(unchanged).collect();
    let mut points = Vec::new();
    for (k, (after, program)) in programs.iter().enumerate() {
        let ways: &[How] = match program {
            // nothing new to run
            _ if unchanged[k] => &[],
            Program::Fun(_) => &[How::Value],
            Program::FunMem(_) => &[How::Value, How::Heap],
            Program::Imp(_) => &[How::Imp],
        };
        let machine = (compiled.is_some() && k + 1 == programs.len()).then_some(How::Machine);
        let has_orders = matches!(program, Program::Imp(imp) if imp::interp::has_orders(imp));
        points.extend(ways.iter().copied().chain(machine).map(|how| Point {
            semantics: Semantics { after: *after, how: how.name() },
            program: k,
            how,
            has_orders: has_orders && how == How::Imp,
        }));
    }
    Ok(Stages { programs, unchanged, compiled, points })
}

impl Stages {
    /// Every semantics of every program that differs from the one before, in the order in which they are compared; the first is the
    /// reference.
    pub fn points(&self) -> impl ExactSizeIterator<Item = &Semantics> {
        self.points.iter().map(|point| &point.semantics)
    }

    /// The program that a pass of the pipeline was given, and the one that it made, for the point of this number; none for the
    /// program as given.
    pub fn around(&self, point: usize) -> Option<(&Program, &Program)> {
        let after = self.points.get(point)?.program;
        let before = after.checked_sub(1)?;
        Some((&self.programs[before].1, &self.programs[after].1))
    }

    /// The position among [`Stages::programs`] of the program that is run at the point of this number.
    pub fn program_of(&self, point: usize) -> usize {
        self.points.get(point).map_or(0, |point| point.program)
    }

    /// What the reference does.
    pub fn reference(
        &self,
        entry: &str,
        inputs: &[Value],
        options: &Options,
    ) -> Result<Vec<Value>, RunError> {
        self.run(&self.points[0], entry, inputs, options, options.order)
    }

    fn run(
        &self,
        point: &Point,
        entry: &str,
        inputs: &[Value],
        options: &Options,
        order: u64,
    ) -> Result<Vec<Value>, RunError> {
        let program = &self.programs[point.program].1;
        match (point.how, &self.compiled) {
            (How::Value, _) => run_value_semantics(program, entry, inputs, options.limits),
            (How::Machine, Some(compiled)) => compiled.run(entry, inputs, &RunControl::default()),
            (How::Heap | How::Imp | How::Machine, _) => {
                program.interpret_in_order(entry, inputs, options.limits, order)
            }
        }
    }
}

/// What is known of one semantics after it has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It did what the reference did.
    Same,
    /// It reached a limit of the interpreter, so there is nothing to compare.
    Limited,
    /// It was not run: an interpreter reached a limit, and machine code has none.
    NotRun,
    /// It did something else.
    Different,
}

/// Compares all semantics on one set of inputs.
pub fn agree(stages: &Stages, entry: &str, inputs: &[Value], options: &Options) -> Agreement {
    agree_watched(stages, entry, inputs, options, usize::MAX, &mut |_, _, _| {})
}

/// As [`agree`], but only of the first `count` points of [`Stages::points`]; `watcher` hears of each its number, what came out and
/// how long that took.
pub fn agree_watched(
    stages: &Stages,
    entry: &str,
    inputs: &[Value],
    options: &Options,
    count: usize,
    watcher: &mut dyn FnMut(usize, Verdict, Duration),
) -> Agreement {
    let start = Instant::now();
    let reference = stages.reference(entry, inputs, options);
    let disagreed = |point: &Point, order: u64, difference: Difference| {
        Agreement::Disagreed(Box::new(Disagreement {
            entry: entry.to_owned(),
            inputs: inputs.to_vec(),
            semantics: point.semantics.clone(),
            order: point.has_orders.then_some(order),
            difference,
            program: Box::new(stages.programs[point.program].1.clone()),
        }))
    };
    match &reference {
        Err(error)
            if matches!(error.kind, RunErrorKind::Limit | RunErrorKind::Input) || error.is_too_large() =>
        {
            return Agreement::Skipped(error.clone());
        }
        Err(error) if error.kind == RunErrorKind::Fault => {
            watcher(0, Verdict::Different, start.elapsed());
            // The heap semantics of FUNMEM has more to say about what is in memory.
            let heap = stages.points.get(1).filter(|point| point.how == How::Heap);
            let told = heap.and_then(|point| {
                Some((point, stages.run(point, entry, inputs, options, options.order).err()?))
            });
            let told = told.filter(|(_, error)| error.fault.is_some());
            let (point, error) = told.unwrap_or_else(|| (&stages.points[0], error.clone()));
            let (expected, found) = ("values".to_owned(), error.to_string());
            let difference = Difference::Outcome { expected, found, error: Some(error) };
            return disagreed(point, options.order, difference);
        }
        Ok(_) | Err(_) => {}
    }
    let (mut compared, mut limited) = (0, None);
    for (number, point) in stages.points.iter().enumerate().take(count.max(1)) {
        // Machine code counts no steps: where an interpreter did not end in time, nobody knows whether the code would.
        if limited.is_some() && point.how == How::Machine {
            watcher(number, Verdict::NotRun, Duration::ZERO);
            continue;
        }
        let start = if number == 0 { start } else { Instant::now() };
        let mut verdict = Verdict::Same;
        // The reference has run in its first order.
        for order in orders(point, options.order).skip(usize::from(number == 0)) {
            let outcome = stages.run(point, entry, inputs, options, order);
            if matches!(&outcome, Err(error) if error.kind == RunErrorKind::Limit) {
                limited.get_or_insert_with(|| point.semantics.clone());
                verdict = Verdict::Limited;
                break;
            }
            if let Some(difference) = difference(&reference, &outcome, options.tolerance) {
                watcher(number, Verdict::Different, start.elapsed());
                return disagreed(point, order, difference);
            }
        }
        compared += usize::from(verdict == Verdict::Same);
        watcher(number, verdict, start.elapsed());
    }
    match reference {
        Ok(_) => Agreement::Agreed { compared, limited },
        Err(error) => Agreement::AllFailed(error),
    }
}

/// The seeds of the orders in which a semantics is run.
fn orders(point: &Point, first: u64) -> impl Iterator<Item = u64> {
    let count = if point.has_orders { ORDERS } else { 1 };
    (0..count).map(move |k| first.wrapping_add(k))
}

/// The value semantics of a program: FUNMEM through its erasure; IMP has only its interpreter.
pub(crate) fn run_value_semantics(
    program: &Program,
    entry: &str,
    inputs: &[Value],
    limits: Limits,
) -> Result<Vec<Value>, RunError> {
    match program {
        Program::FunMem(program) => fun::interp::run(&funmem::erase::erase(program), entry, inputs, limits),
        Program::Fun(_) | Program::Imp(_) => program.interpret(entry, inputs, limits),
    }
}
