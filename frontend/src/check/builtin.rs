//! The types of the built-in functions.

use super::operators;
use super::scope::{Abbreviation, AbbreviationParam, Binding, Scope, TypeBinding};
use crate::syntax::Liftedness;
use crate::typed::Intrinsic;
use crate::types::{ACCUMULATOR, Arrow, Scheme, Size, Type};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
use std::sync::Arc;

/// Builds one scheme.
struct Builder<'a> {
    names: &'a mut NameSource,
    sizes: Vec<Var>,
    types: Vec<Var>,
}

impl Builder<'_> {
    fn ty(&mut self, name: &str) -> Type {
        let var = self.names.fresh(name);
        self.types.push(var);
        Type::Param(var)
    }

    fn size(&mut self, name: &str) -> Size {
        let var = self.names.fresh(name);
        self.sizes.push(var);
        Size::Var(var)
    }

    fn finish(self, ty: Type) -> Arc<Scheme> {
        let liftedness = vec![Liftedness::Unlifted; self.types.len()];
        Arc::new(Scheme { sizes: self.sizes, types: self.types, liftedness, ty })
    }
}

fn array(size: &Size, elem: &Type) -> Type {
    Type::array(size.clone(), elem.clone())
}

fn unique(t: Type) -> Type {
    Type::Unique(Box::new(t))
}

/// `p -> q -> ... -> r`.
fn function<const N: usize>(params: [Type; N], result: Type) -> Type {
    params.into_iter().rev().fold(result, |result, param| Type::arrow(param, result))
}

fn product(a: &Size, b: &Size) -> Size {
    Size::Mul(Box::new(a.clone()), Box::new(b.clone()))
}

fn sum(a: &Size, b: &Size) -> Size {
    Size::Add(Box::new(a.clone()), Box::new(b.clone()))
}

/// The built-in functions on arrays with the names under which the prelude and programs find them.
const FUNCTIONS: [(&str, Intrinsic); 35] = [
    ("map", Intrinsic::Map),
    ("reduce", Intrinsic::Reduce),
    ("reduce_comm", Intrinsic::ReduceComm),
    ("scan", Intrinsic::Scan),
    ("filter", Intrinsic::Filter),
    ("reduce_by_index", Intrinsic::ReduceByIndex),
    ("scatter", Intrinsic::Scatter),
    ("iota", Intrinsic::Iota),
    ("replicate", Intrinsic::Replicate),
    ("copy", Intrinsic::Copy),
    ("zip", Intrinsic::Zip),
    ("unzip", Intrinsic::Unzip),
    ("transpose", Intrinsic::Transpose),
    ("flatten", Intrinsic::Flatten),
    ("unflatten", Intrinsic::Unflatten),
    ("reverse", Intrinsic::Reverse),
    ("rotate", Intrinsic::Rotate),
    ("concat", Intrinsic::Concat),
    ("++", Intrinsic::Concat),
    ("length", Intrinsic::Length),
    ("foldl", Intrinsic::Foldl),
    ("intrinsics.copy", Intrinsic::Copy),
    ("jvp2", Intrinsic::Jvp),
    ("vjp2", Intrinsic::Vjp),
    ("with_vjp", Intrinsic::WithVjp),
    ("intrinsics.scratch", Intrinsic::Scratch),
    ("intrinsics.flat_index_2d", Intrinsic::FlatIndex(2)),
    ("intrinsics.flat_index_3d", Intrinsic::FlatIndex(3)),
    ("intrinsics.flat_index_4d", Intrinsic::FlatIndex(4)),
    ("intrinsics.flat_update_2d", Intrinsic::FlatUpdate(2)),
    ("intrinsics.flat_update_3d", Intrinsic::FlatUpdate(3)),
    ("intrinsics.flat_update_4d", Intrinsic::FlatUpdate(4)),
    ("intrinsics.scatter_stream", Intrinsic::ScatterStream),
    ("intrinsics.hist_stream", Intrinsic::HistStream),
    ("intrinsics.acc_write", Intrinsic::AccWrite),
];

/// What qualifies the names that only the prelude and compiler tests use. They are kept in scopes with this in front,
/// as nobody can write them otherwise.
pub(crate) const INTRINSICS: &str = "intrinsics";

/// The type of accumulators over an array of this type: a record with a field that nobody can write.
fn accumulator(t: Type) -> Type {
    Type::Record([(Symbol::new(ACCUMULATOR), t)].into())
}

