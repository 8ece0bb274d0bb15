//! FUN, the language of values. This file is its contract, its grammar and its tree.
//!
//! A program is a list of functions; entry points are what a user may run. Everything is first-order and monomorphic, in
//! administrative normal form (every intermediate value has a name), with several results per expression. Evaluation is
//! strict and in statement order; a program either gives values, or fails at an `assert` with its message and place, or (only
//! if it breaks a stated precondition) is stuck: the interpreters report a fault and say which statement.
//!
//! The tree is generic in a [`Rep`]: what a binder says about its variable, and which further operations there are. FUN binders
//! say a [`Type`]; FUNMEM (`funmem::ir`) is the same tree whose array binders also say where the array lives. So the two
//! languages share visitor, printer and parser, and erasure is a map over binders. (Kept from the paper: FUNMEM *is* FUN with
//! annotations. Changed from the house rule of three unrelated trees, for that reason.)
//!
//! # Invariants (`check.rs` cites them)
//! - F1 Every variable is bound once in the whole program and used only in the scope of its binder. Functions see no
//!   variables from outside.
//! - F2 Every atom, operand and result has exactly the type that its place demands; there are no implicit conversions.
//! - F3 The sizes in an array type are i64 constants or i64 variables in scope at the binder, or bound in the same pattern
//!   (parameter list, result list) before or after it. Shapes of operands match by the atoms, not by provable equality;
//!   where two sizes are only equal at run time, a `reshape` (free, checks nothing) after an `assert` says so.
//! - F4 Results of a body match the pattern after substituting results for pattern variables (paper T-RESULT): that is how
//!   `if`, `loop` and `call` return sizes next to arrays.
//! - F5 `update`, `scatter` and `hist` consume their destination: no alias of it may be among the other operands or used on any
//!   later path. A function may
//!   consume only parameters marked `*`; a kernel, map or lambda body may consume only what it binds itself; a loop may consume
//!   its own parameters; then the initial values are consumed by the loop. (`check/consume.rs` says what aliases what.)
//! - F6 Preconditions (violating one is a fault, lowering puts an `assert` before): indices in bounds, slices in bounds, sizes and
//!   counts ≥ 0, no cell written twice by one update, no zero divisor, no negative integer exponent, reshape keeps the number of elements, concatenated rows have
//!   one shape, arrays given to a map/reduce/scan have the stated width.
//! - F7 Operators of reduce and scan are associative with the stated neutral element; `hist` operators also commutative.
//!   Evaluation order of them is free. Scatter and hist take place in index order (the last write wins); out-of-range indices
//!   are skipped.
//! - F8 Phases: derivatives (`jvp vjp with_vjp`) stand only before the pass `ad`, SOAC forms (`map reduce scan hist scatter` on
//!   arrays) only before the pass `soac-to-kernel`, `kernel` forms only after it. In kernel form reduce, scan and hist have
//!   scalar operands; the epilogue of a scan is made of scalar operators and reads of elements.
//! - F9 A call refers to an earlier function of the program, entry points included, or to the function that it stands in,
//!   unless that is an entry point.
//!
//! Deliberately absent: higher-order values, polymorphism, tuples, mutable variables, effects, memory.
//!
//! # Grammar (`text.rs`; `//` starts a comment)
//! ```text
//! program  ::= function*
//! function ::= ("fun" | "entry") ["#[noinline]"] name param* ":" result* "=" body
//! param    ::= "(" ["*"] binder ")" | "[" ["*"] binder "]"     [k: i64]: implicit, not part of the source interface
//! result   ::= "(" ["*"] binder ")" | "[" ["*"] binder "]"
//! binder   ::= var ":" type
//! type     ::= prim | ("[" atom "]")+ prim
//! body     ::= "{" statement* "in" "(" atom,* ")" "}"
//! statement::= "let" ("(" binder ")")* "=" expression ["#" loc]          loc ::= string ":" line ":" column
//! atom     ::= var | literal                                    var ::= text "_" tag      literal ::= 1i32 | 2.5f64 | true | ()
//! expression ::=
//!     atom
//!   | binop "." prim atom atom                                  add.i64 x_1 1i64
//!   | unop "." prim atom                                        sqrt.f32 x_1
//!   | "fma" "." prim atom atom atom                             a * b + c, rounded once; floats
//!   | "convert" "." prim "." prim atom                          convert.f32.i64 x_1       (to, from)
//!   | "index" var "[" atom,* "]"                                scalar: one index per dimension
//!   | "slice" var "[" dim,* "]"                                 dim ::= atom | atom ":" atom ":" atom   (offset : count : stride)
//!                                                                    | atom "+" "{" ("(" atom ":" atom ")")* "}"   (count : stride)
//!   | "update" var "[" dim,* "]" atom                           consumes var
//!   | "iota" "." prim atom atom atom                            count start step
//!   | "replicate" ("[" atom "]")+ atom                          value may be an array: outer dimensions are added
//!   | "scratch" ("[" atom "]")+ prim                            contents undefined, must be written before read
//!   | "array" type "[" atom,* "]"                               type of one element; element may be an array
//!   | "concat" atom var+                                        along dimension 0; atom is the size of the result
//!   | "copy" var
//!   | "permute" "(" int,* ")" var                               dimension k of the result is dimension perm[k] of the operand
//!   | "reshape" ("[" atom "]")+ var
//!   | "reverse" int var                                         along that dimension
//!   | "if" atom body "else" body
//!   | "loop" ("(" binder "=" atom ")")* ("for" var ":" prim "<" atom | "while" var) body
//!   | "call" name atom*
//!   | "assert" atom string atom*                                no results; the numbers for each {} of the message (i64)
//!   | ("trace" | "break") string atom*                         no results; `{}` in the string stands for a value
//!   | "map" atom lambda var*                                    width, function, arrays
//!   | ("reduce" | "reduce_comm" | "scan") atom lambda "(" atom,* ")" var*         width, operator, neutral, arrays
//!   | "hist" atom lambda "(" atom,* ")" "(" var,* ")" var var*  width, operator, neutral, destinations, indices, values
//!   | "scatter" atom "(" var,* ")" var var*                     width, destinations, indices, values
//!   | "kernel" "(" (var "<" atom),* ")" combine body
//!   | ("jvp" | "vjp") lambda "(" atom,* ")" "(" atom,* ")"   function, arguments, tangents of these or adjoints of the results
//!   | "with_vjp" lambda lambda "(" atom,* ")"              function, its adjoint, arguments
//! combine  ::= (nothing) | ("reduce" | "reduce_comm") lambda "(" atom,* ")"
//!            | "scan" lambda "(" atom,* ")" ["then" lambda]            the epilogue, which sees the counters
//!            | "hist" lambda "(" atom,* ")" "(" var,* ")" | "scatter" "(" var,* ")"
//! lambda   ::= "\" ("(" binder ")")* ":" type,* body                     types of the results
//! ```

