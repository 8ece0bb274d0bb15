//! SOACs, kernels, and the operators that they combine with.

use super::Maker;
use super::scope::{Entry, I64, Roots, Scope};
use crate::ir::{Atom, Binder, Body, Combine, Exp, Lambda, Type};
use crate::visit::is_scalar_step;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};

/// An associative operator on scalars.
struct Operator {
    types: Vec<PrimType>,
    op: Lambda,
    neutral: Vec<Atom>,
    commutative: bool,
}

impl Maker {
    /// An array to map over has this outer size: often that of an array in scope.
    fn width(&mut self) -> Atom {
        let arrays = self.scope.arrays();
        let small = |size: Atom| self.scope.size_max(size).is_some_and(|max| max <= 8);
        let widths: Vec<Atom> =
            arrays.iter().map(|entry| entry.ty.shape()[0]).filter(|size| small(*size)).collect();
        match self.rng.pick(&widths) {
            Some(width) if self.rng.chance(75) => *width,
            _ => self.any_size(),
        }
    }

    /// The size of what is scanned: now and then so large that blocks of few threads come in groups.
    pub(super) fn scan_width(&mut self) -> Atom {
        if self.rng.chance(15) { Atom::i64(7 + self.rng.below(14) as i64) } else { self.width() }
    }

    pub(super) fn soac_statement(&mut self) {
        match self.rng.below(10) {
            0..4 => {
                let width = self.width();
                let cells: Vec<Type> = (0..1 + self.rng.below(2)).map(|_| self.any_type()).collect();
                self.mapped(width, &cells);
            }
            4 | 5 => {
                let (width, operator) = (self.width(), self.operator(false));
                let arrays = self.vectors(width, &operator.types);
                let types: Vec<Type> = operator.types.iter().map(|t| Type::Prim(*t)).collect();
                let Operator { op, neutral, commutative, .. } = operator;
                let commutative = commutative && self.rng.chance(50);
                self.fresh_all("r", &types, Exp::Reduce { width, op, neutral, arrays, commutative });
            }
            6 => {
                let (width, operator) = (self.scan_width(), self.operator(false));
                let arrays = self.vectors(width, &operator.types);
                let types: Vec<Type> =
                    operator.types.iter().map(|t| Type::array_of(&[width], &Type::Prim(*t))).collect();
                let Operator { op, neutral, .. } = operator;
                self.fresh_all("s", &types, Exp::Scan { width, op, neutral, arrays });
            }
            7 => self.row_combination(),
            8 if self.rng.chance(25) => self.row_histogram(),
            8 => {
                let (width, operator) = (self.width(), self.operator(true));
                let indices = self.vectors(width, &[PrimType::I64])[0];
                let values = self.vectors(width, &operator.types);
                let cells: Vec<Type> = operator.types.iter().map(|t| Type::Prim(*t)).collect();
                let (dests, types) = self.dests(&cells);
                let Operator { op, neutral, .. } = operator;
                self.fresh_all("h", &types, Exp::Hist { width, op, neutral, dests, indices, values });
            }
            _ => {
                let width = self.width();
                let indices = self.vectors(width, &[PrimType::I64])[0];
                let cells: Vec<Type> = (0..1 + self.rng.below(2)).map(|_| self.any_type()).collect();
                let mut values = Vec::new();
                for cell in &cells {
                    values.extend(self.value(&Type::array_of(&[width], cell)).as_var());
                }
                let (dests, types) = self.dests(&cells);
                self.fresh_all("d", &types, Exp::Scatter { width, dests, indices, values });
            }
        }
    }

    /// A map over some arrays of this outer size, with results of these types at each element.
    pub(super) fn mapped(&mut self, width: Atom, cells: &[Type]) -> Vec<Var> {
        let all = self.scope.arrays();
        let fits: Vec<Entry> = all.into_iter().filter(|entry| entry.ty.shape()[0] == width).collect();
        let mut inputs: Vec<Entry> = Vec::new();
        for _ in 0..self.rng.below(3) {
            inputs.extend(self.choose_entry(&fits));
        }
        let params: Vec<(Type, Roots)> = inputs
            .iter()
            .map(|entry| {
                (entry.ty.peel(1), if entry.ty.rank() > 1 { entry.roots.clone() } else { Roots::new() })
            })
            .collect();
        let lambda = self.lambda(&params, cells, |m, _| {
            m.some_statements(3);
            cells.iter().map(|ty| m.outcome(ty)).collect()
        });
        let types: Vec<Type> = cells.iter().map(|ty| Type::array_of(&[width], ty)).collect();
        let arrays = inputs.iter().map(|entry| entry.var).collect();
        self.fresh_all("m", &types, Exp::Map { width, lambda, arrays })
    }

