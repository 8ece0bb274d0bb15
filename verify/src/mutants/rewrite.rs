//! What the mutants are written with: rewriting of statements and expressions of FUN and FUNMEM, and what is known of variables.

use fun::ir::{Atom, BinderType, Body, Exp, Fun, LoopForm, Program, Rep, Statement, Type};
use fun::visit::names::{name_source, use_counts};
use fun::visit::{Walk, for_each_body, for_each_body_mut, walk_program};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the variables of a program.
pub(super) struct Site<R: Rep = Fun> {
    /// The types of what binders bind; counters are absent.
    pub(super) types: BTreeMap<Var, R::Type>,
    /// The expression of each variable that a statement binds alone.
    pub(super) definitions: BTreeMap<Var, Exp<R>>,
    /// How often each variable is used.
    pub(super) uses: BTreeMap<Var, usize>,
    /// Names that are free.
    pub(super) names: NameSource,
    /// Statements to come before the one at hand.
    pub(super) before: Vec<Statement<R>>,
}

struct Collect<R: Rep>(BTreeMap<Var, R::Type>, BTreeMap<Var, Exp<R>>);

impl<R: Rep> Walk<R> for Collect<R> {
    fn bind(&mut self, var: Var, ty: Option<&R::Type>) {
        self.0.extend(ty.map(|ty| (var, ty.clone())));
    }
    fn statement(&mut self, statement: &Statement<R>) {
        if let [binder] = statement.pattern.as_slice() {
            self.1.insert(binder.var, statement.exp.clone());
        }
        fun::visit::walk_statement(self, statement);
    }
}

impl<R: Rep> Site<R> {
    pub(super) fn new(program: &Program<R>) -> Site<R> {
        let mut collect = Collect(BTreeMap::new(), BTreeMap::new());
        walk_program(&mut collect, program);
        let Collect(types, definitions) = collect;
        let (uses, names) = (use_counts(program), name_source(program));
        Site { types, definitions, uses, names, before: Vec::new() }
    }

    /// The type of a variable without its place.
    pub(super) fn ty(&self, var: Var) -> Type {
        self.types.get(&var).map_or(Type::Prim(PrimType::I64), BinderType::erased)
    }

    /// The type of an atom without its place.
    pub(super) fn atom_ty(&self, atom: Atom) -> Type {
        match atom {
            Atom::Var(var) => self.ty(var),
            Atom::Const(value) => Type::Prim(value.prim_type()),
        }
    }

    /// What an atom is defined as.
    pub(super) fn definition(&self, atom: Atom) -> Option<&Exp<R>> {
        self.definitions.get(&atom.as_var()?)
    }

    pub(super) fn uses(&self, var: Var) -> usize {
        self.uses.get(&var).copied().unwrap_or(0)
    }
}

impl Site<Fun> {
    /// A new variable before the statement at hand.
    pub(super) fn emit(&mut self, ty: Type, exp: Exp) -> Var {
        let var = self.names.fresh("t");
        self.types.insert(var, ty.clone());
        self.before.push(Statement { pattern: vec![fun::ir::Binder { var, ty }], exp, loc: None });
        var
    }

    /// An operator on i64 before the statement at hand.
    pub(super) fn i64(&mut self, op: BinOp, left: Atom, right: Atom) -> Atom {
        if let Some(folded) = fun::build::fold_bin(op, PrimType::I64, left, right) {
            return folded;
        }
        Atom::Var(self.emit(Type::Prim(PrimType::I64), Exp::Bin(op, PrimType::I64, left, right)))
    }
}

/// Calls `f` on every body, inner ones first.
pub(super) fn bodies<R: Rep>(program: &mut Program<R>, f: &mut dyn FnMut(&mut Body<R>)) {
    program.functions.iter_mut().for_each(|function| body_and_inner(&mut function.body, f));
}

/// Calls `f` on every body in this one, and then on itself.
pub(super) fn body_and_inner<R: Rep>(body: &mut Body<R>, f: &mut dyn FnMut(&mut Body<R>)) {
    for statement in &mut body.statements {
        for_each_body_mut(&mut statement.exp, &mut |inner| body_and_inner(inner, f));
    }
    f(body);
}

/// What a statement becomes.
pub(super) type Rewrite<'f, R> = &'f mut dyn FnMut(&mut Site<R>, Statement<R>) -> Statement<R>;

/// Puts what `f` makes of each statement in its place, inner ones first; the statements that the site collects come before.
pub(super) fn statements<R: Rep>(mut program: Program<R>, f: Rewrite<'_, R>) -> Program<R> {
    let mut site = Site::new(&program);
    bodies(&mut program, &mut |body| {
        for statement in std::mem::take(&mut body.statements) {
            let statement = f(&mut site, statement);
            body.statements.append(&mut site.before);
            body.statements.push(statement);
        }
    });
    program
}

/// Puts another expression in place of each for which `f` has one.
pub(super) fn exps<R: Rep>(
    program: Program<R>,
    f: impl Fn(&mut Site<R>, &Exp<R>) -> Option<Exp<R>>,
) -> Program<R> {
    statements(program, &mut |site, mut statement| {
        if let Some(exp) = f(site, &statement.exp) {
            statement.exp = exp;
        }
        statement
    })
}

/// The variables used anywhere in a statement, also in its types.
pub(super) fn used<R: Rep>(statement: &Statement<R>) -> BTreeSet<Var> {
    struct Used(BTreeSet<Var>);
    impl<R: Rep> Walk<R> for Used {
        fn atom(&mut self, atom: &Atom) {
            self.0.extend(atom.as_var());
        }
    }
    let mut used = Used(BTreeSet::new());
    Walk::<R>::statement(&mut used, statement);
    used.0
}

/// The variables that a statement binds, those bound inside it included.
pub(super) fn bound<R: Rep>(statement: &Statement<R>) -> BTreeSet<Var> {
    struct Bound(BTreeSet<Var>);
    impl<R: Rep> Walk<R> for Bound {
        fn bind(&mut self, var: Var, _: Option<&R::Type>) {
            self.0.insert(var);
        }
    }
    let mut bound = Bound(BTreeSet::new());
    Walk::<R>::statement(&mut bound, statement);
    bound.0
}

/// Whether some statement in the body, nested ones included, is like this.
pub(super) fn contains<R: Rep>(body: &Body<R>, like: &dyn Fn(&Exp<R>) -> bool) -> bool {
    body.statements.iter().any(|statement| {
        let mut found = like(&statement.exp);
        for_each_body(&statement.exp, &mut |inner| found |= contains(inner, like));
        found
    })
}

/// The constant i64.
pub(super) fn number(atom: Atom) -> Option<i64> {
    atom.as_const()?.as_i64()
}

/// The bound of a counted loop, if it is constant.
pub(super) fn bound_of(form: &LoopForm) -> Option<i128> {
    match form {
        LoopForm::For { bound, .. } => bound.as_const()?.as_int(),
        LoopForm::While(_) => None,
    }
}
