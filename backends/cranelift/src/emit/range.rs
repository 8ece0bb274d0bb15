//! Tests whether an index is in range, each as one comparison: taken as unsigned, negative numbers are above all others.
//!
//! An i32 that is in range is the same number with zeros in front of it, which a load gives for nothing, while a sign takes an instruction.
//! So the test compares 32 bits, and where it holds the index has that value.

use super::{Binding, Emit, Emitter};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Inst, InstBuilder, InstructionData, Opcode, Value, types};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::Exp;

/// What two comparisons say together: that a signed variable is not negative and below something.
struct Range {
    var: Var,
    ty: PrimType,
    limit: Limit,
}

/// What the variable is below.
enum Limit {
    /// The greatest number that it may be, which is not negative.
    Last(i64),
    /// What it is below: a variable that does not change in the loop.
    Below(Var),
}

/// A variable and its value where a condition holds.
type Known = Vec<(Var, Value)>;

impl Emitter<'_, '_> {
    /// The value of a condition, and the values of variables that are known where it holds, in a form that costs less.
    pub(super) fn condition(&mut self, exp: &Exp) -> Emit<(Value, Known)> {
        let mut known = Vec::new();
        let value = self.conjunction(exp, &mut known)?;
        Ok((value, known))
    }

    fn conjunction(&mut self, exp: &Exp, known: &mut Known) -> Emit<Value> {
        let Exp::Bin(BinOp::And, PrimType::Bool, x, y) = exp else { return self.exp(exp) };
        if let Some(range) = self.range(x, y) {
            return self.in_range(&range, known);
        }
        let (x, y) = (self.conjunction(x, known)?, self.conjunction(y, known)?);
        self.binary(BinOp::And, PrimType::Bool, x, y, None)
    }

    /// Whether both comparisons hold, as one comparison if they say together that a number is in range.
    pub(super) fn both(&mut self, low: &Exp, high: &Exp) -> Emit<Option<Value>> {
        match self.range(low, high) {
            // what holds only under the condition is of no use to an expression
            Some(range) => self.compare_range(&range).map(Some),
            None => Ok(None),
        }
    }

    /// Binds variables to what is known of them, until that is forgotten.
    pub(super) fn assume(&mut self, known: Known) {
        for (var, value) in known {
            if let Some(bound) = self.env.get_mut(&var) {
                let before = std::mem::replace(&mut bound.binding, Binding::Fixed(value));
                self.assumed.push((var, before));
            }
        }
    }

    /// Forgets all but the first assumptions.
    pub(super) fn forget(&mut self, first: usize) {
        for (var, before) in self.assumed.split_off(first).into_iter().rev() {
            if let Some(bound) = self.env.get_mut(&var) {
                bound.binding = before;
            }
        }
    }

    /// What both comparisons say.
    fn range(&self, low: &Exp, high: &Exp) -> Option<Range> {
        let Exp::Bin(BinOp::Le, ty, zero, x) = low else { return None };
        let Exp::Bin(op @ (BinOp::Lt | BinOp::Le), _, y, bound) = high else { return None };
        let Exp::Var(var) = **x else { return None };
        if !ty.is_signed() || x != y || **zero != Exp::Const(ty.zero()) {
            return None;
        }
        let limit = match &**bound {
            Exp::Const(bound) => {
                let last = i64::try_from(bound.as_int()?).ok()?.checked_sub(i64::from(*op == BinOp::Lt))?;
                if last < 0 {
                    return None;
                }
                Limit::Last(last)
            }
            Exp::Var(bound) if *op == BinOp::Lt && self.is_outside(*bound) => Limit::Below(*bound),
            _ => return None,
        };
        Some(Range { var, ty: *ty, limit })
    }

    /// Whether a variable is from outside of the loops around the current place, or there are none.
    fn is_outside(&self, var: Var) -> bool {
        self.env.get(&var).is_some_and(|bound| {
            matches!(bound.binding, Binding::Fixed(_)) && (bound.depth < self.depth || self.depth == 0)
        })
    }

