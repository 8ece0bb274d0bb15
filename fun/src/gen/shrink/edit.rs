//! Edits of statements, which are counted in order with those inside others behind the one that they are in.

use crate::ir::{
    Atom, Binder, BinderType, Body, Combine, Dim, Exp, Lambda, LoopForm, Program, Rep, Statement,
};
use crate::visit::names::{Subst, free_in_body, subst_atom, subst_body, use_counts};
use crate::visit::{Map, Walk, for_each_body, for_each_body_mut, map_exp, walk_program};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What may be done to one statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nothing instead, where nobody uses its results.
    Drop,
    /// Zeros of the types of its pattern instead.
    Default,
    /// Older variables of the same types instead: the oldest, or the youngest.
    Older(bool),
    /// The second branch of an `if`, or no iteration of a loop.
    Second,
    /// The first branch of an `if`, or one iteration of a loop, or what a map does to the first element, for all.
    First,
    /// The same without the results and operands that nobody uses.
    Narrow,
    /// A loop that runs once or twice.
    Bound(i64),
    /// A zero or one in place of this operand.
    Operand(usize, i64),
    /// The first of the arrays of a concatenation; a whole dimension instead of a slice.
    Plain,
}

/// What becomes of statements that only an edited one needed. They may be what shows a bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// They go, too.
    Goes,
    /// They stay: no change where there are none.
    Stays,
}

pub(super) const KINDS: [Kind; 18] = [
    Kind::Drop,
    Kind::Default,
    Kind::Older(true),
    Kind::Older(false),
    Kind::Second,
    Kind::First,
    Kind::Narrow,
    Kind::Bound(1),
    Kind::Bound(2),
    Kind::Plain,
    Kind::Operand(0, 0),
    Kind::Operand(1, 0),
    Kind::Operand(2, 0),
    Kind::Operand(3, 0),
    Kind::Operand(0, 1),
    Kind::Operand(1, 1),
    Kind::Operand(2, 1),
    Kind::Operand(3, 1),
];

/// The number of statements, nested ones included.
pub(super) fn count_statements<R: Rep>(program: &Program<R>) -> usize {
    program.functions.iter().map(|function| count(&function.body)).sum()
}

/// A program in which some statements are edited. `None` where nothing changes.
pub(super) fn edit_statements<R: Rep>(
    program: &Program<R>,
    range: &Range<usize>,
    kind: Kind,
    rest: Rest,
) -> Option<Program<R>> {
    let uses = use_counts(program);
    let mut edit = Edit {
        range: range.clone(),
        seen: 0,
        kind,
        types: types(program),
        uses,
        scope: Vec::new(),
        subst: Subst::new(),
        changed: false,
    };
    let mut edited = program.clone();
    for function in &mut edited.functions {
        edit.scope = function.params.iter().map(|param| param.binder.clone()).collect();
        edit.body(&mut function.body);
        function.body = subst_body(&edit.subst, &function.body);
    }
    if !edit.changed {
        return None;
    }
    let with_rest = (rest == Rest::Stays).then(|| edited.clone());
    drop_newly_unused(&mut edited, &edit.uses);
    match with_rest {
        Some(with_rest) => (with_rest != edited).then_some(with_rest),
        None => (edited != *program).then_some(edited),
    }
}

/// The types of all variables but counters.
fn types<R: Rep>(program: &Program<R>) -> BTreeMap<Var, R::Type> {
    struct Types<R: Rep>(BTreeMap<Var, R::Type>);
    impl<R: Rep> Walk<R> for Types<R> {
        fn bind(&mut self, var: Var, ty: Option<&R::Type>) {
            self.0.extend(ty.map(|ty| (var, ty.clone())));
        }
    }
    let mut types = Types(BTreeMap::new());
    walk_program(&mut types, program);
    types.0
}

struct Edit<R: Rep> {
    range: Range<usize>,
    seen: usize,
    kind: Kind,
    types: BTreeMap<Var, R::Type>,
    uses: BTreeMap<Var, usize>,
    /// What is in scope, oldest first.
    scope: Vec<Binder<R>>,
    /// What stands for the results of statements that are gone.
    subst: Subst,
    changed: bool,
}

/// Statements in place of one, and atoms in place of its results.
type Replacement<R> = (Vec<Statement<R>>, Vec<Atom>);

