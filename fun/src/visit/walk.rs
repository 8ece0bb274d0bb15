//! Reading walks.

use crate::ir::{
    Atom, BinderType, Body, Combine, Dim, Exp, ExtraOp, Function, Lambda, LoopForm, Mode, Program, Rep,
    Statement,
};
use fun_base::name::Var;

/// What a reading walk does. Every method has a default that goes on into the children.
pub trait Walk<R: Rep> {
    /// A use of an atom: operand, result, array, size in a type.
    fn atom(&mut self, _atom: &Atom) {}

    /// A binding occurrence. `ty` is absent for counters of loops and kernels.
    fn bind(&mut self, _var: Var, _ty: Option<&R::Type>) {}

    /// A type; its variables are uses.
    fn ty(&mut self, ty: &R::Type) {
        ty.for_each_var(&mut |var| self.atom(&Atom::Var(var)));
    }

    /// A statement.
    fn statement(&mut self, statement: &Statement<R>) {
        walk_statement(self, statement);
    }

    /// A body.
    fn body(&mut self, body: &Body<R>) {
        walk_body(self, body);
    }

    /// A lambda.
    fn lambda(&mut self, lambda: &Lambda<R>) {
        walk_lambda(self, lambda);
    }

    /// An expression.
    fn exp(&mut self, exp: &Exp<R>) {
        walk_exp(self, exp);
    }
}

/// All functions.
pub fn walk_program<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, program: &Program<R>) {
    program.functions.iter().for_each(|function| walk_function(w, function));
}

/// Parameters, results, body.
pub fn walk_function<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, function: &Function<R>) {
    walk_binders(w, function.params.iter().map(|param| (param.binder.var, &param.binder.ty)));
    walk_binders(w, function.results.iter().map(|param| (param.binder.var, &param.binder.ty)));
    w.body(&function.body);
}

/// Binders that scope over each other's types.
pub fn walk_binders<'a, R: Rep, W: Walk<R> + ?Sized>(
    w: &mut W,
    binders: impl Iterator<Item = (Var, &'a R::Type)> + Clone,
) where
    R::Type: 'a,
{
    binders.clone().for_each(|(var, ty)| w.bind(var, Some(ty)));
    binders.for_each(|(_, ty)| w.ty(ty));
}

/// Statements, then results.
pub fn walk_body<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, body: &Body<R>) {
    body.statements.iter().for_each(|statement| w.statement(statement));
    body.results.iter().for_each(|atom| w.atom(atom));
}

/// The expression, then the pattern.
pub fn walk_statement<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, statement: &Statement<R>) {
    w.exp(&statement.exp);
    walk_binders(w, statement.pattern.iter().map(|binder| (binder.var, &binder.ty)));
}

/// Result types, parameters, body.
pub fn walk_lambda<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, lambda: &Lambda<R>) {
    lambda.results.iter().for_each(|ty| ty.shape().iter().for_each(|atom| w.atom(atom)));
    walk_binders(w, lambda.params.iter().map(|binder| (binder.var, &binder.ty)));
    w.body(&lambda.body);
}

fn walk_dims<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, dims: &[Dim]) {
    dims.iter().for_each(|dim| dim.for_each_atom(&mut |atom| w.atom(atom)));
}

