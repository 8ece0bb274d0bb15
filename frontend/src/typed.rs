//! The typed tree: what the checker makes of the syntax and what lowering reads.
//!
//! Contract:
//! - Every name is resolved: locals, size parameters and existentials to a unique [`Var`]; top-level functions of the
//!   program and of the source prelude to a [`DefId`]; built-in functions to an [`Intrinsic`].
//! - Operators are applications of intrinsics (or of user definitions); sections, pipes, field sections and `let` functions
//!   are lambdas; `&&` and `||` are [`ExpKind::If`]; numeric literals have their type; literal patterns are gone from `let`.
//! - Every expression has its whole type. A polymorphic reference carries its instance, so lowering needs no unification.
//! - An application whose result has unknown sizes lists them in `exts`: they are in scope from there on, wherever the
//!   type of a variable bound to the result mentions them, and stand for the actual sizes of the value.
//! - A variable or existential stays usable in sizes after the `let` that binds it ends, up to the end of the enclosing
//!   function, branch or loop body: names are unique and evaluation is in order. Where such a body ends, sizes that its
//!   type would still mention have become `exts` of the `Lambda`, `If`, `Loop` or [`Definition`]. Each of these, and each
//!   ext of an application, stands as a whole dimension `[k]` somewhere in the result type.
//! - `exts` of a constant (a definition without parameters) are in scope in all later definitions.
//! - Consumption has been checked (`uniqueness`): lowering copies only where a parameter's `*` or an update needs a fresh array.

mod visit;

