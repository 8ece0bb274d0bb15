//! From instructions with places to bytes: what lies in slots is fetched, edges move values to the parameters of blocks.

use super::Unsupported;
use super::assign::{Assignment, FETCHED_GENERAL, FETCHED_VECTOR, Place};
use super::code::{Address, Base, Class, Condition, Draft, Edge, End, Inst, Operand, Reg, View};
use super::moves::in_turn;
use cranelift_codegen::ir::Block;
use iced_x86::{Code, Encoder, Instruction, OpKind, Register};
use std::collections::HashMap;

/// How the frame and constants are aligned.
const ALIGNMENT: usize = 32;
/// General registers that the caller keeps values in.
const KEPT: [u8; 5] = [3, 12, 13, 14, 15];
/// The stack's registers.
const STACK: u8 = 4;
const FRAME: u8 = 5;
/// Where the caller puts arguments.
const ARGUMENTS: [u8; 2] = [7, 6];

/// Jumps by the numbers of conditions.
const JUMPS: [Code; 16] = [
    Code::Jo_rel32_64,
    Code::Jno_rel32_64,
    Code::Jb_rel32_64,
    Code::Jae_rel32_64,
    Code::Je_rel32_64,
    Code::Jne_rel32_64,
    Code::Jbe_rel32_64,
    Code::Ja_rel32_64,
    Code::Js_rel32_64,
    Code::Jns_rel32_64,
    Code::Jp_rel32_64,
    Code::Jnp_rel32_64,
    Code::Jl_rel32_64,
    Code::Jge_rel32_64,
    Code::Jle_rel32_64,
    Code::Jg_rel32_64,
];

/// Where a jump goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Label {
    Block(Block),
    /// In the middle of a branch.
    Inner(usize),
}

/// What stands where a register or memory may.
#[derive(Clone, Copy)]
enum Placed {
    Register(Register),
    Memory(Memory),
    /// A constant of the pool.
    Pool(usize),
    Immediate(i64, OpKind),
}

#[derive(Clone, Copy)]
struct Memory {
    base: Register,
    index: Register,
    scale: u32,
    offset: i32,
}

struct Writer<'d> {
    draft: &'d Draft,
    assignment: &'d Assignment,
    encoder: Encoder,
    bytes: usize,
    labels: HashMap<Label, usize>,
    /// Ends of jumps, behind the four bytes that say how far.
    jumps: Vec<(usize, Label)>,
    /// Where the distance to a constant stands, the end of the instruction, and the number of the constant.
    constants: Vec<(usize, usize, usize)>,
    /// How many registers of each kind hold what the instruction at hand has fetched.
    fetched: [usize; 2],
}

type Written<T = ()> = Result<T, Unsupported>;

/// The bytes of a function.
pub(super) fn bytes(draft: &Draft, assignment: &Assignment) -> Written<Vec<u8>> {
    let mut writer = Writer {
        draft,
        assignment,
        encoder: Encoder::new(64),
        bytes: 0,
        labels: HashMap::new(),
        jumps: Vec::new(),
        constants: Vec::new(),
        fetched: [0; 2],
    };
    let used = writer.kept();
    writer.enter(&used)?;
    for (number, body) in draft.bodies.iter().enumerate() {
        writer.labels.insert(Label::Block(body.block), writer.bytes);
        for inst in &body.insts {
            writer.inst(inst)?;
        }
        let next = draft.bodies.get(number + 1).map(|body| body.block);
        match &body.end {
            End::Jump(edge) => writer.go(edge, next)?,
            End::Branch { condition, yes, no } => writer.branch(*condition, yes, no, next)?,
            End::Return(reg) => {
                writer.transfer(Place::Register(0), writer.place(*reg), View::Quad)?;
                writer.leave(&used)?;
            }
        }
    }
    writer.finish()
}

