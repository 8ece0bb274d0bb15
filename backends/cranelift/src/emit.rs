//! Code for one function: its environment and the pieces that statements and expressions are made of.

mod arith;
mod bounded;
mod convert;
mod cost;
mod elementary;
mod exp;
mod float;
mod par;
mod range;
mod recurrence;
mod statement;
mod vector;
mod view;
mod wide;

pub(crate) use par::Outlined;
pub(crate) use vector::{Refusal, Widths};
pub(crate) use view::ViewPlace;

use crate::compile::CompileError;
use crate::emit::bounded::Sign;
use crate::emit::view::Number;
use crate::unit::{POINTER, STATUS, Unit, machine_imp_type};
use cranelift_codegen::ir::{
    Block, BlockArg, FuncRef, Function as Clif, InstBuilder, MemFlagsData, StackSlot, StackSlotData,
    StackSlotKind, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_module::{FuncId, Module};
use fun_base::name::{Symbol, Var};
use fun_base::source::Loc;
use fun_runtime::symbols::Function;
use imp::ir::{Exp, ImpType, Procedure};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a variable is in the function being emitted.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A scalar or block that does not change.
    Fixed(Value),
    /// One that is assigned.
    Mutable(Variable),
    /// A view.
    View(ViewPlace),
}

/// A binding with its type and place.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) binding: Binding,
    /// `None` for views.
    pub(crate) ty: Option<ImpType>,
    /// How many loops of the function are around its declaration.
    pub(crate) depth: u32,
}

/// Emits one function.
pub(crate) struct Emitter<'a, 'p> {
    pub(crate) b: FunctionBuilder<'a>,
    pub(crate) unit: &'a mut Unit<'p>,
    env: HashMap<Var, Bound>,
    /// The runtime's context.
    context: Value,
    /// The procedure, for messages.
    procedure: Symbol,
    /// The statement being emitted.
    loc: Option<Loc>,
    /// Loops around the current place.
    depth: u32,
    /// Variables of the builder that stand for nothing now, by type. It keeps a table of all blocks for each, so they are used again: a long
    /// function needs few at a time.
    unused: HashMap<Type, Vec<Variable>>,
    /// Variables that are bound to what is known of them in the body at hand, with their bindings before.
    assumed: Vec<(Var, Binding)>,
    /// Places that are chosen, or -1.
    choices: HashSet<Var>,
    /// What counts the iterations of the innermost loop that run one by one.
    counter: Option<Value>,
    /// In the body of a parallel loop: inner ones run in order.
    outlined: bool,
    /// Variables that lie in the first lane of a vector.
    in_lanes: HashSet<Var>,
    /// The signs of floats, where more is known than their instruction says.
    signs: HashMap<Value, Sign>,
    /// Bytes of the vectors that the function may have.
    vector_bytes: i64,
    /// Where the table of elementary functions is, if the function gets their address.
    table: Option<Value>,
    /// Returns a nonzero status; made when first needed.
    stop: Option<Block>,
    /// For what calls pass through memory; as large as the largest needs.
    scratch: Option<StackSlot>,
    imported: BTreeMap<FuncId, FuncRef>,
}

type Emit<T = ()> = Result<T, CompileError>;

