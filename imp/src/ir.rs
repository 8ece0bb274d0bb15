//! IMP, the imperative language below FUNMEM. This file is its contract, its grammar and its tree.
//!
//! A program is a list of procedures over mutable scalars, memory blocks and *views*. Arrays are touched only through views
//! with one index per dimension; flattening to addresses happens in the backends, so analyses see `A[i, j]`.
//!
//! Evaluation is strict and in order. A procedure ends normally with its results, or fails at an `assert`, a failing operator
//! or an `alloc` that can't be served, with a message and place: then the whole run stops and all blocks are released.
//! Everything else that breaks a rule below is a fault of the compiler: the interpreter reports it, compiled code is undefined.
//!
//! # Blocks
//! `alloc` makes a block with one owner. `share m` adds an owner, `free m` removes one; the block dies with its last owner.
//! A `mem` variable holds a block or nothing (`var m: mem`); `m := n` copies the reference and changes no count. Whoever lowers
//! to IMP balances the counts; at the end of a run only the blocks of the results (one owner each) and of the caller's
//! arguments live. Fresh blocks have undefined contents.
//!
//! # Invariants (`check.rs` cites them)
//! - I1 Every variable is declared once in the whole program (`let`, `var`, `alloc`, `view`, loop counters, parameters) and used
//!   in the block of statements where it is declared, after it.
//! - I2 Operands have the types that operators and places demand. Indices, sizes and bounds of `par` loops are i64.
//! - I3 Only `var` declarations are assigned; `let`s, counters and parameters are not.
//! - I4 A view is read, written and copied with the rank and element type it declares; its LMAD has as many dimensions.
//! - I5 Indices are inside the view, addresses inside the block, blocks alive, cells written before they are read (faults);
//!   `copy` may copy cells that were not written, which leaves those of its destination so.
//! - I6 Iterations of a `par` (also `simd`) loop touch disjoint cells unless both only read (paper equation 4), assign no
//!   variable declared outside the loop, and free blocks from outside only as often as they share them before (so counts of
//!   owners are atomic, and no iteration ends the life of such a block).
//!   Exempt are cells to which all iterations that touch them do an `atomic` by the same operator, and nothing else (I12), cells that all iterations
//!   touch under one and the same lock cell alone, and that lock cell (I15), and the words of an `ordered` region and variables that it assigns (I14).
//! - I7 `copy` has views of equal shape whose cells do not overlap, or those of one are those of the other moved along the first
//!   dimension, by any number of steps: all strides are equal. (Dimensions of size 1 do not count, and those that step through both as one are one.)
//! - I8 Calls refer to earlier procedures, or to the procedure that they stand in, unless that is an entry point.
//! - I9 Blocks in `stack` have constant sizes of at most [`STACK_BLOCK_BYTES`], and are only seen through views and freed: nobody
//!   shares them, and no variable, parameter or result holds one.
//! - I10 A `fold` loop is a reduction: what it assigns to a variable from outside is the old value combined with something by an
//!   associative operator; or a histogram: what it writes to a cell is, by one that is commutative too. Other cells that it writes no other iteration touches.
//!   In order is always right; rewrites may regroup, which gives the same values but for rounding of floats.
//! - I11 A kernel is a `block` or `chain` loop, in no parallel loop. The statements of a block are `thread` loops, all of the same positive constant
//!   bound: the number of threads. Around those stand only what is the same for all threads: scalars that are computed without memory,
//!   views and windows, `seq` loops, branches, and blocks in `shared`, of constant size. `thread` loops stand nowhere else.
//!   A barrier lies between a thread loop and the next one that the block comes to, also between those of one iteration and the next:
//!   what a thread wrote, all threads of the block see behind it. So no thread ever waits at a barrier that another does not come to.
//!   (What else a device can't do, backends refuse.)
//! - I12 An `atomic` combines a number or a truth value by an operator that may come in any order and gives the same ([`is_atomic`]), and stands in no `par` or
//!   `simd` loop: on a host, it is a read and a write. Where cells have fewer than 32 bits, a device has the word of 4 bytes that the cell lies in: iterations
//!   that could run at the same time may read the other cells of that word or combine them, by any operator, but not write them.
//! - I13 A block in `register` is allocated by a statement of a block of threads, with a constant size. Its views are row-major from its start; their first
//!   dimension are the threads, and in an access the first index is the counter of the `thread` loop around. So a thread sees its own cells
//!   alone, and a device may leave out that dimension and keep them in registers. There are no windows, copies or atomics of such views.
//! - I14 The blocks of a `chain` loop are numbered in the order in which they begin, however few run at a time: so a block may wait for those with lower
//!   numbers, which have begun or ended. The loop's body may have one `ordered` region, in no branch and no loop: what stands inside is done once for each block, in the
//!   order of their numbers, behind what the threads of the block did before, and all of these see what it did. It may assign scalars that
//!   are declared in the list of statements where the loop stands and that nothing else of the procedure uses, nor another region: what is handed from block to block. Inside stand scalars, branches, loops
//!   and checks. It reads cells in `shared`, which is what the block tells, and writes others there, in blocks of memory of which nothing is read inside, all at constant indices; and it reads memory
//!   from outside of the loop to which nothing in the loop writes. So a device may do all regions at one place, when it is told what there is. For that it has words: cells of i64
//!   that are zero before the loop and that nothing else in the loop touches, in two dimensions; for each block (the second one) as many as
//!   [`words`](crate::ordered::words) says. In order, nobody ever waits.
//! - I15 A `lock` is a region that one iteration at a time is in, of those with the same lock cell: a cell of i32, zero before the loop, that in the
//!   loop only locks touch. It ends by itself: inside stand scalars, views and windows, reads and writes of cells, and branches, and nothing
//!   there can fail (nor is there a lock inside). It stands in no `par`, `simd` or `chain` loop. On a host, it is what stands inside. Regions with one lock cell come in
//!   any order: for the same results in every run what they do must commute.
//! - I16 A `scan` loop is a scan: its iterations touch disjoint cells as those of a `simd` loop do (I6), and what one assigns to a variable from
//!   outside is the old value combined with something by an associative operator. In order is always right; vectors may hold the values of some
//!   iterations at once ([`Prefix`](crate::prefix::Prefix)).
//! - I17 A `shuffle` is a statement of a block, which all of its threads come to: each gets in its cell of one view what another thread has in its cell of a second, of
//!   another block in registers. Both views have the threads as their only dimension. Threads form groups of neighbours, of a power of two up to [`MOST_IN_GROUP`], and
//!   fill them. A thread gets the value of the one that is so many further (`down`) or before it (`up`) in its group, fewer than are in a group, and its own where there is none.
//!
//! # Grammar (`//` starts a comment)
//! ```text
//! program   ::= procedure*
//! procedure ::= ["entry"] "proc" name "(" param,* ")" ":" "(" type,* ")" [interface] "{" statement* "return" "(" exp,* ")" "}"
//! param     ::= var ":" type            type ::= prim | "mem" [space]
//! interface ::= "takes" "(" value,* ")" "gives" "(" value,* ")"          the source-level interface of an entry point
//! value     ::= prim "@" int                                      a scalar: the parameter or result of this number
//!             | ["*"] prim ("[" size "]")+ "@" int [place]        an array and its block; "*": may be overwritten
//! place     ::= "->" int "+" "{" int,* "}"                        parameters that are its offset and strides
//! size      ::= "@" int | int                                     a parameter or result, or a constant
//! statement ::= "let" var ":" prim "=" exp
//!   | "var" var ":" type ["=" exp]
//!   | var ":=" exp                                                also blocks
//!   | "alloc" var ":" prim ("[" exp "]")* ["in" space]                space ::= "stack" | "device" | "shared" | "register" | string
//!   | "share" var | "free" var
//!   | "view" var ":" prim "@" var "->" lmad                       LMAD over i64 variables in scope
//!   | "window" var "=" var "[" dim,* "]"                          dim ::= exp | exp ":" exp ":" exp   (offset : count : stride)
//!   | var "[" exp,* "]" ":=" exp | var "[" exp,* "]" "+=" exp
//!   | "atomic" var "[" exp,* "]" ":=" binop "(" exp ")"             A[i, j] := op(A[i, j], e)
//!   | "lock" var "[" exp,* "]" "{" statement* "}"                   while nobody else has the lock cell
//!   | "ordered" var "{" statement* "}"                            what the blocks of a chain loop do one after the other; a view of words
//!   | "shuffle" var "<-" var ("down" | "up") exp "in" int           what a thread of the group further down or up has; groups of so many
//!   | "copy" var "<-" var
//!   | "for" var ":" prim "<" exp kind "{" statement* "}"          kind ::= "seq" | "fold" | "scan" | "par" | "simd" | "unroll" | "block" | "chain" | "thread"
//!   | "while" exp "{" statement* "}"
//!   | "if" exp "{" statement* "}" ["else" "{" statement* "}"]
//!   | "assert" exp string ["(" exp,* ")"]                           the numbers for each {} of the message (i64)
//!   | "call" var,* "=" name "(" exp,* ")"                         assigns variables declared by `var`
//! each statement may end in "#" loc
//! exp ::= literal | var | binop "." prim "(" exp "," exp ")" | unop "." prim "(" exp ")"
//!   | "fma" "." prim "(" exp "," exp "," exp ")"                   a * b + c, rounded once; floats
//!   | "convert" "." prim "." prim "(" exp ")" | "select" "(" exp "," exp "," exp ")" | var "[" exp,* "]"
//!   | "threads"                                                    how many threads parallel loops have; no result depends on it
//!   | "param" string int                                           what the run says for this name, or else this number; no result depends on it
//! ```
//!
//! Deliberately absent so far: pointers, address arithmetic, early exit, configuration state, instructions and prophecies
//! (they come with schedules and validation).

