//! Vectors of one type from vectors of another.
//!
//! Machines without AVX-512 convert between floats and integers of 64 bits by arithmetic alone: an integer below 2^51 that is added to `1.5 * 2^52` stands in the low bits of
//! the sum, so longer ones are taken as two halves, which are exact, and whose sum is rounded once. Between `f32` and 64 bits lanes convert one after the other.

use super::super::{Emit, Emitter};
use super::lane::{Lane, Lanes, mask_type, vector_type};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use fun_base::prim::{BinOp, PrimType};

/// The first half of each of two vectors.
const FIRST_HALVES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/// The second half of a vector, twice.
const SECOND_HALF: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/// `1.5 * 2^52`, `2^52` and `2^84`: what is added to them stands in their low bits, as it is or times 2^32.
const MIDDLE: f64 = 6_755_399_441_055_744.0;
const ABOVE_WORDS: f64 = 4_503_599_627_370_496.0;
const ABOVE_UPPER_WORDS: f64 = 19_342_813_113_834_066_795_298_816.0;
const TWO_TO_31: f64 = 2_147_483_648.0;
const TWO_TO_32: f64 = 4_294_967_296.0;
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

impl Emitter<'_, '_> {
    /// Masks of another width.
    pub(super) fn resized(
        &mut self,
        lanes: &Lanes,
        mut parts: Vec<Value>,
        mut from: i64,
        to: i64,
    ) -> Emit<Vec<Value>> {
        while from < to {
            from *= 2;
            parts = self.widened(&parts, true);
        }
        while from > to {
            from /= 2;
            let ty = mask_type(from, lanes.size)?;
            let narrow = |pair: &[Value]| match from {
                4 => self.low_halves(ty, pair[0], pair[1]),
                _ => self.b.ins().snarrow(pair[0], pair[1]),
            };
            parts = parts.chunks_exact(2).map(narrow).collect();
        }
        Ok(parts)
    }

    /// Integers of twice the width.
    fn widened(&mut self, parts: &[Value], signed: bool) -> Vec<Value> {
        let mut wide = Vec::with_capacity(2 * parts.len());
        for part in parts {
            if signed {
                wide.push(self.b.ins().swiden_low(*part));
                wide.push(self.b.ins().swiden_high(*part));
            } else {
                wide.push(self.b.ins().uwiden_low(*part));
                wide.push(self.b.ins().uwiden_high(*part));
            }
        }
        wide
    }

    /// Integers of half the width: the low bits.
    fn narrowed(&mut self, lanes: &Lanes, parts: &[Value], to: PrimType) -> Emit<Vec<Value>> {
        let ty = vector_type(to, lanes.size)?;
        let wide = self.b.func.dfg.value_type(parts[0]);
        let narrow = |pair: &[Value]| {
            if to.bits() == 32 {
                return self.low_halves(ty, pair[0], pair[1]);
            }
            let low = self.splat_bits(wide, (1 << to.bits()) - 1);
            let (x, y) = (self.b.ins().band(pair[0], low), self.b.ins().band(pair[1], low));
            self.b.ins().unarrow(x, y)
        };
        Ok(parts.chunks_exact(2).map(narrow).collect())
    }

    pub(super) fn resized_integers(
        &mut self,
        lanes: &Lanes,
        mut parts: Vec<Value>,
        from: PrimType,
        to: PrimType,
    ) -> Emit<Vec<Value>> {
        let mut bits = from.bits();
        while bits < to.bits() {
            parts = self.widened(&parts, from.is_signed());
            bits *= 2;
        }
        while bits > to.bits() {
            bits /= 2;
            let step = [PrimType::U8, PrimType::U16, PrimType::U32].into_iter().find(|ty| ty.bits() == bits);
            parts = self.narrowed(lanes, &parts, step.unwrap_or(to))?;
        }
        Ok(parts)
    }

