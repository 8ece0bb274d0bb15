//! Walks over IMP trees: the operands and bodies of one statement, everything below it, free variables and tags.

use crate::ir::{Exp, LoopKind, Procedure, Program, Statement, StatementKind, WindowDim};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use std::collections::BTreeSet;

impl WindowDim {
    /// Calls `f` on each operand.
    pub fn for_each_exp(&self, f: &mut dyn FnMut(&Exp)) {
        match self {
            WindowDim::Fix(index) => f(index),
            WindowDim::Range { offset, count, stride } => [offset, count, stride].into_iter().for_each(f),
        }
    }

    /// Calls `f` on each operand.
    pub fn for_each_exp_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        match self {
            WindowDim::Fix(index) => f(index),
            WindowDim::Range { offset, count, stride } => [offset, count, stride].into_iter().for_each(f),
        }
    }
}

impl Exp {
    /// Calls `f` on each direct operand.
    pub fn for_each_child(&self, f: &mut dyn FnMut(&Exp)) {
        match self {
            Exp::Const(_) | Exp::Var(_) | Exp::Threads | Exp::Param { .. } => {}
            Exp::Bin(_, _, left, right) => [left, right].into_iter().for_each(|exp| f(exp)),
            Exp::Un(_, _, operand) => f(operand),
            Exp::Fma(_, operands) => operands.iter().for_each(|exp| f(exp)),
            Exp::Convert { value, .. } => f(value),
            Exp::Select(condition, yes, no) => [condition, yes, no].into_iter().for_each(|exp| f(exp)),
            Exp::Read { indices, .. } => indices.iter().for_each(f),
        }
    }

    /// Calls `f` on each direct operand.
    pub fn for_each_child_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        match self {
            Exp::Const(_) | Exp::Var(_) | Exp::Threads | Exp::Param { .. } => {}
            Exp::Bin(_, _, left, right) => [left, right].into_iter().for_each(|exp| f(exp)),
            Exp::Un(_, _, operand) => f(operand),
            Exp::Fma(_, operands) => operands.iter_mut().for_each(|exp| f(exp)),
            Exp::Convert { value, .. } => f(value),
            Exp::Select(condition, yes, no) => [condition, yes, no].into_iter().for_each(|exp| f(exp)),
            Exp::Read { indices, .. } => indices.iter_mut().for_each(f),
        }
    }

    /// Calls `f` on each variable in the expression, views included.
    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        match self {
            Exp::Var(var) => f(*var),
            Exp::Read { view, .. } => f(*view),
            Exp::Const(_) | Exp::Bin(..) | Exp::Un(..) | Exp::Threads | Exp::Param { .. } => {}
            Exp::Fma(..) | Exp::Convert { .. } | Exp::Select(..) => {}
        }
        self.for_each_child(&mut |child| child.for_each_var(f));
    }

    /// Calls `f` on each read in the expression, those in indices included: the view, and its indices.
    pub fn for_each_read(&self, f: &mut dyn FnMut(Var, &[Exp])) {
        if let Exp::Read { view, indices } = self {
            f(*view, indices);
        }
        self.for_each_child(&mut |child| child.for_each_read(f));
    }

    /// Every variable renamed, views included.
    pub fn rename(&mut self, f: &mut dyn FnMut(Var) -> Var) {
        match self {
            Exp::Var(var) => *var = f(*var),
            Exp::Read { view, .. } => *view = f(*view),
            Exp::Const(_) | Exp::Bin(..) | Exp::Un(..) | Exp::Threads | Exp::Param { .. } => {}
            Exp::Fma(..) | Exp::Convert { .. } | Exp::Select(..) => {}
        }
        self.for_each_child_mut(&mut |child| child.rename(f));
    }

    /// Whether evaluation reads memory.
    pub fn reads(&self) -> bool {
        let mut found = matches!(self, Exp::Read { .. });
        self.for_each_child(&mut |child| found |= child.reads());
        found
    }
}

