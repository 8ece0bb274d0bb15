//! Vectors in memory, and their elements.

use super::super::view::Number;
use super::super::{Emit, Emitter, array_access};
use super::NARROW;
use super::lane::{Lane, Lanes, mask_type, vector_access, vector_type};
use super::linear::Access;
use crate::unit::machine_type;
use crate::wide::hidden_pair;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{ConstantData, Endianness, InstBuilder, MemFlagsData, Type, Value, types};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::Exp;

/// The even elements of two vectors of 8-byte elements, each taken as two of 4.
const LOW_HALVES: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

/// The even elements of one vector of 4-byte elements, and the odd ones of another.
const EVEN_AND_ODD: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 20, 21, 22, 23, 28, 29, 30, 31];
/// The first of two elements of a vector, and the second of another.
const FIRST_AND_SECOND: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31];

/// Which bytes of two vectors make one, where an access goes to every second element.
fn every_second(access: &Access) -> Option<[u8; 16]> {
    match (access.step, access.elem.bytes()) {
        (Number::Const(8), 4) => Some(EVEN_AND_ODD),
        (Number::Const(16), 8) => Some(FIRST_AND_SECOND),
        _ => None,
    }
}

impl Emitter<'_, '_> {
    pub(super) fn lane_read(&mut self, lanes: &Lanes, view: Var, indices: &[Exp]) -> Emit<Lane> {
        let place = self.view(view)?;
        if let Some(addresses) = self.gathered(lanes, &place, indices)? {
            let addresses: Vec<(Value, i32)> = addresses.into_iter().map(|address| (address, 0)).collect();
            let values = self.collected(lanes, place.elem, &addresses)?;
            return self.read_lane(lanes, place.elem, values);
        }
        let access = self.lane_access(lanes, &place, indices)?;
        if let Some(kept) = lanes.kept.get(&(view, self.cell(lanes, &access))) {
            let values = vec![self.b.use_var(*kept)];
            return self.read_lane(lanes, access.elem, values);
        }
        let machine = machine_type(access.elem);
        let moves = lanes.advancing.contains(&view);
        let flags = |flags: MemFlagsData| if moves { flags.with_readonly().with_can_move() } else { flags };
        if let Number::Const(0) = access.step {
            let (address, offset) = self.offset(access.base, access.constant);
            return Ok(Lane::Uniform(self.b.ins().load(machine, flags(array_access()), address, offset)));
        }
        let vector = vector_type(access.elem, lanes.size)?;
        let (address, constant) = self.first_address(lanes, &access);
        let parts = lanes.count * i64::from(access.elem.bytes()) / lanes.size;
        let mut values = Vec::new();
        if self.is_contiguous(&access) {
            for k in 0..parts {
                let (address, offset) = self.offset(address, constant + lanes.size * k);
                values.push(self.b.ins().load(vector, flags(vector_access()), address, offset));
            }
        } else if let Some(order) = every_second(&access).filter(|_| lanes.size == NARROW) {
            for k in 0..parts {
                values.push(self.every_second(vector, address, constant + 2 * lanes.size * k, order));
            }
        } else {
            let mut addresses = Vec::new();
            for lane in 0..lanes.count {
                addresses.push(self.lane_address(address, constant, access.step, lane));
            }
            values = self.collected(lanes, access.elem, &addresses)?;
        }
        self.read_lane(lanes, access.elem, values)
    }

    /// Every second element from an address on. The second vector ends with the last of them: beyond it there may be no cell.
    fn every_second(&mut self, vector: Type, address: Value, constant: i64, order: [u8; 16]) -> Value {
        let lane = i64::from(vector.lane_type().bytes());
        let [first, second] = [constant, constant + NARROW - lane].map(|constant| {
            let (address, offset) = self.offset(address, constant);
            self.b.ins().load(vector, vector_access(), address, offset)
        });
        self.shuffled(vector, first, second, order)
    }

    /// Vectors of what lies at these addresses.
    fn collected(&mut self, lanes: &Lanes, elem: PrimType, addresses: &[(Value, i32)]) -> Emit<Vec<Value>> {
        let (machine, vector) = (machine_type(elem), vector_type(elem, lanes.size)?);
        let per_part = (lanes.size / i64::from(elem.bytes())) as usize;
        let mut values = Vec::new();
        for part in addresses.chunks_exact(per_part) {
            let mut value = None;
            for (lane, (address, offset)) in (0u8..).zip(part) {
                let element = self.b.ins().load(machine, array_access(), *address, *offset);
                value = Some(match value {
                    None => self.lone(vector, element),
                    Some(value) => self.b.ins().insertlane(value, element, lane),
                });
            }
            values.extend(value);
        }
        Ok(values)
    }

    /// What cells with these contents are in lanes.
    fn read_lane(&mut self, lanes: &Lanes, elem: PrimType, values: Vec<Value>) -> Emit<Lane> {
        if elem == PrimType::Bool {
            let zero = self.splat_bits(mask_type(1, lanes.size)?, 0);
            let masks = values.into_iter().map(|value| {
                let (value, zero) = hidden_pair(&mut self.b, value, zero);
                self.b.ins().icmp(IntCC::NotEqual, value, zero)
            });
            return Ok(Lane::Mask(masks.collect(), 1));
        }
        Ok(Lane::Vector(values))
    }

