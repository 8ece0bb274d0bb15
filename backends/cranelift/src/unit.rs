//! What the functions of one program share while they are compiled: names, runtime functions, and the places that can fail.

use crate::compile::CompileError;
use crate::emit::{Outlined, Refusal, Widths};
use cranelift_codegen::ir::{AbiParam, Signature, Type, types};
use cranelift_codegen::isa::CallConv;
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::prim::math::elementary::TABLE;
use fun_base::source::Loc;
use fun_runtime::site::Site;
use fun_runtime::symbols::{Function, Machine};
use imp::cost::Estimate;
use imp::ir::{ImpType, Program};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

/// A procedure as its callers see it.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) id: FuncId,
    pub(crate) results: Vec<ImpType>,
    /// Estimated cost of a call.
    pub(crate) cost: Estimate,
    /// Whether it calls itself.
    pub(crate) recursive: bool,
}

/// How a loop of independent iterations without loops inside, or a nest of sums, was compiled.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LoopReport {
    pub(crate) var: Var,
    pub(crate) outcome: Result<Widths, Refusal>,
}

impl fmt::Display for LoopReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Ok(Widths { lanes, bytes, copies }) => {
                write!(f, "{}: {copies} vectors of {lanes} lanes, {bytes} bytes each", self.var)
            }
            Err(refusal) => write!(f, "{}: one by one: {refusal}", self.var),
        }
    }
}

/// More levels of nested statements and expressions than any sensible program has; deeper ones could overflow the stack.
const MAX_NESTING: usize = 2000;

/// A program being compiled.
pub(crate) struct Unit<'p> {
    pub(crate) module: &'p mut dyn Module,
    /// What the names of runtime functions begin with.
    runtime_prefix: &'static str,
    pub(crate) callees: HashMap<Symbol, Callee>,
    pub(crate) sites: Vec<Site>,
    /// Bodies of parallel loops still to be compiled.
    pub(crate) outlined: Vec<Outlined<'p>>,
    /// The views whose sizes are needed.
    pub(crate) copied: HashSet<Var>,
    /// Of each variable that is declared the number of the last statement that mentions it, of those in which it is declared.
    pub(crate) last_uses: HashMap<Var, usize>,
    /// The procedures that loops call, directly or not.
    pub(crate) called_in_loops: BTreeSet<Symbol>,
    /// Whether the machine multiplies and adds with one rounding.
    pub(crate) has_fma: bool,
    /// Whether it has vectors with operators of three operands.
    pub(crate) has_avx: bool,
    /// Whether loops may be functions of the generator in `wide`.
    pub(crate) has_wide: bool,
    /// Bytes of code by that generator.
    pub(crate) wide_bytes: usize,
    /// The functions that it made since the last listing, as text, where that is wanted.
    pub(crate) wide_texts: Option<Vec<(FuncId, String)>>,
    /// Which loops it refused, and why.
    pub(crate) narrow: Vec<String>,
    /// Which loops run in vectors, and why the others don't.
    pub(crate) loops: Vec<LoopReport>,
    /// Readable names.
    pub(crate) names: BTreeMap<FuncId, String>,
    runtime: BTreeMap<Function, FuncId>,
    /// What elementary functions look up, once a function needs it.
    table: Option<DataId>,
}

/// What the names of runtime functions begin with in memory.
pub(crate) const IN_MEMORY: &str = "fun_";

/// The machine type of addresses.
pub(crate) const POINTER: Type = types::I64;
/// The machine type of statuses.
pub(crate) const STATUS: Type = types::I32;

/// The machine type of scalars. `f16` is held as its bits; unit as a zero.
pub(crate) fn machine_type(ty: PrimType) -> Type {
    match ty {
        PrimType::I8 | PrimType::U8 | PrimType::Bool | PrimType::Unit => types::I8,
        PrimType::I16 | PrimType::U16 | PrimType::F16 => types::I16,
        PrimType::I32 | PrimType::U32 => types::I32,
        PrimType::I64 | PrimType::U64 => types::I64,
        PrimType::F32 => types::F32,
        PrimType::F64 => types::F64,
    }
}

/// The machine type of variables.
pub(crate) fn machine_imp_type(ty: ImpType) -> Type {
    match ty {
        ImpType::Prim(ty) => machine_type(ty),
        ImpType::Mem(_) => POINTER,
    }
}