/// Accesses of arrays: aligned, and never trapping in a checked program.
fn array_access() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl<'a, 'p> Emitter<'a, 'p> {
    fn new(
        unit: &'a mut Unit<'p>,
        clif: &'a mut Clif,
        builder: &'a mut FunctionBuilderContext,
        procedure: Symbol,
    ) -> Emitter<'a, 'p> {
        let mut b = FunctionBuilder::new(clif, builder);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let context = b.block_params(entry)[0];
        Emitter {
            b,
            unit,
            env: HashMap::new(),
            context,
            procedure,
            loc: None,
            depth: 0,
            unused: HashMap::new(),
            assumed: Vec::new(),
            choices: HashSet::new(),
            counter: None,
            outlined: false,
            in_lanes: HashSet::new(),
            signs: HashMap::new(),
            vector_bytes: vector::NARROW,
            table: None,
            stop: None,
            scratch: None,
            imported: BTreeMap::new(),
        }
    }

    /// Code of a procedure.
    pub(crate) fn procedure(
        unit: &'a mut Unit<'p>,
        clif: &'a mut Clif,
        builder: &'a mut FunctionBuilderContext,
        procedure: &'p Procedure,
    ) -> Emit {
        let mut e = Emitter::new(unit, clif, builder, procedure.name);
        let params = e.params();
        let (out, args) = (params[params.len() - 1], &params[1..params.len() - 1]);
        for ((var, ty), value) in procedure.params.iter().zip(args) {
            e.bind(*var, Binding::Fixed(*value), Some(*ty));
        }
        e.body(&procedure.body)?;
        let mut results = Vec::new();
        for (exp, _) in &procedure.results {
            results.push(e.exp(exp)?);
        }
        for (i, value) in results.into_iter().enumerate() {
            e.b.ins().store(MemFlagsData::trusted(), value, out, 8 * i as i32);
        }
        e.finish()
    }

    /// Code that Rust calls: loads the arguments of procedure `callee` from memory.
    pub(crate) fn entry(
        unit: &'a mut Unit<'p>,
        clif: &'a mut Clif,
        builder: &'a mut FunctionBuilderContext,
        procedure: &'p Procedure,
        callee: FuncId,
    ) -> Emit {
        let mut e = Emitter::new(unit, clif, builder, procedure.name);
        let params = e.params();
        let (context, from, out) = (params[0], params[1], params[2]);
        let mut args = vec![context];
        for (i, (_, ty)) in procedure.params.iter().enumerate() {
            let ty = machine_imp_type(*ty);
            args.push(e.b.ins().load(ty, MemFlagsData::trusted(), from, 8 * i as i32));
        }
        args.push(out);
        let callee = e.import(callee);
        let call = e.b.ins().call(callee, &args);
        let status = e.b.inst_results(call)[0];
        e.b.ins().return_(&[status]);
        e.seal()
    }

    fn params(&self) -> Vec<Value> {
        let entry = self.b.current_block();
        entry.map_or(Vec::new(), |entry| self.b.block_params(entry).to_vec())
    }

    /// Ends the function with status zero.
    fn finish(mut self) -> Emit {
        let zero = self.b.ins().iconst(STATUS, 0);
        self.b.ins().return_(&[zero]);
        self.seal()
    }

    fn seal(mut self) -> Emit {
        if let Some(stop) = self.stop {
            self.b.switch_to_block(stop);
            self.b.seal_block(stop);
            let one = self.b.ins().iconst(STATUS, 1);
            self.b.ins().return_(&[one]);
        }
        let config = self.unit.module.target_config();
        self.b.finalize(config);
        Ok(())
    }

    fn bind(&mut self, var: Var, binding: Binding, ty: Option<ImpType>) {
        self.env.insert(var, Bound { binding, ty, depth: self.depth });
    }

    fn lookup(&self, var: Var) -> Emit<&Bound> {
        self.env.get(&var).ok_or_else(|| CompileError::new(format!("variable {var} is not in scope")))
    }

    /// The value of a scalar or block variable.
    fn use_var(&mut self, var: Var) -> Emit<Value> {
        match self.lookup(var)?.binding {
            Binding::Fixed(value) => Ok(value),
            Binding::Mutable(variable) => {
                let value = self.b.use_var(variable);
                Ok(if self.in_lanes.contains(&var) { self.out_of_lane(value) } else { value })
            }
            Binding::View(_) => Err(CompileError::new(format!("view {var} is used as a scalar"))),
        }
    }

    fn view(&self, var: Var) -> Emit<ViewPlace> {
        match &self.lookup(var)?.binding {
            Binding::View(view) => Ok(view.clone()),
            Binding::Fixed(_) | Binding::Mutable(_) => {
                Err(CompileError::new(format!("{var} is used as a view")))
            }
        }
    }

    fn i64(&mut self, n: i64) -> Value {
        self.b.ins().iconst(types::I64, n)
    }

    fn i32(&mut self, n: u32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(n))
    }

    fn import(&mut self, id: FuncId) -> FuncRef {
        if let Some(known) = self.imported.get(&id) {
            return *known;
        }
        let reference = self.unit.module.declare_func_in_func(id, self.b.func);
        self.imported.insert(id, reference);
        reference
    }

    /// Calls a function of the runtime.
    fn call_runtime(&mut self, function: Function, args: &[Value]) -> Emit<Option<Value>> {
        let id = self.unit.runtime(function)?;
        let callee = self.import(id);
        let call = self.b.ins().call(callee, args);
        Ok(self.b.inst_results(call).first().copied())
    }

    /// Calls a function of the runtime that has a result.
    fn call_runtime_value(&mut self, function: Function, args: &[Value]) -> Emit<Value> {
        let result = self.call_runtime(function, args)?;
        result.ok_or_else(|| CompileError::new(format!("{function:?} has no result")))
    }

    /// The address of `bytes` bytes that live until the next use of this.
    fn scratch(&mut self, bytes: usize) -> Value {
        let bytes = bytes.max(8) as u32;
        let slot = match self.scratch {
            Some(slot) => slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
                let slot = self.b.create_sized_stack_slot(data);
                self.scratch = Some(slot);
                slot
            }
        };
        let data = &mut self.b.func.sized_stack_slots[slot];
        data.size = data.size.max(bytes);
        self.b.ins().stack_addr(POINTER, slot, 0)
    }

    /// The block that ends the run.
    fn stop_block(&mut self) -> Block {
        if let Some(stop) = self.stop {
            return stop;
        }
        let stop = self.b.create_block();
        self.b.set_cold_block(stop);
        self.stop = Some(stop);
        stop
    }

    /// Ends the run when the status is not zero.
    fn check_status(&mut self, status: Value) {
        let (stop, next) = (self.stop_block(), self.b.create_block());
        self.b.ins().brif(status, stop, &[], next, &[]);
        self.b.seal_block(next);
        self.b.switch_to_block(next);
    }

    /// Fails with the message unless the condition holds.
    fn check(&mut self, holds: Value, message: &str) -> Emit {
        self.check_with(holds, message, &[])
    }

    /// The same with numbers for the message, which are evaluated only then.
    fn check_with(&mut self, holds: Value, message: &str, args: &[Exp]) -> Emit {
        let site = self.unit.site(message, self.loc, self.procedure);
        let (failed, next) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(failed);
        self.b.ins().brif(holds, next, &[], failed, &[]);
        self.b.seal_block(failed);
        self.b.seal_block(next);
        self.b.switch_to_block(failed);
        let numbers: Vec<Number> = self.exps(args)?.into_iter().map(Number::Value).collect();
        let (site, count) = (self.i32(site), self.i64(numbers.len() as i64));
        let numbers = if numbers.is_empty() { self.i64(0) } else { self.store_scratch(&numbers) };
        self.call_runtime(Function::Fail, &[self.context, site, numbers, count])?;
        let stop = self.stop_block();
        self.b.ins().jump(stop, &[]);
        self.b.switch_to_block(next);
        Ok(())
    }

    /// Ends the run if it was stopped from elsewhere.
    fn poll(&mut self) {
        // atomic, so that it is loaded each time
        let flag = self.b.ins().load(POINTER, MemFlagsData::trusted(), self.context, 0);
        let flag = self.b.ins().atomic_load(types::I32, MemFlagsData::trusted(), flag);
        self.check_status(flag);
    }

    fn jump(&mut self, to: Block, args: &[Value]) {
        let args: Vec<BlockArg> = args.iter().map(|value| BlockArg::from(*value)).collect();
        self.b.ins().jump(to, &args);
    }

    fn block_with(&mut self, ty: Type) -> (Block, Value) {
        let block = self.b.create_block();
        let param = self.b.append_block_param(block, ty);
        (block, param)
    }
}
