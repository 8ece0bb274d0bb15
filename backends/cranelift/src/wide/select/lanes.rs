//! Vectors from and to single elements, and vectors of other widths.

use super::super::code::{Class, Inst, Operand, Reg, View};
use super::choice::MASK_DEPTH;
use super::integer::byte;
use super::tables::*;
use super::{Selected, Selector, view_of};
use cranelift_codegen::ir::{self, Opcode, Type, Value, types};
use iced_x86::Code;

/// Words of four bytes with an even number, of two vectors.
const EVEN_WORDS: u8 = 0x88;
/// Quarters of eight bytes: the first, the third, the second, the fourth.
const CROSSED: u8 = 0xd8;

impl Selector<'_> {
    /// One element in all lanes.
    pub(super) fn splat(&mut self, to: Reg, ty: Type, arg: Value) -> Selected {
        let view = view_of(ty)?;
        let wide = view == View::Ymm;
        let lane = ty.lane_type();
        let pick = |xmm: Code, ymm: Code| if wide { ymm } else { xmm };
        let from_memory = match lane {
            types::F32 => pick(Code::VEX_Vbroadcastss_xmm_m32, Code::VEX_Vbroadcastss_ymm_m32),
            types::F64 => pick(Code::VEX_Vmovddup_xmm_xmmm64, Code::VEX_Vbroadcastsd_ymm_m64),
            types::I8 => pick(Code::VEX_Vpbroadcastb_xmm_xmmm8, Code::VEX_Vpbroadcastb_ymm_xmmm8),
            types::I16 => pick(Code::VEX_Vpbroadcastw_xmm_xmmm16, Code::VEX_Vpbroadcastw_ymm_xmmm16),
            types::I32 => pick(Code::VEX_Vpbroadcastd_xmm_xmmm32, Code::VEX_Vpbroadcastd_ymm_xmmm32),
            _ => pick(Code::VEX_Vpbroadcastq_xmm_xmmm64, Code::VEX_Vpbroadcastq_ymm_xmmm64),
        };
        if let Some(address) = self.loaded(arg)? {
            self.put(from_memory, [Operand::Def(to, view), Operand::Memory(address)]);
            return Ok(());
        }
        let from_register = match lane {
            types::F32 => pick(Code::VEX_Vbroadcastss_xmm_xmm, Code::VEX_Vbroadcastss_ymm_xmm),
            types::F64 => pick(Code::VEX_Vmovddup_xmm_xmmm64, Code::VEX_Vbroadcastsd_ymm_xmm),
            _ => from_memory,
        };
        let element = match lane.is_float() {
            true => self.reg(arg)?,
            false => self.in_vector(arg)?,
        };
        self.put(from_register, [Operand::Def(to, view), Operand::Use(element, View::Xmm)]);
        Ok(())
    }

    /// An integer as the first element of a vector, with zeros behind the first four or eight bytes.
    fn in_vector(&mut self, arg: Value) -> Selected<Reg> {
        let from = self.reg(arg)?;
        let to = self.fresh(Class::Vector);
        let (code, view) = match self.ty(arg) {
            types::I64 => (Code::VEX_Vmovq_xmm_rm64, View::Quad),
            _ => (Code::VEX_Vmovd_xmm_rm32, View::Double),
        };
        self.put(code, [Operand::Def(to, View::Xmm), Operand::Use(from, view)]);
        Ok(to)
    }

    /// One element, and zeros.
    pub(super) fn lone(&mut self, inst: ir::Inst, to: Reg, ty: Type, arg: Value) -> Selected {
        let def = Operand::Def(to, View::Xmm);
        match ty.lane_type() {
            types::I128 => {
                let x = self.reg(arg)?;
                self.copy(to, x, View::Ymm);
            }
            types::F64 if let Some(address) = self.loaded(arg)? => {
                self.put(Code::VEX_Vmovsd_xmm_m64, [def, Operand::Memory(address)]);
            }
            types::F32 => {
                if let Some(address) = self.loaded(arg)? {
                    self.put(Code::VEX_Vmovss_xmm_m32, [def, Operand::Memory(address)]);
                    return Ok(());
                }
                let x = Operand::Use(self.reg(arg)?, View::Xmm);
                self.put(Code::VEX_Vinsertps_xmm_xmm_xmmm32_imm8, [def, x, x, byte(0b1110)]);
            }
            types::F64 => {
                let x = Operand::Use(self.reg(arg)?, View::Xmm);
                self.put(Code::VEX_Vmovq_xmm_xmmm64, [def, x]);
            }
            types::I32 | types::I64 => {
                let element = self.in_vector(arg)?;
                self.copy(to, element, View::Ymm);
            }
            _ => return Err(self.unsupported(inst)),
        }
        Ok(())
    }

    /// The upper half of a vector of 32 bytes.
    fn upper(&mut self, x: Reg) -> Reg {
        let to = self.fresh(Class::Vector);
        self.put(
            Code::VEX_Vextracti128_xmmm128_ymm_imm8,
            [Operand::Def(to, View::Xmm), Operand::Use(x, View::Ymm), byte(1)],
        );
        to
    }

    pub(super) fn insert(&mut self, inst: ir::Inst, vector: Value, element: Value, lane: u8) -> Selected {
        let (to, ty) = self.result(inst)?;
        let old = self.reg(vector)?;
        if ty == types::I128X2 {
            let half = self.reg(element)?;
            self.put_half(to, old, half, lane);
            return Ok(());
        }
        let per_half = (16 / ty.lane_type().bytes()) as u8;
        if view_of(ty)? == View::Xmm {
            return self.insert_in_half(inst, to, ty, (old, element, lane));
        }
        let half = if lane < per_half { old } else { self.upper(old) };
        let changed = self.fresh(Class::Vector);
        self.insert_in_half(inst, changed, ty, (half, element, lane % per_half))?;
        self.put_half(to, old, changed, lane / per_half);
        Ok(())
    }

    fn put_half(&mut self, to: Reg, whole: Reg, half: Reg, place: u8) {
        self.put(
            Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8,
            [
                Operand::Def(to, View::Ymm),
                Operand::Use(whole, View::Ymm),
                Operand::UseOrMemory(half, View::Xmm),
                byte(place),
            ],
        );
    }

    fn insert_in_half(
        &mut self,
        inst: ir::Inst,
        to: Reg,
        ty: Type,
        (old, element, lane): (Reg, Value, u8),
    ) -> Selected {
        let (def, old) = (Operand::Def(to, View::Xmm), Operand::Use(old, View::Xmm));
        let memory = self.loaded(element)?.map(Operand::Memory);
        let operand = match memory {
            Some(memory) => memory,
            None => {
                let view = match ty.lane_type() {
                    types::I64 => View::Quad,
                    types::F32 | types::F64 => View::Xmm,
                    _ => View::Double,
                };
                Operand::Use(self.reg(element)?, view)
            }
        };
        let code = match ty.lane_type() {
            types::I8 => Code::VEX_Vpinsrb_xmm_xmm_r32m8_imm8,
            types::I16 => Code::VEX_Vpinsrw_xmm_xmm_r32m16_imm8,
            types::I32 => Code::VEX_Vpinsrd_xmm_xmm_rm32_imm8,
            types::I64 => Code::VEX_Vpinsrq_xmm_xmm_rm64_imm8,
            types::F32 => Code::VEX_Vinsertps_xmm_xmm_xmmm32_imm8,
            types::F64 => {
                let code = match (lane, memory.is_some()) {
                    (0, false) => Code::VEX_Vmovsd_xmm_xmm_xmm,
                    (0, true) => Code::VEX_Vmovlpd_xmm_xmm_m64,
                    (_, true) => Code::VEX_Vmovhpd_xmm_xmm_m64,
                    _ => Code::VEX_Vunpcklpd_xmm_xmm_xmmm128,
                };
                self.put(code, [def, old, operand]);
                return Ok(());
            }
            _ => return Err(self.unsupported(inst)),
        };
        let place = if ty.lane_type() == types::F32 { lane << 4 } else { lane };
        self.put(code, [def, old, operand, byte(place)]);
        Ok(())
    }

    pub(super) fn extract(&mut self, inst: ir::Inst, arg: Value, lane: u8) -> Selected {
        let (to, _) = self.result(inst)?;
        let ty = self.ty(arg);
        let mut x = self.reg(arg)?;
        if ty == types::I128X2 {
            let half = if lane == 0 { x } else { self.upper(x) };
            self.copy(to, half, View::Xmm);
            return Ok(());
        }
        let per_half = (16 / ty.lane_type().bytes()) as u8;
        if lane >= per_half {
            x = self.upper(x);
        }
        let (x, lane) = (Operand::Use(x, View::Xmm), lane % per_half);
        let double = Operand::Def(to, View::Double);
        match ty.lane_type() {
            types::I8 => self.put(Code::VEX_Vpextrb_r32m8_xmm_imm8, [double, x, byte(lane)]),
            types::I16 => self.put(Code::VEX_Vpextrw_r32_xmm_imm8, [double, x, byte(lane)]),
            types::I32 => self.put(Code::VEX_Vpextrd_rm32_xmm_imm8, [double, x, byte(lane)]),
            types::I64 => {
                self.put(Code::VEX_Vpextrq_rm64_xmm_imm8, [Operand::Def(to, View::Quad), x, byte(lane)]);
            }
            types::F32 => {
                self.put(Code::VEX_Vpshufd_xmm_xmmm128_imm8, [Operand::Def(to, View::Xmm), x, byte(lane)]);
            }
            types::F64 if lane == 0 => {
                self.put(Code::VEX_Vmovaps_xmm_xmmm128, [Operand::Def(to, View::Xmm), x]);
            }
            types::F64 => self.put(Code::VEX_Vunpckhpd_xmm_xmm_xmmm128, [Operand::Def(to, View::Xmm), x, x]),
            _ => return Err(self.unsupported(inst)),
        }
        Ok(())
    }

    /// Integers of twice the width, of one half of a vector.
    pub(super) fn widen(&mut self, inst: ir::Inst, opcode: Opcode, arg: Value) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        let signed = matches!(opcode, Opcode::SwidenLow | Opcode::SwidenHigh);
        let codes = match (self.ty(arg).lane_type(), signed) {
            (types::I8, true) => [Code::VEX_Vpmovsxbw_xmm_xmmm64, Code::VEX_Vpmovsxbw_ymm_xmmm128],
            (types::I16, true) => [Code::VEX_Vpmovsxwd_xmm_xmmm64, Code::VEX_Vpmovsxwd_ymm_xmmm128],
            (types::I32, true) => [Code::VEX_Vpmovsxdq_xmm_xmmm64, Code::VEX_Vpmovsxdq_ymm_xmmm128],
            (types::I8, false) => [Code::VEX_Vpmovzxbw_xmm_xmmm64, Code::VEX_Vpmovzxbw_ymm_xmmm128],
            (types::I16, false) => [Code::VEX_Vpmovzxwd_xmm_xmmm64, Code::VEX_Vpmovzxwd_ymm_xmmm128],
            (types::I32, false) => [Code::VEX_Vpmovzxdq_xmm_xmmm64, Code::VEX_Vpmovzxdq_ymm_xmmm128],
            _ => return Err(self.unsupported(inst)),
        };
        let x = self.reg(arg)?;
        let half = match (opcode, view) {
            (Opcode::SwidenLow | Opcode::UwidenLow, _) => x,
            (_, View::Ymm) => self.upper(x),
            _ => {
                let half = self.fresh(Class::Vector);
                self.put(
                    Code::VEX_Vpsrldq_xmm_xmm_imm8,
                    [Operand::Def(half, View::Xmm), Operand::Use(x, View::Xmm), byte(8)],
                );
                half
            }
        };
        self.put(codes[wide], [Operand::Def(to, view), Operand::Use(half, View::Xmm)]);
        Ok(())
    }

    /// Integers of half the width, of two vectors.
    pub(super) fn narrow(&mut self, inst: ir::Inst, opcode: Opcode, x: Value, y: Value) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        let codes = match (ty.lane_type(), opcode) {
            (types::I8, Opcode::Snarrow) => {
                [Code::VEX_Vpacksswb_xmm_xmm_xmmm128, Code::VEX_Vpacksswb_ymm_ymm_ymmm256]
            }
            (types::I16, Opcode::Snarrow) => {
                [Code::VEX_Vpackssdw_xmm_xmm_xmmm128, Code::VEX_Vpackssdw_ymm_ymm_ymmm256]
            }
            (types::I8, _) => [Code::VEX_Vpackuswb_xmm_xmm_xmmm128, Code::VEX_Vpackuswb_ymm_ymm_ymmm256],
            (types::I16, _) => [Code::VEX_Vpackusdw_xmm_xmm_xmmm128, Code::VEX_Vpackusdw_ymm_ymm_ymmm256],
            (types::I32, Opcode::Snarrow) if self.is_mask(x, MASK_DEPTH) && self.is_mask(y, MASK_DEPTH) => {
                [Code::VEX_Vshufps_xmm_xmm_xmmm128_imm8, Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8]
            }
            _ => return Err(self.unsupported(inst)),
        };
        let (x, y) = (Operand::Use(self.reg(x)?, view), Operand::Use(self.reg(y)?, view));
        // the machine does so in each half by itself
        let joined = if wide == 1 { self.fresh(Class::Vector) } else { to };
        match ty.lane_type() {
            types::I32 => self.put(codes[wide], [Operand::Def(joined, view), x, y, byte(EVEN_WORDS)]),
            _ => self.put(codes[wide], [Operand::Def(joined, view), x, y]),
        }
        if wide == 1 {
            self.put(
                Code::VEX_Vpermq_ymm_ymmm256_imm8,
                [Operand::Def(to, view), Operand::Use(joined, view), byte(CROSSED)],
            );
        }
        Ok(())
    }

    /// Bytes of two vectors of 16 bytes in any order.
    pub(super) fn shuffle(&mut self, inst: ir::Inst, [x, y]: [Value; 2], order: ir::Immediate) -> Selected {
        let (to, _) = self.result(inst)?;
        let order = self.func.dfg.immediates.get(order).map(|data| data.as_slice().to_vec());
        let Some(order) = order.filter(|order| order.len() == 16) else { return Err(self.unsupported(inst)) };
        let (x, y) = (self.reg(x)?, self.reg(y)?);
        let words = |expected: [u8; 4]| {
            order.iter().enumerate().all(|(at, byte)| *byte == 4 * expected[at / 4] + (at % 4) as u8)
        };
        let (def, left, right) =
            (Operand::Def(to, View::Xmm), Operand::Use(x, View::Xmm), Operand::Use(y, View::Xmm));
        if words([0, 2, 4, 6]) {
            self.put(Code::VEX_Vshufps_xmm_xmm_xmmm128_imm8, [def, left, right, byte(EVEN_WORDS)]);
            return Ok(());
        }
        if words([0, 1, 4, 5]) {
            self.put(Code::VEX_Vpunpcklqdq_xmm_xmm_xmmm128, [def, left, right]);
            return Ok(());
        }
        let of = |from: u8| -> Vec<u8> {
            let chosen = |byte: &u8| if byte & 0x10 == from { byte & 15 } else { 0x80 };
            order.iter().map(chosen).collect()
        };
        let mut parts = Vec::new();
        for (source, from) in [(x, 0), (y, 16)] {
            let pattern = of(from);
            if pattern.iter().any(|byte| *byte != 0x80) {
                let part = self.fresh(Class::Vector);
                let pattern = Operand::Pool(self.pool(pattern));
                let operands = [Operand::Def(part, View::Xmm), Operand::Use(source, View::Xmm), pattern];
                self.put(Code::VEX_Vpshufb_xmm_xmm_xmmm128, operands);
                parts.push(part);
            }
        }
        match parts[..] {
            [one] => self.copy(to, one, View::Ymm),
            [one, other] => {
                self.put(OR[0], [def, Operand::Use(one, View::Xmm), Operand::Use(other, View::Xmm)]);
            }
            _ => return Err(self.unsupported(inst)),
        }
        Ok(())
    }

    /// The same bits as another type.
    pub(super) fn cast(&mut self, inst: ir::Inst, arg: Value) -> Selected {
        let (to, ty) = self.result(inst)?;
        let from = self.reg(arg)?;
        let (code, operands) = match (view_of(self.ty(arg))?, view_of(ty)?) {
            (View::Double, View::Xmm) => {
                (Code::VEX_Vmovd_xmm_rm32, [Operand::Def(to, View::Xmm), Operand::Use(from, View::Double)])
            }
            (View::Quad, View::Xmm) => {
                (Code::VEX_Vmovq_xmm_rm64, [Operand::Def(to, View::Xmm), Operand::Use(from, View::Quad)])
            }
            (View::Xmm, View::Double) => {
                (Code::VEX_Vmovd_rm32_xmm, [Operand::Def(to, View::Double), Operand::Use(from, View::Xmm)])
            }
            (View::Xmm, View::Quad) => {
                (Code::VEX_Vmovq_rm64_xmm, [Operand::Def(to, View::Quad), Operand::Use(from, View::Xmm)])
            }
            (old, new) if old.class() == new.class() => {
                self.copy(to, from, View::Ymm);
                return Ok(());
            }
            _ => return Err(self.unsupported(inst)),
        };
        self.put(code, operands);
        Ok(())
    }

    /// Floats from integers.
    pub(super) fn float_of(&mut self, inst: ir::Inst, arg: Value, signed: bool) -> Selected {
        let (to, ty) = self.result(inst)?;
        let from = self.ty(arg);
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        match (ty.lane_type(), from.lane_type(), signed) {
            (types::F32, types::I32, true) if ty.is_vector() => {
                let codes = [Code::VEX_Vcvtdq2ps_xmm_xmmm128, Code::VEX_Vcvtdq2ps_ymm_ymmm256];
                let x = self.operand(arg)?;
                self.put(codes[wide], [Operand::Def(to, view), x]);
                Ok(())
            }
            (types::F64, types::I64, true) if ty.is_vector() => self.doubles_of(to, view, arg),
            _ if ty.is_vector() || from == types::I64 && !signed => Err(self.unsupported(inst)),
            (lane, _, _) => {
                let mut x = self.reg(arg)?;
                if from != types::I64 && (from != types::I32 || !signed) {
                    let extended = self.fresh(Class::General);
                    self.extend(extended, types::I64, arg, signed)?;
                    x = extended;
                }
                let quad = from != types::I32 || !signed;
                let code = match (lane == types::F32, quad) {
                    (true, true) => Code::VEX_Vcvtsi2ss_xmm_xmm_rm64,
                    (true, false) => Code::VEX_Vcvtsi2ss_xmm_xmm_rm32,
                    (false, true) => Code::VEX_Vcvtsi2sd_xmm_xmm_rm64,
                    (false, false) => Code::VEX_Vcvtsi2sd_xmm_xmm_rm32,
                };
                let zero = self.fresh(Class::Vector);
                self.now.push(Inst::Zero { to: zero });
                let number = Operand::Use(x, if quad { View::Quad } else { View::Double });
                self.put(code, [Operand::Def(to, View::Xmm), Operand::Use(zero, View::Xmm), number]);
                Ok(())
            }
        }
    }

    /// Doubles from signed integers of 64 bits: both halves become parts of floats that are exact, whose sum is rounded once.
    fn doubles_of(&mut self, to: Reg, view: View, arg: Value) -> Selected {
        let wide = usize::from(view == View::Ymm);
        let x = self.reg(arg)?;
        // 2^52 + the lower half
        let low = self.fresh(Class::Vector);
        let pattern = self.pattern(view, &0x4330_0000_0000_0000u64.to_le_bytes());
        let blend = [Code::VEX_Vpblendd_xmm_xmm_xmmm128_imm8, Code::VEX_Vpblendd_ymm_ymm_ymmm256_imm8][wide];
        self.put(blend, [Operand::Def(low, view), Operand::Use(x, view), pattern, byte(0xaa)]);
        // 2^84 + 2^63 + the upper half times 2^32
        let shifted = self.fresh(Class::Vector);
        self.put(SHIFT_RIGHT[2][wide], [Operand::Def(shifted, view), Operand::Use(x, view), byte(32)]);
        let high = self.fresh(Class::Vector);
        let pattern = self.pattern(view, &0x4530_0000_8000_0000u64.to_le_bytes());
        self.put(XOR[wide], [Operand::Def(high, view), Operand::Use(shifted, view), pattern]);
        // without 2^84 + 2^63 + 2^52
        let rest = self.fresh(Class::Vector);
        let pattern = self.pattern(view, &0x4530_0000_8010_0000u64.to_le_bytes());
        self.put(SUB[3 + 2 * wide], [Operand::Def(rest, view), Operand::Use(high, view), pattern]);
        self.put(
            ADD[3 + 2 * wide],
            [Operand::Def(to, view), Operand::Use(rest, view), Operand::Use(low, view)],
        );
        Ok(())
    }
}