impl<'p> Unit<'p> {
    /// For a program; declares its procedures. In object files functions of the runtime have a prefix of their own.
    pub(crate) fn new(
        module: &'p mut dyn Module,
        program: &Program,
        runtime_prefix: &'static str,
    ) -> Result<Unit<'p>, CompileError> {
        for procedure in &program.procedures {
            if imp::visit::nesting(&procedure.body, MAX_NESTING) >= MAX_NESTING {
                let name = procedure.name;
                let message = format!("statements of {name} are nested {MAX_NESTING} deep or more");
                return Err(CompileError::new(message));
            }
        }
        let flags = module.isa().isa_flags();
        let has = |name: &str| flags.iter().any(|flag| flag.name == name && flag.as_bool() == Some(true));
        let has_avx = has("has_avx");
        // it comes with instructions on vectors
        let has_fma = has_avx && has("has_fma");
        let by_unix = module.isa().default_call_conv() == CallConv::SystemV;
        let has_wide =
            cfg!(target_arch = "x86_64") && has_fma && has("has_avx2") && has("has_bmi2") && by_unix;
        let mut unit = Unit {
            module,
            runtime_prefix,
            has_fma,
            has_avx,
            has_wide,
            wide_bytes: 0,
            wide_texts: None,
            narrow: Vec::new(),
            loops: Vec::new(),
            callees: HashMap::new(),
            sites: Vec::new(),
            outlined: Vec::new(),
            copied: HashSet::new(),
            last_uses: HashMap::new(),
            called_in_loops: imp::cost::called_in_loops(program),
            names: BTreeMap::new(),
            runtime: BTreeMap::new(),
            table: None,
        };
        for procedure in &program.procedures {
            crate::uses::copied_views(&procedure.body, &mut unit.copied);
            crate::uses::last_uses(procedure, &mut unit.last_uses);
            let params: Vec<Type> = procedure.params.iter().map(|(_, ty)| machine_imp_type(*ty)).collect();
            let signature = unit.procedure_signature(&params);
            let id = unit.declare(procedure.name.to_string(), &signature)?;
            let results = procedure.results.iter().map(|(_, ty)| *ty).collect();
            let cost = imp::cost::static_cost(&procedure.body, &|callee| unit.callee_cost(callee));
            let recursive = imp::visit::calls(&procedure.body, procedure.name);
            unit.callees.insert(procedure.name, Callee { id, results, cost, recursive });
        }
        Ok(unit)
    }

    /// The estimated cost of a call, where the procedure is known.
    pub(crate) fn callee_cost(&self, procedure: Symbol) -> Option<Estimate> {
        self.callees.get(&procedure).map(|callee| callee.cost)
    }

    /// Declares a function of the program.
    pub(crate) fn declare(&mut self, name: String, signature: &Signature) -> Result<FuncId, CompileError> {
        // anonymous, so that no name of the user meets one of the runtime
        let id = self.module.declare_anonymous_function(signature).map_err(CompileError::from_module)?;
        self.names.insert(id, name);
        Ok(id)
    }

    fn signature(&self, params: impl IntoIterator<Item = Type>, result: Option<Type>) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.into_iter().map(AbiParam::new));
        signature.returns.extend(result.map(AbiParam::new));
        signature
    }

    /// `(context, parameters…, results) -> status`.
    pub(crate) fn procedure_signature(&self, params: &[Type]) -> Signature {
        let params = [POINTER].into_iter().chain(params.iter().copied()).chain([POINTER]);
        self.signature(params, Some(STATUS))
    }

    /// `(context, arguments, results) -> status`: entry points as Rust calls them.
    pub(crate) fn entry_signature(&self) -> Signature {
        self.signature([POINTER, POINTER, POINTER], Some(STATUS))
    }

    /// `(context, env, lo, hi) -> status`: bodies of parallel loops.
    pub(crate) fn body_signature(&self) -> Signature {
        self.signature([POINTER, POINTER, types::I64, types::I64], Some(STATUS))
    }

    /// `(context, words) -> status`: loops by the generator in `wide`.
    pub(crate) fn wide_signature(&self) -> Signature {
        self.signature([POINTER, POINTER], Some(STATUS))
    }

    /// A function of the runtime.
    pub(crate) fn runtime(&mut self, function: Function) -> Result<FuncId, CompileError> {
        if let Some(id) = self.runtime.get(&function) {
            return Ok(*id);
        }
        let symbol = function.symbol();
        let machine = |machine: &Machine| match machine {
            Machine::Pointer => POINTER,
            Machine::I32 => types::I32,
            Machine::I64 => types::I64,
            Machine::F32 => types::F32,
            Machine::F64 => types::F64,
        };
        let signature =
            self.signature(symbol.params.iter().map(machine), symbol.result.as_ref().map(machine));
        let name = symbol.name.replacen(IN_MEMORY, self.runtime_prefix, 1);
        let id = self
            .module
            .declare_function(&name, Linkage::Import, &signature)
            .map_err(CompileError::from_module)?;
        self.names.insert(id, name);
        self.runtime.insert(function, id);
        Ok(id)
    }

    /// What elementary functions look up.
    pub(crate) fn table(&mut self) -> Result<DataId, CompileError> {
        if let Some(id) = self.table {
            return Ok(id);
        }
        let id = self.module.declare_anonymous_data(false, false).map_err(CompileError::from_module)?;
        let bytes: Vec<u8> = TABLE.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let mut description = DataDescription::new();
        description.define(bytes.into_boxed_slice());
        description.set_align(32);
        self.module.define_data(id, &description).map_err(CompileError::from_module)?;
        self.table = Some(id);
        Ok(id)
    }

    /// A number for a place that can fail.
    pub(crate) fn site(&mut self, message: impl Into<String>, loc: Option<Loc>, function: Symbol) -> u32 {
        self.sites.push(Site { message: message.into(), loc, function });
        (self.sites.len() - 1) as u32
    }
}
