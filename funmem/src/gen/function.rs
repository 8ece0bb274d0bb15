//! Functions: how they take arrays and give them back.

use super::maker::{Maker, Passing, Roots, Signature};
use crate::ir::{Body, Function, Param, Space};
use fun::ir::{Atom, Fun};
use std::collections::BTreeSet;

type FunParam = fun::ir::Param<Fun>;

impl Maker {
    pub(super) fn function(&mut self, function: fun::ir::Function) -> Function {
        let entry = function.entry;
        let passing = |maker: &mut Maker, param: &FunParam, free: bool| match param.binder.ty.rank() {
            0 => Passing::Scalar,
            _ if !free || maker.rng.chance(40) => Passing::RowMajor,
            _ => Passing::Anywhere,
        };
        let param = |maker: &mut Maker, param: &FunParam| passing(maker, param, !(entry && param.unique));
        let signature = Signature {
            params: function.params.iter().map(|one| param(self, one)).collect(),
            results: function.results.iter().map(|result| passing(self, result, !entry)).collect(),
        };
        self.signatures.insert(function.name, signature.clone());
        let mut params = Vec::with_capacity(function.params.len());
        for (param, passing) in function.params.into_iter().zip(signature.params) {
            let token = self.token();
            if param.unique {
                self.blocks.whole.insert(token);
            }
            self.param(param, passing, Roots::from([token]), &mut params);
        }
        let modes = signature.results.clone();
        let (statements, results) = self.body(function.body, |maker, results| maker.results(results, &modes));
        let mut result_params = Vec::with_capacity(function.results.len());
        for (result, passing) in function.results.into_iter().zip(signature.results) {
            self.param(result, passing, Roots::new(), &mut result_params);
        }
        let body = Body { statements, results };
        Function {
            name: function.name,
            entry,
            noinline: function.noinline,
            params,
            results: result_params,
            body,
        }
    }

    /// A parameter or result, preceded by what says where it lies.
    fn param(&mut self, param: FunParam, passing: Passing, roots: Roots, out: &mut Vec<Param>) {
        let implicit = |binder| Param { binder, implicit: true, unique: false };
        let binder = self.bind_passed(param.binder, passing, roots, &mut |binder| out.push(implicit(binder)));
        out.push(Param { binder, implicit: param.implicit, unique: param.unique });
    }

    /// The results of a function, preceded by what says where they lie. Those in row-major order are copied unless they lie in
    /// blocks of their own.
    fn results(&mut self, results: Vec<Atom>, modes: &[Passing]) -> Vec<Atom> {
        let mut given = Roots::new();
        let mut blocks = BTreeSet::new();
        let mut all = Vec::with_capacity(results.len());
        for (result, mode) in results.into_iter().zip(modes) {
            match (mode, result.as_var()) {
                (Passing::RowMajor, Some(array)) => {
                    let place = self.array_place(array);
                    let own = place.roots.iter().all(|token| self.blocks.whole.contains(token));
                    let fits = Maker::is_row_major(&place)
                        && own
                        && place.roots.is_disjoint(&given)
                        && !blocks.contains(&place.mem)
                        && self.space(place.mem) == Space::Default;
                    let array = if fits { array } else { self.copy_row_major(array) };
                    let place = self.array_place(array);
                    given.extend(place.roots);
                    blocks.insert(place.mem);
                    all.extend([Atom::Var(place.mem), Atom::Var(array)]);
                }
                (Passing::Anywhere, Some(array)) => {
                    let ready = self.ready(Atom::Var(array));
                    let place = self.array_place(ready.as_var().unwrap_or(array));
                    self.say_place(&place, &mut all);
                    given.extend(place.roots);
                    all.push(ready);
                }
                (Passing::Scalar | Passing::RowMajor | Passing::Anywhere, _) => all.push(result),
            }
        }
        all
    }
}
