//! Hand-made typed trees, lowered and checked. Programs in source text are tested in `tests/lower_cases.rs`.

use crate::lower::lower_program;
use crate::typed::{
    DefId, Definition, DimIndex, Exp, ExpKind, Instance, Intrinsic, LoopForm, Pattern, PatternKind, Program,
};
use crate::types::{Arrow, Scheme, Size, Type};
use fun::check::{Phase, check_program, errors_to_string};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::source::{Source, Span};
use std::sync::Arc;

const I64: Type = Type::Prim(PrimType::I64);
const BOOL: Type = Type::Prim(PrimType::Bool);

fn var(text: &str, tag: u32) -> Var {
    Var::new(text, tag)
}

fn array(size: Var, element: Type) -> Type {
    Type::Array(Size::Var(size), Box::new(element))
}

fn exp(kind: ExpKind, ty: Type) -> Exp {
    Exp { kind, ty, span: Span::default() }
}

fn use_of(name: Var, ty: Type) -> Exp {
    exp(ExpKind::Var(name), ty)
}

fn number(n: i64) -> Exp {
    exp(ExpKind::Const(PrimValue::I64(n)), I64)
}

fn pattern(name: Var, ty: Type) -> Pattern {
    Pattern { kind: PatternKind::Var(name), ty, span: Span::default() }
}

fn arrow(param: Type, result: Type) -> Type {
    Type::Arrow(Arc::new(Arrow { name: None, param, exts: Vec::new(), result }))
}

fn intrinsic(which: Intrinsic) -> Exp {
    exp(ExpKind::Intrinsic(which, Instance::default()), arrow(I64, I64))
}

fn apply(function: Exp, args: Vec<Exp>, exts: Vec<Var>, ty: Type) -> Exp {
    exp(ExpKind::Apply { function: Box::new(function), args, exts }, ty)
}

fn binary(op: BinOp, a: Exp, b: Exp) -> Exp {
    let ty = if op == BinOp::Gt { BOOL } else { I64 };
    apply(intrinsic(Intrinsic::Bin(op, PrimType::I64)), vec![a, b], Vec::new(), ty)
}

fn lambda(params: Vec<Pattern>, body: Exp) -> Exp {
    exp(ExpKind::Lambda { params, body: Box::new(body), exts: Vec::new() }, arrow(I64, I64))
}

fn definition(
    name: &str,
    sizes: Vec<Var>,
    types: Vec<Var>,
    params: Vec<Pattern>,
    body: Exp,
) -> Arc<Definition> {
    let liftedness = types.iter().map(|_| crate::syntax::Liftedness::Unlifted).collect();
    let result = body.ty.clone();
    Arc::new(Definition {
        name: name.into(),
        entry: name == "main",
        recursive: false,
        scheme: Scheme { sizes, types, liftedness, ty: Type::unit() },
        params,
        body,
        result,
        exts: Vec::new(),
        attributes: Vec::new(),
        doc: None,
        span: Span::default(),
    })
}

/// The text of the program that these definitions are lowered to, checked.
fn lowered(definitions: Vec<Arc<Definition>>) -> String {
    let program = Program { definitions, next_tag: 100, ..Program::default() };
    let source = Source { name: "main.fut".into(), text: "main".into() };
    let lowered = lower_program(&program, &[source]).expect("lowers");
    let text = lowered.program.to_string();
    if let Err(errors) = check_program(&lowered.program, Phase::Soac) {
        panic!("{}\n{text}", errors_to_string(&errors));
    }
    text
}

#[test]
fn map_and_call() {
    let (n, xs, x, a, m, ys) =
        (var("n", 1), var("xs", 2), var("x", 3), var("a", 4), var("m", 5), var("ys", 6));
    let double = lambda(vec![pattern(x, I64)], binary(BinOp::Add, use_of(x, I64), use_of(x, I64)));
    let mapped =
        apply(intrinsic(Intrinsic::Map), vec![double, use_of(xs, array(n, I64))], Vec::new(), array(n, I64));
    // def pair 'a [m] (ys: [m]a) = zip ys ys
    let element = Type::tuple(vec![Type::Param(a), Type::Param(a)]);
    let zipped = apply(
        intrinsic(Intrinsic::Zip),
        vec![use_of(ys, array(m, Type::Param(a))), use_of(ys, array(m, Type::Param(a)))],
        Vec::new(),
        array(m, element),
    );
    let pair = definition("pair", vec![m], vec![a], vec![pattern(ys, array(m, Type::Param(a)))], zipped);
    let instance = Instance { sizes: vec![Size::Var(n)], types: vec![I64] };
    let function = exp(ExpKind::Def(DefId(0), instance), arrow(I64, I64));
    let result = array(n, Type::tuple(vec![I64, I64]));
    let body = apply(function, vec![mapped], Vec::new(), result);
    let main = definition("main", vec![n], vec![], vec![pattern(xs, array(n, I64))], body);
    let text = lowered(vec![pair, main]);
    assert!(text.contains("call pair"), "{text}");
    assert!(text.contains("map n_"), "{text}");
}

