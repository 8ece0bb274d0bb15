//! From an IMP program to code in memory, and to text that shows it.

use crate::emit::Emitter;
use crate::unit::{IN_MEMORY, Unit, machine_imp_type};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{Function as Clif, Signature, UserExternalNameRef, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError, ModuleReloc, default_libcall_names};
use fun_base::name::Symbol;
use fun_runtime::site::Site;
use fun_runtime::spare::Spares;
use fun_runtime::symbols::Function;
use imp::ir::{Interface, Procedure, Program};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How programs are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Spend time on better code.
    pub optimise: bool,
    /// Check the intermediate code of the code generator; for tests.
    pub verify: bool,
    /// Vectors of 32 bytes in loops, where the machine has them.
    pub wide: bool,
}

/// The environment variable that, set to anything, keeps vectors at 16 bytes.
const NARROW_VARIABLE: &str = "FUN_NARROW_VECTORS";

impl Default for Options {
    fn default() -> Options {
        Options {
            optimise: true,
            verify: cfg!(debug_assertions),
            wide: std::env::var_os(NARROW_VARIABLE).is_none(),
        }
    }
}

/// A program that can't be compiled: it breaks an invariant of IMP, or the machine is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    message: String,
}

impl CompileError {
    pub(crate) fn new(message: impl Into<String>) -> CompileError {
        CompileError { message: message.into() }
    }

    pub(crate) fn from_module(error: ModuleError) -> CompileError {
        // the alternate form of a verifier error shows the code
        CompileError::new(format!("{error:#?}"))
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

/// An entry point of a compiled program.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint {
    pub(crate) interface: Interface,
    pub(crate) params: usize,
    pub(crate) results: usize,
    pub(crate) code: *const u8,
}

/// A compiled program. Dropping it releases the code.
pub struct Compiled {
    pub(crate) entries: BTreeMap<&'static str, EntryPoint>,
    pub(crate) sites: Vec<Site>,
    code_bytes: usize,
    module: Mutex<Option<JITModule>>,
    /// Blocks that runs have left for the next ones.
    pub(crate) spares: Arc<Spares>,
}

// SAFETY: code addresses are read-only after compilation and stay valid while `module` lives
unsafe impl Send for Compiled {}
// SAFETY: as above; the module itself is behind a lock
unsafe impl Sync for Compiled {}

impl Drop for Compiled {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(module) = module {
            // SAFETY: runs borrow `self`, so none is in progress, and no address of code is kept elsewhere
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("entries", &self.entries).finish_non_exhaustive()
    }
}

impl Compiled {
    /// The names of the entry points, sorted.
    pub fn entry_names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().copied()
    }

    /// The interface of an entry point.
    pub fn interface(&self, entry: &str) -> Option<&Interface> {
        self.entries.get(entry).map(|entry| &entry.interface)
    }

    /// Bytes of machine code.
    pub fn code_bytes(&self) -> usize {
        self.code_bytes
    }
}

/// The compiler with fixed options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jit {
    options: Options,
}

impl Jit {
    /// A compiler with these options.
    pub fn new(options: Options) -> Jit {
        Jit { options }
    }

    /// As [`compile`].
    pub fn compile(&self, program: &Program) -> Result<Compiled, CompileError> {
        compile(program, self.options)
    }
}

/// Compiles a checked program.
pub fn compile(program: &Program, options: Options) -> Result<Compiled, CompileError> {
    build(program, options, &mut Listing::None)
}

/// The intermediate code that the code generator is given.
pub fn clif_text(program: &Program) -> Result<String, CompileError> {
    let mut text = String::new();
    build(program, Options::default(), &mut Listing::Clif(&mut text))?;
    Ok(text)
}

/// The machine code, with registers assigned.
pub fn asm_text(program: &Program) -> Result<String, CompileError> {
    let mut text = String::new();
    build(program, Options::default(), &mut Listing::Asm(&mut text))?;
    Ok(text)
}

/// Which loops of independent iterations run in vectors, and why the others don't: a line for each.
pub fn loops_text(program: &Program) -> Result<String, CompileError> {
    let mut text = String::new();
    build(program, Options::default(), &mut Listing::Loops(&mut text))?;
    Ok(text)
}

