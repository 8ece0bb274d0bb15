//! Statements: scalars and blocks here, what needs loops elsewhere.

use super::blocks::SORTS_HISTOGRAM;
use super::rows::ROWS_IN_BLOCKS;
use super::{Lowerer, space};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use funmem::ir::{Binder, Exp, MemOp, MemType, Statement};
use imp::build;
use imp::ir::{self, StatementKind};

impl Lowerer {
    pub(super) fn statement(&mut self, statement: &Statement) {
        let pattern = &statement.pattern;
        match &statement.exp {
            Exp::Atom(atom) => self.alias(&pattern[0], *atom),
            Exp::Bin(op, ty, left, right) => {
                let value = build::bin(*op, *ty, self.exp(*left), self.exp(*right));
                self.scalar(&pattern[0], value);
            }
            Exp::Un(op, ty, operand) => {
                let value = build::un(*op, *ty, self.exp(*operand));
                self.scalar(&pattern[0], value);
            }
            Exp::Fma(ty, [a, b, c]) => {
                let value = build::fma(*ty, self.exp(*a), self.exp(*b), self.exp(*c));
                self.scalar(&pattern[0], value);
            }
            Exp::Convert { to, from, value } => {
                let value = build::convert(*to, *from, self.exp(*value));
                self.scalar(&pattern[0], value);
            }
            Exp::Index { array, indices } => {
                let value = build::read(self.array(*array).view, self.exps(indices));
                self.scalar(&pattern[0], value);
            }
            Exp::Slice { .. } | Exp::Permute { .. } | Exp::Reshape { .. } | Exp::Reverse { .. } => {
                self.bind_array(&pattern[0]);
            }
            Exp::Scratch { .. } => {
                self.bind_array(&pattern[0]);
                let made = self.arrays.get(&pattern[0].var).map(|array| array.mem);
                self.scratch.extend(made);
            }
            Exp::Update { array: _, dims, value } => self.update(&pattern[0], dims, *value),
            Exp::Iota { count, start, step, elem } => self.iota(&pattern[0], *count, *start, *step, *elem),
            Exp::Replicate { shape, value } => self.replicate(&pattern[0], shape, *value),
            Exp::ArrayLiteral { row: _, elems } => self.literal(&pattern[0], elems),
            Exp::Concat { size: _, arrays } => self.concat(&pattern[0], arrays),
            Exp::Copy(array) => self.copy_array(&pattern[0], *array),
            Exp::If { condition, then, otherwise } => self.branch(pattern, *condition, then, otherwise),
            Exp::Loop { params, form, body } => self.repeat(pattern, params, form, body),
            Exp::Call { function, .. } if self.blocks.is_some() && function.as_str() == ROWS_IN_BLOCKS => {
                self.asks.insert(pattern[0].var);
                self.scalar(&pattern[0], ir::Exp::Const(PrimValue::Bool(false)));
            }
            Exp::Call { function, args } if self.blocks.is_some() && function.as_str() == SORTS_HISTOGRAM => {
                let value = self.sorts_histogram(args);
                self.scalar(&pattern[0], value);
            }
            Exp::Call { function, args } => self.call(pattern, *function, args),
            Exp::Trace { .. } => {}
            Exp::Assert { condition, message, args } => {
                let (condition, args) = (self.exp(*condition), self.exps(args));
                self.b.push(StatementKind::Assert { condition, message: message.clone(), args });
            }
            Exp::Kernel { space, combine, body } => self.kernel(pattern, space, combine, body),
            Exp::Op(MemOp::Alloc { space: kind, shape, elem }) => {
                let shape = self.exps(shape);
                let var = self.bind(pattern[0].var);
                self.b.push(StatementKind::Alloc { var, elem: *elem, shape, space: space(*kind) });
                self.own(var);
            }
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. } => {
                unreachable!("invariant M5: only kernel forms are in memory")
            }
        }
    }

    /// Another name: nothing happens.
    fn alias(&mut self, binder: &Binder, atom: Atom) {
        match binder.ty {
            MemType::Prim(_) | MemType::Mem(_) => {
                let known = self.atom(atom);
                self.values.insert(binder.var, known);
            }
            MemType::Array { .. } => self.bind_array(binder),
        }
    }

    /// `let` for a scalar.
    pub(super) fn scalar(&mut self, binder: &Binder, value: ir::Exp) {
        let MemType::Prim(ty) = binder.ty else { unreachable!("invariant F2: a scalar result") };
        let var = self.bind(binder.var);
        self.b.push(StatementKind::Let { var, ty, value });
    }

    /// Assigns variables all at once: a value that is one of the variables means its old contents.
    pub(super) fn assign_all(&mut self, targets: &[(Var, ir::ImpType)], values: &[Atom]) {
        let mut values = values.to_vec();
        for (i, (_, ty)) in targets.iter().enumerate() {
            let overwritten = targets[..i].iter().any(|(earlier, _)| values[i] == Atom::Var(*earlier));
            if overwritten {
                let old = super::atom_exp(values[i]);
                let saved = self.b.names.fresh("old");
                self.b.push(match ty {
                    ir::ImpType::Prim(ty) => StatementKind::Let { var: saved, ty: *ty, value: old },
                    ir::ImpType::Mem(_) => StatementKind::Declare { var: saved, ty: *ty, value: Some(old) },
                });
                values[i] = Atom::Var(saved);
            }
        }
        for ((var, _), value) in targets.iter().zip(values) {
            if value != Atom::Var(*var) {
                self.b.assign(*var, super::atom_exp(value));
            }
        }
    }

    /// `base + index * step` with constants folded where that is trivial.
    pub(super) fn affine(base: ir::Exp, index: ir::Exp, step: ir::Exp, ty: PrimType) -> ir::Exp {
        use fun_base::prim::BinOp;
        let one = ir::Exp::Const(ty.of_i64(1));
        let zero = ir::Exp::Const(ty.zero());
        let scaled = if step == one { index } else { build::bin(BinOp::Mul, ty, index, step) };
        if base == zero { scaled } else { build::bin(BinOp::Add, ty, base, scaled) }
    }
}