impl<R: Rep> Edit<R> {
    fn body(&mut self, body: &mut Body<R>) {
        let outer = self.scope.len();
        for mut statement in std::mem::take(&mut body.statements) {
            let at = self.seen;
            self.seen += 1;
            let replaced = if self.range.contains(&at) { self.replacement(&statement) } else { None };
            if let Some((statements, results)) = replaced {
                self.changed = true;
                // Statements inside keep their numbers, which are all behind.
                for_each_body(&statement.exp, &mut |inner| self.seen += count(inner));
                // Names are unique, so what replaces the pattern may stand in the same body.
                for inner in statements {
                    self.scope.extend(inner.pattern.iter().cloned());
                    body.statements.push(inner);
                }
                for (binder, result) in statement.pattern.iter().zip(results) {
                    let result =
                        result.as_var().and_then(|var| self.subst.get(&var)).copied().unwrap_or(result);
                    if result != Atom::Var(binder.var) {
                        self.subst.insert(binder.var, result);
                    }
                }
                continue;
            }
            for_each_body_mut(&mut statement.exp, &mut |inner| self.body(inner));
            self.scope.extend(statement.pattern.iter().cloned());
            body.statements.push(statement);
        }
        self.scope.truncate(outer);
    }

    fn replacement(&self, statement: &Statement<R>) -> Option<Replacement<R>> {
        let with = |exp: Exp<R>| {
            let same = Statement { pattern: statement.pattern.clone(), exp, loc: statement.loc };
            let results = same.pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
            Some((vec![same], results))
        };
        match (self.kind, &statement.exp) {
            (Kind::First, Exp::If { then: body, .. }) | (Kind::Second, Exp::If { otherwise: body, .. }) => {
                Some((body.statements.clone(), body.results.clone()))
            }
            (Kind::Second, Exp::Loop { params, .. }) => {
                Some((Vec::new(), params.iter().map(|param| param.init).collect()))
            }
            (Kind::First, Exp::Loop { params, form, body }) => {
                let mut subst: Subst = params.iter().map(|param| (param.binder.var, param.init)).collect();
                if let LoopForm::For { var, ty, .. } = form {
                    subst.insert(*var, Atom::Const(ty.zero()));
                }
                let Body { statements, results } = subst_body(&subst, body);
                Some((statements, results))
            }
            (Kind::First, Exp::Map { width, lambda, arrays }) => {
                self.first_element(statement, *width, lambda, arrays)
            }
            (Kind::First, Exp::Kernel { space, combine: Combine::Map, body }) => {
                let zeros: Subst = space.iter().map(|(counter, _)| (*counter, Atom::i64(0))).collect();
                let body = subst_body(&zeros, body);
                let shape = space.iter().map(|(_, bound)| *bound).collect();
                Some(replicated(statement, body.statements, &body.results, shape))
            }
            (Kind::Drop, _) if statement.pattern.iter().any(|binder| self.uses.contains_key(&binder.var)) => {
                None
            }
            (Kind::Drop, _) => Some((Vec::new(), Vec::new())),
            (Kind::Narrow, _) => self.narrowed(statement),
            (Kind::Default, Exp::Atom(_) | Exp::Assert { .. } | Exp::Trace { .. }) => None,
            (Kind::Default, _) => defaults(statement),
            (Kind::Older(oldest), _) => self.older(statement, oldest),
            (Kind::Bound(n), Exp::Loop { params, form: LoopForm::For { var, ty, bound }, body }) => {
                let fewer = Atom::Const(ty.of_i64(n));
                let more = bound
                    .as_const()
                    .and_then(|bound| bound.as_int())
                    .is_some_and(|bound| bound <= i128::from(n));
                let form = LoopForm::For { var: *var, ty: *ty, bound: fewer };
                if more { None } else { with(Exp::Loop { params: params.clone(), form, body: body.clone() }) }
            }
            (Kind::Operand(which, n), exp) => with(self.with_operand(exp, which, n)?),
            (Kind::Plain, Exp::Concat { size, arrays }) if arrays.len() > 1 => {
                with(Exp::Concat { size: *size, arrays: vec![arrays[0]] })
            }
            (Kind::Plain, Exp::Slice { array, dims }) => {
                let ty = self.types.get(array)?.erased();
                let plain = |(dim, size): (&Dim, &Atom)| match dim {
                    Dim::Range { .. } => {
                        Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) }
                    }
                    Dim::Fix(_) => Dim::Fix(Atom::i64(0)),
                    Dim::Flat { .. } => dim.clone(),
                };
                with(Exp::Slice { array: *array, dims: dims.iter().zip(ty.shape()).map(plain).collect() })
            }
            (Kind::First | Kind::Second | Kind::Bound(_) | Kind::Plain, _) => None,
        }
    }

    /// What a map does to the first elements of its arrays, for all.
    fn first_element(
        &self,
        statement: &Statement<R>,
        width: Atom,
        lambda: &Lambda<R>,
        arrays: &[Var],
    ) -> Option<Replacement<R>> {
        let mut statements = Vec::new();
        for (param, array) in lambda.params.iter().zip(arrays) {
            let row = param.ty.erased();
            let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
            let exp = if row.rank() == 0 {
                Exp::Index { array: *array, indices: vec![Atom::i64(0)] }
            } else {
                let dims =
                    [Dim::Fix(Atom::i64(0))].into_iter().chain(row.shape().iter().map(whole)).collect();
                Exp::Slice { array: *array, dims }
            };
            statements.push(Statement { pattern: vec![param.clone()], exp, loc: statement.loc });
        }
        statements.extend(lambda.body.statements.iter().cloned());
        Some(replicated(statement, statements, &lambda.body.results, vec![width]))
    }

    /// Older variables of the same types; an array of its own becomes a copy.
    fn older(&self, statement: &Statement<R>, oldest: bool) -> Option<Replacement<R>> {
        if statement.pattern.is_empty() || matches!(statement.exp, Exp::Atom(_)) {
            return None;
        }
        let mut results = Vec::new();
        for binder in &statement.pattern {
            let wanted = binder.ty.erased();
            let mut fits = self.scope.iter().filter(|other| {
                other.ty.erased() == wanted && other.ty.has_constants() == binder.ty.has_constants()
            });
            let found = if oldest { fits.next() } else { fits.next_back() };
            results.push(Atom::Var(found?.var));
        }
        Some((Vec::new(), results))
    }

    /// Without results, parameters and operands that nobody uses.
    fn narrowed(&self, statement: &Statement<R>) -> Option<Replacement<R>> {
        let used: Vec<bool> =
            statement.pattern.iter().map(|binder| self.uses.contains_key(&binder.var)).collect();
        let exp = match &statement.exp {
            Exp::If { condition, then, otherwise } => {
                let narrow = |body: &Body<R>| Body { results: only(&used, &body.results), ..body.clone() };
                Exp::If { condition: *condition, then: narrow(then), otherwise: narrow(otherwise) }
            }
            Exp::Map { width, lambda, arrays } => {
                let body = Body { results: only(&used, &lambda.body.results), ..lambda.body.clone() };
                let body = without_dead(&body);
                let free = free_in_body(&body);
                let kept: Vec<bool> = lambda.params.iter().map(|param| free.contains(&param.var)).collect();
                let params = only(&kept, &lambda.params);
                let lambda = Lambda { params, results: only(&used, &lambda.results), body };
                let exp = Exp::Map { width: *width, lambda, arrays: only(&kept, arrays) };
                return self.narrower(
                    statement,
                    &used,
                    exp,
                    used.iter().all(|used| *used) && kept.iter().all(|k| *k),
                );
            }
            Exp::Kernel { space, combine: Combine::Map, body } => {
                let body = without_dead(&Body { results: only(&used, &body.results), ..body.clone() });
                Exp::Kernel { space: space.clone(), combine: Combine::Map, body }
            }
            Exp::Loop { params, form, body } => {
                let named = |k: usize| matches!(form, LoopForm::While(var) if *var == params[k].binder.var);
                // A parameter that the others need keeps its place.
                let needed = |k: usize| {
                    let var = params[k].binder.var;
                    let others = Body {
                        statements: body.statements.clone(),
                        results: only(&(0..params.len()).map(|i| i != k).collect::<Vec<_>>(), &body.results),
                    };
                    let in_type =
                        params.iter().any(|param| param.binder.ty.erased().shape().contains(&Atom::Var(var)));
                    in_type || free_in_body(&without_dead(&others)).contains(&var)
                };
                let kept: Vec<bool> = (0..params.len()).map(|k| used[k] || named(k) || needed(k)).collect();
                let body = without_dead(&Body { results: only(&kept, &body.results), ..body.clone() });
                let exp = Exp::Loop { params: only(&kept, params), form: form.clone(), body };
                return self.narrower(statement, &kept, exp, kept.iter().all(|kept| *kept));
            }
            Exp::Reduce { width, op, neutral, arrays, commutative } => Exp::Reduce {
                width: *width,
                op: narrow_operator(op, &used),
                neutral: only(&used, neutral),
                arrays: only(&used, arrays),
                commutative: *commutative,
            },
            Exp::Scan { width, op, neutral, arrays } => Exp::Scan {
                width: *width,
                op: narrow_operator(op, &used),
                neutral: only(&used, neutral),
                arrays: only(&used, arrays),
            },
            Exp::Scatter { width, dests, indices, values } => Exp::Scatter {
                width: *width,
                dests: only(&used, dests),
                indices: *indices,
                values: only(&used, values),
            },
            _ => return None,
        };
        self.narrower(statement, &used, exp, used.iter().all(|used| *used))
    }

    fn narrower(
        &self,
        statement: &Statement<R>,
        kept: &[bool],
        exp: Exp<R>,
        same: bool,
    ) -> Option<Replacement<R>> {
        if same && exp == statement.exp || !kept.contains(&true) {
            return None;
        }
        let pattern = only(kept, &statement.pattern);
        Some((vec![Statement { pattern, exp, loc: statement.loc }], Vec::new()))
    }

    /// With a constant in place of one scalar operand.
    fn with_operand(&self, exp: &Exp<R>, which: usize, n: i64) -> Option<Exp<R>> {
        // The condition of a loop stays a parameter.
        let fixed = match exp {
            Exp::Loop { form: LoopForm::While(condition), .. } => Some(*condition),
            _ => None,
        };
        let mut operand = Operand { types: &self.types, fixed, which, n, seen: 0, changed: false };
        let exp = map_exp::<R, R, _>(&mut operand, exp);
        operand.changed.then_some(exp)
    }
}