/// What is written down during compilation.
pub(crate) enum Listing<'t> {
    None,
    Loops(&'t mut String),
    Clif(&'t mut String),
    Asm(&'t mut String),
}

/// From this many basic blocks on, registers are assigned in a single pass: the better way takes more than linear time.
const HUGE: usize = 4000;

/// The machine at hand. `pic`: for code that may be loaded anywhere.
pub(crate) fn machine(options: Options, huge: bool, pic: bool) -> Result<OwnedTargetIsa, CompileError> {
    let failed =
        |error: &dyn fmt::Display| CompileError::new(format!("this machine is not supported: {error}"));
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", if options.optimise { "speed" } else { "none" }),
        ("enable_verifier", if options.verify { "true" } else { "false" }),
        ("regalloc_algorithm", if huge { "single_pass" } else { "backtracking" }),
        ("use_colocated_libcalls", "false"),
        ("is_pic", if pic { "true" } else { "false" }),
        ("unwind_info", "false"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        // the same loop takes a quarter longer or not by where it lies in lines of the cache
        ("log2_min_function_alignment", "6"),
    ] {
        flags.set(name, value).map_err(|error| failed(&error))?;
    }
    let builder = cranelift_native::builder().map_err(|error| failed(&error))?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| failed(&error))
}

fn build(program: &Program, options: Options, listing: &mut Listing<'_>) -> Result<Compiled, CompileError> {
    let program = &*imp::in_order::run(program);
    let mut builder = JITBuilder::with_isa(machine(options, false, false)?, default_libcall_names());
    for function in Function::ALL {
        let symbol = function.symbol();
        builder.symbol(symbol.name, symbol.address);
    }
    let mut module = JITModule::new(builder);
    let mut unit = Unit::new(&mut module, program, IN_MEMORY)?;
    unit.has_wide &= options.wide;
    unit.wide_texts = matches!(listing, Listing::Asm(_)).then(Vec::new);
    let mut work = Work::new(&unit, listing, options, false);
    let entries = work.program(&mut unit, program)?;
    let code_bytes = work.code_bytes + unit.wide_bytes;
    if let Listing::Loops(text) = listing {
        unit.loops.iter().for_each(|report| text.push_str(&format!("{report}\n")));
        unit.narrow.iter().for_each(|refused| text.push_str(&format!("{refused}\n")));
    }
    let sites = unit.sites;
    module.finalize_definitions().map_err(CompileError::from_module)?;
    let point = |(name, id): (Symbol, FuncId)| {
        let procedure = program.procedures.iter().find(|procedure| procedure.name == name)?;
        let entry = EntryPoint {
            interface: procedure.interface.clone()?,
            params: procedure.params.len(),
            results: procedure.results.len(),
            code: module.get_finalized_function(id),
        };
        Some((Symbol::as_str(name), entry))
    };
    let entries = entries.into_iter().filter_map(point).collect();
    Ok(Compiled { entries, sites, code_bytes, module: Mutex::new(Some(module)), spares: Arc::default() })
}

/// What is reused from function to function.
pub(crate) struct Work<'w, 't> {
    context: Context,
    builder: FunctionBuilderContext,
    listing: &'w mut Listing<'t>,
    options: Options,
    /// Whether the code may be loaded anywhere.
    pic: bool,
    code_bytes: usize,
}

impl<'w, 't> Work<'w, 't> {
    pub(crate) fn new(
        unit: &Unit<'_>,
        listing: &'w mut Listing<'t>,
        options: Options,
        pic: bool,
    ) -> Work<'w, 't> {
        let mut context = unit.module.make_context();
        context.set_disasm(matches!(listing, Listing::Asm(_)));
        Work { context, builder: FunctionBuilderContext::new(), listing, options, pic, code_bytes: 0 }
    }

    /// Compiles a program; gives the entry points, as callers find them.
    pub(crate) fn program<'p>(
        &mut self,
        unit: &mut Unit<'p>,
        program: &'p Program,
    ) -> Result<Vec<(Symbol, FuncId)>, CompileError> {
        let mut entries = Vec::new();
        for procedure in &program.procedures {
            let id = self.procedure(unit, procedure)?;
            if procedure.interface.is_some() {
                let signature = unit.entry_signature();
                let entry = unit.declare(format!("{}.entry", procedure.name), &signature)?;
                self.define(unit, entry, signature, |unit, clif, builder| {
                    Emitter::entry(unit, clif, builder, procedure, id)
                })?;
                entries.push((procedure.name, entry));
            }
        }
        Ok(entries)
    }

    /// Compiles a procedure and the bodies of its parallel loops.
    fn procedure<'p>(
        &mut self,
        unit: &mut Unit<'p>,
        procedure: &'p Procedure,
    ) -> Result<FuncId, CompileError> {
        let callee = unit.callees.get(&procedure.name);
        let id = callee.map(|callee| callee.id).ok_or_else(|| CompileError::new("no such procedure"))?;
        let params: Vec<_> = procedure.params.iter().map(|(_, ty)| machine_imp_type(*ty)).collect();
        let signature = unit.procedure_signature(&params);
        self.define(unit, id, signature, |unit, clif, builder| {
            Emitter::procedure(unit, clif, builder, procedure)
        })?;
        for body in std::mem::take(&mut unit.outlined) {
            let signature = unit.body_signature();
            self.define(unit, body.id, signature, |unit, clif, builder| {
                Emitter::outlined(unit, clif, builder, &body)
            })?;
        }
        Ok(id)
    }

    pub(crate) fn define<'p>(
        &mut self,
        unit: &mut Unit<'p>,
        id: FuncId,
        signature: Signature,
        emit: impl FnOnce(&mut Unit<'p>, &mut Clif, &mut FunctionBuilderContext) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        self.context.func = Clif::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        emit(unit, &mut self.context.func, &mut self.builder)?;
        if let Listing::Clif(text) = self.listing {
            list(text, unit, id, &self.context.func.display().to_string());
        }
        if self.context.func.layout.blocks().count() < HUGE {
            unit.module.define_function(id, &mut self.context).map_err(CompileError::from_module)?;
        } else {
            self.define_huge(unit, id)?;
        }
        if let Some(code) = self.context.compiled_code() {
            self.code_bytes += code.code_buffer().len();
            if let Listing::Asm(text) = self.listing {
                let code = code.vcode.as_deref().unwrap_or_default();
                list(text, unit, id, &resolve(code, &self.context.func));
                for (id, code) in unit.wide_texts.replace(Vec::new()).unwrap_or_default() {
                    list(text, unit, id, &code);
                }
            }
        }
        let disasm = self.context.want_disasm;
        unit.module.clear_context(&mut self.context);
        self.context.set_disasm(disasm);
        Ok(())
    }
}