impl Writer<'_> {
    fn place(&self, reg: Reg) -> Place {
        self.assignment.places[reg.0 as usize]
    }

    /// The registers that the caller keeps values in and that the function uses.
    fn kept(&self) -> Vec<u8> {
        let is_used = |register: &u8| {
            let mut places = self.assignment.places.iter().zip(&self.draft.classes);
            places.any(|(place, class)| *class == Class::General && *place == Place::Register(*register))
        };
        KEPT.into_iter().filter(is_used).collect()
    }

    fn enter(&mut self, used: &[u8]) -> Written {
        let (stack, frame) = (general(STACK), general(FRAME));
        self.put(Code::Push_r64, &[frame])?;
        self.put(Code::Mov_r64_rm64, &[frame, stack])?;
        for kept in used {
            self.put(Code::Push_r64, &[general(*kept)])?;
        }
        if self.assignment.frame > 0 {
            let size = Placed::Immediate(i64::from(self.assignment.frame), OpKind::Immediate32to64);
            self.put(Code::Sub_rm64_imm32, &[stack, size])?;
            let mask = Placed::Immediate(-(ALIGNMENT as i64), OpKind::Immediate8to64);
            self.put(Code::And_rm64_imm8, &[stack, mask])?;
        }
        let params = &self.draft.bodies[0].params;
        if params.len() > ARGUMENTS.len() {
            return Err(Unsupported::new("more than two parameters"));
        }
        let arguments = params.iter().zip(ARGUMENTS);
        let moves = arguments.map(|((reg, view), from)| (self.place(*reg), Place::Register(from), *view));
        self.parallel(moves.collect())
    }

    fn leave(&mut self, used: &[u8]) -> Written {
        self.put(Code::VEX_Vzeroupper, &[])?;
        if self.assignment.frame > 0 {
            let offset = -8 * used.len() as i32;
            let saved = Memory { base: register(FRAME, View::Quad), index: Register::None, scale: 1, offset };
            self.put(Code::Lea_r64_m, &[general(STACK), Placed::Memory(saved)])?;
        }
        for kept in used.iter().rev() {
            self.put(Code::Pop_r64, &[general(*kept)])?;
        }
        self.put(Code::Pop_r64, &[general(FRAME)])?;
        self.put(Code::Retnq, &[])
    }

    /// The bytes of one instruction.
    fn put(&mut self, code: Code, operands: &[Placed]) -> Written {
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

    fn jump(&mut self, code: Code, to: Label) -> Written {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        instruction.set_op0_kind(OpKind::NearBranch64);
        instruction.set_near_branch64(self.bytes as u64);
        let length = self.encoder.encode(&instruction, self.bytes as u64);
        self.bytes += length.map_err(|error| Unsupported::new(error.to_string()))?;
        self.jumps.push((self.bytes, to));
        Ok(())
    }

    /// A register for what is in a slot, for the instruction at hand.
    fn spare(&mut self, class: Class) -> Written<u8> {
        let registers: &[u8] = if class == Class::General { &FETCHED_GENERAL } else { &FETCHED_VECTOR };
        let taken = &mut self.fetched[class as usize];
        *taken += 1;
        registers.get(*taken - 1).copied().ok_or_else(|| Unsupported::new("too many operands in slots"))
    }

    /// The number of a register that holds what `reg` does.
    fn fetch(&mut self, reg: Reg) -> Written<u8> {
        match self.place(reg) {
            Place::Register(number) => Ok(number),
            place => {
                let class = self.draft.classes[reg.0 as usize];
                let number = self.spare(class)?;
                self.transfer(Place::Register(number), place, whole(class))?;
                Ok(number)
            }
        }
    }

    fn memory(&mut self, address: &Address) -> Written<Memory> {
        let base = match address.base {
            Base::Reg(reg) => self.fetch(reg)?,
            Base::Frame => STACK,
        };
        let (index, scale) = match address.index {
            Some((reg, scale)) => (register(self.fetch(reg)?, View::Quad), scale),
            None => (Register::None, 1),
        };
        Ok(Memory { base: register(base, View::Quad), index, scale, offset: address.offset })
    }

    fn inst(&mut self, inst: &Inst) -> Written {
        self.fetched = [0; 2];
        match inst {
            Inst::Machine { code, operands } => self.machine(*code, operands),
            Inst::Zero { to } => {
                let number = match self.place(*to) {
                    Place::Register(number) => number,
                    _ => FETCHED_VECTOR[0],
                };
                let target = Placed::Register(register(number, View::Xmm));
                self.put(Code::VEX_Vpxor_xmm_xmm_xmmm128, &[target; 3])?;
                self.transfer(self.place(*to), Place::Register(number), View::Ymm)
            }
            Inst::Move { to, from, view } => self.transfer(self.place(*to), self.place(*from), *view),
            Inst::Fma { to, x, y, z, view, forms } => self.fma(*to, *x, (*y, *z), *view, *forms),
        }
    }

    fn machine(&mut self, code: Code, operands: &[Operand]) -> Written {
        let mut placed = Vec::with_capacity(operands.len());
        let mut kept = None;
        for operand in operands {
            placed.push(match operand {
                Operand::Def(reg, view) => match self.place(*reg) {
                    Place::Register(number) => Placed::Register(register(number, *view)),
                    place => {
                        // read and written at once, so that it may be where an operand was fetched to
                        let class = view.class();
                        let number =
                            if class == Class::General { FETCHED_GENERAL[0] } else { FETCHED_VECTOR[0] };
                        kept = Some((place, number, class));
                        Placed::Register(register(number, *view))
                    }
                },
                Operand::Change(reg, view) => {
                    let number = self.fetch(*reg)?;
                    if !matches!(self.place(*reg), Place::Register(_)) {
                        kept = Some((self.place(*reg), number, view.class()));
                    }
                    Placed::Register(register(number, *view))
                }
                Operand::Use(reg, view) => Placed::Register(register(self.fetch(*reg)?, *view)),
                Operand::UseOrMemory(..) | Operand::Memory(_) | Operand::Pool(_) | Operand::Immediate(..) => {
                    self.placed(operand)?
                }
            });
        }
        self.put(code, &placed)?;
        match kept {
            Some((place, number, class)) => self.transfer(place, Place::Register(number), whole(class)),
            None => Ok(()),
        }
    }

    /// An operand that may be in memory.
    fn placed(&mut self, operand: &Operand) -> Written<Placed> {
        Ok(match operand {
            Operand::UseOrMemory(reg, view) => match self.place(*reg) {
                Place::Slot(offset) => Placed::Memory(slot(offset)),
                _ => Placed::Register(register(self.fetch(*reg)?, *view)),
            },
            Operand::Use(reg, view) | Operand::Def(reg, view) | Operand::Change(reg, view) => {
                Placed::Register(register(self.fetch(*reg)?, *view))
            }
            Operand::Memory(address) => Placed::Memory(self.memory(address)?),
            Operand::Pool(number) => Placed::Pool(*number),
            Operand::Immediate(value, kind) => Placed::Immediate(*value, *kind),
        })
    }

    fn fma(
        &mut self,
        to: Reg,
        x: Reg,
        (y, z): (Operand, Operand),
        view: View,
        [form132, form213, form231]: [Code; 3],
    ) -> Written {
        let x = Placed::Register(register(self.fetch(x)?, view));
        let y = self.placed(&y)?;
        // only one may be in memory
        let z = match (y, z) {
            (Placed::Memory(_) | Placed::Pool(_), Operand::UseOrMemory(reg, _)) => {
                Placed::Register(register(self.fetch(reg)?, view))
            }
            (_, z) => self.placed(&z)?,
        };
        let number = match self.place(to) {
            Place::Register(number) => number,
            _ => FETCHED_VECTOR[0],
        };
        let target = Placed::Register(register(number, view));
        let is = |operand: Placed| same(target, operand);
        let in_memory = |operand: Placed| matches!(operand, Placed::Memory(_) | Placed::Pool(_));
        let copy =
            if view == View::Ymm { Code::VEX_Vmovaps_ymm_ymmm256 } else { Code::VEX_Vmovaps_xmm_xmmm128 };
        if in_memory(z) {
            let other = if is(y) { x } else { y };
            if !is(x) && !is(y) {
                self.put(copy, &[target, x])?;
            }
            self.put(form213, &[target, other, z])?;
        } else if is(z) {
            self.put(form231, &[target, x, y])?;
        } else if is(x) && in_memory(y) {
            self.put(form132, &[target, z, y])?;
        } else if is(x) {
            self.put(form213, &[target, y, z])?;
        } else if is(y) {
            self.put(form213, &[target, x, z])?;
        } else {
            self.put(copy, &[target, z])?;
            self.put(form231, &[target, x, y])?;
        }
        self.transfer(self.place(to), Place::Register(number), View::Ymm)
    }

    /// Copies a register or slot.
    fn transfer(&mut self, to: Place, from: Place, view: View) -> Written {
        if to == from || to == Place::Nowhere || from == Place::Nowhere {
            return Ok(());
        }
        let vector = view.class() == Class::Vector;
        let placed = |place: Place, view: View| match place {
            Place::Register(number) => Placed::Register(register(number, view)),
            Place::Slot(offset) => Placed::Memory(slot(offset)),
            Place::Nowhere => Placed::Pool(0),
        };
        match (to, from) {
            (Place::Register(_), _) => {
                let (code, view) = match (vector, from) {
                    (false, _) => (Code::Mov_r64_rm64, View::Quad),
                    (true, Place::Register(_)) if view == View::Xmm => {
                        (Code::VEX_Vmovaps_xmm_xmmm128, View::Xmm)
                    }
                    (true, Place::Register(_)) => (Code::VEX_Vmovaps_ymm_ymmm256, View::Ymm),
                    (true, _) => (Code::VEX_Vmovups_ymm_ymmm256, View::Ymm),
                };
                self.put(code, &[placed(to, view), placed(from, view)])
            }
            (_, Place::Register(_)) => {
                let (code, view) = match vector {
                    true => (Code::VEX_Vmovups_ymmm256_ymm, View::Ymm),
                    false => (Code::Mov_rm64_r64, View::Quad),
                };
                self.put(code, &[placed(to, view), placed(from, view)])
            }
            _ => {
                let between = Place::Register(if vector { FETCHED_VECTOR[0] } else { FETCHED_GENERAL[0] });
                self.transfer(between, from, view)?;
                self.transfer(to, between, view)
            }
        }
    }

    /// The moves of an edge as they are with places.
    fn moves(&self, edge: &Edge) -> Vec<(Place, Place, View)> {
        let moves = edge.moves.iter().map(|(to, from, view)| (self.place(*to), self.place(*from), *view));
        moves.filter(|(to, from, _)| to != from && *to != Place::Nowhere).collect()
    }

    /// Moves that happen at once.
    fn parallel(&mut self, moves: Vec<(Place, Place, View)>) -> Written {
        for class in [Class::General, Class::Vector] {
            let of_class: Vec<(Place, Place)> = moves
                .iter()
                .filter(|(_, _, view)| view.class() == class)
                .map(|(to, from, _)| (*to, *from))
                .collect();
            let spare =
                Place::Register(if class == Class::General { FETCHED_GENERAL[1] } else { FETCHED_VECTOR[1] });
            for step in in_turn(of_class, spare) {
                match step {
                    super::moves::Step::Copy(to, from) => self.transfer(to, from, whole(class))?,
                    super::moves::Step::Swap(x, y) => self.swap(class, x, y)?,
                }
            }
        }
        Ok(())
    }

    fn swap(&mut self, class: Class, x: u8, y: u8) -> Written {
        let (x, y) =
            (Placed::Register(register(x, whole(class))), Placed::Register(register(y, whole(class))));
        if class == Class::General {
            return self.put(Code::Xchg_rm64_r64, &[x, y]);
        }
        for to in [x, y, x] {
            self.put(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[to, x, y])?;
        }
        Ok(())
    }

    fn go(&mut self, edge: &Edge, next: Option<Block>) -> Written {
        self.parallel(self.moves(edge))?;
        if next == Some(edge.to) { Ok(()) } else { self.jump(Code::Jmp_rel32_64, Label::Block(edge.to)) }
    }

    fn branch(&mut self, condition: Condition, yes: &Edge, no: &Edge, next: Option<Block>) -> Written {
        let jump = |condition: Condition| JUMPS[usize::from(condition.0)];
        if self.moves(yes).is_empty() {
            if self.moves(no).is_empty() && next == Some(yes.to) {
                return self.jump(jump(condition.negated()), Label::Block(no.to));
            }
            self.jump(jump(condition), Label::Block(yes.to))?;
            return self.go(no, next);
        }
        if self.moves(no).is_empty() {
            self.jump(jump(condition.negated()), Label::Block(no.to))?;
            return self.go(yes, next);
        }
        let inner = Label::Inner(self.bytes);
        self.jump(jump(condition.negated()), inner)?;
        self.go(yes, None)?;
        self.labels.insert(inner, self.bytes);
        self.go(no, next)
    }

    /// The bytes, with the constants behind the code and all distances filled in.
    fn finish(mut self) -> Written<Vec<u8>> {
        let mut bytes = self.encoder.take_buffer();
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
        Ok(bytes)
    }
}

/// How all of a register of a kind is seen.
fn whole(class: Class) -> View {
    if class == Class::General { View::Quad } else { View::Ymm }
}

fn slot(offset: i32) -> Memory {
    Memory { base: register(STACK, View::Quad), index: Register::None, scale: 1, offset }
}

fn same(x: Placed, y: Placed) -> bool {
    matches!((x, y), (Placed::Register(x), Placed::Register(y)) if x == y)
}

fn general(number: u8) -> Placed {
    Placed::Register(register(number, View::Quad))
}

/// A machine register by its number.
fn register(number: u8, view: View) -> Register {
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
