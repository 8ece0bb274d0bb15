//! Elementary functions of our own as instructions, on scalars and on vectors.

use super::wide::WIDE;
use super::{Emit, Emitter, array_access};
use crate::CompileError;
use crate::unit::POINTER;
use crate::wide::{hidden, hidden_pair};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use cranelift_module::Module;
use fun_base::prim::math::elementary::{self, Arithmetic, Within};
use fun_base::prim::{BinOp, PrimType, UnOp};
use std::cell::RefCell;

/// Rows of the table have 32 bytes.
const ROW_SHIFT: i64 = 5;

impl Emitter<'_, '_> {
    /// The function, if it is one of these and the machine multiplies and adds with one rounding.
    pub(super) fn elementary(&mut self, op: UnOp, ty: PrimType, x: Value) -> Emit<Option<Value>> {
        if !self.unit.has_fma || !elementary::is_unary(op) {
            return Ok(None);
        }
        match elementary::unary_within(op) {
            _ if ty == PrimType::F64 => self.computed(&[x], &|code, x| elementary::unary_f64(code, op, x[0])),
            Some(Within::Single) => self.computed(&[x], &|code, x| elementary::unary_f32(code, op, x[0])),
            _ => self.in_double(&[x], &|code, x| elementary::widened_unary(code, op, x[0])),
        }
    }

    /// The same of a function of two arguments.
    pub(super) fn elementary_of_two(
        &mut self,
        op: BinOp,
        ty: PrimType,
        x: Value,
        y: Value,
    ) -> Emit<Option<Value>> {
        if !self.unit.has_fma || !elementary::is_binary(op) {
            return Ok(None);
        }
        match ty {
            PrimType::F64 => self.computed(&[x, y], &|code, x| elementary::binary_f64(code, op, x[0], x[1])),
            _ => self.in_double(&[x, y], &|code, x| elementary::widened_binary(code, op, x[0], x[1])),
        }
    }

