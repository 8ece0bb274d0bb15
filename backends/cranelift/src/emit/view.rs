//! Views: an address and strides in registers.

use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::unit::POINTER;
use cranelift_codegen::ir::{InstBuilder, InstructionData, MemFlagsData, Opcode, Value, types};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_runtime::symbols::Function;
use imp::ir::{Exp, ImpType, Space, WindowDim, few_cells};

/// A number that may be known now.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// Known.
    Const(i64),
    /// Computed; an i64.
    Value(Value),
}

/// One dimension of a view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dim {
    /// In bytes.
    pub(crate) stride: Number,
    /// Only where a copy needs it.
    pub(crate) size: Option<Number>,
}

/// Where a view is.
#[derive(Clone, Debug)]
pub(crate) struct ViewPlace {
    pub(crate) elem: PrimType,
    /// The address of index (0, …, 0).
    pub(crate) base: Value,
    /// Outermost first.
    pub(crate) dims: Vec<Dim>,
    /// How many loops `base` depends on.
    pub(crate) depth: u32,
    /// The block, if it is on the stack.
    pub(crate) stack: Option<Var>,
}

impl Emitter<'_, '_> {
    /// The value of a polynomial.
    pub(super) fn poly(&mut self, poly: &Poly) -> Emit<Number> {
        if let Some(n) = poly.as_constant() {
            return Ok(Number::Const(n));
        }
        let mut sum: Option<Value> = None;
        let mut constant = 0;
        for (monomial, coefficient) in poly.terms() {
            let mut product: Option<Value> = None;
            for var in monomial {
                if self.lookup(*var)?.ty != Some(ImpType::Prim(PrimType::I64)) {
                    return Err(CompileError::new(format!("{var} in an index function is not an i64")));
                }
                let factor = self.use_var(*var)?;
                product = Some(match product {
                    Some(product) => self.b.ins().imul(product, factor),
                    None => factor,
                });
            }
            let Some(product) = product else {
                constant = coefficient;
                continue;
            };
            let term = if coefficient == 1 { product } else { self.b.ins().imul_imm_s(product, coefficient) };
            sum = Some(match sum {
                Some(sum) => self.b.ins().iadd(sum, term),
                None => term,
            });
        }
        Ok(match sum {
            None => Number::Const(constant),
            Some(sum) if constant == 0 => Number::Value(sum),
            Some(sum) => Number::Value(self.b.ins().iadd_imm_s(sum, constant)),
        })
    }

    /// A number as a value.
    pub(super) fn number(&mut self, number: Number) -> Value {
        match number {
            Number::Const(n) => self.i64(n),
            Number::Value(value) => value,
        }
    }

    pub(super) fn scale(&mut self, number: Number, factor: Number) -> Number {
        match (number, factor) {
            (Number::Const(a), Number::Const(b)) => Number::Const(a.wrapping_mul(b)),
            (Number::Const(0), _) | (_, Number::Const(0)) => Number::Const(0),
            (Number::Const(1), n) | (n, Number::Const(1)) => n,
            (Number::Const(c), Number::Value(v)) | (Number::Value(v), Number::Const(c)) => {
                Number::Value(self.b.ins().imul_imm_s(v, c))
            }
            (Number::Value(a), Number::Value(b)) => Number::Value(self.b.ins().imul(a, b)),
        }
    }

    /// Moves an address.
    fn advance(&mut self, address: Value, by: Number) -> Value {
        match by {
            Number::Const(0) => address,
            Number::Const(n) => self.b.ins().iadd_imm_s(address, n),
            Number::Value(value) => self.b.ins().iadd(address, value),
        }
    }

    /// Declares `var` as the view `lmad` of a block.
    pub(super) fn declare_view(&mut self, var: Var, elem: PrimType, mem: Var, lmad: &Lmad) -> Emit {
        let bytes = Number::Const(i64::from(elem.bytes()));
        let sizes = self.unit.copied.contains(&var);
        let block = self.use_var(mem)?;
        let offset = self.poly(&lmad.offset)?;
        let offset = self.scale(offset, bytes);
        let base = self.advance(block, offset);
        let mut dims = Vec::with_capacity(lmad.dims.len());
        for dim in &lmad.dims {
            let stride = self.poly(&dim.stride)?;
            let stride = self.scale(stride, bytes);
            let size = if sizes { Some(self.poly(&dim.size)?) } else { None };
            dims.push(Dim { stride, size });
        }
        let stack = (self.lookup(mem)?.ty == Some(ImpType::Mem(Space::Stack))).then_some(mem);
        let view = ViewPlace { elem, base, dims, depth: self.depth, stack };
        self.bind(var, Binding::View(view), None);
        Ok(())
    }