use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::source::Loc;

/// What distinguishes FUN from FUNMEM: the annotation of binders and the extra operations.
pub trait Rep: Clone + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// What a binder says about its variable.
    type Type: Clone + std::fmt::Debug + PartialEq + Send + Sync + BinderType;
    /// Operations beyond those of FUN.
    type Op: Clone + std::fmt::Debug + PartialEq + Send + Sync + ExtraOp;
}

/// What generic code needs of a binder's type.
pub trait BinderType {
    /// The FUN type: what is left after erasing memory (`mem` erases to `i64`, paper Figure 9).
    fn erased(&self) -> Type;
    /// Whether constants have this type: scalars do, arrays and blocks do not.
    fn has_constants(&self) -> bool {
        self.erased().rank() == 0
    }
    /// Whether an array's elements are known to have a cell each, so that there are not more of them than there may be cells.
    fn has_cells(&self) -> bool {
        false
    }
    /// Calls `f` on every variable that the type mentions.
    fn for_each_var(&self, f: &mut dyn FnMut(Var));
    /// Replaces the variables that the type mentions. `f` gives the atom for a variable (itself when it stays).
    fn map_vars(&self, f: &mut dyn FnMut(Var) -> Atom) -> Self;
}

/// What generic code needs of an extra operation.
pub trait ExtraOp {
    /// Calls `f` on every atom that the operation uses.
    fn for_each_atom(&self, f: &mut dyn FnMut(&Atom));
    /// Replaces the atoms that the operation uses.
    fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Atom) -> Self;
}

/// The representation of FUN itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fun;

impl Rep for Fun {
    type Type = Type;
    type Op = NoOp;
}

/// FUN has no extra operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoOp {}