/// Puts the built-in functions and operators into scope.
pub(crate) fn declare(scope: &mut Scope, names: &mut NameSource) {
    let t = names.fresh("a");
    let abbreviation = Abbreviation {
        params: vec![AbbreviationParam::Type(t, Liftedness::Unlifted)],
        open: Vec::new(),
        ty: accumulator(Type::Param(t)),
        liftedness: Liftedness::Lifted,
    };
    scope.types.insert(Symbol::new("intrinsics.acc"), TypeBinding::Abbreviation(Arc::new(abbreviation)));
    for (name, intrinsic) in FUNCTIONS {
        let scheme = scheme(intrinsic, names);
        scope.values.insert(Symbol::new(name), Binding::Builtin(scheme, intrinsic));
    }
    operators::declare(scope);
}

fn scheme(intrinsic: Intrinsic, names: &mut NameSource) -> Arc<Scheme> {
    let mut b = Builder { names, sizes: Vec::new(), types: Vec::new() };
    let int = Type::Prim(PrimType::I64);
    let ty = match intrinsic {
        Intrinsic::Map => {
            let (n, a, x) = (b.size("n"), b.ty("a"), b.ty("x"));
            function([Type::arrow(a.clone(), x.clone()), array(&n, &a)], unique(array(&n, &x)))
        }
        Intrinsic::Reduce | Intrinsic::ReduceComm => {
            let (n, a) = (b.size("n"), b.ty("a"));
            let op = function([a.clone(), a.clone()], a.clone());
            function([op, a.clone(), array(&n, &a)], a)
        }
        Intrinsic::Scan => {
            let (n, a) = (b.size("n"), b.ty("a"));
            let op = function([a.clone(), a.clone()], a.clone());
            function([op, a.clone(), array(&n, &a)], unique(array(&n, &a)))
        }
        Intrinsic::Filter => {
            let (n, a) = (b.size("n"), b.ty("a"));
            let k = b.names.fresh("k");
            let result = unique(array(&Size::Var(k), &a));
            let inner = Arrow { name: None, param: array(&n, &a), exts: vec![k], result };
            let predicate = Type::arrow(a, Type::Prim(PrimType::Bool));
            Type::arrow(predicate, Type::Arrow(Arc::new(inner)))
        }
        Intrinsic::ReduceByIndex => {
            let (k, n, a) = (b.size("k"), b.size("n"), b.ty("a"));
            let op = function([a.clone(), a.clone()], a.clone());
            let dest = unique(array(&k, &a));
            function([dest.clone(), op, a.clone(), array(&n, &int), array(&n, &a)], dest)
        }
        Intrinsic::Scatter => {
            let (k, n, a) = (b.size("k"), b.size("n"), b.ty("a"));
            let dest = unique(array(&k, &a));
            function([dest.clone(), array(&n, &int), array(&n, &a)], dest)
        }
        Intrinsic::Iota => {
            let n = b.names.fresh("n");
            let result = unique(array(&Size::Var(n), &int));
            Type::Arrow(Arc::new(Arrow { name: Some(n), param: int, exts: Vec::new(), result }))
        }
        Intrinsic::Replicate => {
            let (n, a) = (b.names.fresh("n"), b.ty("a"));
            let result = Type::arrow(a.clone(), unique(array(&Size::Var(n), &a)));
            Type::Arrow(Arc::new(Arrow { name: Some(n), param: int, exts: Vec::new(), result }))
        }
        Intrinsic::Copy => {
            let a = b.ty("a");
            function([a.clone()], unique(a))
        }
        Intrinsic::Zip => {
            let (n, x, y) = (b.size("n"), b.ty("a"), b.ty("b"));
            let pairs = array(&n, &Type::tuple(vec![x.clone(), y.clone()]));
            function([array(&n, &x), array(&n, &y)], unique(pairs))
        }
        Intrinsic::Unzip => {
            let (n, x, y) = (b.size("n"), b.ty("a"), b.ty("b"));
            let pairs = array(&n, &Type::tuple(vec![x.clone(), y.clone()]));
            function([pairs], Type::tuple(vec![array(&n, &x), array(&n, &y)]))
        }
        Intrinsic::Transpose => {
            let (n, m, a) = (b.size("n"), b.size("m"), b.ty("a"));
            function([array(&n, &array(&m, &a))], array(&m, &array(&n, &a)))
        }
        Intrinsic::Flatten => {
            let (n, m, a) = (b.size("n"), b.size("m"), b.ty("a"));
            function([array(&n, &array(&m, &a))], array(&product(&n, &m), &a))
        }
        Intrinsic::Unflatten => {
            let (n, m, a) = (b.size("n"), b.size("m"), b.ty("a"));
            function([array(&product(&n, &m), &a)], array(&n, &array(&m, &a)))
        }
        Intrinsic::Reverse => {
            let (n, a) = (b.size("n"), b.ty("a"));
            function([array(&n, &a)], array(&n, &a))
        }
        Intrinsic::Rotate => {
            let (n, a) = (b.size("n"), b.ty("a"));
            function([int, array(&n, &a)], array(&n, &a))
        }
        Intrinsic::Concat => {
            let (n, m, a) = (b.size("n"), b.size("m"), b.ty("a"));
            function([array(&n, &a), array(&m, &a)], unique(array(&sum(&n, &m), &a)))
        }
        Intrinsic::Length => {
            let (n, a) = (b.size("n"), b.ty("a"));
            function([array(&n, &a)], int)
        }
        Intrinsic::Jvp => {
            let (x, y) = (b.ty("a"), b.ty("b"));
            let f = Type::arrow(x.clone(), y.clone());
            function([f, x.clone(), x], Type::tuple(vec![y.clone(), y]))
        }
        Intrinsic::Vjp => {
            let (x, y) = (b.ty("a"), b.ty("b"));
            let f = Type::arrow(x.clone(), y.clone());
            function([f, x.clone(), y.clone()], Type::tuple(vec![y, x]))
        }
        Intrinsic::WithVjp => {
            let (x, y) = (b.ty("a"), b.ty("b"));
            let adjoint = function([y.clone(), y.clone()], x.clone());
            function([Type::arrow(x.clone(), y.clone()), adjoint, x], y)
        }
        Intrinsic::Foldl => {
            let (n, x, y) = (b.size("n"), b.ty("b"), b.ty("a"));
            let step = function([x.clone(), y.clone()], x.clone());
            function([step, x.clone(), array(&n, &y)], x)
        }
        Intrinsic::Scratch => {
            let (n, a) = (b.names.fresh("n"), b.ty("a"));
            let result = unique(array(&Size::Var(n), &a));
            Type::Arrow(Arc::new(Arrow { name: Some(n), param: int, exts: Vec::new(), result }))
        }
        Intrinsic::FlatIndex(rank) => {
            let (n, a) = (b.size("n"), b.ty("a"));
            let counts: Vec<Var> = (0..rank).map(|_| b.names.fresh("n")).collect();
            let part = counts.iter().rev().fold(a.clone(), |row, count| array(&Size::Var(*count), &row));
            let dims = counts.into_iter().rev().fold(part, |result, count| {
                let result = Type::arrow(int.clone(), result);
                let count = Arrow { name: Some(count), param: int.clone(), exts: Vec::new(), result };
                Type::Arrow(Arc::new(count))
            });
            function([array(&n, &a), int], dims)
        }
        Intrinsic::FlatUpdate(rank) => {
            let (n, a) = (b.size("n"), b.ty("a"));
            let counts: Vec<Size> = (0..rank).map(|_| b.size("n")).collect();
            let part = counts.iter().rev().fold(a.clone(), |row, count| array(count, &row));
            let dest = unique(array(&n, &a));
            let dims =
                (0..rank).fold(function([part], dest.clone()), |result, _| Type::arrow(int.clone(), result));
            function([dest, int], dims)
        }
        Intrinsic::ScatterStream => {
            let (k, n, x, y) = (b.size("k"), b.size("n"), b.ty("a"), b.ty("b"));
            let acc = accumulator(array(&k, &x));
            let step = function([unique(acc.clone()), y.clone()], acc);
            let dest = unique(array(&k, &x));
            function([dest.clone(), step, array(&n, &y)], dest)
        }
        Intrinsic::HistStream => {
            let (k, n, x, y) = (b.size("k"), b.size("n"), b.ty("a"), b.ty("b"));
            let op = function([x.clone(), x.clone()], x.clone());
            let acc = accumulator(array(&k, &x));
            let step = function([unique(acc.clone()), y.clone()], acc);
            let dest = unique(array(&k, &x));
            function([dest.clone(), op, x, step, array(&n, &y)], dest)
        }
        Intrinsic::AccWrite => {
            let (k, a) = (b.size("k"), b.ty("a"));
            let acc = unique(accumulator(array(&k, &a)));
            function([acc.clone(), int, a], acc)
        }
        // The scalar functions are typed where they are used, by the primitive type in question.
        Intrinsic::Bin(_, t) | Intrinsic::Un(_, t) | Intrinsic::Convert(t, _) | Intrinsic::Fma(t) => {
            Type::Prim(t)
        }
        Intrinsic::Equal(_) => Type::Prim(PrimType::Bool),
    };
    b.finish(ty)
}
