//! Types of expressions where the operands decide them: for builders, passes and the checker.

use crate::ir::{Atom, Dim, Exp, Mode, Rep, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;

/// The type of an atom where `type_of` gives those of variables.
pub fn atom_type(atom: Atom, type_of: &dyn Fn(Var) -> Option<Type>) -> Option<Type> {
    match atom {
        Atom::Var(var) => type_of(var),
        Atom::Const(value) => Some(Type::Prim(value.prim_type())),
    }
}

/// The shape that a slice or update with these dimensions has: the counts of those that are not fixed.
pub fn dims_shape(dims: &[Dim]) -> Vec<Atom> {
    let mut shape = Vec::with_capacity(dims.len());
    for dim in dims {
        match dim {
            Dim::Fix(_) => {}
            Dim::Range { count, .. } => shape.push(*count),
            Dim::Flat { dims, .. } => shape.extend(dims.iter().map(|dim| dim.count)),
        }
    }
    shape
}

/// The FUN types of the results. `None` where the operands do not decide them: `if`, `loop` and `call` may give sizes next
/// to arrays, kernels get the element types from their body, operations of other representations decide for themselves.
/// `None` also where an operand has no type or the wrong rank. Otherwise the operands are not checked.
pub fn exp_types<R: Rep>(exp: &Exp<R>, type_of: &dyn Fn(Var) -> Option<Type>) -> Option<Vec<Type>> {
    let array = |var: &Var| type_of(*var).filter(|ty| ty.rank() > 0);
    let all = |vars: &[Var]| vars.iter().map(&array).collect::<Option<Vec<Type>>>();
    let one = |ty: Type| Some(vec![ty]);
    let of = |shape: &[Atom], elem: PrimType| Type::array_of(shape, &Type::Prim(elem));
    match exp {
        Exp::Atom(atom) => one(atom_type(*atom, type_of)?),
        Exp::Bin(op, t, ..) => one(Type::Prim(op.result_type(*t)?)),
        Exp::Un(op, t, _) => one(Type::Prim(op.result_type(*t)?)),
        Exp::Fma(t, _) => one(Type::Prim(*t)),
        Exp::Convert { to, .. } => one(Type::Prim(*to)),
        Exp::Index { array: a, .. } => one(Type::Prim(array(a)?.elem())),
        Exp::Slice { array: a, dims } => one(of(&dims_shape(dims), array(a)?.elem())),
        Exp::Update { array: a, .. } | Exp::Copy(a) | Exp::Reverse { array: a, .. } => one(array(a)?),
        Exp::Iota { count, elem, .. } => one(of(&[*count], *elem)),
        Exp::Replicate { shape, value } => one(Type::array_of(shape, &atom_type(*value, type_of)?)),
        Exp::Scratch { shape, elem } => one(of(shape, *elem)),
        Exp::ArrayLiteral { row, elems } => one(Type::array_of(&[Atom::i64(elems.len() as i64)], row)),
        Exp::Concat { size, arrays } => one(Type::array_of(&[*size], &array(arrays.first()?)?.peel(1))),
        Exp::Permute { perm, array: a } => {
            let ty = array(a)?;
            let shape = perm.iter().map(|k| ty.shape().get(*k).copied()).collect::<Option<Vec<Atom>>>()?;
            one(of(&shape, ty.elem()))
        }
        Exp::Reshape { shape, array: a } => one(of(shape, array(a)?.elem())),
        Exp::Assert { .. } | Exp::Trace { .. } => Some(Vec::new()),
        Exp::Map { width, lambda, .. } => {
            Some(lambda.results.iter().map(|ty| Type::array_of(&[*width], ty)).collect())
        }
        Exp::Reduce { op, .. } => Some(op.results.clone()),
        Exp::Scan { width, op, .. } => {
            Some(op.results.iter().map(|ty| Type::array_of(&[*width], ty)).collect())
        }
        Exp::Hist { dests, .. } | Exp::Scatter { dests, .. } => all(dests),
        Exp::Derive { mode, function, args } => {
            let mut types = function.results.clone();
            match mode {
                Mode::Jvp { .. } => types.extend_from_within(..),
                Mode::Vjp { .. } => {
                    let args: Option<Vec<Type>> = args.iter().map(|arg| atom_type(*arg, type_of)).collect();
                    types.extend(args?);
                }
                Mode::Custom { .. } => {}
            }
            Some(types)
        }
        Exp::If { .. } | Exp::Loop { .. } | Exp::Call { .. } | Exp::Kernel { .. } | Exp::Op(_) => None,
    }
}