/// A type: a primitive, or a regular array with one size for each dimension (at least one).
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A scalar.
    Prim(PrimType),
    /// `[n][m]f32`.
    Array {
        /// Sizes, outermost first; never empty.
        shape: Vec<Atom>,
        /// Element type; never `unit`.
        elem: PrimType,
    },
}

/// A variable or a constant: what expressions are applied to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A variable in scope.
    Var(Var),
    /// A constant.
    Const(PrimValue),
}

/// A program. Functions are printed and kept in order; a call refers to an earlier function or to its own (F9).
#[derive(Clone, PartialEq, Debug)]
pub struct Program<R: Rep = Fun> {
    /// The functions, callees first.
    pub functions: Vec<Function<R>>,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function<R: Rep = Fun> {
    /// Unique in the program. Entry points have the name of the source.
    pub name: Symbol,
    /// Whether a user may run it.
    pub entry: bool,
    /// Whether its calls stay calls where that costs no more than the call: outside of loops and parallel code.
    pub noinline: bool,
    /// Parameters; sizes that array parameters mention are parameters too.
    pub params: Vec<Param<R>>,
    /// Results, named so that types can mention sizes among them; the names scope over the result types only.
    pub results: Vec<Param<R>>,
    /// The body; its results match `results` (F4).
    pub body: Body<R>,
}

/// A parameter or result of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Param<R: Rep = Fun> {
    /// Name and type.
    pub binder: Binder<R>,
    /// Not part of the source-level interface: sizes, and in FUNMEM memory, offsets and strides.
    pub implicit: bool,
    /// Parameter: the function may consume it. Result: it aliases no parameter.
    pub unique: bool,
}

/// A variable and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder<R: Rep = Fun> {
    /// The variable bound.
    pub var: Var,
    /// Its type (FUNMEM: and memory).
    pub ty: R::Type,
}

/// Statements, then results.
#[derive(Clone, PartialEq, Debug)]
pub struct Body<R: Rep = Fun> {
    /// In order of evaluation.
    pub statements: Vec<Statement<R>>,
    /// The results.
    pub results: Vec<Atom>,
}

/// `let pattern = expression`.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement<R: Rep = Fun> {
    /// One binder for each result of the expression.
    pub pattern: Vec<Binder<R>>,
    /// What is evaluated.
    pub exp: Exp<R>,
    /// The source text that it comes from.
    pub loc: Option<Loc>,
}

/// A function without a name; sees the variables in scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda<R: Rep = Fun> {
    /// Parameters.
    pub params: Vec<Binder<R>>,
    /// Types of the results; their sizes are in scope outside the lambda.
    pub results: Vec<Type>,
    /// The body.
    pub body: Body<R>,
}

/// One dimension of a slice or update.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// One index; the dimension disappears.
    Fix(Atom),
    /// `count` elements from `offset` in steps of `stride` (any sign; zero repeats an element, in slices only).
    Range {
        /// First index.
        offset: Atom,
        /// How many.
        count: Atom,
        /// Step.
        stride: Atom,
    },
    /// The dimension becomes several: index `(i, j, …)` is `offset + i * stride_i + j * stride_j + …`.
    Flat {
        /// The index of the first element.
        offset: Atom,
        /// The new dimensions, outermost first, at least one.
        dims: Vec<FlatDim>,
    },
}

/// One of the dimensions that a [`Dim::Flat`] makes of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct FlatDim {
    /// How many.
    pub count: Atom,
    /// Step, of any sign, in the dimension that becomes several.
    pub stride: Atom,
}

impl Dim {
    /// The atoms, in the order of the text.
    pub fn for_each_atom(&self, f: &mut dyn FnMut(&Atom)) {
        match self {
            Dim::Fix(index) => f(index),
            Dim::Range { offset, count, stride } => [offset, count, stride].into_iter().for_each(f),
            Dim::Flat { offset, dims } => {
                f(offset);
                dims.iter().for_each(|dim| [&dim.count, &dim.stride].into_iter().for_each(&mut *f));
            }
        }
    }

    /// Whether different indices of the slice are known to be different indices of the array.
    pub fn keeps_apart(&self) -> bool {
        let constant = |atom: &Atom| atom.as_const().and_then(|value| value.as_i64());
        match self {
            Dim::Fix(_) => true,
            Dim::Range { offset: _, count, stride } => {
                constant(stride).is_some_and(|stride| stride != 0)
                    || constant(count).is_some_and(|count| count <= 1)
            }
            Dim::Flat { .. } => false,
        }
    }