impl StatementKind {
    /// The variable that the statement declares (a loop's counter is declared in its body instead).
    pub fn declares(&self) -> Option<Var> {
        match self {
            StatementKind::Let { var, .. }
            | StatementKind::Declare { var, .. }
            | StatementKind::Alloc { var, .. }
            | StatementKind::View { var, .. }
            | StatementKind::Window { var, .. } => Some(*var),
            StatementKind::Assign { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Lock { .. }
            | StatementKind::Ordered { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::If { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => None,
        }
    }

    /// The view whose cells the statement itself writes.
    pub fn writes(&self) -> Option<Var> {
        match self {
            StatementKind::Write { view, .. }
            | StatementKind::Accumulate { view, .. }
            | StatementKind::Atomic { view, .. }
            | StatementKind::Lock { view, .. }
            | StatementKind::Ordered { words: view, .. }
            | StatementKind::Shuffle { dest: view, .. }
            | StatementKind::Copy { dest: view, .. } => Some(*view),
            _ => None,
        }
    }

    /// The counter, the number of iterations, the kind and the body of a loop over i64 whose bound is a constant.
    pub fn constant_loop(&self) -> Option<(Var, i64, LoopKind, &[Statement])> {
        match self {
            StatementKind::For { var, ty: PrimType::I64, bound: Exp::Const(bound), kind, body } => {
                Some((*var, bound.as_i64()?, *kind, body))
            }
            _ => None,
        }
    }

    /// Calls `f` on each operand of the statement itself, not on those of nested statements.
    pub fn for_each_exp(&self, f: &mut dyn FnMut(&Exp)) {
        match self {
            StatementKind::Let { value, .. } | StatementKind::Assign { value, .. } => f(value),
            StatementKind::Declare { value, .. } => value.iter().for_each(f),
            StatementKind::Alloc { shape, .. } => shape.iter().for_each(f),
            StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Ordered { .. }
            | StatementKind::Copy { .. } => {}
            StatementKind::Window { dims, .. } => dims.iter().for_each(|dim| dim.for_each_exp(f)),
            StatementKind::Write { indices, value, .. }
            | StatementKind::Accumulate { indices, value, .. }
            | StatementKind::Atomic { indices, value, .. } => {
                indices.iter().for_each(&mut *f);
                f(value);
            }
            StatementKind::Lock { indices, .. } => indices.iter().for_each(f),
            StatementKind::Shuffle { by, .. } => f(by),
            StatementKind::For { bound, .. } => f(bound),
            StatementKind::While { condition, .. } | StatementKind::If { condition, .. } => f(condition),
            StatementKind::Assert { condition, args, .. } => {
                f(condition);
                args.iter().for_each(f);
            }
            StatementKind::Call { args, .. } => args.iter().for_each(f),
        }
    }

    /// Calls `f` on each operand of the statement itself, not on those of nested statements.
    pub fn for_each_exp_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        match self {
            StatementKind::Let { value, .. } | StatementKind::Assign { value, .. } => f(value),
            StatementKind::Declare { value, .. } => value.iter_mut().for_each(f),
            StatementKind::Alloc { shape, .. } => shape.iter_mut().for_each(f),
            StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Ordered { .. }
            | StatementKind::Copy { .. } => {}
            StatementKind::Window { dims, .. } => dims.iter_mut().for_each(|dim| dim.for_each_exp_mut(f)),
            StatementKind::Write { indices, value, .. }
            | StatementKind::Accumulate { indices, value, .. }
            | StatementKind::Atomic { indices, value, .. } => {
                indices.iter_mut().for_each(&mut *f);
                f(value);
            }
            StatementKind::Lock { indices, .. } => indices.iter_mut().for_each(f),
            StatementKind::Shuffle { by, .. } => f(by),
            StatementKind::For { bound, .. } => f(bound),
            StatementKind::While { condition, .. } | StatementKind::If { condition, .. } => f(condition),
            StatementKind::Assert { condition, args, .. } => {
                f(condition);
                args.iter_mut().for_each(f);
            }
            StatementKind::Call { args, .. } => args.iter_mut().for_each(f),
        }
    }

    /// Calls `f` on each list of statements directly inside.
    pub fn for_each_body(&self, f: &mut dyn FnMut(&[Statement])) {
        match self {
            StatementKind::For { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::Lock { body, .. }
            | StatementKind::Ordered { body, .. } => f(body),
            StatementKind::If { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => {}
        }
    }

    /// Calls `f` on each list of statements directly inside.
    pub fn for_each_body_mut(&mut self, f: &mut dyn FnMut(&mut Vec<Statement>)) {
        match self {
            StatementKind::For { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::Lock { body, .. }
            | StatementKind::Ordered { body, .. } => f(body),
            StatementKind::If { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => {}
        }
    }

    /// Calls `f` on each variable that the statement itself uses or assigns (not declares), without nested statements.
    pub fn for_each_use(&self, f: &mut dyn FnMut(Var)) {
        match self {
            StatementKind::Assign { var, .. } | StatementKind::Share(var) | StatementKind::Free(var) => {
                f(*var)
            }
            StatementKind::View { mem, lmad, .. } => {
                f(*mem);
                lmad.for_each_var(f);
            }
            StatementKind::Window { view, .. }
            | StatementKind::Write { view, .. }
            | StatementKind::Accumulate { view, .. }
            | StatementKind::Atomic { view, .. }
            | StatementKind::Lock { view, .. }
            | StatementKind::Ordered { words: view, .. } => f(*view),
            StatementKind::Copy { dest, source } | StatementKind::Shuffle { dest, source, .. } => {
                f(*dest);
                f(*source);
            }
            StatementKind::Call { results, .. } => results.iter().copied().for_each(&mut *f),
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Alloc { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::If { .. }
            | StatementKind::Assert { .. } => {}
        }
        self.for_each_exp(&mut |exp| exp.for_each_var(f));
    }

    /// Every variable renamed, in nested statements too: declarations, counters and uses.
    pub fn rename(&mut self, f: &mut dyn FnMut(Var) -> Var) {
        match self {
            StatementKind::Let { var, .. }
            | StatementKind::Declare { var, .. }
            | StatementKind::Assign { var, .. }
            | StatementKind::Alloc { var, .. }
            | StatementKind::For { var, .. }
            | StatementKind::Share(var)
            | StatementKind::Free(var) => *var = f(*var),
            StatementKind::View { var, mem, lmad, .. } => {
                *var = f(*var);
                *mem = f(*mem);
                *lmad = rename_lmad(lmad, f);
            }
            StatementKind::Window { var, view, .. } => {
                *var = f(*var);
                *view = f(*view);
            }
            StatementKind::Write { view, .. }
            | StatementKind::Accumulate { view, .. }
            | StatementKind::Atomic { view, .. }
            | StatementKind::Lock { view, .. }
            | StatementKind::Ordered { words: view, .. } => *view = f(*view),
            StatementKind::Copy { dest, source } | StatementKind::Shuffle { dest, source, .. } => {
                *dest = f(*dest);
                *source = f(*source);
            }
            StatementKind::Call { results, .. } => results.iter_mut().for_each(|var| *var = f(*var)),
            StatementKind::While { .. } | StatementKind::If { .. } | StatementKind::Assert { .. } => {}
        }
        self.for_each_exp_mut(&mut |exp| exp.rename(f));
        self.for_each_body_mut(&mut |body| body.iter_mut().for_each(|statement| statement.kind.rename(f)));
    }
}

impl Procedure {
    /// Every variable renamed: parameters, and what is declared and used.
    pub fn rename(&mut self, f: &mut dyn FnMut(Var) -> Var) {
        self.params.iter_mut().for_each(|(var, _)| *var = f(*var));
        self.body.iter_mut().for_each(|statement| statement.kind.rename(f));
        self.results.iter_mut().for_each(|(exp, _)| exp.rename(f));
    }
}

fn rename_lmad(lmad: &Lmad, f: &mut dyn FnMut(Var) -> Var) -> Lmad {
    lmad.subst(&mut |var| Poly::var(f(var)))
}

/// Calls `f` on every statement, outer ones before those inside.
pub fn for_each_statement(body: &[Statement], f: &mut dyn FnMut(&Statement)) {
    for statement in body {
        f(statement);
        statement.kind.for_each_body(&mut |inner| for_each_statement(inner, f));
    }
}

/// How deep statements and expressions are nested, as far as that is below `limit`; otherwise `limit` or more.
pub fn nesting(body: &[Statement], limit: usize) -> usize {
    if limit == 0 {
        return 0;
    }
    let mut deepest = 0;
    for statement in body {
        statement.kind.for_each_exp(&mut |exp| deepest = deepest.max(exp_nesting(exp, limit - 1)));
        statement.kind.for_each_body(&mut |body| deepest = deepest.max(nesting(body, limit - 1)));
    }
    1 + deepest
}

fn exp_nesting(exp: &Exp, limit: usize) -> usize {
    if limit == 0 {
        return 0;
    }
    let mut deepest = 0;
    exp.for_each_child(&mut |child| deepest = deepest.max(exp_nesting(child, limit - 1)));
    1 + deepest
}

/// Whether statements call a procedure.
pub fn calls(body: &[Statement], procedure: Symbol) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |=
            matches!(&statement.kind, StatementKind::Call { procedure: callee, .. } if *callee == procedure);
    });
    found
}

/// Calls `f` on every variable that a procedure declares, parameters first.
pub fn for_each_binder(procedure: &Procedure, f: &mut dyn FnMut(Var)) {
    procedure.params.iter().for_each(|(var, _)| f(*var));
    for_each_statement(&procedure.body, &mut |statement| {
        if let StatementKind::For { var, .. } = &statement.kind {
            f(*var);
        }
        statement.kind.declares().into_iter().for_each(&mut *f);
    });
}

/// Every procedure and the calls of it renamed.
pub fn rename_procedures(program: &mut Program, f: &dyn Fn(Symbol) -> Symbol) {
    fn calls(body: &mut [Statement], f: &dyn Fn(Symbol) -> Symbol) {
        for statement in body {
            if let StatementKind::Call { procedure, .. } = &mut statement.kind {
                *procedure = f(*procedure);
            }
            statement.kind.for_each_body_mut(&mut |body| calls(body, f));
        }
    }
    for procedure in &mut program.procedures {
        procedure.name = f(procedure.name);
        calls(&mut procedure.body, f);
    }
}

/// Variables that the statements use or assign and don't declare.
pub fn free_vars(body: &[Statement]) -> BTreeSet<Var> {
    let (mut used, mut bound) = (BTreeSet::new(), BTreeSet::new());
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_use(&mut |var| {
            used.insert(var);
        });
        if let StatementKind::For { var, .. } = &statement.kind {
            bound.insert(*var);
        }
        bound.extend(statement.kind.declares());
    });
    used.difference(&bound).copied().collect()
}

/// A source of names that no variable of the program has.
pub fn names_after(program: &Program) -> NameSource {
    let mut names = NameSource::default();
    for procedure in &program.procedures {
        for_each_binder(procedure, &mut |var| names.avoid(var));
    }
    names
}
