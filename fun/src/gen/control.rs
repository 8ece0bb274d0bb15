//! Branches, loops, calls.

use super::Maker;
use super::scope::{I64, Roots, Scope};
use crate::ir::{Atom, Binder, Body, Dim, Exp, LoopForm, LoopParam, Param, Type};
use crate::visit::names::{Subst, subst_type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeMap;

/// A size that a function gives back is at most this.
pub(super) const RESULT_MAX: i64 = 8;

const BOOL: Type = Type::Prim(PrimType::Bool);

impl Maker {
    fn branch(&mut self, types: &[Type]) -> (Body, Scope) {
        let scope = self.scope.clone();
        self.body(scope, |m| {
            m.some_statements(3);
            types.iter().map(|ty| m.outcome(ty)).collect()
        })
    }

    /// A choice whose results have types that are known outside.
    pub(super) fn if_statement(&mut self) {
        let types: Vec<Type> = (0..1 + self.rng.below(3)).map(|_| self.carried_type()).collect();
        let condition = self.scalar(PrimType::Bool);
        let (then, then_scope) = self.branch(&types);
        let (otherwise, other_scope) = self.branch(&types);
        let pattern: Vec<Binder> = types.iter().map(|ty| self.binder("r", ty.clone())).collect();
        self.join(&pattern, (&then.results, &then_scope), (&otherwise.results, &other_scope));
        self.push(pattern, Exp::If { condition, then, otherwise });
    }

    /// Takes the results of two branches into scope.
    fn join(&mut self, pattern: &[Binder], left: (&[Atom], &Scope), right: (&[Atom], &Scope)) {
        let consumed: Roots = left.1.consumed.union(&right.1.consumed).copied().collect();
        self.scope.consume(&consumed);
        self.scope.consumable.extend(&left.1.consumable);
        self.scope.consumable.extend(&right.1.consumable);
        let mut tokens: BTreeMap<Var, Var> = BTreeMap::new();
        for (i, binder) in pattern.iter().enumerate() {
            let both = left.1.roots_of(left.0[i]);
            let both: Roots = both.union(&right.1.roots_of(right.0[i])).copied().collect();
            let mut roots = Roots::new();
            for root in both {
                let kept =
                    if consumed.contains(&root) { *tokens.entry(root).or_insert(binder.var) } else { root };
                roots.insert(kept);
            }
            self.scope.consumable.extend(tokens.values());
            self.scope.add(binder.var, binder.ty.clone(), roots);
        }
    }

    /// A choice between arrays of different sizes.
    pub(super) fn sized_if_statement(&mut self) {
        let row = if self.rng.chance(70) { Type::Prim(self.prim()) } else { self.array_type() };
        if row.rank() > 2 {
            return;
        }
        let condition = self.scalar(PrimType::Bool);
        let branch = |m: &mut Maker| {
            let scope = m.scope.clone();
            m.body(scope, |m| {
                m.some_statements(2);
                let size = m.any_size();
                let array = m.value(&Type::array_of(&[size], &row));
                vec![size, array]
            })
        };
        let (then, then_scope) = branch(self);
        let (otherwise, other_scope) = branch(self);
        let size = self.binder("n", I64);
        let array = self.binder("r", Type::array_of(&[Atom::Var(size.var)], &row));
        let pattern = vec![size, array];
        self.join(&pattern, (&then.results, &then_scope), (&otherwise.results, &other_scope));
        self.scope.sizes.insert(pattern[0].var, self.scale.array_size);
        self.push(pattern, Exp::If { condition, then, otherwise });
    }

    /// A counted loop over scalars and arrays, some of which it changes in place.
    pub(super) fn for_statement(&mut self) {
        let types: Vec<Type> = (0..1 + self.rng.below(3)).map(|_| self.carried_type()).collect();
        let in_place: Vec<bool> = types.iter().map(|ty| ty.rank() > 0 && self.rng.chance(60)).collect();
        let (ty, bound) = if self.rng.chance(75) {
            (PrimType::I64, self.some_size(4))
        } else {
            let ints: Vec<PrimType> = PrimType::NUMERIC_AND_BOOL.into_iter().filter(|t| t.is_int()).collect();
            let ty = *self.rng.pick(&ints).unwrap_or(&PrimType::I64);
            let count = self.rng.below(5) as i64 - i64::from(ty.is_signed());
            (ty, Atom::Const(ty.of_i64(count)))
        };
        let inits = self.inits(&types, &in_place);
        let counter = self.names.fresh("i");
        let params: Vec<Binder> = types.iter().map(|ty| self.binder("a", ty.clone())).collect();
        let mut scope = self.loop_scope(&params, &in_place);
        scope.add(counter, Type::Prim(ty), Roots::new());
        if ty == PrimType::I64 {
            scope.counters.push((counter, bound));
            scope.sizes.insert(counter, 4);
        }
        let (body, inner) = self.body(scope, |m| {
            m.some_statements(4);
            m.next_values(&params, &in_place)
        });
        let form = LoopForm::For { var: counter, ty, bound };
        self.finish_loop(params, &in_place, inits, form, body, &inner);
    }

    /// Initial values; what a loop changes in place is made for it.
    pub(super) fn inits(&mut self, types: &[Type], in_place: &[bool]) -> Vec<Atom> {
        let mut inits = Vec::new();
        for (ty, own) in types.iter().zip(in_place) {
            if *own {
                let array = self.fresh_array(ty);
                let roots = self.scope.roots_of(Atom::Var(array));
                self.scope.consume(&roots);
                inits.push(Atom::Var(array));
            } else {
                inits.push(self.value(ty));
            }
        }
        inits
    }

    pub(super) fn loop_scope(&self, params: &[Binder], in_place: &[bool]) -> Scope {
        let mut scope = self.shared_scope();
        for (param, own) in params.iter().zip(in_place) {
            let roots = if param.ty.rank() > 0 { Roots::from([param.var]) } else { Roots::new() };
            if *own {
                scope.consumable.insert(param.var);
            }
            scope.add(param.var, param.ty.clone(), roots);
        }
        scope
    }

    /// The next values of loop parameters. Those changed in place come first, and leave the scope at once.
    fn next_values(&mut self, params: &[Binder], in_place: &[bool]) -> Vec<Atom> {
        let mut next: Vec<Option<Atom>> = vec![None; params.len()];
        for (i, param) in params.iter().enumerate().filter(|(i, _)| in_place[*i]) {
            let still = self.scope.entries.iter().any(|entry| entry.var == param.var);
            let array =
                if still { self.update_of(param.var, &param.ty) } else { self.fresh_array(&param.ty) };
            let roots = self.scope.roots_of(Atom::Var(array));
            self.scope.consume(&roots);
            next[i] = Some(Atom::Var(array));
        }
        let values = params.iter().zip(next);
        values.map(|(param, next)| next.unwrap_or_else(|| self.outcome(&param.ty))).collect()
    }

    pub(super) fn finish_loop(
        &mut self,
        params: Vec<Binder>,
        in_place: &[bool],
        inits: Vec<Atom>,
        form: LoopForm,
        body: Body,
        inner: &Scope,
    ) {
        let own: Roots = params.iter().map(|param| param.var).collect();
        // What is not changed in place may be any initial value or result of an iteration.
        let mut shared = Roots::new();
        for (i, param) in params.iter().enumerate() {
            if param.ty.rank() > 0 && !in_place[i] {
                shared.extend(self.scope.roots_of(inits[i]));
                shared.extend(inner.roots_of(body.results[i]));
            }
        }
        let shared: Roots = shared.difference(&own).copied().collect();
        let made = inner.consumable.difference(&own).copied();
        self.scope.consumable.extend(made);
        let mut pattern = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let binder = self.binder("r", param.ty.clone());
            if in_place[i] || binder.ty.rank() == 0 {
                self.scope.add_fresh(binder.var, binder.ty.clone());
            } else {
                self.scope.add(binder.var, binder.ty.clone(), shared.clone());
            }
            pattern.push(binder);
        }
        let params = params.into_iter().zip(inits).map(|(binder, init)| LoopParam { binder, init });
        self.push(pattern, Exp::Loop { params: params.collect(), form, body });
    }

    /// A loop that ends by itself, after at most three iterations.
    pub(super) fn while_statement(&mut self) {
        let types = [BOOL, I64, self.carried_type()];
        let in_place = [false; 3];
        let inits = vec![self.scalar(PrimType::Bool), Atom::i64(0), self.value(&types[2])];
        let params: Vec<Binder> = types.iter().map(|ty| self.binder("a", ty.clone())).collect();
        let (go, count) = (params[0].var, Atom::Var(params[1].var));
        let scope = self.loop_scope(&params, &in_place);
        let (body, inner) = self.body(scope, |m| {
            m.some_statements(3);
            let wish = m.scalar(PrimType::Bool);
            let next = m.successor(count);
            let few = Exp::Bin(BinOp::Lt, PrimType::I64, next, Atom::i64(3));
            let few = Atom::Var(m.fresh("t", BOOL, few));
            let again = Atom::Var(m.fresh("t", BOOL, Exp::Bin(BinOp::And, PrimType::Bool, wish, few)));
            vec![again, next, m.outcome(&types[2])]
        });
        self.finish_loop(params, &in_place, inits, LoopForm::While(go), body, &inner);
    }

    /// A loop whose array gets longer, or loses its first elements.
    pub(super) fn resizing_loop(&mut self) {
        let elem = self.prim();
        let of = |size: Atom| Type::Array { shape: vec![size], elem };
        let size = self.some_size(3);
        let init = self.value(&of(size));
        let times = self.rng.below(3) as i64;
        let (n, array) = {
            let n = self.binder("n", I64);
            let array = self.binder("a", of(Atom::Var(n.var)));
            (n, array)
        };
        let mut scope = self.shared_scope();
        scope.add(n.var, I64, Roots::new());
        scope.add(array.var, array.ty.clone(), Roots::from([array.var]));
        scope.sizes.insert(n.var, 3 + 2 * times);
        let (old_size, old) = (Atom::Var(n.var), array.var);
        let (body, inner) = self.body(scope, |m| {
            m.some_statements(2);
            if m.rng.chance(50) {
                return m.without_first(old, old_size, elem);
            }
            let more = m.some_size(2);
            let Some(more_array) = m.value(&of(more)).as_var() else { return Vec::new() };
            let sum = Exp::Bin(BinOp::Add, PrimType::I64, old_size, more);
            let sum = Atom::Var(m.fresh("n", I64, sum));
            let arrays = vec![old, more_array];
            vec![sum, Atom::Var(m.fresh("a", of(sum), Exp::Concat { size: sum, arrays }))]
        });
        let result_size = self.binder("n", I64);
        let result = self.binder("r", of(Atom::Var(result_size.var)));
        let mut roots = self.scope.roots_of(init);
        roots.extend(inner.roots_of(body.results[1]));
        roots.remove(&old);
        self.scope.consumable.extend(inner.consumable.iter().filter(|root| **root != old));
        self.scope.add(result_size.var, I64, Roots::new());
        self.scope.sizes.insert(result_size.var, 3 + 2 * times);
        self.scope.add(result.var, result.ty.clone(), roots);
        let counter = self.names.fresh("i");
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound: Atom::i64(times) };
        let params = [(n, size), (array, init)].map(|(binder, init)| LoopParam { binder, init });
        self.push(vec![result_size, result], Exp::Loop { params: params.to_vec(), form, body });
    }

    /// All but the first element of an array, if it has any, behind how many they are.
    fn without_first(&mut self, array: Var, size: Atom, elem: PrimType) -> Vec<Atom> {
        let mut number = |op, x, y| Atom::Var(self.fresh("n", I64, Exp::Bin(op, PrimType::I64, x, y)));
        let less = number(BinOp::Sub, size, Atom::i64(1));
        let count = number(BinOp::Max, less, Atom::i64(0));
        let offset = number(BinOp::Sub, size, count);
        let dims = vec![Dim::Range { offset, count, stride: Atom::i64(1) }];
        let ty = Type::Array { shape: vec![count], elem };
        vec![count, Atom::Var(self.view("s", ty, Exp::Slice { array, dims }, array))]
    }

    /// A call of an earlier function.
    pub(super) fn call_statement(&mut self) {
        let Some(function) = self.rng.pick(&self.functions).cloned() else { return };
        if self.recursive.contains(&function.name) {
            if self.derived {
                return;
            }
            self.calls_recursive = true;
        }
        let mut subst = Subst::new();
        let mut shared = Roots::new();
        let is_unique = |param: &Param| param.unique && param.binder.ty.rank() > 0;
        for param in function.params.iter().filter(|param| !is_unique(param)) {
            let ty = subst_type(&subst, &param.binder.ty);
            let arg = match () {
                () if param.implicit => self.any_size(),
                () if ty.rank() > 0 && self.rng.chance(30) => {
                    // Another like it is made before the call is what last uses it.
                    let [passed, _] = [0, 1].map(|_| self.lasting_array(&ty));
                    Atom::Var(passed)
                }
                () => self.value(&ty),
            };
            shared.extend(self.scope.roots_of(arg));
            subst.insert(param.binder.var, arg);
        }
        for param in function.params.iter().filter(|param| is_unique(param)) {
            let array = self.fresh_array(&subst_type(&subst, &param.binder.ty));
            let roots = self.scope.roots_of(Atom::Var(array));
            self.scope.consume(&roots);
            subst.insert(param.binder.var, Atom::Var(array));
        }
        let args = function.params.iter().map(|param| subst[&param.binder.var]).collect();
        let mut pattern = Vec::new();
        for result in &function.results {
            let binder =
                Binder { var: self.names.fresh_like(result.binder.var), ty: result.binder.ty.clone() };
            subst.insert(result.binder.var, Atom::Var(binder.var));
            pattern.push(binder);
        }
        let both = function.results.iter().zip(&pattern);
        let first_shared =
            both.clone().find(|(result, binder): &(&Param, &Binder)| !result.unique && binder.ty.rank() > 0);
        if let Some((_, binder)) = first_shared {
            shared.insert(binder.var);
            self.scope.consumable.insert(binder.var);
        }
        for (binder, result) in pattern.iter_mut().zip(&function.results) {
            binder.ty = subst_type(&subst, &binder.ty);
            if result.unique || binder.ty.rank() == 0 {
                self.scope.add_fresh(binder.var, binder.ty.clone());
            } else {
                self.scope.add(binder.var, binder.ty.clone(), shared.clone());
            }
            if result.implicit {
                self.scope.sizes.insert(binder.var, RESULT_MAX);
            }
        }
        self.push(pattern, Exp::Call { function: function.name, args });
    }
}