use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::source::Loc;
use fun_base::value::Scattered;
use fun_index::lmad::Lmad;

/// A program; callees first.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The procedures.
    pub procedures: Vec<Procedure>,
}

/// A procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    /// Unique in the program.
    pub name: Symbol,
    /// For entry points, how a user's values become arguments and results.
    pub interface: Option<Interface>,
    /// Parameters.
    pub params: Vec<(Var, ImpType)>,
    /// The statements.
    pub body: Vec<Statement>,
    /// Results with their types, evaluated at the end of the body.
    pub results: Vec<(Exp, ImpType)>,
}

/// The source-level interface of an entry point.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interface {
    /// What the user gives, in order.
    pub takes: Vec<InterfaceValue>,
    /// What the user gets, in order.
    pub gives: Vec<InterfaceValue>,
}

/// One value of an interface. Positions are indices into the procedure's parameters (in `takes`) or results (in `gives`).
#[derive(Clone, PartialEq, Debug)]
pub enum InterfaceValue {
    /// A scalar at this position.
    Scalar {
        /// Its position.
        at: usize,
        /// Its type.
        ty: PrimType,
    },
    /// An array, row-major from the start of a block unless `place` says otherwise. As a parameter the block stays the caller's unless
    /// `consumed`.
    Array {
        /// Position of the block.
        mem: usize,
        /// Element type.
        elem: PrimType,
        /// Sizes, outermost first.
        shape: Vec<InterfaceSize>,
        /// The procedure may overwrite the block (parameters only).
        consumed: bool,
        /// What is told of where in the block the array lies (parameters only, not consumed ones).
        place: Option<InterfacePlace>,
    },
}

