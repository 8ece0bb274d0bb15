//! The untyped syntax tree, as the parser builds it: close to the text, names unresolved.
//!
//! It covers the whole language of Futhark's reference; the checker says which parts it does not take yet.
//! Operators are kept as applications with resolved precedence; nothing is desugared.

use fun_base::name::Symbol;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::source::Span;
use std::sync::Arc;

/// A possibly qualified name: `x`, `M.N.x`, and operators (`+`, `M.+`).
#[derive(Clone, PartialEq, Debug)]
pub struct QualName {
    /// Modules, outermost first.
    pub qualifiers: Vec<Symbol>,
    /// The name itself.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A name that is being defined.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A source file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// Its declarations, in order.
    pub declarations: Vec<Declaration>,
    /// Where each of them stands, with everything that belongs to it.
    pub spans: Vec<Span>,
}

/// A top-level declaration.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "most declarations are values")]
pub enum Declaration {
    /// `def f … = e`, `let f … = e` or `entry f … = e`.
    Value(ValueDeclaration),
    /// `type t 'a [n] = …`.
    Type(TypeDeclaration),
    /// `module m (p: S)… : T = e`; parameters and signature are part of the expression.
    Module(Ident, ModuleExp),
    /// `module type S = …`.
    ModuleType(Ident, Arc<ModuleTypeExp>),
    /// `open m`.
    Open(ModuleExp),
    /// `import "file"`.
    Import(Import),
    /// `local d`.
    Local(Box<Declaration>),
}

/// A reference to another file.
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// The path as written, relative to the file that it stands in, without extension.
    pub path: Symbol,
    /// Where the path stands.
    pub span: Span,
}

/// A module expression with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleExp {
    /// What it is.
    pub kind: ModuleExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What a module expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ModuleExpKind {
    /// `M.N`.
    Name(QualName),
    /// `{ … }`.
    Structure(Arc<Vec<Declaration>>),
    /// `import "file"`.
    Import(Import),
    /// `e : S`.
    Ascription(Box<ModuleExp>, Arc<ModuleTypeExp>),
    /// `\(p: S) : T -> e`: one parameter at a time.
    Lambda(Arc<ModuleLambda>),
    /// `f e`.
    Apply(Box<ModuleExp>, Box<ModuleExp>),
}

/// A parametric module.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleLambda {
    /// The parameter.
    pub param: Ident,
    /// Its module type.
    pub signature: Arc<ModuleTypeExp>,
    /// The module type of the result.
    pub result: Option<Arc<ModuleTypeExp>>,
    /// The result.
    pub body: ModuleExp,
}

/// A module type expression with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleTypeExp {
    /// What it is.
    pub kind: ModuleTypeExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What a module type expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ModuleTypeExpKind {
    /// `M.S`.
    Name(QualName),
    /// `{ … }`.
    Specs(Vec<Spec>),
    /// `S with M.t [n] 'a = type`.
    With(Arc<ModuleTypeExp>, Arc<Refinement>),
    /// `(p: S) -> T`, `S -> T`.
    Parametric(Option<Ident>, Arc<ModuleTypeExp>, Arc<ModuleTypeExp>),
}

/// What `with` says about an abstract type.
#[derive(Clone, PartialEq, Debug)]
pub struct Refinement {
    /// The type.
    pub name: QualName,
    /// Its parameters.
    pub params: Vec<TypeParam>,
    /// What it is.
    pub definition: TypeExp,
}

/// What a module type asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Spec {
    /// `val x [n] 'a : t`.
    Value(ValueSpec),
    /// `type t 'a [n]`, with `= …` no longer abstract.
    Type(TypeSpec),
    /// `module m : S`.
    Module(Ident, Arc<ModuleTypeExp>),
    /// `include S`.
    Include(Arc<ModuleTypeExp>),
}

/// A value that a module type asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueSpec {
    /// Its name.
    pub name: Ident,
    /// `[n] 'a 'b`, in order.
    pub type_params: Vec<TypeParam>,
    /// Its type.
    pub ty: TypeExp,
}

/// A type that a module type asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeSpec {
    /// Its name.
    pub name: Ident,
    /// `type`, `type~` or `type^`.
    pub liftedness: Liftedness,
    /// Parameters, in order.
    pub params: Vec<TypeParam>,
    /// What it is; abstract without.
    pub definition: Option<TypeExp>,
}

/// An attribute `#[name]` or `#[name(args)]`, kept as text.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The text between the brackets, e.g. `unroll`.
    pub text: Symbol,
    /// The whole attribute.
    pub span: Span,
}