    pub(super) fn lane_write(
        &mut self,
        lanes: &Lanes,
        view: Var,
        indices: &[Exp],
        value: Lane,
        accumulate: bool,
    ) -> Emit {
        let place = self.view(view)?;
        let value = match accumulate {
            true => {
                let old = self.lane_read(lanes, view, indices)?;
                self.lane_binary(lanes, BinOp::Add, place.elem, old, value)?
            }
            false => value,
        };
        let values = match place.elem {
            PrimType::Bool => {
                let masks = self.mask(lanes, value, 1)?;
                let one = self.splat_bits(mask_type(1, lanes.size)?, u64::MAX / 255);
                let bits = masks.into_iter().map(|mask| {
                    let (mask, one) = hidden_pair(&mut self.b, mask, one);
                    self.b.ins().band(mask, one)
                });
                bits.collect()
            }
            _ => self.vectors(lanes, place.elem, value)?,
        };
        let access = self.lane_access(lanes, &place, indices)?;
        if let Some(kept) = lanes.kept.get(&(view, self.cell(lanes, &access))) {
            self.b.def_var(*kept, values[0]);
            return Ok(());
        }
        let (address, constant) = self.first_address(lanes, &access);
        let per_part = lanes.size / i64::from(access.elem.bytes());
        for (k, value) in (0..).zip(values) {
            if self.is_contiguous(&access) {
                let (address, offset) = self.offset(address, constant + lanes.size * k);
                self.b.ins().store(vector_access(), value, address, offset);
                continue;
            }
            for lane in 0..per_part {
                let element = self.b.ins().extractlane(value, lane as u8);
                let (address, offset) =
                    self.lane_address(address, constant, access.step, k * per_part + lane);
                self.b.ins().store(array_access(), element, address, offset);
            }
        }
        Ok(())
    }

    fn is_contiguous(&self, access: &Access) -> bool {
        matches!(access.step, Number::Const(step) if step == i64::from(access.elem.bytes()))
    }

    /// Where among the cells that are kept in variables the first lane is, in bytes.
    pub(super) fn cell(&self, lanes: &Lanes, access: &Access) -> i64 {
        let step = if let Number::Const(step) = access.step { step } else { 0 };
        access.constant.wrapping_add(step.wrapping_mul(lanes.first))
    }

    /// The address of the first lane, and a constant to add.
    fn first_address(&mut self, lanes: &Lanes, access: &Access) -> (Value, i64) {
        let mut base = access.base;
        let mut constant = access.constant;
        match self.scale(Number::Const(lanes.first), access.step) {
            Number::Const(n) => constant = constant.wrapping_add(n),
            Number::Value(value) => base = self.b.ins().iadd(base, value),
        }
        if let Some(from) = lanes.from {
            match self.scale(Number::Value(from), access.step) {
                Number::Const(n) => constant = constant.wrapping_add(n),
                Number::Value(value) => base = self.b.ins().iadd(base, value),
            }
        }
        (base, constant)
    }

    /// The address of a lane.
    fn lane_address(&mut self, first: Value, constant: i64, step: Number, lane: i64) -> (Value, i32) {
        match self.scale(step, Number::Const(lane)) {
            Number::Const(n) => self.offset(first, constant.wrapping_add(n)),
            Number::Value(value) => {
                let address = self.b.ins().iadd(first, value);
                self.offset(address, constant)
            }
        }
    }

    fn offset(&mut self, address: Value, constant: i64) -> (Value, i32) {
        match i32::try_from(constant) {
            Ok(offset) => (address, offset),
            Err(_) => (self.b.ins().iadd_imm_s(address, constant), 0),
        }
    }

    /// A vector of equal elements with these bits.
    pub(in crate::emit) fn splat_bits(&mut self, ty: Type, bits: u64) -> Value {
        let width = ty.lane_bits() as usize / 8;
        let bytes = bits.to_le_bytes()[..width].repeat(ty.bytes() as usize / width);
        self.vector_constant(ty, bytes)
    }

    /// A vector of these bytes.
    pub(super) fn vector_constant(&mut self, ty: Type, bytes: Vec<u8>) -> Value {
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(bytes.as_slice()));
        self.b.ins().vconst(ty, constant)
    }

    /// The same bits as another type of vectors.
    pub(in crate::emit) fn cast(&mut self, ty: Type, value: Value) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, flags, value)
    }

    pub(super) fn shuffled(&mut self, ty: Type, x: Value, y: Value, bytes: [u8; 16]) -> Value {
        let (x, y) = (self.cast(types::I8X16, x), self.cast(types::I8X16, y));
        let order = self.b.func.dfg.immediates.push(ConstantData::from(bytes.as_slice()));
        let value = self.b.ins().shuffle(x, y, order);
        self.cast(ty, value)
    }

    /// The low halves of the elements of 8 bytes of two vectors.
    pub(super) fn low_halves(&mut self, ty: Type, x: Value, y: Value) -> Value {
        self.shuffled(ty, x, y, LOW_HALVES)
    }

    /// A vector whose first element is this.
    fn lone(&mut self, ty: Type, element: Value) -> Value {
        if ty.lane_bits() < 32 {
            // bytes and pairs of them are not moved alone
            return self.b.ins().splat(ty, element);
        }
        self.b.ins().scalar_to_vector(ty, element)
    }

    /// The first where the condition, a bool or a mask, holds, else the second.
    pub(in crate::emit) fn choose(&mut self, condition: Value, x: Value, y: Value) -> Value {
        let ty = self.b.func.dfg.value_type(x);
        if !ty.is_vector() {
            return self.b.ins().select(condition, x, y);
        }
        let condition = self.cast(ty, condition);
        self.b.ins().bitselect(condition, x, y)
    }
}