#[test]
fn filter_has_an_existential_size() {
    let (n, xs, x, k) = (var("n", 1), var("xs", 2), var("x", 3), var("k", 4));
    let positive = lambda(vec![pattern(x, I64)], binary(BinOp::Gt, use_of(x, I64), number(0)));
    let body = apply(
        intrinsic(Intrinsic::Filter),
        vec![positive, use_of(xs, array(n, I64))],
        vec![k],
        array(k, I64),
    );
    let text = lowered(vec![definition("main", vec![n], vec![], vec![pattern(xs, array(n, I64))], body)]);
    assert!(text.contains("scatter"), "{text}");
}

#[test]
fn branches_of_different_sizes() {
    let (b, n, k) = (var("b", 1), var("n", 2), var("k", 3));
    let iota = |count: Exp| apply(intrinsic(Intrinsic::Iota), vec![count], Vec::new(), array(k, I64));
    let body = exp(
        ExpKind::If {
            condition: Box::new(use_of(b, BOOL)),
            then: Box::new(iota(use_of(n, I64))),
            otherwise: Box::new(iota(number(3))),
            exts: vec![k],
        },
        array(k, I64),
    );
    let text =
        lowered(vec![definition("main", vec![], vec![], vec![pattern(b, BOOL), pattern(n, I64)], body)]);
    assert!(text.contains("if b_"), "{text}");
}

#[test]
fn loop_with_updates() {
    let (n, xs, i, ys) = (var("n", 1), var("xs", 2), var("i", 3), var("ys", 4));
    let ty = array(n, I64);
    let body = exp(
        ExpKind::Update {
            array: Box::new(use_of(ys, ty.clone())),
            indices: vec![DimIndex::Fix(use_of(i, I64))],
            value: Box::new(binary(BinOp::Div, number(7), use_of(i, I64))),
        },
        ty.clone(),
    );
    let loop_ = exp(
        ExpKind::Loop {
            kept: Vec::new(),
            sizes: Vec::new(),
            pattern: pattern(ys, ty.clone()),
            init: Box::new(use_of(xs, ty.clone())),
            form: LoopForm::For(i, Box::new(use_of(n, I64))),
            body: Box::new(body),
            exts: Vec::new(),
        },
        ty.clone(),
    );
    let unique = Type::Unique(Box::new(ty));
    let text = lowered(vec![definition("main", vec![n], vec![], vec![pattern(xs, unique)], loop_)]);
    // The counter is in bounds, the divisor may be zero.
    assert!(!text.contains("out of bounds"), "{text}");
    assert!(text.contains("division by zero"), "{text}");
}

#[test]
fn loop_whose_array_grows() {
    let (k, n, xs, size) = (var("k", 1), var("n", 2), var("xs", 3), var("size", 4));
    let ty = array(n, I64);
    let doubled = Type::Array(Size::Add(Box::new(Size::Var(n)), Box::new(Size::Var(n))), Box::new(I64));
    let body = apply(
        intrinsic(Intrinsic::Concat),
        vec![use_of(xs, ty.clone()), use_of(xs, ty.clone())],
        Vec::new(),
        doubled,
    );
    let init = exp(ExpKind::ArrayLiteral(vec![number(1)]), Type::Array(Size::Const(1), Box::new(I64)));
    let loop_ = exp(
        ExpKind::Loop {
            kept: Vec::new(),
            sizes: vec![n],
            pattern: pattern(xs, ty),
            init: Box::new(init),
            form: LoopForm::For(var("i", 9), Box::new(use_of(k, I64))),
            body: Box::new(body),
            exts: vec![size],
        },
        array(size, I64),
    );
    let text = lowered(vec![definition("main", vec![], vec![], vec![pattern(k, I64)], loop_)]);
    assert!(text.contains("concat"), "{text}");
}