use crate::types::{Scheme, Size, Type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::source::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Index of a definition in [`Program::definitions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DefId(pub u32);

/// A checked program: the definitions of the prelude and of the source, in order of definition (uses come later).
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All definitions; a definition refers only to earlier ones and to itself.
    pub definitions: Vec<Arc<Definition>>,
    /// The first tag not used by any [`Var`] of the tree.
    pub next_tag: u32,
    /// What `#[param(name)]` stands for instead of the value of its expression.
    pub parameters: BTreeMap<Symbol, i64>,
}

/// A top-level definition.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// Its name.
    pub name: Symbol,
    /// Whether it is an entry point.
    pub entry: bool,
    /// Whether it uses itself: all its arguments are given there, functions among them as they are.
    pub recursive: bool,
    /// Its generalised type.
    pub scheme: Scheme,
    /// Parameters; none for a constant.
    pub params: Vec<Pattern>,
    /// Its body, of the type that is left after the parameters.
    pub body: Exp,
    /// The declared or inferred result type (with `Unique`), and the existential sizes in it.
    pub result: Type,
    /// Sizes in `result` that only a run of the body decides.
    pub exts: Vec<Var>,
    /// Attributes, as text (`inline`, `noinline`, …).
    pub attributes: Vec<Symbol>,
    /// Documentation comment.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A pattern with its type. Patterns that may not match stand only in `match`; elsewhere constructors are those of sums
/// that have only one.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Its type; `Unique` on a consumed parameter.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// Binds a variable.
    Var(Var),
    /// Binds nothing.
    Wildcard,
    /// Components by field; covers tuples and unit.
    Record(Vec<(Symbol, Pattern)>),
    /// A constructor of a sum with patterns for its payload.
    Constructor(Symbol, Vec<Pattern>),
    /// A literal: matches what is equal to it. Only in `match`.
    Literal(PrimValue),
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Exp {
    /// What it is.
    pub kind: ExpKind,
    /// Its type, without an outer `*`.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// The arguments of a polymorphic reference, in the order of [`Scheme`]. Sizes that stay unknown are `Size::Var`s of
/// enclosing `exts`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Instance {
    /// One for each size parameter.
    pub sizes: Vec<Size>,
    /// One for each type parameter.
    pub types: Vec<Type>,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the forms above the variants name their fields")]
pub enum ExpKind {
    /// A scalar.
    Const(PrimValue),
    /// A string: its bytes as `[]u8`.
    Bytes(Vec<u8>),
    /// A local variable (or a size parameter, as an i64).
    Var(Var),
    /// A top-level definition.
    Def(DefId, Instance),
    /// A built-in function; `ty` is its type at this use.
    Intrinsic(Intrinsic, Instance),
    /// A record or tuple; fields in the order of the type, with the order of evaluation as written.
    Record(Vec<(Symbol, Exp)>),
    /// `e.x`.
    Project(Box<Exp>, Symbol),
    /// `r with x.y = v`.
    UpdateField(Box<Exp>, Vec<Symbol>, Box<Exp>),
    /// `[a, b]`; the element type is that of `ty`.
    ArrayLiteral(Vec<Exp>),
    /// A range; the number of elements is the size in `ty` (an existential listed in `exts` unless it is known).
    Range { first: Box<Exp>, second: Option<Box<Exp>>, end: RangeEnd, exts: Vec<Var> },
    /// `e[…]`; sizes of slices that are not known statically are in `exts`.
    Index { array: Box<Exp>, indices: Vec<DimIndex>, exts: Vec<Var> },
    /// `e with [i] = v`: consumes `e`.
    Update { array: Box<Exp>, indices: Vec<DimIndex>, value: Box<Exp> },
    /// A whole application: all arguments that are given at this place. The function may take more (partial application).
    Apply { function: Box<Exp>, args: Vec<Exp>, exts: Vec<Var> },
    /// A function; its parameters may bind sizes.
    Lambda { params: Vec<Pattern>, body: Box<Exp>, exts: Vec<Var> },
    /// `let p = e in b`; `sizes` are the size parameters `[n]` bound from the type of `value`.
    Let { sizes: Vec<Var>, pattern: Pattern, value: Box<Exp>, body: Box<Exp> },
    /// A local function that is used at several sizes or types: `let f [n] 'a p = e in b`; its parameters' anonymous and
    /// inferred sizes are size parameters too. `value` is a [`ExpKind::Lambda`]; uses are [`ExpKind::LocalDef`].
    LetDef { var: Var, scheme: Scheme, value: Box<Exp>, body: Box<Exp> },
    /// A use of a [`ExpKind::LetDef`].
    LocalDef(Var, Instance),
    /// `if c then a else b`; sizes that differ between the branches are in `exts`.
    If { condition: Box<Exp>, then: Box<Exp>, otherwise: Box<Exp>, exts: Vec<Var> },
    /// A loop; the type of `pattern` may mention `sizes`, which take new values each iteration; `exts` are the sizes of the
    /// result that are not known before. `kept` are the variables of the pattern whose written type lacks `*`.
    Loop {
        sizes: Vec<Var>,
        pattern: Pattern,
        kept: Vec<Var>,
        init: Box<Exp>,
        form: LoopForm,
        body: Box<Exp>,
        exts: Vec<Var>,
    },
    /// `#c a b`, a value of the sum type `ty`.
    Construct(Symbol, Vec<Exp>),
    /// `match e case p -> a …`: the first case whose pattern matches; one always does. Sizes that differ between the cases
    /// are in `exts`.
    Match { scrutinee: Box<Exp>, cases: Vec<Case>, exts: Vec<Var> },
    /// `e :> t`: the sizes of `ty` are compared with those of the value when the program runs.
    Coerce(Box<Exp>),
    /// `???`: fails when it is evaluated.
    Hole,
    /// `assert c e`, with the text of the condition for the message.
    Assert { condition: Box<Exp>, text: String, value: Box<Exp> },
    /// An attribute that means something to later stages.
    Attribute(Symbol, Box<Exp>),
}

/// `case p -> e`.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The pattern.
    pub pattern: Pattern,
    /// The right-hand side.
    pub body: Exp,
}

/// What drives a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// `for i < n`; the variable has the integer type of the bound.
    For(Var, Box<Exp>),
    /// `for p in xs`.
    ForIn(Pattern, Box<Exp>),
    /// `while c`; `c` is in the scope of the loop's pattern.
    While(Box<Exp>),
}

/// How a range ends.
#[derive(Clone, PartialEq, Debug)]
pub enum RangeEnd {
    /// `...e`.
    Inclusive(Box<Exp>),
    /// `..<e`.
    UpTo(Box<Exp>),
    /// `..>e`.
    DownTo(Box<Exp>),
}

