//! Maps: a tree of one representation from a tree of another (often the same).

use crate::ir::{
    Atom, Binder, Body, Combine, Dim, Exp, Function, Lambda, LoopForm, LoopParam, Mode, Param, Program, Rep,
    Statement, Type,
};
use fun_base::name::Var;

/// What a map does. Types and operations must be given, the rest has defaults that go on into the children.
pub trait Map<R: Rep, S: Rep> {
    /// A type at a binder.
    fn ty(&mut self, ty: &R::Type) -> S::Type;

    /// An operation of the representation.
    fn op(&mut self, op: &R::Op) -> Exp<S>;

    /// A use of an atom: operand, result, size. Array operands must stay variables.
    fn atom(&mut self, atom: &Atom) -> Atom {
        *atom
    }

    /// A binding occurrence.
    fn bind(&mut self, var: Var) -> Var {
        var
    }

    /// A statement, added to the end of `out`.
    fn statement(&mut self, statement: &Statement<R>, out: &mut Vec<Statement<S>>) {
        out.push(map_statement(self, statement));
    }

    /// A body.
    fn body(&mut self, body: &Body<R>) -> Body<S> {
        map_body(self, body)
    }

    /// A lambda.
    fn lambda(&mut self, lambda: &Lambda<R>) -> Lambda<S> {
        map_lambda(self, lambda)
    }

    /// An expression.
    fn exp(&mut self, exp: &Exp<R>) -> Exp<S> {
        map_exp(self, exp)
    }
}

/// All functions.
pub fn map_program<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, program: &Program<R>) -> Program<S> {
    Program { functions: program.functions.iter().map(|function| map_function(m, function)).collect() }
}

/// Parameters, results, body.
pub fn map_function<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, function: &Function<R>) -> Function<S> {
    let mut params = |params: &[Param<R>]| -> Vec<Param<S>> {
        let binders = map_binders(m, params.iter().map(|param| &param.binder));
        let pairs = params.iter().zip(binders);
        let map = |(param, binder): (&Param<R>, _)| Param {
            binder,
            implicit: param.implicit,
            unique: param.unique,
        };
        pairs.map(map).collect()
    };
    let (params, results) = (params(&function.params), params(&function.results));
    let Function { name, entry, noinline, .. } = *function;
    Function { name, entry, noinline, params, results, body: m.body(&function.body) }
}

/// Binders that scope over each other's types: first the variables, then the types.
pub fn map_binders<'a, R: Rep, S: Rep, M: Map<R, S> + ?Sized>(
    m: &mut M,
    binders: impl Iterator<Item = &'a Binder<R>> + Clone,
) -> Vec<Binder<S>> {
    let vars: Vec<Var> = binders.clone().map(|binder| m.bind(binder.var)).collect();
    vars.into_iter().zip(binders).map(|(var, binder)| Binder { var, ty: m.ty(&binder.ty) }).collect()
}

/// Statements, then results.
pub fn map_body<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, body: &Body<R>) -> Body<S> {
    let mut statements = Vec::with_capacity(body.statements.len());
    body.statements.iter().for_each(|statement| m.statement(statement, &mut statements));
    Body { statements, results: atoms(m, &body.results) }
}

/// The expression, then the pattern.
pub fn map_statement<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(
    m: &mut M,
    statement: &Statement<R>,
) -> Statement<S> {
    let exp = m.exp(&statement.exp);
    Statement { pattern: map_binders(m, statement.pattern.iter()), exp, loc: statement.loc }
}

/// Result types, parameters, body.
pub fn map_lambda<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, lambda: &Lambda<R>) -> Lambda<S> {
    let results = lambda.results.iter().map(|ty| plain_type(m, ty)).collect();
    Lambda { params: map_binders(m, lambda.params.iter()), results, body: m.body(&lambda.body) }
}

fn plain_type<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, ty: &Type) -> Type {
    Type::array_of(&atoms(m, ty.shape()), &Type::Prim(ty.elem()))
}

fn atoms<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, atoms: &[Atom]) -> Vec<Atom> {
    atoms.iter().map(|atom| m.atom(atom)).collect()
}

fn var<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, var: Var) -> Var {
    m.atom(&Atom::Var(var)).as_var().expect("invariant: maps keep array operands variables")
}

fn vars<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, vars: &[Var]) -> Vec<Var> {
    vars.iter().map(|v| var(m, *v)).collect()
}

fn dims<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, dims: &[Dim]) -> Vec<Dim> {
    dims.iter().map(|dim| dim.map_atoms(&mut |atom| m.atom(atom))).collect()
}