/// The number of statements of a body, nested ones included.
fn count<R: Rep>(body: &Body<R>) -> usize {
    let mut all = body.statements.len();
    for statement in &body.statements {
        for_each_body(&statement.exp, &mut |inner| all += count(inner));
    }
    all
}

/// The same values in every cell of the pattern's arrays.
fn replicated<R: Rep>(
    statement: &Statement<R>,
    mut statements: Vec<Statement<R>>,
    results: &[Atom],
    shape: Vec<Atom>,
) -> Replacement<R> {
    for (binder, value) in statement.pattern.iter().zip(results) {
        let exp = Exp::Replicate { shape: shape.clone(), value: *value };
        statements.push(Statement { pattern: vec![binder.clone()], exp, loc: statement.loc });
    }
    (statements, statement.pattern.iter().map(|binder| Atom::Var(binder.var)).collect())
}

/// Zeros for scalars, so also sizes; replicated zeros for arrays. The arrays keep their names.
fn defaults<R: Rep>(statement: &Statement<R>) -> Option<Replacement<R>> {
    let zeros: Subst = statement
        .pattern
        .iter()
        .filter(|binder| binder.ty.has_constants())
        .map(|binder| (binder.var, Atom::Const(binder.ty.erased().elem().zero())))
        .collect();
    let (mut statements, mut results) = (Vec::new(), Vec::new());
    for binder in &statement.pattern {
        if let Some(zero) = zeros.get(&binder.var) {
            results.push(*zero);
            continue;
        }
        if binder.ty.erased().rank() == 0 {
            return None;
        }
        results.push(Atom::Var(binder.var));
        let value = Atom::Const(binder.ty.erased().elem().zero());
        let shape = binder.ty.erased().shape().iter().map(|size| subst_atom(&zeros, *size)).collect();
        let exp = Exp::Replicate { shape, value };
        if exp == statement.exp {
            continue;
        }
        statements.push(Statement { pattern: vec![binder.clone()], exp, loc: None });
    }
    Some((statements, results))
}