    pub(super) fn kernel_statement(&mut self) {
        match self.rng.below(9) {
            0..4 => {
                let bounds: Vec<Atom> = (0..1 + self.rng.below(2)).map(|_| self.width()).collect();
                let cells: Vec<Type> = (0..1 + self.rng.below(2)).map(|_| self.any_type()).collect();
                self.kernel_map(&bounds, &cells);
            }
            4..7 => {
                let mut bounds: Vec<Atom> = (0..1 + self.rng.below(2)).map(|_| self.width()).collect();
                let Operator { types, op, neutral, commutative } = self.operator(false);
                let is_scan = self.rng.chance(40);
                if is_scan && let Some(last) = bounds.last_mut() {
                    *last = self.scan_width();
                }
                let (space, body) = self.scalar_kernel(&bounds, &types);
                let outer = if is_scan { &bounds[..] } else { &bounds[..bounds.len() - 1] };
                let epilogue =
                    (is_scan && self.rng.chance(50)).then(|| self.epilogue(&space, &types)).flatten();
                let types: Vec<Type> = match &epilogue {
                    Some(epilogue) => epilogue.results.clone(),
                    None => types.iter().map(|t| Type::Prim(*t)).collect(),
                };
                let types: Vec<Type> = types.iter().map(|ty| Type::array_of(outer, ty)).collect();
                let combine = if is_scan {
                    Combine::Scan { op, neutral, epilogue: epilogue.map(Box::new) }
                } else {
                    Combine::Reduce { op, neutral, commutative: commutative && self.rng.chance(50) }
                };
                self.fresh_all("k", &types, Exp::Kernel { space, combine, body });
            }
            7 => {
                let bounds = [self.width()];
                let Operator { types, op, neutral, .. } = self.operator(true);
                let cells: Vec<Type> = types.iter().map(|t| Type::Prim(*t)).collect();
                // The destinations leave the scope first: the body may not use them.
                let (dests, dest_types) = self.dests(&cells);
                let with_index: Vec<PrimType> = [PrimType::I64].into_iter().chain(types).collect();
                let (space, body) = self.scalar_kernel(&bounds, &with_index);
                let combine = Combine::Hist { op, neutral, dests };
                self.fresh_all("h", &dest_types, Exp::Kernel { space, combine, body });
            }
            _ => {
                let bounds = [self.width()];
                let cells: Vec<Type> = (0..1 + self.rng.below(2)).map(|_| self.any_type()).collect();
                let (dests, dest_types) = self.dests(&cells);
                let (space, body) = self.kernel_body(&bounds, |m| {
                    m.some_statements(2);
                    [m.scalar(PrimType::I64)].into_iter().chain(cells.iter().map(|ty| m.value(ty))).collect()
                });
                let combine = Combine::Scatter { dests };
                self.fresh_all("d", &dest_types, Exp::Kernel { space, combine, body });
            }
        }
    }

    /// A space over bounds, and a body in it.
    pub(super) fn kernel_body(
        &mut self,
        bounds: &[Atom],
        make: impl FnOnce(&mut Maker) -> Vec<Atom>,
    ) -> (Vec<(Var, Atom)>, Body) {
        let space: Vec<(Var, Atom)> = bounds.iter().map(|bound| (self.names.fresh("i"), *bound)).collect();
        let scope = self.point_scope(&space);
        let (body, _) = self.body(scope, make);
        (space, body)
    }

    /// What is in scope at a point of a space.
    fn point_scope(&self, space: &[(Var, Atom)]) -> Scope {
        let mut scope = self.shared_scope();
        for (counter, bound) in space {
            scope.add(*counter, I64, Roots::new());
            scope.counters.push((*counter, *bound));
            let max = scope.size_max(*bound).unwrap_or(0);
            scope.sizes.insert(*counter, max);
        }
        scope
    }