    fn in_range(&mut self, range: &Range, known: &mut Known) -> Emit<Value> {
        let Some((word, extended)) = self.word(range.var) else { return self.compare_range(range) };
        known.push((range.var, extended));
        Ok(match range.limit {
            Limit::Last(last) => {
                let last = last.min(i64::from(i32::MAX));
                self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, word, last)
            }
            Limit::Below(bound) => {
                let limit = self.limit(bound, range.ty)?;
                let most = self.i64(1 << 31);
                let limit = self.b.ins().umin(limit, most);
                let limit = self.b.ins().ireduce(types::I32, limit);
                self.b.ins().icmp(IntCC::UnsignedLessThan, word, limit)
            }
        })
    }

    fn compare_range(&mut self, range: &Range) -> Emit<Value> {
        let x = self.use_var(range.var)?;
        Ok(match range.limit {
            Limit::Last(last) => self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, x, last),
            Limit::Below(bound) => {
                let limit = self.limit(bound, range.ty)?;
                self.b.ins().icmp(IntCC::UnsignedLessThan, x, limit)
            }
        })
    }

    /// A bound as an unsigned number: nothing is below a negative one.
    fn limit(&mut self, bound: Var, ty: PrimType) -> Emit<Value> {
        let (bound, zero) = (self.use_var(bound)?, self.constant(ty.zero()));
        Ok(self.b.ins().smax(bound, zero))
    }

    /// For an i64 that is an i32 with its sign, that, and the same with zeros in front.
    fn word(&mut self, var: Var) -> Option<(Value, Value)> {
        let Some(Binding::Fixed(value)) = self.env.get(&var).map(|bound| &bound.binding) else { return None };
        let value = self.b.func.dfg.resolve_aliases(*value);
        let inst = self.b.func.dfg.value_def(value).inst()?;
        match self.b.func.dfg.insts[inst] {
            InstructionData::Load { opcode: Opcode::Sload32, .. } => {
                let extended = self.reload(inst, Opcode::Uload32)?;
                let mut cursor = FuncCursor::new(self.b.func).after_inst(inst);
                let word = cursor.ins().ireduce(types::I32, extended);
                cursor.ins().with_result(value).sextend(types::I64, word);
                Some((word, extended))
            }
            InstructionData::Unary { opcode: Opcode::Sextend, arg }
                if self.b.func.dfg.value_type(arg) == types::I32
                    && self.b.func.dfg.value_type(value) == types::I64 =>
            {
                Some((arg, self.b.ins().uextend(types::I64, arg)))
            }
            _ => None,
        }
    }

    /// The 64 bits that an i32 becomes where it is loaded: then the load gives these, and the i32 is a part of them.
    pub(super) fn extended_load(&mut self, value: Value, signed: bool) -> Option<Value> {
        // a variable behind a branch is another name of what the load gave
        let value = self.b.func.dfg.resolve_aliases(value);
        let inst = self.b.func.dfg.value_def(value).inst()?;
        let InstructionData::Load { opcode: Opcode::Load, .. } = self.b.func.dfg.insts[inst] else {
            return None;
        };
        if self.b.func.dfg.value_type(value) != types::I32 {
            return None;
        }
        let opcode = if signed { Opcode::Sload32 } else { Opcode::Uload32 };
        let extended = self.reload(inst, opcode)?;
        let mut cursor = FuncCursor::new(self.b.func).after_inst(inst);
        cursor.ins().with_result(value).ireduce(types::I32, extended);
        Some(extended)
    }

    /// Makes a load one of 32 bits that become 64; the value that it gave is defined by nothing then.
    fn reload(&mut self, inst: Inst, to: Opcode) -> Option<Value> {
        let dfg = &mut self.b.func.dfg;
        let InstructionData::Load { opcode, .. } = &mut dfg.insts[inst] else { return None };
        *opcode = to;
        Some(dfg.replace_result(dfg.first_result(inst), types::I64))
    }
}