/// A place of the caller's choice for an array: elements may lie anywhere, also more than one index at the same element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterfacePlace {
    /// Position of the offset of the first element, in elements.
    pub offset: usize,
    /// Positions of the strides, outermost first, in elements.
    pub strides: Vec<usize>,
}

impl InterfacePlace {
    /// All its positions.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        [self.offset].into_iter().chain(self.strides.iter().copied())
    }

    /// What the parameters at these positions are for an array at a place.
    pub fn words<'a>(&'a self, at: &'a Scattered) -> impl Iterator<Item = (usize, i64)> + 'a {
        self.positions().zip([at.offset].into_iter().chain(at.strides.iter().copied()))
    }
}

/// A size in an interface. Parameters at one position must agree between arrays; the caller checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterfaceSize {
    /// The i64 at this position.
    At(usize),
    /// A constant.
    Const(i64),
}

/// A type of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ImpType {
    /// A scalar.
    Prim(PrimType),
    /// A memory block of a space.
    Mem(Space),
}

/// As many threads may form a group that exchanges values, at most (I17).
pub const MOST_IN_GROUP: i64 = 32;

/// The size of the largest block that may be in [`Space::Stack`] (I9).
pub const STACK_BLOCK_BYTES: i64 = 4096;

/// Copies of at most this many cells, where the program says how many, are stores of single cells in compiled code: they cost no call, and are
/// not counted among the bytes copied.
pub const FEW_CELLS: i64 = 16;

/// The indices of the cells of a copy, if they are few and in known number.
#[must_use]
pub fn few_cells(sizes: &[Option<i64>]) -> Option<Vec<Vec<i64>>> {
    let sizes: Vec<i64> = sizes.iter().copied().collect::<Option<_>>()?;
    let count = sizes.iter().try_fold(1i64, |count, size| count.checked_mul((*size).max(0)))?;
    if count > FEW_CELLS {
        return None;
    }
    let mut cells = vec![Vec::new()];
    for size in sizes {
        let longer = |cell: &Vec<i64>| {
            let cell = cell.clone();
            (0..size)
                .map(move |index| cell.iter().copied().chain([index]).collect::<Vec<i64>>())
                .collect::<Vec<_>>()
        };
        cells = cells.iter().flat_map(longer).collect();
    }
    Some(cells)
}

