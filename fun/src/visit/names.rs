//! Variables of trees: which are free, which tags are taken; substitution of atoms; renaming of binders.

use super::{Map, Walk, map_body, map_exp, map_function, map_lambda, walk_program};
use crate::ir::{Atom, BinderType, Body, Exp, ExtraOp, Function, Lambda, Program, Rep, Statement, Type};
use fun_base::name::{NameSource, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Collects uses and bindings. As every variable is bound once (F1), what is used and not bound is free.
#[derive(Default)]
struct Uses {
    used: BTreeSet<Var>,
    bound: BTreeSet<Var>,
}

impl<R: Rep> Walk<R> for Uses {
    fn atom(&mut self, atom: &Atom) {
        self.used.extend(atom.as_var());
    }
    fn bind(&mut self, var: Var, _: Option<&R::Type>) {
        self.bound.insert(var);
    }
}

impl Uses {
    fn free(self) -> BTreeSet<Var> {
        self.used.difference(&self.bound).copied().collect()
    }
}

/// The free variables of a body, those of types included.
pub fn free_in_body<R: Rep>(body: &Body<R>) -> BTreeSet<Var> {
    let mut uses = Uses::default();
    Walk::<R>::body(&mut uses, body);
    uses.free()
}

/// The free variables of a lambda.
pub fn free_in_lambda<R: Rep>(lambda: &Lambda<R>) -> BTreeSet<Var> {
    let mut uses = Uses::default();
    Walk::<R>::lambda(&mut uses, lambda);
    uses.free()
}

/// The free variables of an expression.
pub fn free_in_exp<R: Rep>(exp: &Exp<R>) -> BTreeSet<Var> {
    let mut uses = Uses::default();
    Walk::<R>::exp(&mut uses, exp);
    uses.free()
}

/// The free variables of a statement: of its expression, and of the types of its pattern.
pub fn free_in_statement<R: Rep>(statement: &Statement<R>) -> BTreeSet<Var> {
    let mut uses = Uses::default();
    Walk::<R>::statement(&mut uses, statement);
    uses.free()
}

/// How often each variable is used in a program (types included); variables without use are absent.
pub fn use_counts<R: Rep>(program: &Program<R>) -> BTreeMap<Var, usize> {
    let mut count = Count(BTreeMap::new());
    walk_program::<R, _>(&mut count, program);
    count.0
}

/// The same in a body.
pub fn use_counts_in_body<R: Rep>(body: &Body<R>) -> BTreeMap<Var, usize> {
    let mut count = Count(BTreeMap::new());
    Walk::<R>::body(&mut count, body);
    count.0
}

struct Count(BTreeMap<Var, usize>);

impl<R: Rep> Walk<R> for Count {
    fn atom(&mut self, atom: &Atom) {
        if let Atom::Var(var) = atom {
            *self.0.entry(*var).or_default() += 1;
        }
    }
}

/// A source of variables that the program does not contain.
pub fn name_source<R: Rep>(program: &Program<R>) -> NameSource {
    struct Avoid(NameSource);
    impl<R: Rep> Walk<R> for Avoid {
        fn atom(&mut self, atom: &Atom) {
            if let Atom::Var(var) = atom {
                self.0.avoid(*var);
            }
        }
        fn bind(&mut self, var: Var, _: Option<&R::Type>) {
            self.0.avoid(var);
        }
    }
    let mut avoid = Avoid(NameSource::default());
    walk_program::<R, _>(&mut avoid, program);
    avoid.0
}

/// What variables are replaced by. Array variables must be replaced by variables.
pub type Subst = BTreeMap<Var, Atom>;

/// The atom after substitution.
pub fn subst_atom(subst: &Subst, atom: Atom) -> Atom {
    atom.as_var().and_then(|var| subst.get(&var)).copied().unwrap_or(atom)
}

/// The plain type after substitution.
pub fn subst_type(subst: &Subst, ty: &Type) -> Type {
    ty.map_vars(&mut |var| subst_atom(subst, Atom::Var(var)))
}

struct Substitute<'s>(&'s Subst);

impl<R: Rep> Map<R, R> for Substitute<'_> {
    fn ty(&mut self, ty: &R::Type) -> R::Type {
        ty.map_vars(&mut |var| subst_atom(self.0, Atom::Var(var)))
    }
    fn op(&mut self, op: &R::Op) -> Exp<R> {
        Exp::Op(op.map_atoms(&mut |atom| subst_atom(self.0, *atom)))
    }
    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(self.0, *atom)
    }
}

/// The body with free variables replaced.
pub fn subst_body<R: Rep>(subst: &Subst, body: &Body<R>) -> Body<R> {
    map_body::<R, R, _>(&mut Substitute(subst), body)
}

/// The lambda with free variables replaced.
pub fn subst_lambda<R: Rep>(subst: &Subst, lambda: &Lambda<R>) -> Lambda<R> {
    map_lambda::<R, R, _>(&mut Substitute(subst), lambda)
}

/// The expression with free variables replaced.
pub fn subst_exp<R: Rep>(subst: &Subst, exp: &Exp<R>) -> Exp<R> {
    map_exp::<R, R, _>(&mut Substitute(subst), exp)
}

/// Gives every binder a fresh variable, and replaces other variables at the same time.
struct Rename<'n> {
    names: &'n mut NameSource,
    subst: Subst,
}

impl<R: Rep> Map<R, R> for Rename<'_> {
    fn ty(&mut self, ty: &R::Type) -> R::Type {
        ty.map_vars(&mut |var| subst_atom(&self.subst, Atom::Var(var)))
    }
    fn op(&mut self, op: &R::Op) -> Exp<R> {
        Exp::Op(op.map_atoms(&mut |atom| subst_atom(&self.subst, *atom)))
    }
    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }
    fn bind(&mut self, var: Var) -> Var {
        let fresh = self.names.fresh_like(var);
        self.subst.insert(var, Atom::Var(fresh));
        fresh
    }
}

/// A copy of the body with fresh binders, after replacing the variables in `subst`.
pub fn rename_body<R: Rep>(names: &mut NameSource, subst: Subst, body: &Body<R>) -> Body<R> {
    map_body::<R, R, _>(&mut Rename { names, subst }, body)
}

/// A copy of the lambda with fresh binders, after replacing the variables in `subst`.
pub fn rename_lambda<R: Rep>(names: &mut NameSource, subst: Subst, lambda: &Lambda<R>) -> Lambda<R> {
    map_lambda::<R, R, _>(&mut Rename { names, subst }, lambda)
}

/// A copy of the function with fresh binders.
pub fn rename_function<R: Rep>(names: &mut NameSource, function: &Function<R>) -> Function<R> {
    map_function::<R, R, _>(&mut Rename { names, subst: Subst::new() }, function)
}
