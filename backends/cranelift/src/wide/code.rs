//! Instructions of x86 on virtual registers, as the selection makes them and the allocation of registers reads them.

use cranelift_codegen::ir::Block;
use iced_x86::{Code, OpKind};

/// A virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Reg(pub(super) u32);

/// The two kinds of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Integers and addresses.
    General,
    /// Floats and vectors.
    Vector,
}

/// How much of a register an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    Byte,
    Word,
    Double,
    Quad,
    Xmm,
    Ymm,
}

impl View {
    pub(super) fn class(self) -> Class {
        match self {
            View::Byte | View::Word | View::Double | View::Quad => Class::General,
            View::Xmm | View::Ymm => Class::Vector,
        }
    }
}

/// Where in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// At the address in a register.
    Reg(Reg),
    /// In the frame, from its lowest address on.
    Frame,
}

/// An address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) base: Base,
    /// A register and what it is multiplied by.
    pub(super) index: Option<(Reg, u32)>,
    pub(super) offset: i32,
}

/// An operand, in the order of the manual.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Operand {
    /// Written.
    Def(Reg, View),
    /// Read.
    Use(Reg, View),
    /// Read; may be a place in memory as well.
    UseOrMemory(Reg, View),
    /// Read and written.
    Change(Reg, View),
    Memory(Address),
    /// A constant of the pool, by its number.
    Pool(usize),
    /// A number that is part of the instruction, in this form.
    Immediate(i64, OpKind),
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Inst {
    /// One of the machine.
    Machine { code: Code, operands: Vec<Operand> },
    /// Nothing but zeros.
    Zero { to: Reg },
    /// A copy, of all of a register.
    Move { to: Reg, from: Reg, view: View },
    /// `to := x * y + z`, rounded once; which of the three forms it is depends on the registers. `y` or `z` may be in memory.
    Fma {
        to: Reg,
        x: Reg,
        y: Operand,
        z: Operand,
        view: View,
        /// `132`, `213`, `231`: which operands are the factors, where the first is overwritten and the last may be in memory.
        forms: [Code; 3],
    },
}

/// What the flags say, by the number that the machine gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Condition(pub(super) u8);

impl Condition {
    pub(super) const NOT_EQUAL: Condition = Condition(5);

    /// What holds where this does not.
    pub(super) fn negated(self) -> Condition {
        Condition(self.0 ^ 1)
    }
}

/// A block that control goes to, with values for its parameters.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Edge {
    pub(super) to: Block,
    /// Parameter, value, how much of it.
    pub(super) moves: Vec<(Reg, Reg, View)>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum End {
    Jump(Edge),
    /// By the flags that the last instruction has set.
    Branch {
        condition: Condition,
        yes: Edge,
        no: Edge,
    },
    /// With this number in the register of results.
    Return(Reg),
}

/// A block of instructions.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) block: Block,
    pub(super) params: Vec<(Reg, View)>,
    pub(super) insts: Vec<Inst>,
    pub(super) end: End,
    /// How many loops are around it.
    pub(super) depth: u32,
    /// The first block of the innermost loop around it, if no other loop is in that.
    pub(super) innermost: Option<Block>,
}

/// A function before its registers are assigned.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) bodies: Vec<Body>,
    /// The kind of each virtual register.
    pub(super) classes: Vec<Class>,
    /// Constants in memory, with their alignment.
    pub(super) pool: Vec<Vec<u8>>,
    /// Bytes of the frame that the function itself uses.
    pub(super) frame: i32,
}

impl Inst {
    /// Calls `f` for each register that is read, and for each that is written.
    pub(super) fn for_each_reg(&self, f: &mut dyn FnMut(Reg, Access)) {
        match self {
            Inst::Machine { code: _, operands } => {
                for operand in operands {
                    operand.for_each_reg(f);
                }
            }
            Inst::Zero { to } => f(*to, Access::Write),
            Inst::Move { to, from, view: _ } => {
                f(*from, Access::Read);
                f(*to, Access::Write);
            }
            Inst::Fma { to, x, y, z, .. } => {
                f(*x, Access::Read);
                y.for_each_reg(f);
                z.for_each_reg(f);
                f(*to, Access::Write);
            }
        }
    }
}

impl Inst {
    /// Calls `f` for each operand but those that are always registers.
    pub(super) fn for_each_operand(&self, f: &mut dyn FnMut(&Operand)) {
        match self {
            Inst::Machine { code: _, operands } => operands.iter().for_each(f),
            Inst::Fma { y, z, .. } => [y, z].into_iter().for_each(f),
            Inst::Zero { .. } | Inst::Move { .. } => {}
        }
    }

    /// Replaces operands, and has registers that are read replaced by others.
    pub(super) fn replace(&mut self, operand: &dyn Fn(Operand) -> Operand, read: &dyn Fn(Reg) -> Reg) {
        let change = |old: &mut Operand| {
            *old = match operand(*old) {
                Operand::Use(reg, view) => Operand::Use(read(reg), view),
                Operand::UseOrMemory(reg, view) => Operand::UseOrMemory(read(reg), view),
                other => other,
            }
        };
        match self {
            Inst::Machine { code: _, operands } => operands.iter_mut().for_each(change),
            Inst::Fma { x, y, z, .. } => {
                *x = read(*x);
                [y, z].into_iter().for_each(change);
            }
            Inst::Move { from, .. } => *from = read(*from),
            Inst::Zero { .. } => {}
        }
    }
}

/// What an instruction does to a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
    Change,
}

impl Operand {
    fn for_each_reg(&self, f: &mut dyn FnMut(Reg, Access)) {
        match self {
            Operand::Def(reg, _) => f(*reg, Access::Write),
            Operand::Use(reg, _) | Operand::UseOrMemory(reg, _) => f(*reg, Access::Read),
            Operand::Change(reg, _) => f(*reg, Access::Change),
            Operand::Memory(address) => {
                if let Base::Reg(base) = address.base {
                    f(base, Access::Read);
                }
                if let Some((index, _)) = address.index {
                    f(index, Access::Read);
                }
            }
            Operand::Pool(_) | Operand::Immediate(..) => {}
        }
    }
}

impl End {
    /// Its edges.
    pub(super) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (first, second) = match self {
            End::Jump(edge) => (Some(edge), None),
            End::Branch { yes, no, .. } => (Some(yes), Some(no)),
            End::Return(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}