fn narrow_operator<R: Rep>(op: &Lambda<R>, used: &[bool]) -> Lambda<R> {
    let twice: Vec<bool> = used.iter().chain(used).copied().collect();
    let body = without_dead(&Body { results: only(used, &op.body.results), ..op.body.clone() });
    Lambda { params: only(&twice, &op.params), results: only(used, &op.results), body }
}

/// The items whose flag is set.
pub(super) fn only<T: Clone>(flags: &[bool], items: &[T]) -> Vec<T> {
    flags.iter().zip(items).filter(|(flag, _)| **flag).map(|(_, item)| item.clone()).collect()
}

/// Without statements of this body whose results neither it nor another statement uses, and which cannot be missed.
fn without_dead<R: Rep>(body: &Body<R>) -> Body<R> {
    let mut body = body.clone();
    loop {
        let mut used = BTreeSet::new();
        struct Uses<'a>(&'a mut BTreeSet<Var>);
        impl<R: Rep> Walk<R> for Uses<'_> {
            fn atom(&mut self, atom: &Atom) {
                self.0.extend(atom.as_var());
            }
        }
        Walk::<R>::body(&mut Uses(&mut used), &body);
        let before = body.statements.len();
        body.statements.retain(|statement| {
            statement.pattern.is_empty() || statement.pattern.iter().any(|binder| used.contains(&binder.var))
        });
        if body.statements.len() == before {
            return body;
        }
    }
}

