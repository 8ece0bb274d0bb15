//! Rules on branches and loops.

use super::super::operator_may_fail;
use super::{Simplify, rules};
use fun::ir::{Atom, Binder, Body, Exp, Fun, LoopForm, LoopParam, NoOp, Statement, Type};
use fun::visit::names::{Subst, subst_body, subst_type, use_counts_in_body};
use fun::visit::{Map, Walk, map_exp};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// The most scalars of an arm that are computed before the branch.
const MOST_HOISTED: usize = 4;

impl Simplify<'_> {
    /// Puts a body in place of the statement that had it.
    fn splice(&mut self, pattern: &[Binder], body: Body, out: &mut Vec<Statement>) {
        out.extend(body.statements);
        self.stand_for(pattern, &body.results);
    }

    /// Adds an `if`, or what is left of it.
    pub(super) fn branches(
        &mut self,
        pattern: Vec<Binder>,
        condition: Atom,
        mut then: Body,
        mut otherwise: Body,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) {
        match condition.as_const().and_then(|value| value.as_bool()) {
            Some(true) => return self.splice(&pattern, then, out),
            Some(false) => return self.splice(&pattern, otherwise, out),
            None => {}
        }
        self.hoist_truth(&mut then, &mut otherwise, out);
        if let Some(exp) = logical(condition, &then, &otherwise) {
            let atom = self.scalar(exp, Type::Prim(PrimType::Bool), loc, out);
            return self.stand_for(&pattern, &[atom]);
        }
        // Equal atoms on both sides are from outside: names are unique.
        let mut keep = Vec::new();
        for (i, binder) in pattern.iter().enumerate() {
            let same = then.results[i] == otherwise.results[i];
            if same {
                self.stand_for(std::slice::from_ref(binder), &[then.results[i]]);
            }
            keep.push(!same && self.is_used(binder.var));
        }
        then.results = only(&keep, &then.results);
        otherwise.results = only(&keep, &otherwise.results);
        let mut pattern = only(&keep, &pattern);
        for binder in &mut pattern {
            binder.ty = subst_type(&self.subst, &binder.ty);
        }
        self.learn_choices(&pattern, condition, [&then, &otherwise]);
        out.push(Statement { pattern, exp: Exp::If { condition, then, otherwise }, loc });
    }

    /// Of `if c then x else false` and `if c then true else x`, the few scalars that make `x` are computed before, where they cannot fail: a
    /// branch would keep a loop from running in vectors.
    fn hoist_truth(&self, then: &mut Body, otherwise: &mut Body, out: &mut Vec<Statement>) {
        let is = |body: &Body, truth| {
            body.statements.is_empty() && body.results == [Atom::Const(PrimValue::Bool(truth))]
        };
        let arm = match (is(then, true), is(otherwise, false)) {
            (true, false) => otherwise,
            (false, true) => then,
            _ => return,
        };
        let few = arm.statements.len() <= MOST_HOISTED;
        if few && arm.statements.iter().all(|statement| self.is_safe(&statement.exp)) {
            out.append(&mut arm.statements);
        }
    }

    /// Whether a scalar is cheap, and can be computed where it need not be.
    fn is_safe(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Atom(_) | Exp::Convert { .. } => true,
            Exp::Bin(op, ty, _, right) => !matches!(op, BinOp::Pow) && !operator_may_fail(*op, *ty, *right),
            Exp::Index { array, indices } => {
                let ty = self.types.get(array).map(|ty| subst_type(&self.subst, ty));
                let inside = |(index, size): (&Atom, &Atom)| {
                    index.as_var().is_some_and(|index| self.counters.get(&index) == Some(size))
                };
                !self.has_scratch && ty.is_some_and(|ty| indices.iter().zip(ty.shape()).all(inside))
            }
            _ => false,
        }
    }

    /// Adds a loop, or what is left of it.
    pub(super) fn loop_(
        &mut self,
        pattern: Vec<Binder>,
        params: Vec<LoopParam>,
        form: LoopForm,
        body: Body,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) {
        let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
        if iterations(&form, &params) == Some(0) {
            return self.stand_for(&pattern, &inits);
        }
        if let (Some(1), LoopForm::For { var, ty, .. }) = (iterations(&form, &params), &form) {
            let mut once: Subst = params.iter().map(|param| param.binder.var).zip(inits).collect();
            once.insert(*var, Atom::Const(ty.zero()));
            // (what is known of arrays of the body names them)
            once.iter().for_each(|(var, atom)| self.replace(*var, *atom));
            return self.splice(&pattern, subst_body(&once, &body), out);
        }
        let (form, body) = self.with_wide_counter(form, body, loc, out);
        let counted = self.counted(&pattern, &params, &form, &body, loc, out);
        let used = used_in(&body, &form, &params);
        let branches = branches_of(&body);
        let mut keep = Vec::new();
        let mut fixed = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let var = param.binder.var;
            // A parameter whose next value is itself, or its initial value, whichever arms run, never changes.
            let next = body.results[i];
            let drives = form == LoopForm::While(var);
            let mut passed = Vec::new();
            let unchanged = !drives && stays(next, param, &branches, &mut passed);
            let unneeded = !drives && !used.contains(&var) && !self.is_used(pattern[i].var);
            if unchanged {
                fixed.push((var, param.init));
                fixed.extend(passed.into_iter().map(|passed| (passed, param.init)));
                self.stand_for(std::slice::from_ref(&pattern[i]), &[param.init]);
            }
            // (what is added to it is dead then)
            fixed.extend(counted.contains(&i).then_some((var, param.init)));
            keep.push(!unchanged && !unneeded && !counted.contains(&i));
        }
        if keep.iter().all(|keep| *keep) {
            out.push(Statement { pattern, exp: Exp::Loop { params, form, body }, loc });
            return;
        }
        let fixed = fixed.into_iter().collect();
        let mut body = subst_body(&fixed, &body);
        body.results = only(&keep, &body.results);
        let mut params = only(&keep, &params);
        for param in &mut params {
            param.binder.ty = subst_type(&fixed, &param.binder.ty);
        }
        let mut pattern = only(&keep, &pattern);
        for binder in &mut pattern {
            binder.ty = subst_type(&self.subst, &binder.ty);
        }
        out.push(Statement { pattern, exp: Exp::Loop { params, form, body }, loc });
    }
}