    /// With other atoms.
    #[must_use]
    pub fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Atom) -> Dim {
        match self {
            Dim::Fix(index) => Dim::Fix(f(index)),
            Dim::Range { offset, count, stride } => {
                Dim::Range { offset: f(offset), count: f(count), stride: f(stride) }
            }
            Dim::Flat { offset, dims } => {
                let offset = f(offset);
                let dims = dims.iter().map(|dim| FlatDim { count: f(&dim.count), stride: f(&dim.stride) });
                Dim::Flat { offset, dims: dims.collect() }
            }
        }
    }
}

/// A loop parameter and its first value.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopParam<R: Rep = Fun> {
    /// The parameter, in scope in the body and in the types of all loop parameters.
    pub binder: Binder<R>,
    /// Its value in the first iteration.
    pub init: Atom,
}

/// What drives a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// `for i < n`: `i` from 0; none for `n` ≤ 0.
    For {
        /// The counter.
        var: Var,
        /// Its integer type.
        ty: PrimType,
        /// The bound.
        bound: Atom,
    },
    /// As long as this loop parameter (a bool) is true, tested before each iteration.
    While(Var),
}

/// How the iterations of a kernel are put together. `t` stands for the types of the body's results.
#[derive(Clone, PartialEq, Debug)]
pub enum Combine<R: Rep = Fun> {
    /// Each result becomes an array over the whole space: `[n][m]t`.
    Map,
    /// Scalar results are reduced over the last dimension of the space; what is left is an array over the others.
    Reduce {
        /// `\(a: t) (b: t): t`, as many of each as results.
        op: Lambda<R>,
        /// Its neutral element.
        neutral: Vec<Atom>,
        /// Whether `op` commutes as well.
        commutative: bool,
    },
    /// Inclusive prefix sums of scalar results along the last dimension: `[n][m]t`.
    Scan {
        /// As for `Reduce`.
        op: Lambda<R>,
        /// Its neutral element.
        neutral: Vec<Atom>,
        /// What becomes of the sums at each point, where the counters are in scope: its scalar results are the kernel's.
        epilogue: Option<Box<Lambda<R>>>,
    },
    /// The body gives an i64 index and scalars; each scalar is combined into its destination at the index. The space has one
    /// dimension, destinations have rank 1.
    Hist {
        /// As for `Reduce`.
        op: Lambda<R>,
        /// Its neutral element.
        neutral: Vec<Atom>,
        /// Consumed, of one outer size; the kernel's results are these arrays, changed.
        dests: Vec<Var>,
    },
    /// The body gives an i64 index and values (scalars or arrays), written to the destinations at the index of their outermost
    /// dimension. The space has one dimension.
    Scatter {
        /// Consumed, of one outer size; the kernel's results are these arrays, changed.
        dests: Vec<Var>,
    },
}

/// Which derivative of a function. Each scalar has a tangent and an adjoint of its own type; the rules are those of
/// [`crate::ad`].
#[derive(Clone, PartialEq, Debug)]
pub enum Mode<R: Rep = Fun> {
    /// Forward: how the results change when the arguments change by these. Adds a tangent for each result.
    Jvp {
        /// One for each argument.
        tangents: Vec<Atom>,
    },
    /// Reverse: how the sum of the results, weighted by these, changes with each argument. Adds an adjoint for each argument.
    Vjp {
        /// One for each result.
        adjoints: Vec<Atom>,
    },
    /// No derivative, but the function brings its own for reverse mode. Adds nothing.
    Custom {
        /// From the results and their adjoints to the adjoints of the arguments.
        adjoint: Lambda<R>,
    },
}

