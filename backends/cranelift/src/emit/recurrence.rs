//! Recurrences of integers: variables that a loop makes of themselves by minima and maxima, `best := max(best, x) - y`.
//!
//! A minimum takes two instructions of a scalar, a comparison and a choice, and one of a vector. Each step waits for the one before it, so
//! such variables lie in the first lane of a vector throughout: a step of `nw` takes three cycles, and four otherwise. What is computed of a
//! first lane by these operators and by sums and differences is in first lanes too; anything else takes the scalar out. Between registers of
//! scalars and of vectors hardly one value goes in a cycle, so cells are loaded to lanes, and stored from them, as floats of the same bits.

use super::vector::NARROW;
use super::{Emitter, array_access};
use cranelift_codegen::ir::immediates::Offset32;
use cranelift_codegen::ir::{
    Endianness, InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, types,
};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{HashMap, HashSet};

/// Instructions among which the load of an operand is looked for.
const LOOK_BACK: usize = 64;

/// What a value is made of, as to a variable.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// Not of it.
    Other,
    /// Of it by operators of lanes; whether a minimum or maximum is among them.
    Lane { chosen: bool },
    /// Of it in another way.
    Mixed,
}

/// The variables of type `i32` that a body declares and its loops make of themselves by minima and maxima.
pub(super) fn recurrences(body: &[Statement]) -> Vec<Var> {
    let (mut declared, mut found) = (HashSet::new(), Vec::new());
    for statement in body {
        if let StatementKind::Declare { var, ty: ImpType::Prim(PrimType::I32), .. } = &statement.kind {
            declared.insert(*var);
        }
        if let StatementKind::For { kind, body: step, .. } = &statement.kind
            && !kind.is_parallel()
        {
            found.extend(step.iter().filter_map(|statement| match &statement.kind {
                StatementKind::Assign { var, .. } if declared.contains(var) && is_recurrence(*var, step) => {
                    Some(*var)
                }
                _ => None,
            }));
        }
    }
    found
}

fn is_recurrence(var: Var, step: &[Statement]) -> bool {
    let mut assigned = 0;
    for_each_statement(step, &mut |statement| {
        assigned +=
            usize::from(matches!(statement.kind, StatementKind::Assign { var: other, .. } if other == var));
    });
    let (mut origins, mut made) = (HashMap::from([(var, Origin::Lane { chosen: false })]), Origin::Other);
    for statement in step {
        match &statement.kind {
            StatementKind::Let { var, value, .. } => {
                let origin = origin(value, &origins);
                if origin != Origin::Other {
                    origins.insert(*var, origin);
                }
            }
            StatementKind::Assign { var: other, value } if *other == var => made = origin(value, &origins),
            _ => {}
        }
    }
    assigned == 1 && made == Origin::Lane { chosen: true }
}

fn origin(exp: &Exp, origins: &HashMap<Var, Origin>) -> Origin {
    match exp {
        Exp::Var(var) => origins.get(var).copied().unwrap_or(Origin::Other),
        Exp::Bin(op, ty, x, y) => {
            let is_choice = matches!(op, BinOp::Min | BinOp::Max);
            match (origin(x, origins), origin(y, origins)) {
                (Origin::Other, Origin::Other) => Origin::Other,
                _ if !in_lanes(*op, *ty) => Origin::Mixed,
                (Origin::Mixed, _) | (_, Origin::Mixed) => Origin::Mixed,
                (x, y) => {
                    let chosen = [x, y].contains(&Origin::Lane { chosen: true });
                    Origin::Lane { chosen: chosen || is_choice }
                }
            }
        }
        _ => {
            let mut found = Origin::Other;
            exp.for_each_child(&mut |child| {
                if origin(child, origins) != Origin::Other {
                    found = Origin::Mixed;
                }
            });
            found
        }
    }
}

fn in_lanes(op: BinOp, ty: PrimType) -> bool {
    ty == PrimType::I32 && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Min | BinOp::Max)
}

impl Emitter<'_, '_> {
    /// The operator in first lanes, if an operand is the first lane of a vector and the operator can be computed there.
    pub(super) fn binary_in_lane(&mut self, op: BinOp, ty: PrimType, x: Value, y: Value) -> Option<Value> {
        // the generator of wide vectors does not know these instructions
        let fits = in_lanes(op, ty) && self.vector_bytes == NARROW;
        if !fits || (self.lane_of(x).is_none() && self.lane_of(y).is_none()) {
            return None;
        }
        let (x, y) = (self.in_lane(x), self.in_lane(y));
        let result = match op {
            BinOp::Add => self.b.ins().iadd(x, y),
            BinOp::Sub => self.b.ins().isub(x, y),
            BinOp::Min => self.b.ins().smin(x, y),
            _ => self.b.ins().smax(x, y),
        };
        Some(self.out_of_lane(result))
    }

    /// A vector whose first lane is the value.
    pub(super) fn in_lane(&mut self, value: Value) -> Value {
        match self.lane_of(value) {
            Some(vector) => vector,
            None if self.is_constant(value) => self.b.ins().splat(types::I32X4, value),
            None => match self.loaded_last(value) {
                Some((address, offset)) => {
                    let bits = self.b.ins().load(types::F32, array_access(), address, offset);
                    // in all lanes, which is one instruction that loads
                    let vector = self.b.ins().splat(types::F32X4, bits);
                    self.bits_as(types::I32X4, vector)
                }
                None => self.b.ins().scalar_to_vector(types::I32X4, value),
            },
        }
    }

    /// What to store for an `i32`: from a first lane a float of the same bits, as vectors have an instruction for that.
    pub(super) fn stored(&mut self, value: Value) -> Value {
        match self.lane_of(value) {
            Some(vector) if self.vector_bytes == NARROW => {
                let floats = self.bits_as(types::F32X4, vector);
                self.b.ins().extractlane(floats, 0)
            }
            _ => value,
        }
    }

    fn bits_as(&mut self, ty: Type, vector: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, flags, vector)
    }

    pub(super) fn out_of_lane(&mut self, vector: Value) -> Value {
        self.b.ins().extractlane(vector, 0)
    }

    /// The vector whose first lane a value is, if it was taken from one.
    fn lane_of(&self, value: Value) -> Option<Value> {
        let dfg = &self.b.func.dfg;
        match dfg.insts[dfg.value_def(value).inst()?] {
            InstructionData::BinaryImm8 { opcode: Opcode::Extractlane, arg, imm: 0 }
                if dfg.value_type(arg) == types::I32X4 =>
            {
                Some(arg)
            }
            _ => None,
        }
    }

    /// Where a value was loaded from, if what was emitted since then leaves the cell as it was.
    fn loaded_last(&self, value: Value) -> Option<(Value, Offset32)> {
        let (dfg, layout) = (&self.b.func.dfg, &self.b.func.layout);
        let inst = dfg.value_def(value).inst()?;
        let InstructionData::Load { opcode: Opcode::Load, arg, offset, .. } = dfg.insts[inst] else {
            return None;
        };
        let mut last = layout.last_inst(self.b.current_block()?);
        for _ in 0..LOOK_BACK {
            let at = last?;
            let opcode = dfg.insts[at].opcode();
            match at == inst {
                true => return Some((arg, offset)),
                false if opcode.can_store() || opcode.is_call() => return None,
                false => last = layout.prev_inst(at),
            }
        }
        None
    }

    fn is_constant(&self, value: Value) -> bool {
        let dfg = &self.b.func.dfg;
        let opcode = dfg.value_def(value).inst().map(|inst| dfg.insts[inst].opcode());
        opcode == Some(Opcode::Iconst)
    }
}