    /// What becomes of the sums of a scan, if it came to be made of scalar operators and reads alone.
    fn epilogue(&mut self, space: &[(Var, Atom)], types: &[PrimType]) -> Option<Lambda> {
        let params: Vec<Binder> = types.iter().map(|t| self.binder("p", Type::Prim(*t))).collect();
        let mut scope = self.point_scope(space);
        params.iter().for_each(|param| scope.add(param.var, param.ty.clone(), Roots::new()));
        let mut results = Vec::new();
        let (body, _) = self.body(scope, |m| {
            let mut values = Vec::new();
            for param in &params {
                let t = param.ty.elem();
                // a sum that is as it was, another number, or what has nothing to do with it
                let value = match m.rng.below(4) {
                    0 => Atom::Var(param.var),
                    1 => m.scalar(t),
                    _ => {
                        let op = if t == PrimType::Bool { BinOp::Xor } else { BinOp::Sub };
                        let other = m.scalar(t);
                        Atom::Var(m.fresh("z", Type::Prim(t), Exp::Bin(op, t, param.var.into(), other)))
                    }
                };
                results.push(Type::Prim(t));
                values.push(value);
            }
            if m.rng.chance(30) {
                let t = m.prim();
                results.push(Type::Prim(t));
                values.push(m.scalar(t));
            }
            values
        });
        let simple = body.statements.iter().all(|statement| is_scalar_step(&statement.exp));
        simple.then_some(Lambda { params, results, body })
    }

    fn scalar_kernel(&mut self, bounds: &[Atom], types: &[PrimType]) -> (Vec<(Var, Atom)>, Body) {
        self.kernel_body(bounds, |m| {
            m.some_statements(3);
            types.iter().map(|t| m.scalar(*t)).collect()
        })
    }

    /// Arrays of scalars of these types.
    fn vectors(&mut self, width: Atom, types: &[PrimType]) -> Vec<Var> {
        let mut vars = Vec::new();
        for t in types {
            vars.extend(self.value(&Type::Array { shape: vec![width], elem: *t }).as_var());
        }
        vars
    }

    /// Fresh destinations of one outer size, which leave the scope at once; and their types.
    fn dests(&mut self, cells: &[Type]) -> (Vec<Var>, Vec<Type>) {
        let size = self.any_size();
        let types: Vec<Type> = cells.iter().map(|ty| Type::array_of(&[size], ty)).collect();
        let mut dests = Vec::new();
        for ty in &types {
            let dest = self.fresh_array(ty);
            let roots = self.scope.roots_of(Atom::Var(dest));
            self.scope.consume(&roots);
            dests.push(dest);
        }
        (dests, types)
    }

    /// A reduction or scan of rows: the operator is a map of a scalar operator.
    fn row_combination(&mut self) {
        // asked of a copy, so that what other rows are does not depend on it
        if !self.derived && !self.integers && self.rng.clone().chance(25) {
            return self.small_rows();
        }
        let (width, length) = (self.width(), self.any_size());
        let (rows, op, neutral) = self.row_operator(length);
        let mut arrays = Vec::new();
        for row in &rows {
            arrays.extend(self.value(&Type::array_of(&[width], row)).as_var());
        }
        if self.rng.chance(60) {
            let exp = Exp::Reduce { width, op, neutral, arrays, commutative: self.rng.chance(30) };
            self.fresh_all("r", &rows, exp);
        } else {
            let types: Vec<Type> = rows.iter().map(|row| Type::array_of(&[width], row)).collect();
            self.fresh_all("s", &types, Exp::Scan { width, op, neutral, arrays });
        }
    }

    /// A histogram of rows.
    fn row_histogram(&mut self) {
        let (width, length) = (self.width(), self.any_size());
        let (rows, op, neutral) = self.row_operator(length);
        let indices = self.vectors(width, &[PrimType::I64])[0];
        let mut values = Vec::new();
        for row in &rows {
            values.extend(self.value(&Type::array_of(&[width], row)).as_var());
        }
        let (dests, types) = self.dests(&rows);
        self.fresh_all("h", &types, Exp::Hist { width, op, neutral, dests, indices, values });
    }

