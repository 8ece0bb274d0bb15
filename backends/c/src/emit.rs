//! A program as C: its environment and the pieces that statements and expressions are made of.

mod angles;
mod atomic;
mod barriers;
mod bounded;
mod choices;
mod constants;
mod exp;
mod kernel;
pub(crate) mod kernels;
mod lanes;
mod lock;
mod operator;
mod ordered;
mod parallel;
mod prefix;
mod reads;
mod rows;
mod shuffle;
mod statement;
mod tiles;
mod vectors;
mod view;

use crate::CompileError;
use crate::dialect::Dialect;
use crate::helpers::Helpers;
use crate::lines::Lines;
use crate::names::{self, Procedures};
use crate::types::c_type;
use bounded::Sign;
use constants::ConstantBlocks;
use exp::Text;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Loc;
use fun_runtime::site::Site;
use imp::cost::Estimate;
use imp::ir::{Exp, ImpType, Procedure, Program, StatementKind};
use imp::params::Param;
use imp::visit::for_each_statement;
use kernel::Kernel;
use kernels::{KernelFacts, Kernels};
use ordered::Server;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use tiles::Part;
use view::ViewPlace;

/// The text of a source line, for comments.
pub type SourceLines<'s> = &'s dyn Fn(Symbol, u32) -> Option<String>;

/// A program as C, in parts.
pub(crate) struct Emitted {
    /// The helper functions that the program needs.
    pub(crate) helpers: String,
    /// One function for each procedure that can run.
    pub(crate) procedures: String,
    /// Entry points as callers find them.
    pub(crate) entries: String,
    /// The places that can fail, by number.
    pub(crate) sites: Vec<Site>,
    /// The symbol of each entry point.
    pub(crate) symbols: BTreeMap<Symbol, String>,
    /// The kernels of a program for an accelerator.
    pub(crate) kernels: Option<EmittedKernels>,
    /// The numbers that choose between versions.
    pub(crate) params: Vec<Param>,
    /// Whether doubles may lie in groups of which GCC makes wrong vectors.
    pub(crate) groups: bool,
}

/// Kernels as text.
pub(crate) struct EmittedKernels {
    /// Their language.
    pub(crate) dialect: Dialect,
    /// Helpers and kernels.
    pub(crate) functions: String,
    /// The names of the kernels, by number.
    /// In the order of the numbers that the host knows them by.
    pub(crate) facts: Vec<KernelFacts>,
    /// The bytes of cells that the host copies on the device, and whether arrays of several dimensions are.
    pub(crate) copied: BTreeMap<u64, bool>,
}

/// A declaration of a scalar or block.
pub(crate) fn declaration(ty: ImpType, name: &str) -> String {
    match ty {
        ImpType::Prim(ty) => format!("{} {name}", c_type(ty)),
        ImpType::Mem(_) => format!("void *{name}"),
    }
}

/// More levels of nested blocks than any sensible program has; Clang refuses 256.
const MAX_NESTING: usize = 200;

/// What procedures know of each other.
struct Callee {
    results: Vec<ImpType>,
    cost: Estimate,
    recursive: bool,
}

/// A program being written.
struct Unit<'p> {
    sources: SourceLines<'p>,
    helpers: Helpers,
    names: Procedures,
    callees: HashMap<Symbol, Callee>,
    /// The procedures that loops call, directly or not.
    called_in_loops: BTreeSet<Symbol>,
    sites: Vec<Site>,
    /// Where `block` loops become kernels.
    kernels: Option<Kernels>,
    /// The numbers that choose between versions.
    params: Vec<Param>,
    /// What serves the blocks of each `chain` loop, by its counter.
    servers: &'p BTreeMap<Var, Server>,
}

/// Writes a checked program; `rest` is what else will be in the file, and may call helpers.
pub(crate) fn emit(program: &Program, sources: SourceLines<'_>, rest: &str) -> Result<Emitted, CompileError> {
    emit_for(program, sources, rest, None)
}

