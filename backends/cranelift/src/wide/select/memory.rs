//! Reading and writing of memory, and operands that are in it.

use super::super::Unsupported;
use super::super::code::{Address, Base, Operand, View};
use super::{Selected, Selector, view_of};
use cranelift_codegen::ir::{self, InstructionData, Opcode, Type, Value, types};
use iced_x86::Code;

impl Selector<'_> {
    pub(super) fn memory(&mut self, inst: ir::Inst) -> Selected {
        match self.func.dfg.insts[inst] {
            InstructionData::Load { opcode: Opcode::Load, arg, offset, .. } => {
                let (to, ty) = self.result(inst)?;
                let address = self.address(arg, offset.into())?;
                self.put(load_code(ty)?, [Operand::Def(to, loaded_view(ty)?), Operand::Memory(address)]);
                Ok(())
            }
            InstructionData::Load {
                opcode: opcode @ (Opcode::Uload32 | Opcode::Sload32),
                arg,
                offset,
                ..
            } => {
                let (to, _) = self.result(inst)?;
                let address = Operand::Memory(self.address(arg, offset.into())?);
                match opcode {
                    Opcode::Sload32 => {
                        self.put(Code::Movsxd_r64_rm32, [Operand::Def(to, View::Quad), address])
                    }
                    _ => self.put(Code::Mov_r32_rm32, [Operand::Def(to, View::Double), address]),
                }
                Ok(())
            }
            InstructionData::LoadNoOffset { opcode: Opcode::AtomicLoad, arg, .. } => {
                let (to, ty) = self.result(inst)?;
                let address = self.address(arg, 0)?;
                self.put(load_code(ty)?, [Operand::Def(to, loaded_view(ty)?), Operand::Memory(address)]);
                Ok(())
            }
            InstructionData::Store { opcode: Opcode::Store, args: [value, address], offset, .. } => {
                let ty = self.ty(value);
                let code = match ty {
                    types::I8 => Code::Mov_rm8_r8,
                    types::I16 => Code::Mov_rm16_r16,
                    types::I32 => Code::Mov_rm32_r32,
                    types::I64 => Code::Mov_rm64_r64,
                    types::F32 => Code::VEX_Vmovss_m32_xmm,
                    types::F64 => Code::VEX_Vmovsd_m64_xmm,
                    _ if ty.bytes() == 16 => Code::VEX_Vmovups_xmmm128_xmm,
                    _ if ty.bytes() == 32 => Code::VEX_Vmovups_ymmm256_ymm,
                    _ => return Err(self.unsupported(inst)),
                };
                let value = self.reg(value)?;
                let address = self.address(address, offset.into())?;
                self.put(code, [Operand::Memory(address), Operand::Use(value, view_of(ty)?)]);
                Ok(())
            }
            InstructionData::StackAddr { stack_slot, offset, .. } => {
                let (to, ty) = self.result(inst)?;
                let address = self.frame_address(stack_slot, offset.into())?;
                self.put(Code::Lea_r64_m, [Operand::Def(to, view_of(ty)?), Operand::Memory(address)]);
                Ok(())
            }
            _ => Err(self.unsupported(inst)),
        }
    }

    fn frame_address(&self, slot: ir::StackSlot, offset: i32) -> Selected<Address> {
        let start = self.slots.get(&slot).ok_or_else(|| Unsupported::new("an unknown slot"))?;
        Ok(Address { base: Base::Frame, index: None, offset: start + offset })
    }

    /// An address, with the sums that it is computed by where they are those of the block at hand.
    pub(super) fn address(&mut self, mut value: Value, mut offset: i32) -> Selected<Address> {
        while let Some((_, InstructionData::Binary { opcode: Opcode::Iadd, args: [x, y] })) =
            self.definition(value)
            && let Some(Ok(constant)) = self.integer(y).map(i32::try_from)
            && let Some(sum) = offset.checked_add(constant)
        {
            (value, offset) = (x, sum);
        }
        match self.definition(value) {
            Some((_, InstructionData::StackAddr { stack_slot, offset: start, .. })) => {
                return self.frame_address(stack_slot, i32::from(start).wrapping_add(offset));
            }
            Some((inst, InstructionData::Binary { opcode: Opcode::Iadd, args })) if self.is_here(inst) => {
                return self.sum(args, offset);
            }
            _ => {}
        }
        Ok(Address { base: Base::Reg(self.reg(value)?), index: None, offset })
    }

    /// The sum of two values and a constant as an address.
    pub(super) fn sum(&mut self, [x, y]: [Value; 2], offset: i32) -> Selected<Address> {
        let swap = self.multiple(x).is_some() && self.multiple(y).is_none();
        let (x, y) = if swap { (y, x) } else { (x, y) };
        let (index, scale) = self.multiple(y).unwrap_or((y, 1));
        let base = Base::Reg(self.reg(x)?);
        Ok(Address { base, index: Some((self.reg(index)?, scale)), offset })
    }

    /// What a value is two, four or eight times of.
    fn multiple(&self, value: Value) -> Option<(Value, u32)> {
        match self.definition(value)?.1 {
            InstructionData::Binary { opcode: Opcode::Ishl, args: [x, count] } => {
                let count = self.integer(count).filter(|count| (1..=3).contains(count))?;
                Some((x, 1 << count))
            }
            _ => None,
        }
    }

    /// An operand that may be in memory: a constant of the pool, or what only the instruction at hand reads.
    pub(super) fn operand(&mut self, value: Value) -> Selected<Operand> {
        if let Some(bytes) = self.constant(value)
            && bytes.iter().any(|byte| *byte != 0)
        {
            return Ok(Operand::Pool(self.pool(bytes)));
        }
        if let Some(address) = self.loaded(value)? {
            return Ok(Operand::Memory(address));
        }
        Ok(Operand::UseOrMemory(self.reg(value)?, view_of(self.ty(value))?))
    }

    /// Whether an operand would be in memory.
    pub(super) fn is_in_memory(&self, value: Value) -> bool {
        let constant = || self.constant(value).is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0));
        self.load_of(value).is_some() || constant()
    }

    /// The address and offset of a value that is loaded for the instruction at hand alone, if nothing is written in between.
    fn load_of(&self, value: Value) -> Option<(Value, i32)> {
        match self.definition(value)? {
            (inst, InstructionData::Load { opcode: Opcode::Load, arg, offset, .. }) => {
                let near = self.is_used_once(value) && self.places.get(&inst).copied() == self.here;
                near.then(|| (arg, offset.into()))
            }
            _ => None,
        }
    }

    pub(super) fn loaded(&mut self, value: Value) -> Selected<Option<Address>> {
        match self.load_of(value) {
            Some((arg, offset)) => Ok(Some(self.address(arg, offset)?)),
            None => Ok(None),
        }
    }
}

/// The instruction that loads a value of this type.
pub(super) fn load_code(ty: Type) -> Selected<Code> {
    Ok(match ty {
        // as wide as a register, so that nothing waits for what was there before
        types::I8 => Code::Movzx_r32_rm8,
        types::I16 => Code::Movzx_r32_rm16,
        types::I32 => Code::Mov_r32_rm32,
        types::I64 => Code::Mov_r64_rm64,
        types::F32 => Code::VEX_Vmovss_xmm_m32,
        types::F64 => Code::VEX_Vmovsd_xmm_m64,
        _ if ty.bytes() == 16 => Code::VEX_Vmovups_xmm_xmmm128,
        _ if ty.bytes() == 32 => Code::VEX_Vmovups_ymm_ymmm256,
        _ => return Err(Unsupported::new(format!("loads of {ty}"))),
    })
}

/// How much of a register a load fills.
fn loaded_view(ty: Type) -> Selected<View> {
    Ok(match view_of(ty)? {
        View::Byte | View::Word => View::Double,
        view => view,
    })
}