    /// An operator on rows of this length, the types of the rows, and the neutral element.
    fn row_operator(&mut self, length: Atom) -> (Vec<Type>, Lambda, Vec<Atom>) {
        let Operator { types, op, neutral, .. } = self.operator(true);
        let rows: Vec<Type> = types.iter().map(|t| Type::Array { shape: vec![length], elem: *t }).collect();
        let mut neutrals = Vec::new();
        for (row, value) in rows.iter().zip(neutral) {
            let exp = Exp::Replicate { shape: vec![length], value };
            neutrals.push(Atom::Var(self.fresh("v", row.clone(), exp)));
        }
        let params: Vec<Binder> = rows.iter().chain(&rows).map(|row| self.binder("p", row.clone())).collect();
        let both = params.iter().map(|binder| binder.var).collect();
        let scope = self.shared_scope();
        let (body, _) = self.body(scope, |m| {
            let map = Exp::Map { width: length, lambda: op, arrays: both };
            m.fresh_all("q", &rows, map).into_iter().map(Atom::Var).collect()
        });
        let op = Lambda { params, results: rows.clone(), body };
        (rows, op, neutrals)
    }

    /// An associative operator with its neutral element. Some combine two values by way of one another.
    fn operator(&mut self, commutative: bool) -> Operator {
        if self.rng.chance(25) {
            let lesser = self.rng.chance(50);
            return match commutative || self.rng.chance(50) {
                true if lesser => self.lesser_pair(),
                true => self.product_of_pairs(),
                false => self.composition(),
            };
        }
        let count = 1 + self.rng.below(2);
        let (mut types, mut ops, mut neutral) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let t = self.prim();
            let (op, value) = self.simple_operator(t);
            types.push(t);
            ops.push(op);
            neutral.push(Atom::Const(value));
        }
        let op = self.scalar_lambda(&types, |m, left, right| {
            let pairs = left.iter().zip(right).zip(types.iter().zip(&ops));
            let mut results = Vec::new();
            for ((x, y), (t, op)) in pairs {
                let exp = Exp::Bin(*op, *t, Atom::Var(*x), Atom::Var(*y));
                results.push(Atom::Var(m.fresh("z", Type::Prim(*t), exp)));
            }
            results
        });
        Operator { types, op, neutral, commutative: true }
    }

    pub(super) fn simple_operator(&mut self, t: PrimType) -> (BinOp, PrimValue) {
        let extreme = |most: bool| match t {
            PrimType::Bool => PrimValue::Bool(most),
            _ if t.is_float() => {
                let infinity = if most { f64::INFINITY } else { f64::NEG_INFINITY };
                fun_base::prim::eval_conv(t, PrimValue::F64(infinity))
            }
            _ if most => greatest(t),
            _ => PrimValue::from_bits(t, greatest(t).bits().wrapping_add(1)),
        };
        let all = [
            (BinOp::Min, extreme(true)),
            (BinOp::Max, extreme(false)),
            (BinOp::And, if t == PrimType::Bool { PrimValue::Bool(true) } else { t.of_i64(-1) }),
            (BinOp::Or, t.zero()),
            (BinOp::Xor, t.zero()),
            (BinOp::Add, t.zero()),
            (BinOp::Mul, t.of_i64(1)),
        ];
        let known = if t.is_float() {
            &all[..2]
        } else if t == PrimType::Bool {
            &all[..5]
        } else {
            &all[..]
        };
        *self.rng.pick(known).unwrap_or(&all[0])
    }

    /// `(a, b) (c, d) ↦ (a·c, b·c + d)`: first `x ↦ a·x + b`, then `x ↦ c·x + d`.
    fn composition(&mut self) -> Operator {
        let t = self.any_int();
        let op = self.scalar_lambda(&[t, t], |m, left, right| {
            let (a, b, c, d) = (left[0].into(), left[1].into(), right[0].into(), right[1].into());
            let slope = m.fresh("z", Type::Prim(t), Exp::Bin(BinOp::Mul, t, a, c));
            let moved = m.fresh("z", Type::Prim(t), Exp::Bin(BinOp::Mul, t, b, c));
            let offset = m.fresh("z", Type::Prim(t), Exp::Bin(BinOp::Add, t, moved.into(), d));
            vec![slope.into(), offset.into()]
        });
        let neutral = vec![Atom::Const(t.of_i64(1)), Atom::Const(t.zero())];
        Operator { types: vec![t, t], op, neutral, commutative: false }
    }

    /// `(a, b) (c, d) ↦ (a·c - b·d, a·d + b·c)`: the product of complex numbers.
    fn product_of_pairs(&mut self) -> Operator {
        let t = self.any_int();
        let op = self.scalar_lambda(&[t, t], |m, left, right| {
            let mut combine =
                |op, x: Var, y: Var| m.fresh("z", Type::Prim(t), Exp::Bin(op, t, x.into(), y.into()));
            let (a, b, c, d) = (left[0], left[1], right[0], right[1]);
            let (both, other) = (combine(BinOp::Mul, a, c), combine(BinOp::Mul, b, d));
            let (first, second) = (combine(BinOp::Mul, a, d), combine(BinOp::Mul, b, c));
            vec![combine(BinOp::Sub, both, other).into(), combine(BinOp::Add, first, second).into()]
        });
        let neutral = vec![Atom::Const(t.of_i64(1)), Atom::Const(t.zero())];
        Operator { types: vec![t, t], op, neutral, commutative: true }
    }

    /// Of two pairs the one that is less by its first value, or else by its second: the least value with its index.
    fn lesser_pair(&mut self) -> Operator {
        let types = [self.any_int(), self.any_int()];
        let op = self.scalar_lambda(&types, |m, left, right| {
            let mut compare = |op, k: usize| {
                let exp = Exp::Bin(op, types[k], left[k].into(), right[k].into());
                Atom::Var(m.fresh("z", Type::Prim(PrimType::Bool), exp))
            };
            let (less, same, first) = (compare(BinOp::Lt, 0), compare(BinOp::Eq, 0), compare(BinOp::Lt, 1));
            let mut connect = |op, x, y| {
                Atom::Var(m.fresh("z", Type::Prim(PrimType::Bool), Exp::Bin(op, PrimType::Bool, x, y)))
            };
            let tie = connect(BinOp::And, same, first);
            let condition = connect(BinOp::Or, less, tie);
            let values = |of: &[Var]| of.iter().map(|var| Atom::Var(*var)).collect::<Vec<Atom>>();
            let (then, _) = m.body(m.shared_scope(), |_| values(left));
            let (otherwise, _) = m.body(m.shared_scope(), |_| values(right));
            let pair = types.map(Type::Prim);
            let chosen = m.fresh_all("w", &pair, Exp::If { condition, then, otherwise });
            values(&chosen)
        });
        let greatest = |t: &PrimType| Atom::Const(greatest(*t));
        let neutral = types.iter().map(greatest).collect();
        Operator { types: types.to_vec(), op, neutral, commutative: true }
    }

    pub(super) fn any_int(&mut self) -> PrimType {
        let ints: Vec<PrimType> = PrimType::NUMERIC_AND_BOOL.into_iter().filter(|t| t.is_int()).collect();
        *self.rng.pick(&ints).unwrap_or(&PrimType::I64)
    }

    /// A lambda on two groups of scalars.
    pub(super) fn scalar_lambda(
        &mut self,
        types: &[PrimType],
        make: impl FnOnce(&mut Maker, &[Var], &[Var]) -> Vec<Atom>,
    ) -> Lambda {
        let results: Vec<Type> = types.iter().map(|t| Type::Prim(*t)).collect();
        let params: Vec<(Type, Roots)> =
            results.iter().chain(&results).map(|ty| (ty.clone(), Roots::new())).collect();
        self.lambda(&params, &results, |m, params| {
            let (left, right) = params.split_at(types.len());
            make(m, left, right)
        })
    }
}

/// The greatest integer of a type.
fn greatest(t: PrimType) -> PrimValue {
    let top = if t.is_signed() { t.bits() - 1 } else { t.bits() };
    PrimValue::from_bits(t, u64::MAX >> (64 - top))
}
