//! Loops that become functions of their own, with vectors of 32 bytes, by the generator in `wide`: those without calls and without anything that
//! may fail, with a loop in vectors inside.
//!
//! The function takes the context and the address of words in memory: the range of iterations, what the body uses from outside, and
//! what it assigns there, which it leaves in the words. The intermediate code is made as for any other function; where the generator refuses it,
//! the loop is compiled in place with the vectors that Cranelift has.

use super::view::{Dim, Number, ViewPlace};
use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::unit::{POINTER, machine_imp_type};
use crate::uses;
use cranelift_codegen::ir::{Function as Clif, InstBuilder, MemFlagsData, UserFuncName, Value, types};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_module::{FuncId, Module};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{ImpType, LoopKind, Statement};
use std::collections::HashSet;

/// Bytes of the vectors of the generator.
pub(super) const WIDE: i64 = 32;

/// What the function gets from outside.
struct Given {
    var: Var,
    /// Its first word.
    word: usize,
    kind: GivenKind,
}

enum GivenKind {
    Scalar(ImpType),
    /// Assigned in the body: the new value is left in the word.
    Assigned(ImpType),
    /// An address, and the numbers that are not known.
    View(ViewPlace),
}

impl<'p> Emitter<'_, 'p> {
    /// The iterations `from..to` by a function of the generator's, if there can be one; otherwise nothing is emitted.
    pub(super) fn wide_loop(
        &mut self,
        var: Var,
        kind: LoopKind,
        (from, to): (Value, Value),
        bound: Option<i64>,
        body: &'p [Statement],
    ) -> Emit<bool> {
        if !self.unit.has_wide || self.vector_bytes == WIDE || !uses::fits_wide(kind, body) {
            return Ok(false);
        }
        // there, loops for threads would run in order
        if !self.outlined && !kind.is_parallel() && uses::has_threads(body) {
            return Ok(false);
        }
        let assigned = uses::assigned(body);
        let (given, mut words) = self.given(from, to, body, &assigned)?;
        // nothing there has an address but by what it is given
        let table = if uses::needs_table(body) { Some(words.len()) } else { None };
        if table.is_some() {
            words.push(self.table()?);
        }
        let Some(id) = self.wide_function(var, kind, bound, body, (&given, table))? else {
            return Ok(false);
        };
        let address = self.scratch(8 * words.len());
        for (at, value) in words.into_iter().enumerate() {
            self.b.ins().store(MemFlagsData::trusted(), value, address, 8 * at as i32);
        }
        let function = self.import(id);
        let call = self.b.ins().call(function, &[self.context, address]);
        let status = self.b.inst_results(call)[0];
        self.check_status(status);
        for given in given {
            let GivenKind::Assigned(ty) = given.kind else { continue };
            let flags = MemFlagsData::trusted();
            let value = self.b.ins().load(machine_imp_type(ty), flags, address, 8 * given.word as i32);
            self.assign(given.var, value)?;
        }
        Ok(true)
    }

    /// What a body uses from outside, and the words that hold it, after those of the range.
    fn given(
        &mut self,
        from: Value,
        to: Value,
        body: &[Statement],
        assigned: &HashSet<Var>,
    ) -> Emit<(Vec<Given>, Vec<Value>)> {
        let (mut given, mut words) = (Vec::new(), vec![from, to]);
        for used in uses::variables(body) {
            let Some(bound) = self.env.get(&used).cloned() else { continue };
            let word = words.len();
            let kind = match (bound.binding, bound.ty) {
                (Binding::View(view), _) => {
                    words.push(view.base);
                    words.extend(view.dims.iter().flat_map(|dim| [Some(dim.stride), dim.size]).filter_map(
                        |number| match number {
                            Some(Number::Value(value)) => Some(value),
                            Some(Number::Const(_)) | None => None,
                        },
                    ));
                    GivenKind::View(view)
                }
                (Binding::Fixed(_) | Binding::Mutable(_), Some(ty)) => {
                    words.push(self.use_var(used)?);
                    if assigned.contains(&used) { GivenKind::Assigned(ty) } else { GivenKind::Scalar(ty) }
                }
                (Binding::Fixed(_) | Binding::Mutable(_), None) => continue,
            };
            given.push(Given { var: used, word, kind });
        }
        Ok((given, words))
    }

    /// The function, if the generator takes it.
    fn wide_function(
        &mut self,
        var: Var,
        kind: LoopKind,
        bound: Option<i64>,
        body: &'p [Statement],
        (given, table): (&[Given], Option<usize>),
    ) -> Emit<Option<FuncId>> {
        let mut context = self.unit.module.make_context();
        let signature = self.unit.wide_signature();
        context.func = Clif::with_name_signature(UserFuncName::user(0, 0), signature.clone());
        let reports = self.unit.loops.len();
        let mut builder = FunctionBuilderContext::new();
        let mut e = Emitter::new(&mut *self.unit, &mut context.func, &mut builder, self.procedure);
        e.outlined = true;
        e.vector_bytes = WIDE;
        let words = e.params()[1];
        e.take(words, given)?;
        // nothing writes there before the end
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        let from = e.b.ins().load(types::I64, flags, words, 0);
        let to = e.b.ins().load(types::I64, flags, words, 8);
        if let Some(word) = table {
            e.table = Some(e.b.ins().load(POINTER, flags, words, 8 * word as i32));
        }
        e.counted((var, PrimType::I64), kind, from, to, bound, body)?;
        for given in given {
            if let GivenKind::Assigned(_) = given.kind {
                let value = e.use_var(given.var)?;
                e.b.ins().store(MemFlagsData::trusted(), value, words, 8 * given.word as i32);
            }
        }
        e.finish()?;
        let is_wide = self.unit.loops[reports..]
            .iter()
            .any(|report| report.outcome.as_ref().is_ok_and(|widths| widths.bytes == WIDE));
        let code = match is_wide {
            true => crate::wide::compile(&mut context, self.unit.module.isa()),
            false => Err(crate::wide::Unsupported::new("no loop in vectors of 32 bytes")),
        };
        let code = match code {
            Ok(code) => code,
            Err(refusal) => {
                self.unit.loops.truncate(reports);
                self.unit.narrow.push(format!("{var}: vectors of 16 bytes: {refusal}"));
                return Ok(None);
            }
        };
        let name = format!("{}.wide{}", self.procedure, var.tag);
        let id = self.unit.declare(name, &signature)?;
        let module = &mut self.unit.module;
        let defined = module.define_function_bytes(id, crate::wide::ALIGNMENT, &code.bytes, &[]);
        defined.map_err(CompileError::from_module)?;
        self.unit.wide_bytes += code.bytes.len();
        if let Some(texts) = &mut self.unit.wide_texts {
            texts.push((id, crate::wide::text(&code)));
        }
        Ok(Some(id))
    }

    /// Binds what the function gets from outside.
    fn take(&mut self, words: Value, given: &[Given]) -> Emit {
        for given in given {
            let mut next = 8 * given.word as i32;
            let mut load = |e: &mut Emitter<'_, '_>, ty, flags: MemFlagsData| {
                next += 8;
                e.b.ins().load(ty, flags, words, next - 8)
            };
            let fixed = MemFlagsData::trusted().with_readonly().with_can_move();
            match &given.kind {
                GivenKind::Scalar(ty) => {
                    let value = load(self, machine_imp_type(*ty), fixed);
                    self.bind(given.var, Binding::Fixed(value), Some(*ty));
                }
                GivenKind::Assigned(ty) => {
                    let value = load(self, machine_imp_type(*ty), MemFlagsData::trusted());
                    let variable = self.b.declare_var(machine_imp_type(*ty));
                    self.b.def_var(variable, value);
                    self.bind(given.var, Binding::Mutable(variable), Some(*ty));
                }
                GivenKind::View(outer) => {
                    let base = load(self, POINTER, fixed);
                    let mut dims = Vec::with_capacity(outer.dims.len());
                    for dim in &outer.dims {
                        let mut number = |number: Number| match number {
                            Number::Const(n) => Number::Const(n),
                            Number::Value(_) => Number::Value(load(self, types::I64, fixed)),
                        };
                        let stride = number(dim.stride);
                        dims.push(Dim { stride, size: dim.size.map(&mut number) });
                    }
                    let view = ViewPlace { elem: outer.elem, base, dims, depth: 0, stack: outer.stack };
                    self.bind(given.var, Binding::View(view), None);
                }
            }
        }
        Ok(())
    }
}