    fn computed(&mut self, arguments: &[Value], function: Function<'_>) -> Emit<Option<Value>> {
        let float = self.b.func.dfg.value_type(arguments[0]);
        let code =
            Code { bits: float.as_int(), float, emitter: RefCell::new(self), error: RefCell::new(None) };
        let value = function(&code, arguments);
        match code.error.into_inner() {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }

    /// A function of `f32` that is computed in `f64`, in parts of as many lanes as vectors have then.
    fn in_double(&mut self, arguments: &[Value], function: Function<'_>) -> Emit<Option<Value>> {
        let single = self.b.func.dfg.value_type(arguments[0]);
        let parts: Vec<Vec<Value>> = arguments.iter().map(|x| self.doubles(*x)).collect();
        let mut results = Vec::new();
        for part in 0..parts[0].len() {
            let arguments: Vec<Value> = parts.iter().map(|parts| parts[part]).collect();
            let Some(value) = self.computed(&arguments, function)? else { return Ok(None) };
            results.push(value);
        }
        Ok(Some(self.singles(single, &results)))
    }

    /// Vectors of 32 bytes are in functions of the generator's alone, which has conversions between those and vectors of 16.
    pub(super) fn is_wide(&self) -> bool {
        self.vector_bytes == WIDE
    }

    /// Floats of `f32` as such of `f64`.
    fn doubles(&mut self, x: Value) -> Vec<Value> {
        let ty = self.b.func.dfg.value_type(x);
        match ty {
            types::F32 => vec![self.b.ins().fpromote(types::F64, x)],
            types::F32X4 if !self.is_wide() => self.promoted(x),
            types::F32X4 => vec![self.long_doubles(x)],
            _ => {
                let halves = [0, 1].map(|half| self.half(x, half));
                halves.map(|half| self.long_doubles(half)).to_vec()
            }
        }
    }

    /// The other way.
    fn singles(&mut self, ty: Type, parts: &[Value]) -> Value {
        match *parts {
            [x] if ty == types::F32 => self.b.ins().fdemote(ty, x),
            [x] => self.short_singles(x),
            [x, y] if ty == types::F32X4 => self.demoted(x, y),
            _ => {
                let halves: Vec<Value> = parts.iter().map(|part| self.short_singles(*part)).collect();
                self.joined(ty, halves[0], halves[1])
            }
        }
    }

    /// Four floats in 16 bytes as such of `f64` in 32. Cranelift's own conversions have no such types, so an opcode stands for it that loops in these vectors do
    /// not have otherwise and that takes any types, on the bits.
    fn long_doubles(&mut self, x: Value) -> Value {
        let bits = self.cast(types::I32X4, x);
        self.b.ins().fcvt_from_uint(types::F64X4, bits)
    }

    /// The other way, likewise.
    fn short_singles(&mut self, x: Value) -> Value {
        let bits = self.b.ins().fcvt_to_uint_sat(types::I32X4, x);
        self.cast(types::F32X4, bits)
    }

    /// One half of a vector of 32 bytes.
    fn half(&mut self, x: Value, half: u8) -> Value {
        let lane = self.b.func.dfg.value_type(x).lane_type();
        let whole = self.cast(types::I128X2, x);
        let half = self.b.ins().extractlane(whole, half);
        let bits = 16 / lane.bytes();
        lane.by(bits).map_or(half, |ty| self.cast(ty, half))
    }

    /// A vector of 32 bytes of its halves.
    fn joined(&mut self, ty: Type, low: Value, high: Value) -> Value {
        let (low, high) = (self.cast(types::I128, low), self.cast(types::I128, high));
        let whole = self.b.ins().scalar_to_vector(types::I128X2, low);
        let whole = self.b.ins().insertlane(whole, high, 1);
        self.cast(ty, whole)
    }

    /// The address of the table that elementary functions look up.
    pub(super) fn table(&mut self) -> Emit<Value> {
        if let Some(address) = self.table {
            return Ok(address);
        }
        let id = self.unit.table()?;
        let table = self.unit.module.declare_data_in_func(id, self.b.func);
        Ok(self.b.ins().symbol_value(POINTER, table))
    }

    /// Rows of the table, by their numbers, as vectors of their columns.
    fn rows(&mut self, float: Type, row: Value) -> Emit<[Value; 4]> {
        let table = self.table()?;
        let row = hidden(&mut self.b, row);
        let count = self.b.ins().iconst(types::I32, ROW_SHIFT);
        let offset = self.b.ins().ishl(row, count);
        if !float.is_vector() {
            let address = self.b.ins().iadd(table, offset);
            return Ok([0, 8, 16, 24].map(|at| self.b.ins().load(float, array_access(), address, at)));
        }
        let mut addresses = Vec::new();
        for lane in 0..float.lane_count() as u8 {
            let offset = self.b.ins().extractlane(offset, lane);
            addresses.push(self.b.ins().iadd(table, offset));
        }
        Ok([0, 8, 16, 24].map(|at| {
            let load = |e: &mut Self, address: Value| e.b.ins().load(types::F64, array_access(), address, at);
            let pair = |e: &mut Self, pair: &[Value]| {
                let (first, second) = (load(e, pair[0]), load(e, pair[1]));
                let first = e.b.ins().scalar_to_vector(types::F64X2, first);
                e.b.ins().insertlane(first, second, 1)
            };
            let pairs: Vec<Value> = addresses.chunks_exact(2).map(|two| pair(self, two)).collect();
            match *pairs {
                [low, high] => self.joined(float, low, high),
                _ => pairs[0],
            }
        }))
    }

    /// A float constant of a machine type, in all lanes if that is one of vectors.
    pub(super) fn float_of_type(&mut self, ty: Type, x: f64) -> Value {
        let is_single = ty.lane_type() == types::F32;
        if ty.is_vector() {
            let bits = if is_single { u64::from((x as f32).to_bits()) } else { x.to_bits() };
            return self.splat_bits(ty, bits);
        }
        if is_single { self.b.ins().f32const(x as f32) } else { self.b.ins().f64const(x) }
    }
}

/// What one of them computes of its arguments.
type Function<'f> = &'f dyn Fn(&Code<'_, '_, '_>, &[Value]) -> Option<Value>;

/// Arithmetic as instructions.
struct Code<'e, 'a, 'p> {
    emitter: RefCell<&'e mut Emitter<'a, 'p>>,
    float: Type,
    bits: Type,
    error: RefCell<Option<CompileError>>,
}

impl<'a, 'p> Code<'_, 'a, 'p> {
    /// Emits something.
    fn with(&self, emit: impl FnOnce(&mut Emitter<'a, 'p>) -> Value) -> Value {
        emit(&mut self.emitter.borrow_mut())
    }

    /// Emits an operator on two integers or masks.
    fn on_bits(
        &self,
        m: Value,
        n: Value,
        emit: impl FnOnce(&mut Emitter<'a, 'p>, Value, Value) -> Value,
    ) -> Value {
        self.with(|e| {
            let (m, n) = hidden_pair(&mut e.b, m, n);
            emit(e, m, n)
        })
    }

    fn shift(
        &self,
        n: Value,
        by: u32,
        emit: impl FnOnce(&mut Emitter<'a, 'p>, Value, Value) -> Value,
    ) -> Value {
        self.with(|e| {
            let n = hidden(&mut e.b, n);
            let count = e.b.ins().iconst(types::I32, i64::from(by));
            emit(e, n, count)
        })
    }
}

