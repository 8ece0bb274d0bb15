//! Where a program moves elements of arrays: which operands do not lie where a statement needs them.
//!
//! A statement moves an operand when it reads all elements of that array and writes them, unchanged, to another place: `copy`, the
//! parts of `concat`, the rows of `array`, the array that an `update` writes, the array results of a kernel's body. Where the
//! operand lies at that place already, nothing is written (`funmem::ir`), and the statement moves nothing. `replicate` is not
//! among them: it makes many arrays of one.

use crate::ir::{Binder, Combine, Exp, Mem, MemType, Program, Statement, atom_poly, slices};
use fun::ir::Atom;
use fun::visit::{Walk, walk_program, walk_statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Lmad, Slice};
use fun_index::poly::Poly;
use std::collections::BTreeMap;

/// Where all arrays of a program lie.
#[derive(Default)]
pub struct Places {
    arrays: BTreeMap<Var, (Var, Lmad)>,
    /// i64 variables that are sums and products of others, in variables that are none; big ones are left out.
    definitions: BTreeMap<Var, Poly>,
    /// Blocks that are other names of blocks.
    blocks: BTreeMap<Var, Var>,
}

/// The most terms of a definition, and the most factors of each.
const DEFINITION_LIMIT: usize = 8;

impl Places {
    /// The places of the arrays of a program that is well-formed.
    pub fn of(program: &Program) -> Places {
        let mut places = Places::default();
        walk_program(&mut places, program);
        places
    }

    /// The operands that the statement itself moves, in order; bodies in it are not looked into, but for the results of a
    /// kernel's body, which are moved at each point.
    pub fn moved(&self, statement: &Statement) -> Vec<Var> {
        let pattern = &statement.pattern;
        let mut moved = Vec::new();
        match &statement.exp {
            Exp::Copy(array) => {
                self.push(&mut moved, Atom::Var(*array), &pattern[0], |lmad| lmad.clone());
            }
            Exp::Concat { size: _, arrays } => {
                let mut offset = Poly::constant(0);
                for array in arrays {
                    let Some((_, part)) = self.arrays.get(array) else { continue };
                    let Some(count) = part.sizes().first().cloned() else { continue };
                    let rows = Slice::Range {
                        offset: offset.clone(),
                        count: count.clone(),
                        stride: Poly::constant(1),
                    };
                    self.push(&mut moved, Atom::Var(*array), &pattern[0], |lmad| {
                        let inner = lmad.sizes().into_iter().skip(1).map(whole);
                        lmad.slice(&std::iter::once(rows.clone()).chain(inner).collect::<Vec<_>>())
                    });
                    offset = offset.add(&count);
                }
            }
            Exp::ArrayLiteral { row: _, elems } => {
                for (row, elem) in elems.iter().enumerate() {
                    let row = Poly::constant(row as i64);
                    self.push(&mut moved, *elem, &pattern[0], |lmad| lmad.fix(0, &row));
                }
            }
            Exp::Update { array: _, dims, value } => {
                let slices = slices(dims);
                self.push(&mut moved, *value, &pattern[0], |lmad| lmad.slice(&slices));
            }
            Exp::Kernel { space, combine: Combine::Map, body } => {
                for (binder, result) in pattern.iter().zip(&body.results) {
                    self.push(&mut moved, *result, binder, |lmad| {
                        space.iter().fold(lmad.clone(), |lmad, (var, _)| lmad.fix(0, &Poly::var(*var)))
                    });
                }
            }
            Exp::Kernel { space: _, combine: Combine::Scatter { .. }, body } => {
                let Some((index, values)) = body.results.split_first() else { return moved };
                for (binder, result) in pattern.iter().zip(values) {
                    self.push(&mut moved, *result, binder, |lmad| lmad.fix(0, &atom_poly(*index)));
                }
            }
            Exp::Kernel { .. }
            | Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Op(_) => {}
        }
        moved
    }

    /// Adds the operand if it is an array that does not lie at a place in the binder's.
    fn push(&self, moved: &mut Vec<Var>, operand: Atom, binder: &Binder, part: impl Fn(&Lmad) -> Lmad) {
        let Some(var) = operand.as_var() else { return };
        let (Some((mem, lmad)), MemType::Array { mem: dest, lmad: whole, .. }) =
            (self.arrays.get(&var), &binder.ty)
        else {
            return;
        };
        let wanted = self.expand(&part(whole));
        if self.block(*mem) != self.block(*dest) || !self.expand(lmad).equivalent(&wanted) {
            moved.push(var);
        }
    }

    fn block(&self, mem: Var) -> Var {
        self.blocks.get(&mem).copied().unwrap_or(mem)
    }