impl Simplify<'_> {
    /// A loop whose counter is only ever converted to i64 counts in that type, so that others see an index.
    fn with_wide_counter(
        &mut self,
        form: LoopForm,
        body: Body,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> (LoopForm, Body) {
        let LoopForm::For { var, ty, bound } = form else { return (form, body) };
        if ty == PrimType::I64 || !ty.is_signed() {
            return (form, body);
        }
        let of = Exp::Convert { to: PrimType::I64, from: ty, value: Atom::Var(var) };
        let mut conversions = Conversions { of, to: Atom::Var(var), found: 0 };
        let wide = conversions.body(&body);
        if conversions.found == 0 || use_counts_in_body(&body).get(&var) != Some(&conversions.found) {
            return (form, body);
        }
        let exp = Exp::Convert { to: PrimType::I64, from: ty, value: bound };
        let bound = self.scalar(exp, Type::Prim(PrimType::I64), loc, out);
        (LoopForm::For { var, ty: PrimType::I64, bound }, wide)
    }
}

/// Puts a variable in the place of its conversions, and counts them.
struct Conversions {
    of: Exp,
    to: Atom,
    found: usize,
}

impl Map<Fun, Fun> for Conversions {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn exp(&mut self, exp: &Exp) -> Exp {
        if *exp == self.of {
            self.found += 1;
            return Exp::Atom(self.to);
        }
        map_exp(self, exp)
    }
}