/// How many bytes a block of this shape has, if the shape is constant and the number fits.
pub fn constant_bytes(elem: PrimType, shape: &[Exp]) -> Option<i64> {
    let size =
        |size: &Exp| if let Exp::Const(size) = size { size.as_i64().filter(|n| *n >= 0) } else { None };
    shape.iter().try_fold(i64::from(elem.bytes()), |bytes, factor| bytes.checked_mul(size(factor)?))
}

/// Whether an operator on a type may be that of an `atomic` (I12).
pub fn is_atomic(op: BinOp, ty: PrimType) -> bool {
    match op {
        BinOp::Min | BinOp::Max => ty.is_number() || ty == PrimType::Bool,
        BinOp::And | BinOp::Or | BinOp::Xor => ty.is_int() || ty == PrimType::Bool,
        BinOp::Add | BinOp::Mul => ty.is_int(),
        _ => false,
    }
}

/// The bytes of the words that devices have atomics on: narrower cells are parts of one.
pub const ATOMIC_WORD: usize = 4;

/// A kind of memory; as in FUNMEM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The heap of the host.
    Default,
    /// The stack frame (I9).
    Stack,
    /// Global memory of an accelerator.
    Device,
    /// Memory of a thread group.
    Shared,
    /// Memory of each thread of a group (I13).
    Register,
    /// Declared by a hardware library.
    Named(Symbol),
}

/// A statement with the source text it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What is done.
    pub kind: StatementKind,
    /// The source text that it comes from.
    pub loc: Option<Loc>,
}

/// How a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LoopKind {
    /// One iteration after the other.
    Seq,
    /// The same, as a reduction (I10).
    Fold,
    /// The same, as a scan (I16).
    Scan,
    /// On CPU threads.
    Par,
    /// In vector lanes.
    Simd,
    /// Written out.
    Unroll,
    /// GPU thread blocks.
    Block,
    /// GPU thread blocks that may wait for those that began before them (I14).
    Chain,
    /// GPU threads of a block.
    Thread,
}

