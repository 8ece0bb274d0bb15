//! Parallel loops: the body becomes a function on a range of iterations, with what it uses from outside in memory.

use super::view::{Dim, Number};
use super::{Binding, Emit, Emitter, ViewPlace};
use crate::unit::{POINTER, Unit, machine_imp_type};
use crate::uses;
use cranelift_codegen::ir::{Function as Clif, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_module::FuncId;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_runtime::symbols::Function;
use imp::ir::{ImpType, LoopKind, Statement};

/// A body to be compiled.
pub(crate) struct Outlined<'p> {
    pub(crate) id: FuncId,
    procedure: Symbol,
    var: Var,
    body: &'p [Statement],
    captures: Vec<Capture>,
}

/// What the body gets from outside, in the order in which the values are stored.
struct Capture {
    var: Var,
    kind: Captured,
}

enum Captured {
    Variable(ImpType),
    /// Numbers that are not known are stored, after the address; the values here are of the outer function.
    View(ViewPlace),
}

impl<'p> Emitter<'_, 'p> {
    /// The iterations `0..count` of `body`, by the runtime.
    pub(super) fn par(&mut self, var: Var, count: Value, body: &'p [Statement]) -> Emit {
        let cost = self.iteration_cost(var, count, body);
        let mut captures = Vec::new();
        let mut values = Vec::new();
        for used in uses::variables(body) {
            let Some(bound) = self.env.get(&used).cloned() else { continue };
            match (bound.binding, bound.ty) {
                (Binding::View(view), _) => {
                    values.push(view.base);
                    view_numbers(&view, |value| values.push(value));
                    captures.push(Capture { var: used, kind: Captured::View(view) });
                }
                (Binding::Fixed(_) | Binding::Mutable(_), Some(ty)) => {
                    values.push(self.use_var(used)?);
                    captures.push(Capture { var: used, kind: Captured::Variable(ty) });
                }
                (Binding::Fixed(_) | Binding::Mutable(_), None) => {}
            }
        }
        let env = self.scratch(8 * values.len());
        for (i, value) in values.into_iter().enumerate() {
            self.b.ins().store(MemFlagsData::trusted(), value, env, 8 * i as i32);
        }
        let signature = self.unit.body_signature();
        let name = format!("{}.par{}", self.procedure, var.tag);
        let id = self.unit.declare(name, &signature)?;
        let function = self.import(id);
        let function = self.b.ins().func_addr(POINTER, function);
        let args = [self.context, function, env, count, cost];
        let status = self.call_runtime_value(Function::ParallelFor, &args)?;
        self.check_status(status);
        self.unit.outlined.push(Outlined { id, procedure: self.procedure, var, body, captures });
        Ok(())
    }

    /// Code of a body.
    pub(crate) fn outlined<'a>(
        unit: &'a mut Unit<'p>,
        clif: &'a mut Clif,
        builder: &'a mut FunctionBuilderContext,
        outlined: &Outlined<'p>,
    ) -> Emit {
        let mut e = Emitter::new(unit, clif, builder, outlined.procedure);
        e.outlined = true;
        let params = e.params();
        let (env, lo, hi) = (params[1], params[2], params[3]);
        let mut next = 0;
        for capture in &outlined.captures {
            let mut load = |e: &mut Emitter<'_, '_>, ty| {
                next += 8;
                // nothing writes there during the loop
                let flags = MemFlagsData::trusted().with_readonly().with_can_move();
                e.b.ins().load(ty, flags, env, next - 8)
            };
            match &capture.kind {
                Captured::Variable(ty) => {
                    let value = load(&mut e, machine_imp_type(*ty));
                    e.bind(capture.var, Binding::Fixed(value), Some(*ty));
                }
                Captured::View(outer) => {
                    let base = load(&mut e, POINTER);
                    let mut number = |number: Number| match number {
                        Number::Const(n) => Number::Const(n),
                        Number::Value(_) => Number::Value(load(&mut e, types::I64)),
                    };
                    let dims = outer.dims.iter().map(|dim| {
                        let stride = number(dim.stride);
                        Dim { stride, size: dim.size.map(&mut number) }
                    });
                    let dims = dims.collect();
                    let view = ViewPlace { elem: outer.elem, base, dims, depth: 0, stack: outer.stack };
                    e.bind(capture.var, Binding::View(view), None);
                }
            }
        }
        let counter = (outlined.var, PrimType::I64);
        e.counted(counter, LoopKind::Par, lo, hi, None, outlined.body)?;
        e.finish()
    }
}

/// The unknown numbers of a view in the order in which a body loads them.
fn view_numbers(view: &ViewPlace, mut found: impl FnMut(Value)) {
    for dim in &view.dims {
        for number in [Some(dim.stride), dim.size].into_iter().flatten() {
            match number {
                Number::Const(_) => {}
                Number::Value(value) => found(value),
            }
        }
    }
}