    /// Declares `var` as a part of a view.
    pub(super) fn declare_window(&mut self, var: Var, view: Var, parts: &[WindowDim]) -> Emit {
        let view = self.view(view)?;
        self.check_rank(&view, parts.len())?;
        let mut base = view.base;
        let mut dims = Vec::with_capacity(parts.len());
        for (part, dim) in parts.iter().zip(&view.dims) {
            let index = match part {
                WindowDim::Fix(index) => index,
                WindowDim::Range { offset, count, stride } => {
                    let step = self.exp_number(stride)?;
                    let stride = self.scale(dim.stride, step);
                    dims.push(Dim { stride, size: Some(self.exp_number(count)?) });
                    offset
                }
            };
            let index = self.exp_number(index)?;
            let step = self.scale(index, dim.stride);
            base = self.advance(base, step);
        }
        let view = ViewPlace { elem: view.elem, base, dims, depth: self.depth, stack: view.stack };
        self.bind(var, Binding::View(view), None);
        Ok(())
    }

    fn exp_number(&mut self, exp: &Exp) -> Emit<Number> {
        match exp {
            Exp::Const(value) if value.as_i64().is_some() => Ok(Number::Const(value.bits() as i64)),
            Exp::Const(_)
            | Exp::Var(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Select(..)
            | Exp::Read { .. }
            | Exp::Threads
            | Exp::Param { .. } => Ok(Number::Value(self.exp(exp)?)),
        }
    }

    pub(super) fn check_rank(&self, view: &ViewPlace, rank: usize) -> Emit {
        if view.dims.len() == rank {
            return Ok(());
        }
        Err(CompileError::new(format!("a view of rank {} is used with {rank} indices", view.dims.len())))
    }

    /// The address of a cell, as a value and a constant to add.
    pub(super) fn address(&mut self, view: &ViewPlace, indices: &[Exp]) -> Emit<(Value, i32)> {
        self.check_rank(view, indices.len())?;
        let mut offset = 0i64;
        // what changes least comes first, so that sums of what does not change in a loop are computed outside
        let mut terms: Vec<(u32, Value)> = vec![(view.depth, view.base)];
        for (index, dim) in indices.iter().zip(&view.dims) {
            let depth = self.exp_depth(index).max(view.depth);
            let mut index = self.exp_number(index)?;
            if let (Number::Value(sum), Number::Const(stride)) = (index, dim.stride)
                && let Some((rest, constant)) = self.constant_part(sum)
            {
                index = Number::Value(rest);
                offset = offset.wrapping_add(constant.wrapping_mul(stride));
            }
            for (depth, part) in self.parts(index, depth, view.depth) {
                match self.scale(part, dim.stride) {
                    Number::Const(n) => offset = offset.wrapping_add(n),
                    Number::Value(value) => terms.push((depth, value)),
                }
            }
        }
        terms.sort_by_key(|(depth, _)| *depth);
        let mut address = terms[0].1;
        for (_, term) in &terms[1..] {
            address = self.b.ins().iadd(address, *term);
        }
        Ok(match i32::try_from(offset) {
            Ok(offset) => (address, offset),
            Err(_) => (self.b.ins().iadd_imm_s(address, offset), 0),
        })
    }

    /// The parts of an index that is a sum, with the depths of loops that they depend on, where what does not change in the innermost loop
    /// can be added to the view's address outside.
    fn parts(&self, index: Number, depth: u32, view_depth: u32) -> Vec<(u32, Number)> {
        let mut parts = Vec::new();
        let mut rest = index;
        if view_depth < self.depth {
            while let Number::Value(sum) = rest
                && let Some((x, y)) = self.summands(sum)
            {
                let (outside, inside) = match (self.is_from_outside(x), self.is_from_outside(y)) {
                    (true, false) => (x, y),
                    (false, true) => (y, x),
                    _ => break,
                };
                parts.push((self.depth - 1, Number::Value(outside)));
                rest = Number::Value(inside);
            }
        }
        parts.push((depth, rest));
        parts
    }

    /// Whether a value was there before the innermost loop began: values are numbered as they are made.
    fn is_from_outside(&self, value: Value) -> bool {
        self.counter.is_some_and(|counter| value.as_u32() < counter.as_u32())
    }

    /// What an i64 is the sum of.
    fn summands(&self, sum: Value) -> Option<(Value, Value)> {
        let inst = self.b.func.dfg.value_def(sum).inst()?;
        match self.b.func.dfg.insts[inst] {
            InstructionData::Binary { opcode: Opcode::Iadd, args: [x, y] } => Some((x, y)),
            _ => None,
        }
    }

    /// An i64 that is computed as the sum of another one and a constant.
    pub(super) fn constant_part(&self, sum: Value) -> Option<(Value, i64)> {
        let (rest, constant) = self.summands(sum)?;
        let inst = self.b.func.dfg.value_def(constant).inst()?;
        let InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } = self.b.func.dfg.insts[inst] else {
            return None;
        };
        Some((rest, imm.bits()))
    }