/// One dimension of an index; all parts are i64 (the checker has inserted conversions from other integer types).
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, clippy::large_enum_variant, reason = "`a:b:c` names the fields; indices are few")]
pub enum DimIndex {
    /// `i`.
    Fix(Exp),
    /// `a:b:c` with Futhark's defaults for missing parts.
    Slice { start: Option<Exp>, end: Option<Exp>, stride: Option<Exp> },
}

/// A built-in function. Those on arrays are curried functions with the prelude's types; the scalar ones take one or two
/// scalars. Everything that can be written in the source prelude (`take`, `foldl`, `flatten_3d`, …) is written there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// A scalar operator on operands of this type.
    Bin(BinOp, PrimType),
    /// A scalar operator on an operand of this type.
    Un(UnOp, PrimType),
    /// A conversion `(to, from)`, e.g. `f32.i64`.
    Convert(PrimType, PrimType),
    /// `==` on any type without functions (`true`: `!=`).
    Equal(bool),
    /// Fused multiply and add `fma a b c = a * b + c` on a float type.
    Fma(PrimType),
    /// `map : (a -> x) -> [n]a -> [n]x`.
    Map,
    /// `reduce : (a -> a -> a) -> a -> [n]a -> a`.
    Reduce,
    /// `reduce` with a commutative operator.
    ReduceComm,
    /// `scan : (a -> a -> a) -> a -> [n]a -> *[n]a`.
    Scan,
    /// `filter : (a -> bool) -> [n]a -> ?[k].*[k]a`.
    Filter,
    /// `reduce_by_index : *[k]a -> (a -> a -> a) -> a -> [n]i64 -> [n]a -> *[k]a`.
    ReduceByIndex,
    /// `scatter : *[k]a -> [n]i64 -> [n]a -> *[k]a`.
    Scatter,
    /// `iota : (n: i64) -> *[n]i64`.
    Iota,
    /// `replicate : (n: i64) -> a -> *[n]a`.
    Replicate,
    /// `copy : a -> *a`.
    Copy,
    /// `zip : [n]a -> [n]b -> *[n](a, b)`.
    Zip,
    /// `unzip : [n](a, b) -> ([n]a, [n]b)`.
    Unzip,
    /// `transpose : [n][m]a -> [m][n]a`.
    Transpose,
    /// `flatten : [n][m]a -> [n * m]a`.
    Flatten,
    /// `unflatten : [n * m]a -> [n][m]a` (the sizes are those of the instance).
    Unflatten,
    /// `reverse : [n]a -> [n]a`.
    Reverse,
    /// `rotate : i64 -> [n]a -> [n]a`.
    Rotate,
    /// `concat : [n]a -> [m]a -> *[n + m]a`, also `++`.
    Concat,
    /// `length : [n]a -> i64`.
    Length,
    /// `jvp2 : (a -> b) -> a -> a -> (b, b)`.
    Jvp,
    /// `vjp2 : (a -> b) -> a -> b -> (b, a)`.
    Vjp,
    /// `with_vjp : (a -> b) -> (b -> b -> a) -> a -> b`.
    WithVjp,
    /// `foldl : (b -> a -> b) -> b -> [n]a -> b` as a sequential loop.
    Foldl,
    /// `scratch : (n: i64) -> *[n]a`: contents that the prelude writes before it reads them.
    Scratch,
    /// `flat_index_2d : [n]a -> i64 -> (n1: i64) -> i64 -> (n2: i64) -> i64 -> [n1][n2]a`, of so many dimensions: the elements at an
    /// offset and so many steps from there in each dimension.
    FlatIndex(usize),
    /// `flat_update_2d : *[n]a -> i64 -> i64 -> i64 -> [n1][n2]a -> *[n]a`, of so many dimensions: the array with these elements.
    FlatUpdate(usize),
    /// `scatter_stream : *[k]a -> (*acc [k]a -> b -> acc [k]a) -> [n]b -> *[k]a`.
    ScatterStream,
    /// `hist_stream : *[k]a -> (a -> a -> a) -> a -> (*acc [k]a -> b -> acc [k]a) -> [n]b -> *[k]a`.
    HistStream,
    /// `acc_write : *acc [k]a -> i64 -> a -> *acc [k]a`.
    AccWrite,
}