/// By the variables that branches of a body bind: the two arms, and the place among their results.
fn branches_of(body: &Body) -> BTreeMap<Var, (&Body, &Body, usize)> {
    let mut found = BTreeMap::new();
    for Statement { pattern, exp, .. } in &body.statements {
        if let Exp::If { then, otherwise, .. } = exp {
            let places = pattern.iter().enumerate();
            found.extend(places.map(|(place, binder)| (binder.var, (then, otherwise, place))));
        }
    }
    found
}

/// Whether a value is the parameter or its initial value, or a scalar that each arm of a branch makes one of them: such scalars are added.
fn stays(
    value: Atom,
    param: &LoopParam,
    branches: &BTreeMap<Var, (&Body, &Body, usize)>,
    passed: &mut Vec<Var>,
) -> bool {
    if value == Atom::Var(param.binder.var) || value == param.init {
        return true;
    }
    let is_scalar = matches!(param.binder.ty, Type::Prim(_));
    let Some(var) = value.as_var().filter(|_| is_scalar) else { return false };
    let Some((then, otherwise, place)) = branches.get(&var) else { return false };
    passed.push(var);
    [then, otherwise].into_iter().all(|arm| stays(arm.results[*place], param, &branches_of(arm), passed))
}

/// The items whose flag is set.
pub(super) fn only<T: Clone>(flags: &[bool], items: &[T]) -> Vec<T> {
    flags.iter().zip(items).filter(|(flag, _)| **flag).map(|(_, item)| item.clone()).collect()
}

/// `if c then true else false = c`, `if c then false else true = !c`, `if c then x else false = c && x`, `if c then true else x = c || x`, for atoms.
fn logical(condition: Atom, then: &Body, otherwise: &Body) -> Option<Exp> {
    let atom = |body: &Body| match (body.statements.as_slice(), body.results.as_slice()) {
        ([], [atom]) => Some(*atom),
        _ => None,
    };
    let bool_of = |atom: Atom| atom.as_const().and_then(|value| value.as_bool());
    let (left, right) = (atom(then)?, atom(otherwise)?);
    let both = |op| Exp::Bin(op, PrimType::Bool, condition, if op == BinOp::And { left } else { right });
    match (bool_of(left), bool_of(right)) {
        (Some(true), Some(false)) => Some(Exp::Atom(condition)),
        (Some(false), Some(true)) => Some(Exp::Un(UnOp::Not, PrimType::Bool, condition)),
        (_, Some(false)) if !matches!(left, Atom::Const(PrimValue::Bool(_))) => {
            Some(rules::rewrite(both(BinOp::And)))
        }
        (Some(true), _) => Some(rules::rewrite(both(BinOp::Or))),
        _ => None,
    }
}

/// How often the loop runs, where that is 0 or 1 or otherwise a constant.
fn iterations(form: &LoopForm, params: &[LoopParam]) -> Option<i128> {
    match form {
        LoopForm::For { bound, .. } => bound.as_const()?.as_int().map(|bound| bound.max(0)),
        LoopForm::While(var) => {
            let start = params.iter().find(|param| param.binder.var == *var)?.init;
            (start == Atom::Const(PrimValue::Bool(false))).then_some(0)
        }
    }
}

/// The loop parameters that are used, other than in the result that is their own next value.
fn used_in(body: &Body, form: &LoopForm, params: &[LoopParam]) -> BTreeSet<Var> {
    struct Used(BTreeSet<Var>);
    impl Walk<Fun> for Used {
        fn atom(&mut self, atom: &Atom) {
            self.0.extend(atom.as_var());
        }
    }
    let mut used = Used(BTreeSet::new());
    body.statements.iter().for_each(|statement| Walk::<Fun>::statement(&mut used, statement));
    for (param, result) in params.iter().zip(&body.results) {
        if *result != Atom::Var(param.binder.var) {
            Walk::<Fun>::atom(&mut used, result);
        }
        Walk::<Fun>::ty(&mut used, &param.binder.ty);
    }
    if let LoopForm::While(var) = form {
        used.0.insert(*var);
    }
    used.0
}