/// A definition of a value or function.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueDeclaration {
    /// `entry` rather than `def`.
    pub entry: bool,
    /// The name defined.
    pub name: Ident,
    /// `[n] 'a 'b`, in order.
    pub type_params: Vec<TypeParam>,
    /// Parameter patterns.
    pub params: Vec<Pattern>,
    /// `: t`.
    pub result: Option<TypeExp>,
    /// The right-hand side.
    pub body: Exp,
    /// `#[…]` before the declaration.
    pub attributes: Vec<Attribute>,
    /// The documentation comment (`-- | …`), joined lines.
    pub doc: Option<String>,
    /// From the keyword to the end.
    pub span: Span,
}

/// A type abbreviation.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeDeclaration {
    /// The name defined.
    pub name: Ident,
    /// `type`, `type~` or `type^`.
    pub liftedness: Liftedness,
    /// Parameters, in order.
    pub params: Vec<TypeParam>,
    /// The right-hand side.
    pub definition: TypeExp,
    /// From the keyword to the end.
    pub span: Span,
}

/// How lifted a type (parameter) is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Liftedness {
    /// `'a`: may be an array element.
    Unlifted,
    /// `'~a`: sizes may be existential.
    SizeLifted,
    /// `'^a`: may be functional.
    Lifted,
}

/// `[n]`, `'a`, `'~a` or `'^a`.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeParam {
    /// `[n]`.
    Size(Ident),
    /// `'a` and its lifted forms.
    Type(Ident, Liftedness),
}

/// A type expression with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExp {
    /// What it is.
    pub kind: TypeExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeExpKind {
    /// `i32`, `t`, `M.t`, `a`.
    Name(QualName),
    /// `t a`, `t [n]`: one argument at a time.
    Apply(Box<TypeExp>, TypeArg),
    /// `[n]t`.
    Array(SizeExp, Box<TypeExp>),
    /// `(a, b)`; empty for unit.
    Tuple(Vec<TypeExp>),
    /// `{x: a, y: b}`.
    Record(Vec<(Ident, TypeExp)>),
    /// `#a t | #b`.
    Sum(Vec<(Ident, Vec<TypeExp>)>),
    /// `*t`.
    Unique(Box<TypeExp>),
    /// `a -> b` or `(x: a) -> b`.
    Arrow(Option<Ident>, Box<TypeExp>, Box<TypeExp>),
    /// `?[n][m].t`.
    Exists(Vec<Ident>, Box<TypeExp>),
}

/// The argument of a parametric type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeArg {
    /// `[n]`.
    Size(SizeExp),
    /// A type.
    Type(Box<TypeExp>),
}

/// What stands between the brackets of an array type.
#[derive(Clone, PartialEq, Debug)]
pub enum SizeExp {
    /// `[]`.
    Any(Span),
    /// `[e]`.
    Exp(Box<Exp>),
}

/// A pattern with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `x`.
    Name(Symbol),
    /// `_`.
    Wildcard,
    /// `(p, q)`; empty for unit.
    Tuple(Vec<Pattern>),
    /// `{x = p, y}`; a field alone binds its own name.
    Record(Vec<(Ident, Option<Pattern>)>),
    /// `p: t`.
    Ascription(Box<Pattern>, Box<TypeExp>),
    /// A literal, with its sign.
    Literal(Literal),
    /// `#c p q`.
    Constructor(Symbol, Vec<Pattern>),
    /// `#[a] p`.
    Attribute(Attribute, Box<Pattern>),
}

/// A literal.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// With a suffix, or `true`, `false`: the type is decided.
    Prim(PrimValue),
    /// An integer without suffix, of any number type; the parser has checked that it fits 128 bits. Negative only in patterns.
    Int(i128),
    /// A decimal without suffix, of any float type; the digits, underscores removed (hex floats as written).
    Float(String, f64),
    /// `'c'`: the code point, of any number type.
    Char(u32),
    /// `"…"`: bytes in UTF-8, escapes resolved.
    String(Vec<u8>),
}

/// An expression with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Exp {
    /// What it is.
    pub kind: ExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the forms above the variants name their fields")]
