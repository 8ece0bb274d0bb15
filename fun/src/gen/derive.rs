//! Derivatives, by integers only: sums of floats in another order would have other bits.

use super::Maker;
use super::scope::{Entry, Roots};
use crate::ir::{Atom, Binder, Exp, Lambda, Mode, Type};

impl Maker {
    /// A derivative of a function of some integers and arrays of integers.
    pub(super) fn derivative_statement(&mut self) {
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
        let pattern: Vec<Binder> = types.iter().map(|ty| self.binder("d", ty.clone())).collect();
        let mut roots: Roots = params.into_iter().flat_map(|(_, roots)| roots).collect();
        roots.extend(mode.seeds().iter().flat_map(|seed| self.scope.roots_of(*seed)));
        let vars: Vec<_> = pattern.iter().map(|binder| binder.var).collect();
        let args = args.iter().map(|entry| Atom::Var(entry.var)).collect();
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