    pub(super) fn lane_convert(
        &mut self,
        lanes: &Lanes,
        to: PrimType,
        from: PrimType,
        x: Lane,
    ) -> Emit<Lane> {
        if to == from {
            return Ok(x);
        }
        if (to, from) == (PrimType::I64, PrimType::I32) {
            return Ok(Lane::Extended(self.vectors(lanes, from, x)?));
        }
        if from == PrimType::Bool {
            let masks = self.mask(lanes, x, i64::from(to.bytes()))?;
            let ty = vector_type(to, lanes.size)?;
            let one = self.splat_bits(ty, to.of_i64(1).bits());
            let zero = self.splat_bits(ty, 0);
            return Ok(Lane::Vector(masks.into_iter().map(|mask| self.choose(mask, one, zero)).collect()));
        }
        let (from, parts) = match x {
            Lane::Extended(words) if to.is_float() => (PrimType::I32, words),
            x => (from, self.vectors(lanes, from, x)?),
        };
        if to == PrimType::Bool {
            let zero = Lane::Const(from.zero());
            return self.lane_binary(lanes, BinOp::Ne, from, Lane::Vector(parts), zero);
        }
        let parts = match (from.is_int(), to.is_int()) {
            (true, true) => self.resized_integers(lanes, parts, from, to)?,
            (true, false) => self.floats_of_integers(lanes, parts, to, from)?,
            (false, true) => self.integers_of_floats(lanes, parts, to, from)?,
            (false, false) if to == PrimType::F64 => {
                parts.into_iter().flat_map(|part| self.promoted(part)).collect()
            }
            (false, false) => parts.chunks_exact(2).map(|pair| self.demoted(pair[0], pair[1])).collect(),
        };
        Ok(Lane::Vector(parts))
    }

    /// Integers as the nearest floats, to even of two.
    fn floats_of_integers(
        &mut self,
        lanes: &Lanes,
        parts: Vec<Value>,
        to: PrimType,
        from: PrimType,
    ) -> Emit<Vec<Value>> {
        if to == PrimType::F32 && from.bits() <= 32 {
            let float = vector_type(to, lanes.size)?;
            if from == PrimType::U32 {
                return Ok(parts.into_iter().map(|part| self.floats_of_words(float, part)).collect());
            }
            let parts = self.resized_integers(lanes, parts, from, PrimType::I32)?;
            return Ok(parts.into_iter().map(|part| self.b.ins().fcvt_from_sint(float, part)).collect());
        }
        let double = vector_type(PrimType::F64, lanes.size)?;
        if from.bits() <= 32 {
            let middle = MIDDLE.to_bits();
            let parts = self.resized_integers(lanes, parts, from, PrimType::I64)?;
            let float = |part| {
                let bits = self.splat_bits(double.as_int(), middle);
                let moved = self.b.ins().iadd(part, bits);
                let (moved, middle) = (self.cast(double, moved), self.splat_bits(double, middle));
                self.b.ins().fsub(moved, middle)
            };
            return Ok(parts.into_iter().map(float).collect());
        }
        if to == PrimType::F32 {
            // rounding twice is not rounding once, and the machine does that for one number
            return self.each_lane(lanes, parts, to, from);
        }
        let signed = from.is_signed();
        Ok(parts.into_iter().map(|part| self.doubles_of_longs(double, part, signed)).collect())
    }

    /// Unsigned integers of 32 bits as the nearest floats of 32: both halves are exact, and their sum is rounded once.
    fn floats_of_words(&mut self, float: Type, x: Value) -> Value {
        let low_bits = self.splat_bits(float.as_int(), 0xffff);
        let (high, low) = (self.b.ins().ushr_imm_u(x, 16), self.b.ins().band(x, low_bits));
        let (high, low) = (self.b.ins().fcvt_from_sint(float, high), self.b.ins().fcvt_from_sint(float, low));
        let factor = self.float_of_type(float, 65536.0);
        let high = self.b.ins().fmul(high, factor);
        self.b.ins().fadd(high, low)
    }

