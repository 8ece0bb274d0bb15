//! The bytes of single instructions, and of what is known only at the end: distances of jumps, and constants behind the code.

use super::super::Unsupported;
use super::super::code::View;
use super::{ALIGNMENT, Label, Placed, Writer, Written};
use crate::wide::Code as Compiled;
use iced_x86::{Code, Instruction, OpKind, Register};

impl Writer<'_> {
    /// The bytes of one instruction.
    pub(super) fn put(&mut self, code: Code, operands: &[Placed]) -> Written {
        let failed = |error: iced_x86::IcedError| Unsupported::new(format!("{code:?}: {error}"));
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        let mut constant = None;
        for (at, operand) in (0u32..).zip(operands) {
            let kind = match operand {
                Placed::Register(_) => OpKind::Register,
                Placed::Memory(_) | Placed::Pool(_) => OpKind::Memory,
                Placed::Immediate(_, kind) => *kind,
            };
            instruction.try_set_op_kind(at, kind).map_err(failed)?;
            match operand {
                Placed::Register(register) => {
                    instruction.try_set_op_register(at, *register).map_err(failed)?;
                }
                Placed::Memory(memory) => {
                    instruction.set_memory_base(memory.base);
                    instruction.set_memory_index(memory.index);
                    instruction.set_memory_index_scale(memory.scale);
                    instruction.set_memory_displ_size(u32::from(memory.offset != 0));
                    instruction.set_memory_displacement64(i64::from(memory.offset) as u64);
                }
                Placed::Pool(number) => {
                    constant = Some(*number);
                    instruction.set_memory_base(Register::RIP);
                    instruction.set_memory_displ_size(8);
                    instruction.set_memory_displacement64(self.bytes as u64);
                }
                Placed::Immediate(value, _) => {
                    instruction.try_set_immediate_i64(at, *value).map_err(failed)?;
                }
            }
        }
        let length = self.encoder.encode(&instruction, self.bytes as u64).map_err(failed)?;
        if let Some(number) = constant {
            let at = self.bytes + self.encoder.get_constant_offsets().displacement_offset();
            self.constants.push((at, self.bytes + length, number));
        }
        self.bytes += length;
        Ok(())
    }

    pub(super) fn jump(&mut self, code: Code, to: Label) -> Written {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        instruction.set_op0_kind(OpKind::NearBranch64);
        instruction.set_near_branch64(self.bytes as u64);
        let length = self.encoder.encode(&instruction, self.bytes as u64);
        self.bytes += length.map_err(|error| Unsupported::new(error.to_string()))?;
        self.jumps.push((self.bytes, to));
        Ok(())
    }

    /// The bytes, with the constants behind the code and all distances filled in.
    pub(super) fn finish(mut self) -> Written<Compiled> {
        let mut bytes = self.encoder.take_buffer();
        let instructions = bytes.len();
        let mut starts = Vec::with_capacity(self.draft.pool.len());
        for constant in &self.draft.pool {
            let alignment = constant.len().clamp(1, ALIGNMENT);
            bytes.resize(bytes.len().next_multiple_of(alignment), 0);
            starts.push(bytes.len());
            bytes.extend_from_slice(constant);
        }
        let mut fill = |at: usize, from: usize, to: usize| {
            let distance = (to as i64 - from as i64) as i32;
            bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        };
        for (end, label) in &self.jumps {
            let to = self.labels.get(label).ok_or_else(|| Unsupported::new("a jump to nowhere"))?;
            fill(end - 4, *end, *to);
        }
        for (at, end, number) in &self.constants {
            fill(*at, *end, starts[*number]);
        }
        Ok(Compiled { bytes, instructions })
    }
}

/// A machine register by its number.
pub(super) fn register(number: u8, view: View) -> Register {
    const BYTES: [Register; 16] = [
        Register::AL,
        Register::CL,
        Register::DL,
        Register::BL,
        Register::SPL,
        Register::BPL,
        Register::SIL,
        Register::DIL,
        Register::R8L,
        Register::R9L,
        Register::R10L,
        Register::R11L,
        Register::R12L,
        Register::R13L,
        Register::R14L,
        Register::R15L,
    ];
    let number = u32::from(number & 15);
    match view {
        View::Byte => BYTES[number as usize],
        View::Word => Register::AX + number,
        View::Double => Register::EAX + number,
        View::Quad => Register::RAX + number,
        View::Xmm => Register::XMM0 + number,
        View::Ymm => Register::YMM0 + number,
    }
}