/// The same; with a dialect, for a host with an accelerator, whose kernels are written in it.
pub(crate) fn emit_for(
    program: &Program,
    sources: SourceLines<'_>,
    rest: &str,
    dialect: Option<Dialect>,
) -> Result<Emitted, CompileError> {
    let program = &*if dialect.is_none() { imp::in_order::run(program) } else { Cow::Borrowed(program) };
    let servers = if dialect.is_some() { ordered::servers(program) } else { BTreeMap::new() };
    let mut unit = Unit {
        sources,
        helpers: Helpers::default(),
        names: Procedures::default(),
        callees: HashMap::new(),
        called_in_loops: imp::cost::called_in_loops(program),
        sites: Vec::new(),
        kernels: dialect.map(|dialect| Kernels { dialect, written: Vec::new(), copied: BTreeMap::new() }),
        params: imp::params::of_program(program),
        servers: &servers,
    };
    for procedure in &program.procedures {
        let cost = imp::cost::static_cost(&procedure.body, &|callee| {
            unit.callees.get(&callee).map(|callee: &Callee| callee.cost)
        });
        let recursive = imp::visit::calls(&procedure.body, procedure.name);
        let results = procedure.results.iter().map(|(_, ty)| *ty).collect();
        unit.callees.insert(procedure.name, Callee { results, cost, recursive });
    }
    let (needed, called) = needed(program);
    let (mut procedures, mut entries, mut symbols) = (String::new(), String::new(), BTreeMap::new());
    for procedure in program.procedures.iter().filter(|procedure| needed.contains(&procedure.name)) {
        // blocks that callers give to an entry point are distinct
        let distinct = procedure.interface.is_some() && !called.contains(&procedure.name);
        procedures.push_str(&Emitter::procedure(&mut unit, procedure, distinct)?);
        if procedure.interface.is_some() {
            let symbol = format!("fun_entry_{}", unit.names.name(procedure.name));
            entries.push_str(&entry(&mut unit, procedure, &symbol));
            symbols.insert(procedure.name, symbol);
        }
    }
    unit.helpers.need_for(rest);
    let helpers = unit.helpers.text(&format!("{procedures}{entries}{rest}"), &|_| false);
    let kernels = unit.kernels.map(|kernels| {
        let (dialect, copied) = (kernels.dialect, kernels.copied.clone());
        let (text, facts) = kernels.finish();
        let helpers = unit.helpers.text(&text, &|helper| dialect.has(helper));
        EmittedKernels { dialect, functions: format!("{helpers}{text}"), facts, copied }
    });
    let groups = crate::groups::has_groups(program);
    Ok(Emitted {
        helpers,
        procedures,
        entries,
        sites: unit.sites,
        symbols,
        kernels,
        params: unit.params,
        groups,
    })
}

/// The procedures that entry points reach, and those that are called.
fn needed(program: &Program) -> (BTreeSet<Symbol>, BTreeSet<Symbol>) {
    let (mut needed, mut called) = (BTreeSet::new(), BTreeSet::new());
    for procedure in program.procedures.iter().rev() {
        if procedure.interface.is_some() || needed.contains(&procedure.name) {
            needed.insert(procedure.name);
            for_each_statement(&procedure.body, &mut |statement| {
                if let StatementKind::Call { procedure, .. } = &statement.kind {
                    needed.insert(*procedure);
                    called.insert(*procedure);
                }
            });
        }
    }
    (needed, called)
}

/// A function that takes and gives machine words.
fn entry(unit: &mut Unit<'_>, procedure: &Procedure, symbol: &str) -> String {
    let mut text = format!(
        "FUN_EXPORT uint32_t {symbol}(struct fun_context *context, const uint64_t *arguments, uint64_t *results) {{\n"
    );
    if procedure.params.is_empty() {
        text += "    (void)arguments;\n";
    }
    if procedure.results.is_empty() {
        text += "    (void)results;\n";
    }
    let mut call = vec!["context".to_owned()];
    for (k, (_, ty)) in procedure.params.iter().enumerate() {
        let word = format!("arguments[{k}]");
        call.push(match ty {
            ImpType::Mem(_) => format!("(void *)(uintptr_t){word}"),
            ImpType::Prim(PrimType::F32) => format!("f32_of_bits((uint32_t){word})"),
            ImpType::Prim(PrimType::F64) => format!("f64_of_bits({word})"),
            ImpType::Prim(PrimType::Bool) => format!("{word} != 0"),
            ImpType::Prim(ty) => format!("({}){word}", c_type(*ty)),
        });
    }
    let mut copies = String::new();
    for (k, (_, ty)) in procedure.results.iter().enumerate() {
        text += &format!("    {} = 0;\n", declaration(*ty, &format!("result{k}")));
        call.push(format!("&result{k}"));
        copies += &match ty {
            ImpType::Mem(_) => format!("    results[{k}] = (uint64_t)(uintptr_t)result{k};\n"),
            ImpType::Prim(PrimType::F32) => format!("    results[{k}] = f32_bits(result{k});\n"),
            ImpType::Prim(PrimType::F64) => format!("    results[{k}] = f64_bits(result{k});\n"),
            ImpType::Prim(ty) => {
                format!("    results[{k}] = ({})result{k};\n", c_type(ty.unsigned_of_width()))
            }
        };
    }
    for helper in ["f32_of_bits", "f64_of_bits", "f32_bits", "f64_bits"] {
        unit.helpers.need(helper);
    }
    let name = unit.names.name(procedure.name);
    text += &format!("    if ({name}_fun({}) != 0) {{\n        return 1;\n    }}\n", call.join(", "));
    if unit.kernels.is_some() {
        // a kernel may have failed since the host looked
        text += "    if (fun_device_settle(context) != 0) {\n        return 1;\n    }\n";
    }
    text + &copies + "    return 0;\n}\n\n"
}