impl Work<'_, '_> {
    /// Compiles the function at hand with the settings for huge ones.
    fn define_huge(&mut self, unit: &mut Unit<'_>, id: FuncId) -> Result<(), CompileError> {
        let machine = machine(self.options, true, self.pic)?;
        let compiled = self.context.compile(&*machine, &mut Default::default());
        let compiled = compiled.map_err(|error| CompileError::new(format!("{:?}", error.inner)))?;
        let alignment = u64::from(compiled.buffer.alignment).max(machine.symbol_alignment());
        let code = compiled.code_buffer().to_vec();
        let compiled = self.context.compiled_code();
        let relocations = compiled.iter().flat_map(|compiled| compiled.buffer.relocs());
        let relocations: Vec<ModuleReloc> = relocations
            .map(|relocation| ModuleReloc::from_mach_reloc(relocation, &self.context.func, id))
            .collect();
        unit.module
            .define_function_bytes(id, alignment, &code, &relocations)
            .map_err(CompileError::from_module)
    }
}

/// The listing with `u0:7` for the code generator's `userextname3+0`.
fn resolve(code: &str, func: &Clif) -> String {
    const MARK: &str = "userextname";
    let names = func.params.user_named_funcs();
    let mut text = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        let (before, found) = rest.split_at(at);
        let digits = found[MARK.len()..].bytes().take_while(u8::is_ascii_digit).count();
        let (name, after) = found.split_at(MARK.len() + digits);
        let number = name[MARK.len()..].parse().ok();
        text.push_str(before);
        match number.and_then(|number| names.get(UserExternalNameRef::from_u32(number))) {
            Some(name) => text.push_str(&name.to_string()),
            None => text.push_str(name),
        }
        rest = after.strip_prefix("+0").unwrap_or(after);
    }
    text + rest
}

/// Appends the listing of a function, with readable names for `u0:7`.
fn list(text: &mut String, unit: &Unit<'_>, id: FuncId, code: &str) {
    let name = |id: FuncId| unit.names.get(&id).map_or("?", String::as_str);
    text.push_str(&format!("; {}\n", name(id)));
    let mut rest = code;
    while let Some(at) = rest.find("u0:") {
        let (before, found) = rest.split_at(at);
        let digits = found[3..].bytes().take_while(u8::is_ascii_digit).count();
        text.push_str(before);
        match found[3..3 + digits].parse() {
            Ok(number) => text.push_str(&format!("%{}", name(FuncId::from_u32(number)))),
            Err(_) => text.push_str(&found[..3 + digits]),
        }
        rest = &found[3 + digits..];
    }
    text.push_str(rest);
    text.push('\n');
}
