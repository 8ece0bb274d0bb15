//! From instructions with places to bytes: what lies in slots is fetched, edges move values to the parameters of blocks.

mod edges;
mod encoding;

use super::assign::{Assignment, FETCHED_GENERAL, FETCHED_VECTOR, Place};
use super::code::{Address, Base, Class, Draft, End, Inst, Operand, Reg, View};
use super::{Code as Compiled, Unsupported};
use cranelift_codegen::ir::Block;
use encoding::register;
use iced_x86::{Code, Encoder, OpKind, Register};
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
pub(super) fn bytes(draft: &Draft, assignment: &Assignment) -> Written<Compiled> {
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