/// An expression. The header's grammar shows the text of each.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp<R: Rep = Fun> {
    /// The atom itself (a scalar, or another name for an array: they alias).
    Atom(Atom),
    /// A scalar operator; the type is that of the operands.
    Bin(BinOp, PrimType, Atom, Atom),
    /// A scalar operator; the type is that of the operand.
    Un(UnOp, PrimType, Atom),
    /// `a * b + c` on a float type, rounded once.
    Fma(PrimType, [Atom; 3]),
    /// A conversion between primitive types.
    Convert {
        /// The type of the result.
        to: PrimType,
        /// The type of the operand.
        from: PrimType,
        /// The operand.
        value: Atom,
    },
    /// One scalar of an array.
    Index {
        /// The array.
        array: Var,
        /// One for each dimension.
        indices: Vec<Atom>,
    },
    /// Part of an array, free of cost; aliases it. Not all dimensions are fixed.
    Slice {
        /// The array.
        array: Var,
        /// One for each dimension.
        dims: Vec<Dim>,
    },
    /// The array with a part replaced; consumes the array. A value of rank 0 when all dimensions are fixed.
    Update {
        /// The array.
        array: Var,
        /// One for each dimension.
        dims: Vec<Dim>,
        /// What is written; its shape is the counts of the dimensions that are not fixed.
        value: Atom,
    },
    /// `start, start + step, …` of an integer type.
    Iota {
        /// i64.
        count: Atom,
        /// Of the element type.
        start: Atom,
        /// Of the element type.
        step: Atom,
        /// An integer type.
        elem: PrimType,
    },
    /// The value in every cell of new outer dimensions.
    Replicate {
        /// The new outer dimensions.
        shape: Vec<Atom>,
        /// A scalar or an array.
        value: Atom,
    },
    /// An array with undefined contents.
    Scratch {
        /// Its shape.
        shape: Vec<Atom>,
        /// Its element type.
        elem: PrimType,
    },
    /// An array with these rows.
    ArrayLiteral {
        /// Type of one row.
        row: Type,
        /// The rows.
        elems: Vec<Atom>,
    },
    /// The arrays after each other along dimension 0.
    Concat {
        /// The sum of their outer sizes.
        size: Atom,
        /// At least one.
        arrays: Vec<Var>,
    },
    /// A fresh array of equal contents.
    Copy(Var),
    /// Reordered dimensions; aliases the array.
    Permute {
        /// `perm[k]`: which dimension of the operand is dimension `k` of the result.
        perm: Vec<usize>,
        /// The array.
        array: Var,
    },
    /// The same elements in row-major order under another shape; aliases the array.
    Reshape {
        /// The new shape.
        shape: Vec<Atom>,
        /// The array.
        array: Var,
    },
    /// Reversed along one dimension; aliases the array.
    Reverse {
        /// Which dimension.
        dim: usize,
        /// The array.
        array: Var,
    },
    /// One of two bodies.
    If {
        /// A bool.
        condition: Atom,
        /// When true.
        then: Body<R>,
        /// When false.
        otherwise: Body<R>,
    },
    /// A sequential loop; results are the last values of the parameters.
    Loop {
        /// Parameters with their first values.
        params: Vec<LoopParam<R>>,
        /// What drives it.
        form: LoopForm,
        /// Gives the next values.
        body: Body<R>,
    },
    /// A call.
    Call {
        /// An earlier function.
        function: Symbol,
        /// One for each parameter, implicit ones included.
        args: Vec<Atom>,
    },
    /// Stops the program with the message when the condition is false. No results; never removed unless proved.
    Assert {
        /// A bool.
        condition: Atom,
        /// What the user is told; each `{}` stands for the next of `args` (see [`fun_base::run::fill_message`]).
        message: String,
        /// i64 numbers for the message.
        args: Vec<Atom>,
    },
    /// Tells whoever watches the run, in the interpreter of FUN. Passes may drop it; below FUN it means nothing.
    Trace {
        /// What is said; each `{}` stands for the next value.
        text: String,
        /// The values, of any type.
        args: Vec<Atom>,
        /// Whether the run should wait there (`break`).
        pause: bool,
    },
    /// SOAC form.
    Map {
        /// The outer size of all arrays.
        width: Atom,
        /// Applied to the elements of the arrays.
        lambda: Lambda<R>,
        /// The inputs; none is allowed.
        arrays: Vec<Var>,
    },
    /// SOAC form. Elements may be arrays.
    Reduce {
        /// The outer size of all arrays.
        width: Atom,
        /// Operator.
        op: Lambda<R>,
        /// Its neutral element.
        neutral: Vec<Atom>,
        /// The inputs.
        arrays: Vec<Var>,
        /// Whether the operator commutes.
        commutative: bool,
    },
    /// SOAC form: inclusive scan. Elements may be arrays.
    Scan {
        /// The outer size of all arrays.
        width: Atom,
        /// Operator.
        op: Lambda<R>,
        /// Its neutral element.
        neutral: Vec<Atom>,
        /// The inputs.
        arrays: Vec<Var>,
    },
    /// SOAC form of a histogram: consumes the destinations, which have one outer size. Elements may be arrays.
    Hist {
        /// The outer size of indices and values.
        width: Atom,
        /// Operator.
        op: Lambda<R>,
        /// Its neutral element.
        neutral: Vec<Atom>,
        /// Consumed.
        dests: Vec<Var>,
        /// `[width]i64`.
        indices: Var,
        /// One for each destination.
        values: Vec<Var>,
    },
    /// SOAC form of a scatter: consumes the destinations, which have one outer size.
    Scatter {
        /// The outer size of indices and values.
        width: Atom,
        /// Consumed.
        dests: Vec<Var>,
        /// `[width]i64`.
        indices: Var,
        /// One for each destination.
        values: Vec<Var>,
    },
    /// Kernel form: the body for every point of the space, in parallel (paper `kernel x <= y do b`).
    Kernel {
        /// i64 counters from 0 and their bounds; at least one.
        space: Vec<(Var, Atom)>,
        /// How the results are put together.
        combine: Combine<R>,
        /// Evaluated at each point.
        body: Body<R>,
    },
    /// A derivative of a function at the arguments. Gives the results of the function, then what the mode adds; all of them may
    /// alias any operand.
    Derive {
        /// Which derivative.
        mode: Mode<R>,
        /// The function; consumes only what it binds.
        function: Lambda<R>,
        /// What it is applied to.
        args: Vec<Atom>,
    },
    /// An operation that only this representation has.
    Op(R::Op),
}