pub enum ExpKind {
    /// A literal.
    Literal(Literal),
    /// `x`, `M.x`, `(+)`. `a.b.c` is a name with qualifiers; the checker decides which are record fields.
    Name(QualName),
    /// `???`.
    Hole,
    /// `(e)`, kept because `(e)` and `e` differ as operands of sections and in messages.
    Parens(Box<Exp>),
    /// `M.(e)`.
    LocalOpen(QualName, Box<Exp>),
    /// `(a, b)`; empty for `()`.
    Tuple(Vec<Exp>),
    /// `{x = a, y}`.
    Record(Vec<(Ident, Option<Exp>)>),
    /// `[a, b]`.
    ArrayLiteral(Vec<Exp>),
    /// `a..b...c`, `a...c`, `a..<c`, `a..>c`.
    Range { first: Box<Exp>, second: Option<Box<Exp>>, end: RangeEnd },
    /// `e.x`, `e.0`.
    Project(Box<Exp>, Ident),
    /// `e[i, a:b:c]`.
    Index(Box<Exp>, Vec<DimIndex>),
    /// `f x`: one argument at a time.
    Apply(Box<Exp>, Box<Exp>),
    /// `a op b`; `&&` and `||` too. Backtick infix gives the quoted name.
    BinOp(QualName, Box<Exp>, Box<Exp>),
    /// `-e`.
    Negate(Box<Exp>),
    /// `!e`.
    Not(Box<Exp>),
    /// `e : t`.
    Ascription(Box<Exp>, Box<TypeExp>),
    /// `e :> t`.
    Coercion(Box<Exp>, Box<TypeExp>),
    /// `\p q : t -> e`.
    Lambda { params: Vec<Pattern>, result: Option<Box<TypeExp>>, body: Box<Exp> },
    /// `(op e)`.
    SectionRight(QualName, Box<Exp>),
    /// `(e op)`.
    SectionLeft(Box<Exp>, QualName),
    /// `(.x.y)`.
    SectionProject(Vec<Ident>),
    /// `(.[i])`.
    SectionIndex(Vec<DimIndex>),
    /// `let [n] p = e in b`.
    Let { sizes: Vec<Ident>, pattern: Pattern, value: Box<Exp>, body: Box<Exp> },
    /// `let f 'a p q : t = e in b`.
    LetFunction(Box<LetFunction>),
    /// `let x[i] = v in b`.
    LetWith { name: Ident, indices: Vec<DimIndex>, value: Box<Exp>, body: Box<Exp> },
    /// `let x.f.g = v in b`.
    LetWithField { name: Ident, fields: Vec<Ident>, value: Box<Exp>, body: Box<Exp> },
    /// `e with [i] = v`.
    With { array: Box<Exp>, indices: Vec<DimIndex>, value: Box<Exp> },
    /// `e with f.g = v`.
    WithField { record: Box<Exp>, fields: Vec<Ident>, value: Box<Exp> },
    /// `if c then a else b`.
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `loop p = init for … do e`; without `= init` the names of the pattern are the initial values.
    Loop(Box<Loop>),
    /// `match e case p -> …`.
    Match(Box<Exp>, Vec<Case>),
    /// `#c a b`.
    Constructor(Symbol, Vec<Exp>),
    /// `assert c e`.
    Assert(Box<Exp>, Box<Exp>),
    /// `#[a] e`.
    Attribute(Attribute, Box<Exp>),
}

/// `case p -> e`.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Its left-hand side.
    pub pattern: Pattern,
    /// The right-hand side.
    pub body: Exp,
    /// The whole case.
    pub span: Span,
}

/// A local function definition.
#[derive(Clone, PartialEq, Debug)]
pub struct LetFunction {
    /// The name defined.
    pub name: Ident,
    /// `[n] 'a`.
    pub type_params: Vec<TypeParam>,
    /// Parameter patterns; at least one.
    pub params: Vec<Pattern>,
    /// `: t`.
    pub result: Option<TypeExp>,
    /// The function's body.
    pub function: Exp,
    /// Where the function is in scope.
    pub body: Exp,
}

/// A loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// `[n]` before the pattern.
    pub sizes: Vec<Ident>,
    /// The loop parameter.
    pub pattern: Pattern,
    /// Its first value, when written.
    pub init: Option<Exp>,
    /// What drives the loop.
    pub form: LoopForm,
    /// Its next value.
    pub body: Exp,
}

/// What drives a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// `for i < n`.
    For(Ident, Box<Exp>),
    /// `for p in xs`.
    ForIn(Pattern, Box<Exp>),
    /// `while c`.
    While(Box<Exp>),
}

/// How a range ends.
#[derive(Clone, PartialEq, Debug)]
pub enum RangeEnd {
    /// `...e`: inclusive.
    Inclusive(Box<Exp>),
    /// `..<e`: upwards, exclusive.
    UpTo(Box<Exp>),
    /// `..>e`: downwards, exclusive.
    DownTo(Box<Exp>),
}

/// One dimension of an index.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "indices are few")]
#[expect(missing_docs, reason = "the forms above the variants name their fields")]
pub enum DimIndex {
    /// `i`.
    Fix(Exp),
    /// `a:b:c`, each part optional.
    Slice { start: Option<Exp>, end: Option<Exp>, stride: Option<Exp>, span: Span },
}

impl Literal {
    /// The type of a literal that has one of its own.
    pub fn own_type(&self) -> Option<PrimType> {
        match self {
            Literal::Prim(value) => Some(value.prim_type()),
            Literal::Int(_) | Literal::Float(..) | Literal::Char(_) | Literal::String(_) => None,
        }
    }
}