    /// Every element of `source` to the same index of `dest`.
    pub(super) fn copy(&mut self, dest: Var, source: Var) -> Emit {
        let (to, from) = (self.view(dest)?, self.view(source)?);
        self.check_rank(&to, from.dims.len())?;
        if to.elem == PrimType::Unit {
            return Ok(());
        }
        let mut numbers = Vec::with_capacity(3 * to.dims.len());
        for (to, from) in to.dims.iter().zip(&from.dims) {
            // where one side's size is known, it may be a constant
            let size = match (to.size, from.size) {
                (Some(Number::Const(n)), _) | (_, Some(Number::Const(n))) => Number::Const(n),
                (Some(size), _) | (None, Some(size)) => size,
                (None, None) => {
                    return Err(CompileError::new(format!("the sizes of {dest} are not known")));
                }
            };
            numbers.extend([size, to.stride, from.stride]);
        }
        let known: Vec<Option<i64>> = numbers
            .iter()
            .step_by(3)
            .map(|size| match size {
                Number::Const(size) => Some(*size),
                Number::Value(_) => None,
            })
            .collect();
        if let Some(cells) = few_cells(&known) {
            return self.copy_cells(&to, &from, &cells);
        }
        let dims = self.store_scratch(&numbers);
        let element = self.i64(i64::from(to.elem.bytes()));
        let rank = self.i64(to.dims.len() as i64);
        self.call_runtime(Function::Copy, &[self.context, to.base, from.base, element, rank, dims])?;
        Ok(())
    }

    /// These cells: all are read first, as what moves may overlap itself.
    fn copy_cells(&mut self, to: &ViewPlace, from: &ViewPlace, cells: &[Vec<i64>]) -> Emit {
        let ty = match to.elem.bytes() {
            1 => types::I8,
            2 => types::I16,
            4 => types::I32,
            _ => types::I64,
        };
        let indices = |cell: &[i64]| cell.iter().map(|index| Exp::i64(*index)).collect::<Vec<_>>();
        let mut values = Vec::with_capacity(cells.len());
        for cell in cells {
            let (source, offset) = self.address(from, &indices(cell))?;
            values.push(self.b.ins().load(ty, MemFlagsData::trusted(), source, offset));
        }
        for (cell, value) in cells.iter().zip(values) {
            let (dest, offset) = self.address(to, &indices(cell))?;
            self.b.ins().store(MemFlagsData::trusted(), value, dest, offset);
        }
        Ok(())
    }

    /// Numbers in memory, one after the other.
    pub(super) fn store_scratch(&mut self, numbers: &[Number]) -> Value {
        let address = self.scratch(8 * numbers.len());
        for (i, number) in numbers.iter().enumerate() {
            let value = self.number(*number);
            debug_assert_eq!(self.b.func.dfg.value_type(value), types::I64);
            self.b.ins().store(MemFlagsData::trusted(), value, address, 8 * i as i32);
        }
        debug_assert_eq!(self.b.func.dfg.value_type(address), POINTER);
        address
    }
}