/// What a variable is.
#[derive(Clone, Debug)]
enum Binding {
    /// A scalar or block that does not change.
    Fixed(ImpType),
    /// One that is assigned.
    Mutable(ImpType),
    /// A view.
    View(ViewPlace),
}

/// A parallel loop being written.
struct Parallel {
    /// Whether an iteration can stop the run.
    stops: bool,
}

/// Writes one function.
struct Emitter<'u, 'p> {
    unit: &'u mut Unit<'p>,
    lines: Lines,
    /// The functions of parallel loops.
    loops: String,
    env: HashMap<Var, Binding>,
    /// The blocks of constants of a host's procedure.
    constants: ConstantBlocks,
    /// Rows that get a pointer of their own.
    chosen_rows: BTreeSet<Var>,
    /// Variables that are computed as unsigned numbers.
    wrapped: HashSet<Var>,
    /// Places that are chosen, or -1.
    choices: HashSet<Var>,
    /// Whether what is emitted will run in vectors.
    in_vectors: bool,
    /// The variables with logarithms of the bases of powers, in such a loop.
    logarithms: BTreeMap<Var, Vec<String>>,
    /// The signs of floats, where they are known.
    signs: HashMap<Var, Sign>,
    /// The rows and columns of a tile for which the current place is emitted, where that is not all of them.
    parts: Vec<Part>,
    /// What loops around the current place count up to: positive there.
    positive: Vec<String>,
    procedure: Symbol,
    /// The statement being written.
    loc: Option<Loc>,
    /// The source line that the last comment names.
    shown: Option<(Symbol, u32)>,
    /// Loops around the current place.
    depth: usize,
    /// Whether the loop around is a `while` loop.
    in_while: bool,
    /// The parallel loop around the current place.
    parallel: Option<Parallel>,
    /// The kernel around the current place.
    kernel: Option<Kernel<'p>>,
    /// Numbers temporary variables.
    temporaries: usize,
}

type Emit<T = ()> = Result<T, CompileError>;

impl<'u, 'p> Emitter<'u, 'p> {
    fn procedure(unit: &'u mut Unit<'p>, procedure: &'p Procedure, distinct: bool) -> Emit<String> {
        if imp::visit::nesting(&procedure.body, MAX_NESTING) >= MAX_NESTING {
            let message = format!("statements of {} are nested {MAX_NESTING} deep or more", procedure.name);
            return Err(CompileError::new(message));
        }
        let name = unit.names.name(procedure.name);
        let mut e = Emitter {
            unit,
            lines: Lines::default(),
            loops: String::new(),
            env: HashMap::new(),
            constants: ConstantBlocks::of_procedure(procedure),
            chosen_rows: reads::rows_that_data_choose(&procedure.body),
            wrapped: HashSet::new(),
            choices: HashSet::new(),
            in_vectors: false,
            logarithms: BTreeMap::new(),
            signs: HashMap::new(),
            parts: Vec::new(),
            positive: Vec::new(),
            procedure: procedure.name,
            loc: None,
            shown: None,
            depth: 0,
            in_while: false,
            parallel: None,
            kernel: None,
            temporaries: 0,
        };
        let mut parameters = vec!["struct fun_context *context".to_owned()];
        for (var, ty) in &procedure.params {
            e.env.insert(*var, Binding::Fixed(*ty));
            let name = names::variable(*var);
            parameters.push(match ty {
                ImpType::Mem(_) if distinct => format!("void *restrict {name}"),
                _ => declaration(*ty, &name),
            });
        }
        for (k, (_, ty)) in procedure.results.iter().enumerate() {
            parameters.push(declaration(*ty, &format!("*result{k}")));
        }
        e.lines.open(String::new());
        e.body(&procedure.body)?;
        e.loc = None;
        for (k, (exp, _)) in procedure.results.iter().enumerate() {
            let value = e.exp(exp)?.text;
            e.lines.push(format!("*result{k} = {value};"));
        }
        e.lines.push("return 0;");
        e.lines.close("}");
        let (body, used) = e.lines.finish();
        let mut unused = String::new();
        let params = procedure.params.iter().map(|(var, _)| names::variable(*var));
        for name in ["context".to_owned()].into_iter().chain(params).filter(|name| !used.contains(name)) {
            unused += &format!("    (void){name};\n");
        }
        let head = format!("static uint32_t {name}_fun({})", parameters.join(", "));
        // its parallel loops may call it
        let recursive = imp::visit::calls(&procedure.body, procedure.name);
        let before = if recursive && !e.loops.is_empty() { format!("{head};\n\n") } else { String::new() };
        let body = body.strip_prefix('\n').unwrap_or(&body);
        Ok(format!("{before}{}{head} {{\n{unused}{body}\n", e.loops))
    }