/// The parts of an expression.
pub fn walk_exp<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, exp: &Exp<R>) {
    fn atoms<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, atoms: &[Atom]) {
        atoms.iter().for_each(|atom| w.atom(atom));
    }
    fn vars<R: Rep, W: Walk<R> + ?Sized>(w: &mut W, vars: &[Var]) {
        vars.iter().for_each(|var| w.atom(&Atom::Var(*var)));
    }
    match exp {
        Exp::Atom(atom) => w.atom(atom),
        Exp::Bin(_, _, left, right) => {
            w.atom(left);
            w.atom(right);
        }
        Exp::Un(_, _, value) | Exp::Convert { value, .. } => w.atom(value),
        Exp::Fma(_, operands) => atoms(w, operands),
        Exp::Index { array, indices } => {
            vars(w, &[*array]);
            atoms(w, indices);
        }
        Exp::Slice { array, dims } => {
            vars(w, &[*array]);
            walk_dims(w, dims);
        }
        Exp::Update { array, dims, value } => {
            vars(w, &[*array]);
            walk_dims(w, dims);
            w.atom(value);
        }
        Exp::Iota { count, start, step, elem: _ } => atoms(w, &[*count, *start, *step]),
        Exp::Replicate { shape, value } => {
            atoms(w, shape);
            w.atom(value);
        }
        Exp::Scratch { shape, elem: _ } => atoms(w, shape),
        Exp::ArrayLiteral { row, elems } => {
            atoms(w, row.shape());
            atoms(w, elems);
        }
        Exp::Concat { size, arrays } => {
            w.atom(size);
            vars(w, arrays);
        }
        Exp::Copy(array) | Exp::Permute { array, perm: _ } | Exp::Reverse { array, dim: _ } => {
            vars(w, &[*array])
        }
        Exp::Reshape { shape, array } => {
            atoms(w, shape);
            vars(w, &[*array]);
        }
        Exp::If { condition, then, otherwise } => {
            w.atom(condition);
            w.body(then);
            w.body(otherwise);
        }
        Exp::Loop { params, form, body } => {
            params.iter().for_each(|param| w.atom(&param.init));
            if let LoopForm::For { bound, .. } = form {
                w.atom(bound);
            }
            walk_binders(w, params.iter().map(|param| (param.binder.var, &param.binder.ty)));
            match form {
                LoopForm::For { var, .. } => w.bind(*var, None),
                LoopForm::While(var) => vars(w, &[*var]),
            }
            w.body(body);
        }
        Exp::Call { function: _, args } => atoms(w, args),
        Exp::Assert { condition, message: _, args } => {
            w.atom(condition);
            args.iter().for_each(|arg| w.atom(arg));
        }
        Exp::Trace { text: _, args, pause: _ } => atoms(w, args),
        Exp::Map { width, lambda, arrays } => {
            w.atom(width);
            w.lambda(lambda);
            vars(w, arrays);
        }
        Exp::Reduce { width, op, neutral, arrays, commutative: _ }
        | Exp::Scan { width, op, neutral, arrays } => {
            w.atom(width);
            w.lambda(op);
            atoms(w, neutral);
            vars(w, arrays);
        }
        Exp::Hist { width, op, neutral, dests, indices, values } => {
            w.atom(width);
            w.lambda(op);
            atoms(w, neutral);
            vars(w, dests);
            vars(w, &[*indices]);
            vars(w, values);
        }
        Exp::Scatter { width, dests, indices, values } => {
            w.atom(width);
            vars(w, dests);
            vars(w, &[*indices]);
            vars(w, values);
        }
        Exp::Kernel { space, combine, body } => {
            space.iter().for_each(|(_, bound)| w.atom(bound));
            match combine {
                Combine::Map => {}
                Combine::Reduce { op, neutral, commutative: _ }
                | Combine::Scan { op, neutral, epilogue: _ } => {
                    w.lambda(op);
                    atoms(w, neutral);
                }
                Combine::Hist { op, neutral, dests } => {
                    w.lambda(op);
                    atoms(w, neutral);
                    vars(w, dests);
                }
                Combine::Scatter { dests } => vars(w, dests),
            }
            space.iter().for_each(|(var, _)| w.bind(*var, None));
            combine.epilogue().into_iter().for_each(|epilogue| w.lambda(epilogue));
            w.body(body);
        }
        Exp::Derive { mode, function, args } => {
            atoms(w, args);
            atoms(w, mode.seeds());
            if let Mode::Custom { adjoint } = mode {
                w.lambda(adjoint);
            }
            w.lambda(function);
        }
        Exp::Op(op) => op.for_each_atom(&mut |atom| w.atom(atom)),
    }
}