/// Where the thread is whose value another gets (I17).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// Further on in the group.
    Down,
    /// Before it in the group.
    Up,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// An immutable scalar.
    Let {
        /// The variable.
        var: Var,
        /// Its type.
        ty: PrimType,
        /// Its value.
        value: Exp,
    },
    /// A mutable scalar or block reference. Without a value: zero, or no block.
    Declare {
        /// The variable.
        var: Var,
        /// Its type.
        ty: ImpType,
        /// Its first value.
        value: Option<Exp>,
    },
    /// Assignment to a `Declare`d variable.
    Assign {
        /// The variable.
        var: Var,
        /// The new value.
        value: Exp,
    },
    /// A new block, one owner, with room for the product of `shape` elements; computed without overflow. Negative or too large
    /// is a run-time error.
    Alloc {
        /// The variable declared.
        var: Var,
        /// What it is measured in.
        elem: PrimType,
        /// Factors of the number of elements (i64).
        shape: Vec<Exp>,
        /// Kind of memory.
        space: Space,
    },
    /// One more owner; nothing for an empty reference.
    Share(Var),
    /// One owner less; nothing for an empty reference.
    Free(Var),
    /// An array on a block.
    View {
        /// The view declared.
        var: Var,
        /// Element type.
        elem: PrimType,
        /// The block variable. The view sees the block that it holds when the view is declared.
        mem: Var,
        /// Index function; the values of its variables are those when the view is declared.
        lmad: Lmad,
    },
    /// Part of a view.
    Window {
        /// The view declared.
        var: Var,
        /// The view that it is part of.
        view: Var,
        /// One for each dimension of `view`.
        dims: Vec<WindowDim>,
    },
    /// `A[i, j] := e`.
    Write {
        /// The view.
        view: Var,
        /// One for each dimension.
        indices: Vec<Exp>,
        /// The scalar.
        value: Exp,
    },
    /// `A[i, j] += e`, with the type's addition.
    Accumulate {
        /// The view.
        view: Var,
        /// One for each dimension.
        indices: Vec<Exp>,
        /// The scalar.
        value: Exp,
    },
    /// `A[i, j] := op(A[i, j], e)`, and nothing comes between the two accesses (I12).
    Atomic {
        /// The view.
        view: Var,
        /// One for each dimension.
        indices: Vec<Exp>,
        /// The operator.
        op: BinOp,
        /// The scalar.
        value: Exp,
    },
    /// Statements that one iteration at a time comes to, of those with the same lock cell (I15).
    Lock {
        /// The view of lock cells.
        view: Var,
        /// One for each dimension.
        indices: Vec<Exp>,
        /// What is done meanwhile.
        body: Vec<Statement>,
    },
    /// What the blocks of a `chain` loop do in the order of their numbers (I14).
    Ordered {
        /// The view of words, of two dimensions.
        words: Var,
        /// What is done for a block.
        body: Vec<Statement>,
    },
    /// Each thread gets what another one of its group has (I17).
    Shuffle {
        /// The view written, whose only dimension are the threads.
        dest: Var,
        /// The view read, likewise.
        source: Var,
        /// Where the other thread is …
        direction: Direction,
        /// … and how many threads away.
        by: Exp,
        /// Threads of a group.
        group: i64,
    },
    /// Every element of `source` to the same index of `dest`.
    Copy {
        /// Written.
        dest: Var,
        /// Read.
        source: Var,
    },
    /// A counted loop from 0.
    For {
        /// The counter.
        var: Var,
        /// Its integer type.
        ty: PrimType,
        /// The bound, evaluated once.
        bound: Exp,
        /// How it runs.
        kind: LoopKind,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// A loop with a condition that is tested before each iteration.
    While {
        /// A bool.
        condition: Exp,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// A branch.
    If {
        /// A bool.
        condition: Exp,
        /// When true.
        then: Vec<Statement>,
        /// When false.
        otherwise: Vec<Statement>,
    },
    /// Stops the run with the message when the condition is false.
    Assert {
        /// A bool.
        condition: Exp,
        /// What the user is told; each `{}` stands for the next of `args` (see [`fun_base::run::fill_message`]).
        message: String,
        /// i64 numbers for the message; must not be able to fail.
        args: Vec<Exp>,
    },
    /// A call.
    Call {
        /// Assigned; one for each result, `Declare`d before.
        results: Vec<Var>,
        /// An earlier procedure.
        procedure: Symbol,
        /// One for each parameter; blocks are passed as variables, and stay the caller's.
        args: Vec<Exp>,
    },
}

/// One dimension of a window.
#[derive(Clone, PartialEq, Debug)]
pub enum WindowDim {
    /// One index; the dimension disappears.
    Fix(Exp),
    /// `count` elements from `offset` in steps of `stride`.
    Range {
        /// First index.
        offset: Exp,
        /// How many.
        count: Exp,
        /// Step.
        stride: Exp,
    },
}

/// A scalar expression (or a block variable). Evaluation order of operands does not show, except for which failure is reported.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    /// A constant.
    Const(PrimValue),
    /// A variable.
    Var(Var),
    /// An operator; the type is that of the operands.
    Bin(BinOp, PrimType, Box<Exp>, Box<Exp>),
    /// An operator; the type is that of the operand.
    Un(UnOp, PrimType, Box<Exp>),
    /// `a * b + c` on a float type, rounded once.
    Fma(PrimType, [Box<Exp>; 3]),
    /// A conversion.
    Convert {
        /// The type of the result.
        to: PrimType,
        /// The type of the operand.
        from: PrimType,
        /// The operand.
        value: Box<Exp>,
    },
    /// The second when the first is true, otherwise the third; both are evaluated.
    Select(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `A[i, j]`.
    Read {
        /// The view.
        view: Var,
        /// One for each dimension.
        indices: Vec<Exp>,
    },
    /// How many threads parallel loops have, an i64 of at least 1: the same throughout a run, and for programs to choose between ways to
    /// the same results.
    Threads,
    /// The number that a run has for a name, an i64, for programs to choose between ways to the same results. It may be any, and another each
    /// time: interpreters draw one. Those that are compared as in [`crate::params`] can be tuned.
    Param {
        /// What users call it.
        name: Symbol,
        /// The number when nobody says another.
        usual: i64,
    },
}

impl LoopKind {
    /// Whether iterations may run at the same time (I6).
    pub fn is_parallel(self) -> bool {
        match self {
            LoopKind::Seq | LoopKind::Fold | LoopKind::Scan | LoopKind::Unroll => false,
            LoopKind::Par | LoopKind::Simd | LoopKind::Block | LoopKind::Chain | LoopKind::Thread => true,
        }
    }

    /// Whether iterations are the blocks of a kernel (I11).
    pub fn is_kernel(self) -> bool {
        matches!(self, LoopKind::Block | LoopKind::Chain)
    }
}

impl Exp {
    /// The i64 constant `n`.
    pub fn i64(n: i64) -> Exp {
        Exp::Const(PrimValue::I64(n))
    }
}

impl From<Var> for Exp {
    fn from(var: Var) -> Exp {
        Exp::Var(var)
    }
}