impl<R: Rep> Mode<R> {
    /// The tangents or adjoints given.
    pub fn seeds(&self) -> &[Atom] {
        match self {
            Mode::Jvp { tangents: seeds } | Mode::Vjp { adjoints: seeds } => seeds,
            Mode::Custom { .. } => &[],
        }
    }
}

impl Atom {
    /// The i64 constant `n`.
    pub const fn i64(n: i64) -> Atom {
        Atom::Const(PrimValue::I64(n))
    }
    /// The variable, if it is one.
    pub fn as_var(self) -> Option<Var> {
        if let Atom::Var(var) = self { Some(var) } else { None }
    }
    /// The constant, if it is one.
    pub fn as_const(self) -> Option<PrimValue> {
        if let Atom::Const(value) = self { Some(value) } else { None }
    }
}

impl From<Var> for Atom {
    fn from(var: Var) -> Atom {
        Atom::Var(var)
    }
}

impl Type {
    /// The type of an array of `shape` whose elements have type `inner`; `inner` itself for an empty shape.
    pub fn array_of(shape: &[Atom], inner: &Type) -> Type {
        if shape.is_empty() {
            return inner.clone();
        }
        match inner {
            Type::Prim(elem) => Type::Array { shape: shape.to_vec(), elem: *elem },
            Type::Array { shape: below, elem } => {
                Type::Array { shape: shape.iter().chain(below).copied().collect(), elem: *elem }
            }
        }
    }
    /// Sizes, outermost first; empty for scalars.
    pub fn shape(&self) -> &[Atom] {
        match self {
            Type::Prim(_) => &[],
            Type::Array { shape, .. } => shape,
        }
    }
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }
    /// Type of the scalars in it.
    pub fn elem(&self) -> PrimType {
        match self {
            Type::Prim(elem) | Type::Array { elem, .. } => *elem,
        }
    }
    /// The type with the `depth` outermost dimensions removed.
    pub fn peel(&self, depth: usize) -> Type {
        Type::array_of(&self.shape()[depth..], &Type::Prim(self.elem()))
    }
}

impl BinderType for Type {
    fn erased(&self) -> Type {
        self.clone()
    }
    fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        self.shape().iter().copied().filter_map(Atom::as_var).for_each(f);
    }
    fn map_vars(&self, f: &mut dyn FnMut(Var) -> Atom) -> Type {
        match self {
            Type::Prim(elem) => Type::Prim(*elem),
            Type::Array { shape, elem } => {
                let shape = shape.iter().map(|atom| if let Atom::Var(v) = atom { f(*v) } else { *atom });
                Type::Array { shape: shape.collect(), elem: *elem }
            }
        }
    }
}

impl ExtraOp for NoOp {
    fn for_each_atom(&self, _: &mut dyn FnMut(&Atom)) {
        match *self {}
    }
    fn map_atoms(&self, _: &mut dyn FnMut(&Atom) -> Atom) -> NoOp {
        match *self {}
    }
}