    fn lookup(&self, var: Var) -> Emit<&Binding> {
        self.env.get(&var).ok_or_else(|| CompileError::new(format!("variable {var} is not in scope")))
    }

    /// The name of a scalar or block variable.
    fn use_variable(&self, var: Var) -> Emit<String> {
        if let Binding::View(_) = self.lookup(var)? {
            return Err(CompileError::new(format!("view {var} is used as a scalar")));
        }
        Ok(names::variable(var))
    }

    /// A fresh name.
    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("t{}", self.temporaries)
    }

    /// The value in a variable of its own, if it is not one already.
    fn named(&mut self, ty: PrimType, text: Text) -> String {
        if text.name {
            return text.text;
        }
        let name = self.temporary();
        self.lines.declare(&name, format!("const {} {name} = {};", c_type(ty), text.text));
        name
    }

    /// What leaves the function when the run has failed.
    fn stop(&mut self) -> String {
        if let Some(leave) = self.stop_kernel() {
            return leave;
        }
        match &mut self.parallel {
            Some(parallel) => {
                parallel.stops = true;
                "return;".to_owned()
            }
            None => "return 1;".to_owned(),
        }
    }

    /// Leaves when the condition, which mentions the context, holds.
    fn stop_if(&mut self, condition: &str) {
        self.lines.open(format!("if ({condition}) {{"));
        let stop = self.stop();
        self.lines.push(stop);
        self.lines.close("}");
    }

    /// Leaves if the run was stopped from elsewhere.
    fn poll(&mut self) {
        if self.kernel.is_none() {
            self.stop_if("fun_stopped(context)");
        }
    }

    /// A number for a place that can fail.
    fn site(&mut self, message: impl Into<String>) -> usize {
        let site = Site { message: message.into(), loc: self.loc, function: self.procedure };
        self.unit.sites.push(site);
        self.unit.sites.len() - 1
    }

    /// Fails with the message unless the condition holds; the numbers are evaluated only then.
    fn check(&mut self, holds: &Text, message: &str, numbers: &[Exp]) -> Emit {
        let site = self.site(message);
        if numbers.len() > MAX_NUMBERS {
            let count = numbers.len();
            return Err(CompileError::new(format!(
                "a message with {count} numbers: at most {MAX_NUMBERS} fit"
            )));
        }
        self.lines.open(format!("if (!{}) {{", holds.operand()));
        let mut values = Vec::new();
        for number in numbers {
            values.push(self.exp(number)?.text);
        }
        let list = match values.len() {
            0 => "NULL".to_owned(),
            _ => format!("(const int64_t[]){{{}}}", values.join(", ")),
        };
        if self.kernel.is_some() {
            self.fail_in_kernel(site, &values);
        } else {
            self.lines.push(format!("fun_fail(context, {site}, {}, {list});", values.len()));
        }
        let stop = self.stop();
        self.lines.push(stop);
        self.lines.close("}");
        Ok(())
    }
}

/// As many as the runtime keeps (`FUN_MAX_NUMBERS`).
const MAX_NUMBERS: usize = 16;