    fn poly(&self, poly: &Poly) -> Poly {
        poly.subst(&mut |var| self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)))
    }

    fn expand(&self, lmad: &Lmad) -> Lmad {
        lmad.subst(&mut |var| self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)))
    }

    /// Remembers what an i64 variable is, or a block.
    fn define(&mut self, statement: &Statement) {
        let [binder] = &statement.pattern[..] else { return };
        if let (MemType::Mem(_), Exp::Atom(Atom::Var(mem))) = (&binder.ty, &statement.exp) {
            self.blocks.insert(binder.var, self.block(*mem));
        }
        if binder.ty != MemType::Prim(PrimType::I64) {
            return;
        }
        let poly = |atom: &Atom| self.poly(&atom_poly(*atom));
        let value = match &statement.exp {
            Exp::Atom(atom) => poly(atom),
            Exp::Bin(BinOp::Add, _, left, right) => poly(left).add(&poly(right)),
            Exp::Bin(BinOp::Sub, _, left, right) => poly(left).sub(&poly(right)),
            Exp::Bin(BinOp::Mul, _, left, right) => poly(left).mul(&poly(right)),
            _ => return,
        };
        let small = value.terms().count() <= DEFINITION_LIMIT
            && value.terms().all(|(monomial, _)| monomial.len() <= DEFINITION_LIMIT);
        if small {
            self.definitions.insert(binder.var, value);
        }
    }
}

impl Walk<Mem> for Places {
    fn bind(&mut self, var: Var, ty: Option<&MemType>) {
        if let Some(MemType::Array { mem, lmad, .. }) = ty {
            self.arrays.insert(var, (*mem, lmad.clone()));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.define(statement);
        walk_statement(self, statement);
    }
}

/// All of a dimension.
fn whole(size: Poly) -> Slice {
    Slice::Range { offset: Poly::constant(0), count: size, stride: Poly::constant(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::name::Symbol;
    use fun_base::source::Source;

    /// The names of the operands that the statements of the first function move, those of kernels' bodies included.
    fn moved(text: &str) -> Vec<String> {
        let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
        let program: Program = fun::text::parse_program(&source, 0).expect("the text parses");
        assert_eq!(crate::check::check_program(&program), Ok(()), "{text}");
        let places = Places::of(&program);
        let statements = &program.functions[0].body.statements;
        statements.iter().flat_map(|statement| places.moved(statement)).map(|var| var.to_string()).collect()
    }

    #[test]
    fn operands_at_their_places_stay() {
        // `a` lies at the start of the concatenation, `b` right behind by a defined sum; `c` is in a block of its own
        let found = moved(
            "fun f (n_1: i64) : (k_2: i64) = {
               let (m_3: i64) = add.i64 n_1 2i64
               let (p_4: i64) = add.i64 n_1 m_3
               let (size_5: i64) = add.i64 p_4 n_1
               let (mem_6: mem) = alloc [size_5] i64
               let (other_7: mem) = mem_6
               let (own_8: mem) = alloc [n_1] i64
               let (a_9: [n_1]i64 @ other_7 -> 0 + {(n_1 : 1)}) = iota.i64 n_1 0i64 1i64
               let (b_10: [m_3]i64 @ mem_6 -> n_1 + {(m_3 : 1)}) = iota.i64 m_3 0i64 1i64
               let (c_11: [n_1]i64 @ own_8 -> 0 + {(n_1 : 1)}) = iota.i64 n_1 0i64 1i64
               let (all_12: [size_5]i64 @ mem_6 -> 0 + {(size_5 : 1)}) = concat size_5 a_9 b_10 c_11
               in (size_5)
             }",
        );
        assert_eq!(found, ["c_11"]);
    }

    #[test]
    fn updates_and_rows() {
        let text = |offset: &str, row: &str| {
            format!(
                "fun f (n_1: i64) (i_2: i64) : (k_3: i64) = {{
                   let (mem_4: mem) = alloc [n_1][n_1] i64
                   let (m_5: [n_1][n_1]i64 @ mem_4 -> 0 + {{(n_1 : n_1)(n_1 : 1)}}) = scratch [n_1][n_1] i64
                   let (r_6: [n_1]i64 @ mem_4 -> {offset} + {{(n_1 : 1)}}) = iota.i64 n_1 0i64 1i64
                   let (u_7: [n_1][n_1]i64 @ mem_4 -> 0 + {{(n_1 : n_1)(n_1 : 1)}}) = update m_5[i_2, 0i64 : n_1 : 1i64] r_6
                   let (k_8: [n_1][n_1]i64 @ mem_4 -> 0 + {{(n_1 : n_1)(n_1 : 1)}}) = kernel (j_9 < n_1) {{
                     let (row_10: [n_1]i64 @ mem_4 -> {row} + {{(n_1 : 1)}}) = iota.i64 n_1 0i64 1i64
                     in (row_10)
                   }}
                   let (c_11: [n_1][n_1]i64 @ mem_4 -> 0 + {{(n_1 : 1)(n_1 : n_1)}}) = copy k_8
                   in (n_1)
                 }}"
            )
        };
        assert_eq!(moved(&text("n_1*i_2", "n_1*j_9")), ["k_8"]);
        assert_eq!(moved(&text("n_1", "n_1*j_9")), ["r_6", "k_8"]);
        assert_eq!(moved(&text("n_1*i_2", "0")), ["row_10", "k_8"]);
    }
}