/// The parts of an expression.
pub fn map_exp<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, exp: &Exp<R>) -> Exp<S> {
    match exp {
        Exp::Atom(atom) => Exp::Atom(m.atom(atom)),
        Exp::Bin(op, t, left, right) => Exp::Bin(*op, *t, m.atom(left), m.atom(right)),
        Exp::Un(op, t, value) => Exp::Un(*op, *t, m.atom(value)),
        Exp::Fma(t, operands) => Exp::Fma(*t, operands.map(|operand| m.atom(&operand))),
        Exp::Convert { to, from, value } => Exp::Convert { to: *to, from: *from, value: m.atom(value) },
        Exp::Index { array, indices } => Exp::Index { array: var(m, *array), indices: atoms(m, indices) },
        Exp::Slice { array, dims: d } => Exp::Slice { array: var(m, *array), dims: dims(m, d) },
        Exp::Update { array, dims: d, value } => {
            Exp::Update { array: var(m, *array), dims: dims(m, d), value: m.atom(value) }
        }
        Exp::Iota { count, start, step, elem } => {
            Exp::Iota { count: m.atom(count), start: m.atom(start), step: m.atom(step), elem: *elem }
        }
        Exp::Replicate { shape, value } => Exp::Replicate { shape: atoms(m, shape), value: m.atom(value) },
        Exp::Scratch { shape, elem } => Exp::Scratch { shape: atoms(m, shape), elem: *elem },
        Exp::ArrayLiteral { row, elems } => {
            Exp::ArrayLiteral { row: plain_type(m, row), elems: atoms(m, elems) }
        }
        Exp::Concat { size, arrays } => Exp::Concat { size: m.atom(size), arrays: vars(m, arrays) },
        Exp::Copy(array) => Exp::Copy(var(m, *array)),
        Exp::Permute { perm, array } => Exp::Permute { perm: perm.clone(), array: var(m, *array) },
        Exp::Reshape { shape, array } => Exp::Reshape { shape: atoms(m, shape), array: var(m, *array) },
        Exp::Reverse { dim, array } => Exp::Reverse { dim: *dim, array: var(m, *array) },
        Exp::If { condition, then, otherwise } => {
            Exp::If { condition: m.atom(condition), then: m.body(then), otherwise: m.body(otherwise) }
        }
        Exp::Loop { params, form, body } => {
            let inits: Vec<Atom> = params.iter().map(|param| m.atom(&param.init)).collect();
            let bound = if let LoopForm::For { bound, .. } = form { Some(m.atom(bound)) } else { None };
            let binders = map_binders(m, params.iter().map(|param| &param.binder));
            let form = match (form, bound) {
                (LoopForm::For { var, ty, bound }, mapped) => {
                    LoopForm::For { var: m.bind(*var), ty: *ty, bound: mapped.unwrap_or(*bound) }
                }
                (LoopForm::While(condition), _) => LoopForm::While(var(m, *condition)),
            };
            let params = binders.into_iter().zip(inits).map(|(binder, init)| LoopParam { binder, init });
            Exp::Loop { params: params.collect(), form, body: m.body(body) }
        }
        Exp::Call { function, args } => Exp::Call { function: *function, args: atoms(m, args) },
        Exp::Assert { condition, message, args } => {
            Exp::Assert { condition: m.atom(condition), message: message.clone(), args: atoms(m, args) }
        }
        Exp::Trace { text, args, pause } => {
            Exp::Trace { text: text.clone(), args: atoms(m, args), pause: *pause }
        }
        Exp::Map { width, lambda, arrays } => {
            Exp::Map { width: m.atom(width), lambda: m.lambda(lambda), arrays: vars(m, arrays) }
        }
        Exp::Reduce { width, op, neutral, arrays, commutative } => Exp::Reduce {
            width: m.atom(width),
            op: m.lambda(op),
            neutral: atoms(m, neutral),
            arrays: vars(m, arrays),
            commutative: *commutative,
        },
        Exp::Scan { width, op, neutral, arrays } => Exp::Scan {
            width: m.atom(width),
            op: m.lambda(op),
            neutral: atoms(m, neutral),
            arrays: vars(m, arrays),
        },
        Exp::Hist { width, op, neutral, dests, indices, values } => Exp::Hist {
            width: m.atom(width),
            op: m.lambda(op),
            neutral: atoms(m, neutral),
            dests: vars(m, dests),
            indices: var(m, *indices),
            values: vars(m, values),
        },
        Exp::Scatter { width, dests, indices, values } => Exp::Scatter {
            width: m.atom(width),
            dests: vars(m, dests),
            indices: var(m, *indices),
            values: vars(m, values),
        },
        Exp::Kernel { space, combine, body } => {
            let bounds: Vec<Atom> = space.iter().map(|(_, bound)| m.atom(bound)).collect();
            let mut mapped = map_combine(m, combine);
            let counters: Vec<Var> = space.iter().map(|(counter, _)| m.bind(*counter)).collect();
            if let (Some(from), Combine::Scan { epilogue, .. }) = (combine.epilogue(), &mut mapped) {
                *epilogue = Some(Box::new(m.lambda(from)));
            }
            let space = counters.into_iter().zip(bounds).collect();
            Exp::Kernel { space, combine: mapped, body: m.body(body) }
        }
        Exp::Derive { mode, function, args } => {
            let args = atoms(m, args);
            let mode = match mode {
                Mode::Jvp { tangents } => Mode::Jvp { tangents: atoms(m, tangents) },
                Mode::Vjp { adjoints } => Mode::Vjp { adjoints: atoms(m, adjoints) },
                Mode::Custom { adjoint } => Mode::Custom { adjoint: m.lambda(adjoint) },
            };
            Exp::Derive { mode, function: m.lambda(function), args }
        }
        Exp::Op(op) => m.op(op),
    }
}

/// All but an epilogue, which sees the counters.
fn map_combine<R: Rep, S: Rep, M: Map<R, S> + ?Sized>(m: &mut M, combine: &Combine<R>) -> Combine<S> {
    match combine {
        Combine::Map => Combine::Map,
        Combine::Reduce { op, neutral, commutative } => {
            Combine::Reduce { op: m.lambda(op), neutral: atoms(m, neutral), commutative: *commutative }
        }
        Combine::Scan { op, neutral, epilogue: _ } => {
            Combine::Scan { op: m.lambda(op), neutral: atoms(m, neutral), epilogue: None }
        }
        Combine::Hist { op, neutral, dests } => {
            Combine::Hist { op: m.lambda(op), neutral: atoms(m, neutral), dests: vars(m, dests) }
        }
        Combine::Scatter { dests } => Combine::Scatter { dests: vars(m, dests) },
    }
}