    /// Integers of 64 bits as the nearest doubles.
    fn doubles_of_longs(&mut self, double: Type, x: Value, signed: bool) -> Value {
        let longs = double.as_int();
        let words = self.splat_bits(longs, u64::from(u32::MAX));
        let above = self.splat_bits(longs, ABOVE_WORDS.to_bits());
        let low = self.b.ins().band(x, words);
        let low = self.b.ins().bor(low, above);
        let low = self.cast(double, low);
        // the sign bit turns: 2^63 more than the number has
        let (sign, more) = if signed { (1 << 31, TWO_TO_63) } else { (0, 0.0) };
        let above = self.splat_bits(longs, ABOVE_UPPER_WORDS.to_bits() ^ sign);
        let high = self.b.ins().ushr_imm_u(x, 32);
        let high = self.b.ins().bxor(high, above);
        let high = self.cast(double, high);
        let rest = self.float_of_type(double, ABOVE_UPPER_WORDS + more + ABOVE_WORDS);
        let high = self.b.ins().fsub(high, rest);
        self.b.ins().fadd(high, low)
    }

    /// Floats as the nearest integers towards zero, as [`Emitter::float_to_int`] has them.
    fn integers_of_floats(
        &mut self,
        lanes: &Lanes,
        parts: Vec<Value>,
        to: PrimType,
        from: PrimType,
    ) -> Emit<Vec<Value>> {
        if from == PrimType::F32 && to.bits() == 64 {
            // half as many lanes and twice the work take longer than one number after the other
            return self.each_lane(lanes, parts, to, from);
        }
        let wide = if from == PrimType::F32 { PrimType::I32 } else { PrimType::I64 };
        let integers = parts.into_iter().map(|part| self.integers_in_place(to, part)).collect();
        // of those that are longer the low bits are what is asked for
        if wide.bits() == to.bits() { Ok(integers) } else { self.resized_integers(lanes, integers, wide, to) }
    }