/// Puts a constant in place of one scalar operand of an expression, those of bodies not counted.
struct Operand<'t, R: Rep> {
    types: &'t BTreeMap<Var, R::Type>,
    fixed: Option<Var>,
    which: usize,
    n: i64,
    seen: usize,
    changed: bool,
}

impl<R: Rep> Map<R, R> for Operand<'_, R> {
    fn ty(&mut self, ty: &R::Type) -> R::Type {
        ty.clone()
    }
    fn op(&mut self, op: &R::Op) -> Exp<R> {
        Exp::Op(op.clone())
    }
    fn body(&mut self, body: &Body<R>) -> Body<R> {
        body.clone()
    }
    fn lambda(&mut self, lambda: &Lambda<R>) -> Lambda<R> {
        lambda.clone()
    }
    fn atom(&mut self, atom: &Atom) -> Atom {
        let ty = match atom {
            Atom::Const(value) => Some(value.prim_type()),
            Atom::Var(var) if self.fixed == Some(*var) => None,
            Atom::Var(var) => match self.types.get(var) {
                Some(ty) => ty.has_constants().then(|| ty.erased().elem()),
                None => Some(PrimType::I64),
            },
        };
        let Some(ty) = ty else { return *atom };
        self.seen += 1;
        let constant = Atom::Const(ty.of_i64(self.n));
        // Zero is simpler than one, and both than all other numbers.
        let simpler = match atom.as_const() {
            Some(value) => value != ty.zero() && (self.n == 0 || value != ty.of_i64(1)),
            None => true,
        };
        if self.seen - 1 != self.which || !simpler || ty == PrimType::Unit {
            return *atom;
        }
        self.changed = true;
        constant
    }
}

/// Without statements whose results nobody uses, assertions included. `None` if there are none.
pub(super) fn without_unused<R: Rep>(program: &Program<R>) -> Option<Program<R>> {
    let mut smaller = program.clone();
    drop_unused(&mut smaller, &|_| true);
    (smaller != *program).then_some(smaller)
}

/// Drops what was used before an edit and is not any more.
fn drop_newly_unused<R: Rep>(program: &mut Program<R>, before: &BTreeMap<Var, usize>) {
    drop_unused(program, &|statement| {
        statement.pattern.iter().any(|binder| before.contains_key(&binder.var))
    });
}

fn drop_unused<R: Rep>(program: &mut Program<R>, may_go: &dyn Fn(&Statement<R>) -> bool) {
    fn body<R: Rep>(
        within: &mut Body<R>,
        uses: &BTreeMap<Var, usize>,
        may_go: &dyn Fn(&Statement<R>) -> bool,
        changed: &mut bool,
    ) {
        let before = within.statements.len();
        within.statements.retain(|statement| {
            statement.pattern.iter().any(|binder| uses.contains_key(&binder.var)) || !may_go(statement)
        });
        *changed |= within.statements.len() != before;
        for statement in &mut within.statements {
            for_each_body_mut(&mut statement.exp, &mut |inner| body(inner, uses, may_go, changed));
        }
    }
    loop {
        let (uses, mut changed) = (use_counts(program), false);
        for function in &mut program.functions {
            body(&mut function.body, &uses, may_go, &mut changed);
        }
        if !changed {
            return;
        }
    }
}
