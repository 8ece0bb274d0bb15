//! Reductions and scans of rows of a few scalars by operators that do not combine them element by element.

use super::Maker;
use super::scope::Roots;
use crate::ir::{Atom, Exp, Lambda, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// An operator on a row, its type, and the neutral element.
struct RowOperator {
    row: Type,
    op: Lambda,
    neutral: Vec<Atom>,
}

fn row_of(elem: PrimType, size: usize) -> Type {
    Type::Array { shape: vec![Atom::i64(size as i64)], elem }
}

impl Maker {
    /// A reduction or scan of such rows.
    pub(super) fn small_rows(&mut self) {
        let width = self.scan_width();
        let beside = self.rng.chance(25);
        let RowOperator { row, op, neutral } = match self.rng.below(3) {
            0 => self.affine_maps(beside),
            1 => self.products(beside),
            _ => self.automata(beside),
        };
        let elem = row.elem();
        let first = Exp::ArrayLiteral { row: Type::Prim(elem), elems: neutral };
        let mut neutral = vec![Atom::Var(self.fresh("v", row, first))];
        if beside {
            neutral.push(Atom::Const(elem.zero()));
        }
        let mut arrays = Vec::new();
        for ty in &op.results {
            arrays.extend(self.value(&Type::array_of(&[width], ty)).as_var());
        }
        let rows = op.results.clone();
        if self.rng.chance(50) {
            self.fresh_all("r", &rows, Exp::Reduce { width, op, neutral, arrays, commutative: false });
        } else {
            let types: Vec<Type> = rows.iter().map(|ty| Type::array_of(&[width], ty)).collect();
            self.fresh_all("s", &types, Exp::Scan { width, op, neutral, arrays });
        }
    }

    /// `make` on two rows, and a sum of scalars beside them if that is wanted.
    fn on_rows(
        &mut self,
        row: &Type,
        beside: bool,
        make: impl FnOnce(&mut Maker, Var, Var) -> Var,
    ) -> Lambda {
        let scalar = Type::Prim(row.elem());
        let results: Vec<Type> = [row.clone()].into_iter().chain(beside.then(|| scalar.clone())).collect();
        let params: Vec<(Type, Roots)> =
            results.iter().chain(&results).map(|ty| (ty.clone(), Roots::new())).collect();
        let count = results.len();
        self.lambda(&params, &results, |m, params| {
            let mut made = vec![Atom::Var(make(m, params[0], params[count]))];
            if beside {
                let sum = Exp::Bin(BinOp::Add, scalar.elem(), params[1].into(), params[count + 1].into());
                made.push(Atom::Var(m.fresh("z", scalar, sum)));
            }
            made
        })
    }

    fn cell(&mut self, elem: PrimType, array: Var, index: Atom) -> Atom {
        Atom::Var(self.fresh("e", Type::Prim(elem), Exp::Index { array, indices: vec![index] }))
    }

    fn combine(&mut self, op: BinOp, t: PrimType, x: Atom, y: Atom) -> Atom {
        let result = op.result_type(t).unwrap_or(t);
        Atom::Var(self.fresh("z", Type::Prim(result), Exp::Bin(op, t, x, y)))
    }

    /// `[a, b] [c, d] ↦ [a·c, b·c + d]`.
    fn affine_maps(&mut self, beside: bool) -> RowOperator {
        let t = self.any_int();
        let row = row_of(t, 2);
        let op = self.on_rows(&row, beside, |m, x, y| {
            let (a, b) = (m.cell(t, x, Atom::i64(0)), m.cell(t, x, Atom::i64(1)));
            let (c, d) = (m.cell(t, y, Atom::i64(0)), m.cell(t, y, Atom::i64(1)));
            let slope = m.combine(BinOp::Mul, t, a, c);
            let moved = m.combine(BinOp::Mul, t, b, c);
            let offset = m.combine(BinOp::Add, t, moved, d);
            m.fresh("q", row_of(t, 2), Exp::ArrayLiteral { row: Type::Prim(t), elems: vec![slope, offset] })
        });
        RowOperator { row, op, neutral: vec![Atom::Const(t.of_i64(1)), Atom::Const(t.zero())] }
    }

    /// Products of matrices with two rows and columns.
    fn products(&mut self, beside: bool) -> RowOperator {
        let t = self.any_int();
        let row = row_of(t, 4);
        let op = self.on_rows(&row, beside, |m, x, y| {
            let mut elems = Vec::new();
            for cell in 0..4 {
                let mut term = |k: i64| {
                    let left = m.cell(t, x, Atom::i64(cell / 2 * 2 + k));
                    let right = m.cell(t, y, Atom::i64(k * 2 + cell % 2));
                    m.combine(BinOp::Mul, t, left, right)
                };
                let (first, second) = (term(0), term(1));
                elems.push(m.combine(BinOp::Add, t, first, second));
            }
            m.fresh("q", row_of(t, 4), Exp::ArrayLiteral { row: Type::Prim(t), elems })
        });
        let neutral = [1, 0, 0, 1].map(|n| Atom::Const(t.of_i64(n))).to_vec();
        RowOperator { row, op, neutral }
    }

    /// Functions on numbers by their tables, after one another; a number that is not in the table stays.
    fn automata(&mut self, beside: bool) -> RowOperator {
        let (t, states) = (PrimType::I64, 2 + self.rng.below(2));
        let row = row_of(t, states);
        let op = self.on_rows(&row, beside, |m, x, y| {
            let scalar = [(Type::Prim(t), Roots::new())];
            let lambda = m.lambda(&scalar, &[Type::Prim(t)], |m, params| {
                let state = Atom::Var(params[0]);
                let low = m.combine(BinOp::Le, t, Atom::i64(0), state);
                let high = m.combine(BinOp::Lt, t, state, Atom::i64(states as i64));
                let condition = m.combine(BinOp::And, PrimType::Bool, low, high);
                let (then, _) = m.body(m.shared_scope(), |m| vec![m.cell(t, y, state)]);
                let (otherwise, _) = m.body(m.shared_scope(), |_| vec![state]);
                let next = m.fresh("w", Type::Prim(t), Exp::If { condition, then, otherwise });
                vec![Atom::Var(next)]
            });
            let width = Atom::i64(states as i64);
            m.fresh("q", row_of(t, states), Exp::Map { width, lambda, arrays: vec![x] })
        });
        RowOperator { row, op, neutral: (0..states as i64).map(Atom::i64).collect() }
    }
}