impl Arithmetic for Code<'_, '_, '_> {
    type Float = Value;
    type Bits = Value;
    type Mask = Value;

    fn float(&self, x: f64) -> Value {
        self.with(|e| e.float_of_type(self.float, x))
    }
    fn bits(&self, n: u64) -> Value {
        self.with(|e| match self.bits.is_vector() {
            true => e.splat_bits(self.bits, n),
            false => e.b.ins().iconst(self.bits, n as i64),
        })
    }
    fn add(&self, x: Value, y: Value) -> Value {
        self.with(|e| e.b.ins().fadd(x, y))
    }
    fn sub(&self, x: Value, y: Value) -> Value {
        self.with(|e| e.b.ins().fsub(x, y))
    }
    fn mul(&self, x: Value, y: Value) -> Value {
        self.with(|e| e.b.ins().fmul(x, y))
    }
    fn div(&self, x: Value, y: Value) -> Value {
        self.with(|e| e.b.ins().fdiv(x, y))
    }
    fn fma(&self, x: Value, y: Value, z: Value) -> Value {
        self.with(|e| e.b.ins().fma(x, y, z))
    }
    fn neg(&self, x: Value) -> Value {
        self.with(|e| e.b.ins().fneg(x))
    }
    fn abs(&self, x: Value) -> Value {
        self.with(|e| e.b.ins().fabs(x))
    }
    fn sqrt(&self, x: Value) -> Value {
        self.with(|e| e.b.ins().sqrt(x))
    }
    fn trunc(&self, x: Value) -> Value {
        self.with(|e| e.b.ins().trunc(x))
    }
    fn round(&self, x: Value) -> Value {
        self.with(|e| e.b.ins().nearest(x))
    }
    fn copysign(&self, x: Value, y: Value) -> Value {
        if !self.float.is_vector() {
            return self.with(|e| e.b.ins().fcopysign(x, y));
        }
        let sign = self.bits(1 << (self.float.lane_bits() - 1));
        let sign = self.float_of(sign);
        self.with(|e| e.b.ins().bitselect(sign, y, x))
    }
    fn less(&self, x: Value, y: Value) -> Value {
        self.with(|e| e.b.ins().fcmp(FloatCC::LessThan, x, y))
    }
    fn equal(&self, x: Value, y: Value) -> Value {
        self.with(|e| e.b.ins().fcmp(FloatCC::Equal, x, y))
    }
    fn both(&self, x: Value, y: Value) -> Value {
        self.on_bits(x, y, |e, x, y| e.b.ins().band(x, y))
    }
    fn either(&self, x: Value, y: Value) -> Value {
        self.on_bits(x, y, |e, x, y| e.b.ins().bor(x, y))
    }
    fn not(&self, x: Value) -> Value {
        self.with(|e| match self.float.is_vector() {
            true => {
                let x = hidden(&mut e.b, x);
                e.b.ins().bnot(x)
            }
            false => e.b.ins().bxor_imm_u(x, 1),
        })
    }
    fn choose(&self, holds: Value, x: Value, y: Value) -> Value {
        self.with(|e| e.choose(holds, x, y))
    }
    fn bits_of(&self, x: Value) -> Value {
        self.with(|e| e.cast(self.bits, x))
    }
    fn float_of(&self, n: Value) -> Value {
        self.with(|e| e.cast(self.float, n))
    }
    fn add_bits(&self, m: Value, n: Value) -> Value {
        self.on_bits(m, n, |e, m, n| e.b.ins().iadd(m, n))
    }
    fn sub_bits(&self, m: Value, n: Value) -> Value {
        self.on_bits(m, n, |e, m, n| e.b.ins().isub(m, n))
    }
    fn and_bits(&self, m: Value, n: Value) -> Value {
        self.on_bits(m, n, |e, m, n| e.b.ins().band(m, n))
    }
    fn xor_bits(&self, m: Value, n: Value) -> Value {
        self.on_bits(m, n, |e, m, n| e.b.ins().bxor(m, n))
    }
    fn is_odd(&self, n: Value) -> Value {
        let one = self.bits(1);
        let last = self.and_bits(n, one);
        self.on_bits(last, one, |e, last, one| e.b.ins().icmp(IntCC::Equal, last, one))
    }
    fn shift_left(&self, n: Value, by: u32) -> Value {
        self.shift(n, by, |e, n, count| e.b.ins().ishl(n, count))
    }
    fn shift_right(&self, n: Value, by: u32) -> Value {
        self.shift(n, by, |e, n, count| e.b.ins().ushr(n, count))
    }
    fn float_of_small(&self, n: Value) -> Value {
        self.with(|e| e.b.ins().fcvt_from_sint(self.float, n))
    }
    fn row(&self, row: Value) -> [Value; 4] {
        let rows = self.emitter.borrow_mut().rows(self.float, row);
        rows.unwrap_or_else(|error| {
            *self.error.borrow_mut() = Some(error);
            [row; 4]
        })
    }
}