    /// The same in lanes as wide as the floats, of which the low bits are the integers: these are no longer.
    pub(in crate::emit) fn integers_in_place(&mut self, to: PrimType, x: Value) -> Value {
        let ty = self.b.func.dfg.value_type(x);
        let size = self.b.ins().fabs(x);
        let infinity = self.float_of_type(ty, f64::INFINITY);
        let finite = self.b.ins().fcmp(FloatCC::LessThan, size, infinity);
        let bits = self.cast(ty.as_int(), x);
        let bits = self.b.ins().band(bits, finite);
        let x = self.cast(ty, bits);
        let single = ty.lane_type() == types::F32;
        // (unsigned integers have the bits of the signed ones where those are negative)
        let lowest = -(2f64.powi(to.bits() as i32 - 1));
        let most = if to.is_signed() { -lowest - 1.0 } else { -2.0 * lowest - 1.0 };
        match (single, to) {
            (true, PrimType::I32) => self.words_of_singles(x),
            (true, PrimType::U32) => {
                let half = self.float_of_type(ty, TWO_TO_31);
                let upper = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, half);
                let (half, sign) = (self.cast(ty.as_int(), half), self.splat_bits(ty.as_int(), 1 << 31));
                let (less, sign) = (self.b.ins().band(half, upper), self.b.ins().band(sign, upper));
                let less = self.cast(ty, less);
                let x = self.b.ins().fsub(x, less);
                let words = self.words_of_singles(x);
                self.b.ins().bxor(words, sign)
            }
            (true, _) => {
                let x = self.clamped_float(x, lowest, most);
                self.b.ins().x86_cvtt2dq(ty.as_int(), x)
            }
            (false, _) if to.bits() == 64 => self.longs_of_doubles(to, x),
            (false, _) => {
                let x = self.clamped_float(x, lowest, most);
                let whole = self.b.ins().trunc(x);
                let middle = self.float_of_type(ty, MIDDLE);
                let moved = self.b.ins().fadd(whole, middle);
                self.cast(ty.as_int(), moved)
            }
        }
    }

    /// Signed integers of 32 bits: the machine gives the lowest where there is none.
    fn words_of_singles(&mut self, x: Value) -> Value {
        let ty = self.b.func.dfg.value_type(x);
        let most = self.float_of_type(ty, TWO_TO_31);
        let above = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, most);
        let words = self.b.ins().x86_cvtt2dq(ty.as_int(), x);
        self.b.ins().bxor(words, above)
    }

    /// Integers of 64 bits, as two halves.
    fn longs_of_doubles(&mut self, to: PrimType, x: Value) -> Value {
        let double = self.b.func.dfg.value_type(x);
        let longs = double.as_int();
        let most = if to.is_signed() { TWO_TO_63 } else { 2.0 * TWO_TO_63 };
        let x = self.clamped_float(x, -TWO_TO_63, most);
        let mut constant = |number: f64| self.float_of_type(double, number);
        let (up, down) = (constant(TWO_TO_32), constant(1.0 / TWO_TO_32));
        let (middle, above, most) = (constant(MIDDLE), constant(ABOVE_WORDS), constant(most));
        let whole = self.b.ins().trunc(x);
        let scaled = self.b.ins().fmul(whole, down);
        let high = self.b.ins().floor(scaled);
        let taken = self.b.ins().fmul(high, up);
        let low = self.b.ins().fsub(whole, taken);
        let (high, low) = (self.b.ins().fadd(high, middle), self.b.ins().fadd(low, above));
        let (high, low) = (self.cast(longs, high), self.cast(longs, low));
        let words = self.splat_bits(longs, u64::from(u32::MAX));
        let (high, low) = (self.b.ins().ishl_imm_u(high, 32), self.b.ins().band(low, words));
        let both = self.b.ins().bor(high, low);
        // one more than the greatest has the bits of the lowest, or of 0
        let too_far = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, most);
        self.b.ins().bxor(both, too_far)
    }

    /// A conversion that vectors do not have, lane by lane.
    fn each_lane(
        &mut self,
        lanes: &Lanes,
        parts: Vec<Value>,
        to: PrimType,
        from: PrimType,
    ) -> Emit<Vec<Value>> {
        let size = lanes.size as u32;
        let (ty, per_part) = (vector_type(to, lanes.size)?, (size / to.bytes()) as usize);
        let mut elements = Vec::new();
        for part in parts {
            for lane in 0..size / from.bytes() {
                let element = self.b.ins().extractlane(part, lane as u8);
                elements.push(self.convert(to, from, element)?);
            }
        }
        let join = |elements: &[Value]| {
            let first = self.b.ins().scalar_to_vector(ty, elements[0]);
            let rest = (1u8..).zip(&elements[1..]);
            rest.fold(first, |vector, (lane, element)| self.b.ins().insertlane(vector, *element, lane))
        };
        Ok(elements.chunks_exact(per_part).map(join).collect())
    }

    /// Floats that are numbers, between two.
    fn clamped_float(&mut self, x: Value, low: f64, high: f64) -> Value {
        let ty = self.b.func.dfg.value_type(x);
        let (low, high) = (self.float_of_type(ty, low), self.float_of_type(ty, high));
        let above = self.b.ins().fcmp(FloatCC::GreaterThan, x, low);
        let x = self.choose(above, x, low);
        let below = self.b.ins().fcmp(FloatCC::LessThan, x, high);
        self.choose(below, x, high)
    }

    /// Four floats as two vectors of twice the width.
    pub(in crate::emit) fn promoted(&mut self, x: Value) -> Vec<Value> {
        let high = self.shuffled(types::F32X4, x, x, SECOND_HALF);
        [x, high].map(|half| self.b.ins().fvpromote_low(half)).to_vec()
    }

    /// The other way.
    pub(in crate::emit) fn demoted(&mut self, x: Value, y: Value) -> Value {
        let (x, y) = (self.b.ins().fvdemote(x), self.b.ins().fvdemote(y));
        self.shuffled(types::F32X4, x, y, FIRST_HALVES)
    }
}
