//! Derivatives, by integers only: sums of floats in another order would have other bits.

use super::Maker;
use super::scope::{Entry, I64, Roots};
use crate::ir::{Atom, Binder, Dim, Exp, Lambda, Mode, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// A derivative of a function of some integers and arrays of integers.
    pub(super) fn derivative_statement(&mut self) {
        // (read from a copy that has gone on, so that other programs stay what they are)
        let mut ahead = self.rng.clone();
        ahead.below(2);
        if ahead.chance(8) {
            return self.derivative_of_readers();
        }
        let sized = |entry: &Entry, maker: &Maker| maker.scope.sizes.contains_key(&entry.var);
        let fits: Vec<Entry> = self
            .scope
            .entries
            .iter()
            .filter(|entry| entry.ty.elem().is_int() && !sized(entry, self))
            .cloned()
            .collect();
        let mut args: Vec<Entry> = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            // Often two of one type: they can be mistaken for each other.
            let like = args.last().map(|last| last.ty.clone()).filter(|_| self.rng.chance(60));
            let fits: Vec<&Entry> =
                fits.iter().filter(|entry| like.as_ref().is_none_or(|ty| entry.ty == *ty)).collect();
            args.extend(self.rng.pick(&fits).map(|entry| (*entry).clone()));
        }
        if args.is_empty() {
            return;
        }
        let cells: Vec<Type> = (0..1 + self.rng.below(2)).map(|_| self.any_type()).collect();
        let params: Vec<(Type, Roots)> =
            args.iter().map(|entry| (entry.ty.clone(), entry.roots.clone())).collect();
        let outer = std::mem::replace(&mut self.derived, true);
        let function = self.lambda(&params, &cells, |m, _| {
            m.some_statements(4);
            cells.iter().map(|ty| m.value(ty)).collect()
        });
        let takes: Vec<Type> = args.iter().map(|entry| entry.ty.clone()).collect();
        let (mode, added) = match self.rng.below(5) {
            0 | 1 => (Mode::Jvp { tangents: takes.iter().map(|ty| self.value(ty)).collect() }, cells.clone()),
            2 | 3 => {
                // What the function gives may be of any type; adjoints of floats lead to sums of floats.
                let zero = |m: &mut Maker, ty: &Type| match ty {
                    Type::Prim(t) => Atom::Const(t.zero()),
                    Type::Array { shape, elem } => {
                        let value = Atom::Const(elem.zero());
                        m.fresh("v", ty.clone(), Exp::Replicate { shape: shape.clone(), value }).into()
                    }
                };
                let adjoints = cells
                    .iter()
                    .map(|ty| if ty.elem().is_int() { self.value(ty) } else { zero(self, ty) })
                    .collect();
                (Mode::Vjp { adjoints }, takes)
            }
            _ => (Mode::Custom { adjoint: self.adjoint(&cells, &takes) }, Vec::new()),
        };
        self.derived = outer;
        let types: Vec<Type> = cells.into_iter().chain(added).collect();
        let roots = params.into_iter().flat_map(|(_, roots)| roots).collect();
        let args = args.iter().map(|entry| Atom::Var(entry.var)).collect();
        self.derive(mode, function, args, types, roots);
    }

    /// The derivative in the other direction of a map whose function reads an array from outside as it likes.
    fn derivative_of_readers(&mut self) {
        let t = self.any_int();
        let elem = Type::Prim(t);
        let width = Atom::i64(self.rng.below(7) as i64);
        let shape: Vec<Atom> =
            (0..1 + self.rng.below(2)).map(|_| Atom::i64(1 + self.rng.below(3) as i64)).collect();
        let (shared, own) = (Type::array_of(&shape, &elem), Type::array_of(&[width], &elem));
        let args = vec![self.value(&shared), self.value(&own)];
        let roots: Vec<Roots> = args.iter().map(|arg| self.scope.roots_of(*arg)).collect();
        let outer = std::mem::replace(&mut self.derived, true);
        let params: Vec<(Type, Roots)> =
            [shared.clone(), own.clone()].into_iter().zip(roots.clone()).collect();
        let function = self.lambda(&params, std::slice::from_ref(&own), |m, params| {
            let start = m.scalar(PrimType::I64);
            let step = Atom::i64(1 + m.rng.below(2) as i64);
            let places = Type::array_of(&[width], &I64);
            let places = m.fresh("i", places, Exp::Iota { count: width, start, step, elem: PrimType::I64 });
            let of_both = [(elem.clone(), Roots::new()), (I64, Roots::new())];
            let lambda = m.lambda(&of_both, std::slice::from_ref(&elem), |m, x| {
                vec![m.reader(t, params[0], &shape, x[0].into(), x[1].into())]
            });
            let results = Exp::Map { width, lambda, arrays: vec![params[1], places] };
            vec![m.fresh("m", own.clone(), results).into()]
        });
        let mode = Mode::Vjp { adjoints: vec![self.value(&own)] };
        self.derived = outer;
        self.derive(
            mode,
            function,
            args,
            vec![own.clone(), shared, own],
            roots.into_iter().flatten().collect(),
        );
    }

    /// A value from `x`, an element of an array of this shape, at times in a branch, and at times all of a row.
    fn reader(&mut self, t: PrimType, array: Var, shape: &[Atom], x: Atom, at: Atom) -> Atom {
        let elem = Type::Prim(t);
        let joined = |m: &mut Maker, x: Atom, y: Atom| {
            let op = if m.rng.chance(70) { BinOp::Mul } else { BinOp::Add };
            Atom::Var(m.fresh(op.name(), Type::Prim(t), Exp::Bin(op, t, x, y)))
        };
        let mut indices: Vec<Atom> = shape.iter().map(|size| self.number(BinOp::Mod, at, *size)).collect();
        let read = |m: &mut Maker, indices: Vec<Atom>| {
            let element = m.fresh("e", Type::Prim(t), Exp::Index { array, indices });
            joined(m, x, element.into())
        };
        let value = if self.rng.chance(30) {
            let condition = self.test(BinOp::Lt, indices[0], Atom::i64(1));
            let (then, _) = self.body(self.shared_scope(), |m| vec![read(m, indices.clone())]);
            let (otherwise, _) = self.body(self.shared_scope(), |_| vec![x]);
            Atom::Var(self.fresh("x", elem.clone(), Exp::If { condition, then, otherwise }))
        } else {
            read(self, indices.clone())
        };
        let Some(size) = shape.last().copied().filter(|_| self.rng.chance(50)) else { return value };
        indices.pop();
        let ty = Type::array_of(&[size], &elem);
        let dims: Vec<Dim> = indices
            .into_iter()
            .map(Dim::Fix)
            .chain([Dim::Range { offset: Atom::i64(0), count: size, stride: Atom::i64(1) }])
            .collect();
        let row = if dims.len() == 1 {
            array
        } else {
            self.view("r", ty.clone(), Exp::Slice { array, dims }, array)
        };
        let lambda =
            self.lambda(&[(elem.clone(), Roots::new())], &[elem], |m, y| vec![joined(m, x, y[0].into())]);
        let products = self.fresh("m", ty, Exp::Map { width: size, lambda, arrays: vec![row] });
        self.fold(t, value, size, &mut |m, old, i| {
            let product = m.fresh("e", Type::Prim(t), Exp::Index { array: products, indices: vec![i] });
            joined(m, old, product.into())
        })
    }

    /// The statement, whose results come into scope.
    fn derive(&mut self, mode: Mode, function: Lambda, args: Vec<Atom>, types: Vec<Type>, mut roots: Roots) {
        let pattern: Vec<Binder> = types.iter().map(|ty| self.binder("d", ty.clone())).collect();
        roots.extend(mode.seeds().iter().flat_map(|seed| self.scope.roots_of(*seed)));
        let vars: Vec<_> = pattern.iter().map(|binder| binder.var).collect();
        // The results may be any array in scope, and each other.
        roots.extend(vars.first());
        roots.extend(self.scope.entries.iter().flat_map(|entry| entry.roots.iter().copied()));
        self.push(pattern, Exp::Derive { mode, function, args });
        for (var, ty) in vars.into_iter().zip(types) {
            let roots = if ty.rank() > 0 { roots.clone() } else { Roots::new() };
            self.scope.add(var, ty, roots);
        }
    }

    /// Some function from results and their adjoints to the adjoints of arguments.
    fn adjoint(&mut self, results: &[Type], takes: &[Type]) -> Lambda {
        let params: Vec<(Type, Roots)> =
            results.iter().chain(results).map(|ty| (ty.clone(), Roots::new())).collect();
        self.lambda(&params, takes, |m, _| takes.iter().map(|ty| m.value(ty)).collect())
    }
}
