//! Generated programs that keep every invariant by construction, with arguments to run them on, and their shrinking.
//!
//! All allocated arrays have constant shapes (mentioned by constants and by variables alike) and are filled where they are
//! allocated; indices are constants, loop counters of fitting bounds or remainders; a parallel loop writes to what it allocates and
//! to its own row of at most one outer array, which nobody else touches meanwhile; every owner of a block is accounted for where it
//! comes into being. So programs end with values, except for the few that stop at an assertion. Only operators whose results are
//! the same everywhere are used.

mod body;
mod chain;
mod control;
mod exp;
mod locked;
mod random;
mod shrink;
mod shuffled;

use crate::build::{Builder, bin, read};
use crate::interp::run;
use crate::ir::{
    Exp, ImpType, Interface, InterfacePlace, InterfaceSize, InterfaceValue, LoopKind, Procedure, Program,
    Space, StatementKind,
};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::value::{ArrayValue, Value};
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use quickcheck::{Arbitrary, Gen};
use random::Random;

/// The entry point of generated programs.
pub const ENTRY: &str = "main";

/// Enough for every generated program.
pub const LIMITS: Limits = Limits { steps: 20_000_000, bytes: 1 << 26 };

/// Enough for what shrinking may keep: a loop that lost its end is given up soon.
const SHRINKING: Limits = Limits { steps: 200_000, bytes: 1 << 24 };

/// A program whose entry point [`ENTRY`] takes the arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Generated {
    /// The program.
    pub program: Program,
    /// Arguments; scalars and one-dimensional arrays.
    pub args: Vec<Argument>,
    /// Where shrinking goes on: behind the candidate that was taken last.
    next: usize,
}

/// An argument, comparable.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A scalar.
    Scalar(PrimValue),
    /// An array of one dimension.
    Array(PrimType, Vec<PrimValue>),
}

impl Generated {
    /// The arguments as values.
    pub fn values(&self) -> Vec<Value> {
        let value = |arg: &Argument| match arg {
            Argument::Scalar(value) => Value::Prim(*value),
            Argument::Array(elem, values) => {
                let array = ArrayValue::from_prims(*elem, values.iter().copied());
                Value::from(array.expect("invariant: elements have the type of the array"))
            }
        };
        self.args.iter().map(value).collect()
    }

    /// Runs the interpreter.
    pub fn run(&self) -> Result<Vec<Value>, RunError> {
        run(&self.program, ENTRY, &self.values(), LIMITS)
    }

    /// Whether the program checks, and gives values or stops itself.
    pub fn is_valid(&self) -> bool {
        self.is_valid_within(LIMITS)
    }

    fn is_valid_within(&self, limits: Limits) -> bool {
        let run = || run(&self.program, ENTRY, &self.values(), limits);
        crate::check::check(&self.program).is_ok()
            && run().err().is_none_or(|error| error.kind == RunErrorKind::Assert)
    }
}

/// The program for a seed: equal seeds and sizes give equal programs. It has about `size` statements; loops nest three deep, and
/// deeper from size 30 and from 100 on.
pub fn generate(seed: u64, size: usize) -> Generated {
    let mut maker = Maker {
        random: Random::new(seed),
        b: Builder::new(NameSource::default()),
        budget: 0,
        deepest: match size {
            0..30 => 3,
            30..100 => 4,
            _ => 5,
        },
        next_block: 0,
        signatures: Vec::new(),
    };
    let mut procedures = Vec::new();
    for k in 0..maker.random.below(3) {
        procedures.push(maker.helper(&format!("helper{k}"), size / 4));
    }
    let (entry, args) = maker.entry(size);
    procedures.push(entry);
    Generated { program: Program { procedures }, args, next: 0 }
}

impl Arbitrary for Generated {
    fn arbitrary(g: &mut Gen) -> Generated {
        generate(u64::arbitrary(g), g.size())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Generated>> {
        let mut smaller = shrink::candidates(self);
        for (k, candidate) in smaller.iter_mut().enumerate() {
            candidate.next = k;
        }
        if !smaller.is_empty() {
            let count = smaller.len();
            smaller.rotate_left(self.next % count);
        }
        Box::new(smaller.into_iter().filter(|candidate| candidate.is_valid_within(SHRINKING)))
    }
}

/// A scalar in scope.
#[derive(Clone)]
struct Scalar {
    var: Var,
    ty: PrimType,
    /// Whether it may be assigned here.
    assignable: bool,
    /// For i64: it lies between 0 and this number, exclusively.
    below: Option<i64>,
}

/// A block in scope; all its cells are written.
#[derive(Clone)]
struct Block {
    var: Var,
    elem: PrimType,
    cells: i64,
    /// Which allocations it may be.
    roots: Vec<u32>,
    writable: bool,
}

/// A view in scope.
#[derive(Clone)]
struct View {
    var: Var,
    elem: PrimType,
    shape: Vec<i64>,
    roots: Vec<u32>,
    writable: bool,
    /// No two indices share a cell.
    injective: bool,
}

/// What statements may use.
#[derive(Clone, Default)]
struct Scope {
    scalars: Vec<Scalar>,
    blocks: Vec<Block>,
    views: Vec<View>,
    /// i64 constants with names.
    sizes: Vec<(Var, i64)>,
    /// Blocks that the list of statements at hand must free.
    owned: Vec<Var>,
    /// How many loops are around.
    depth: usize,
    /// Whether one of them is parallel.
    in_parallel: bool,
}

/// A procedure that later ones may call: takes scalars and initialised blocks of at least so many cells, which it only reads; gives
/// a scalar and a fresh block.
#[derive(Clone)]
struct Signature {
    name: Symbol,
    scalars: Vec<PrimType>,
    blocks: Vec<(PrimType, i64)>,
    scalar_result: PrimType,
    block_result: (PrimType, i64),
}

struct Maker {
    random: Random,
    b: Builder,
    /// Statements that may still be made.
    budget: usize,
    /// How deep loops nest.
    deepest: usize,
    next_block: u32,
    signatures: Vec<Signature>,
}

impl Maker {
    fn helper(&mut self, name: &str, size: usize) -> Procedure {
        self.budget = size;
        // Calls may stand in loops: leave less depth for the callee's own.
        let mut scope = Scope { depth: self.deepest - 1, ..Scope::default() };
        let mut params = Vec::new();
        let mut scalars: Vec<PrimType> = (0..self.random.below(3)).map(|_| self.any_type()).collect();
        // the first parameter says how often the procedure may call itself
        let recursive = self.random.chance(1, 3);
        if recursive {
            scalars.insert(0, PrimType::I64);
        }
        for ty in &scalars {
            let var = self.b.names.fresh("x");
            params.push((var, ImpType::Prim(*ty)));
            scope.scalars.push(Scalar { var, ty: *ty, assignable: false, below: None });
        }
        let blocks: Vec<(PrimType, i64)> =
            (0..self.random.below(3)).map(|_| (self.any_type(), self.random.between(1, 6))).collect();
        for (elem, cells) in &blocks {
            let var = self.b.names.fresh("m");
            params.push((var, ImpType::Mem(Space::Default)));
            let roots = vec![self.fresh_block()];
            scope.blocks.push(Block { var, elem: *elem, cells: *cells, roots, writable: false });
        }
        let outer = self.b.begin();
        self.statements(&mut scope);
        let scalar_result = self.any_type();
        let result = self.exp(&scope, scalar_result, 2);
        let result = self.b.let_("r", scalar_result, result);
        let block = self.fresh_array(&mut scope);
        let name = Symbol::new(name);
        let (result, block) = if recursive {
            self.recurse(name, &params, (result, scalar_result), block)
        } else {
            scope.owned.retain(|var| *var != block.var);
            (result, block)
        };
        self.free_owned(&scope);
        let body = self.b.end(outer);
        self.signatures.push(Signature {
            name,
            scalars,
            blocks,
            scalar_result,
            block_result: (block.elem, block.cells),
        });
        let results = vec![
            (Exp::Var(result), ImpType::Prim(scalar_result)),
            (Exp::Var(block.var), ImpType::Mem(Space::Default)),
        ];
        Procedure { name, interface: None, params, body, results }
    }

    /// Results of the procedure's own call with a smaller first argument, while that is positive; of the body otherwise. The block
    /// has an owner more than the body's.
    fn recurse(
        &mut self,
        name: Symbol,
        params: &[(Var, ImpType)],
        (result, ty): (Var, PrimType),
        block: Block,
    ) -> (Var, Block) {
        let scalar = self.b.declare("s", ImpType::Prim(ty), None);
        let chosen = self.b.declare("b", ImpType::Mem(Space::Default), None);
        let fuel = bin(BinOp::Min, PrimType::I64, params[0].0, Exp::i64(2));
        let fuel = self.b.let_("fuel", PrimType::I64, fuel);
        let outer = self.b.begin();
        let less = bin(BinOp::Sub, PrimType::I64, fuel, Exp::i64(1));
        let others = params[1..].iter().map(|(var, _)| Exp::Var(*var));
        let args = [less].into_iter().chain(others).collect();
        self.b.push(StatementKind::Call { results: vec![scalar, chosen], procedure: name, args });
        let then = self.b.end(outer);
        let outer = self.b.begin();
        self.b.assign(scalar, result);
        self.b.push(StatementKind::Share(block.var));
        self.b.assign(chosen, block.var);
        let otherwise = self.b.end(outer);
        let condition = bin(BinOp::Lt, PrimType::I64, Exp::i64(0), fuel);
        self.b.push(StatementKind::If { condition, then, otherwise });
        (scalar, Block { var: chosen, ..block })
    }

    /// An entry point of scalars and an array of unknown size, which is mapped.
    fn entry(&mut self, size: usize) -> (Procedure, Vec<Argument>) {
        self.budget = size;
        let mut scope = Scope::default();
        let (mut params, mut args, mut interface) = (Vec::new(), Vec::new(), Interface::default());
        for _ in 0..self.random.below(4) {
            let (var, ty) = (self.b.names.fresh("x"), self.any_type());
            interface.takes.push(InterfaceValue::Scalar { at: params.len(), ty });
            params.push((var, ImpType::Prim(ty)));
            args.push(Argument::Scalar(self.random.value(ty)));
            scope.scalars.push(Scalar { var, ty, assignable: false, below: None });
        }
        let elem = self.any_type();
        let (count, mem) = (self.b.names.fresh("n"), self.b.names.fresh("xs_mem"));
        let shape = vec![InterfaceSize::At(params.len())];
        let consumed = self.random.chance(1, 2);
        let anywhere = !consumed && self.random.chance(1, 2);
        let at = params.len();
        let place = anywhere.then(|| InterfacePlace { offset: at + 2, strides: vec![at + 3] });
        interface.takes.push(InterfaceValue::Array { mem: at + 1, elem, shape, consumed, place });
        params.push((count, ImpType::Prim(PrimType::I64)));
        params.push((mem, ImpType::Mem(Space::Default)));
        let length = self.random.below(5);
        args.push(Argument::Array(elem, (0..length).map(|_| self.random.value(elem)).collect()));

        let mut row = Lmad::row_major(Poly::constant(0), &[Poly::var(count)]);
        if anywhere {
            let (offset, stride) = (self.b.names.fresh("xs_off"), self.b.names.fresh("xs_step"));
            params.extend([offset, stride].map(|var| (var, ImpType::Prim(PrimType::I64))));
            let dim = LmadDim { size: Poly::var(count), stride: Poly::var(stride) };
            row = Lmad { offset: Poly::var(offset), dims: vec![dim] };
        }
        let outer = self.b.begin();
        let xs = self.b.view("xs", elem, mem, row);
        let mapped = self.map_argument(&scope, xs, elem, count);
        self.statements(&mut scope);
        let (results, gives) = self.results(&mut scope, mapped, count);
        interface.gives = gives;
        self.free_owned(&scope);
        let body = self.b.end(outer);
        (Procedure { name: ENTRY.into(), interface: Some(interface), params, body, results }, args)
    }

    /// Gives back what there is at the end of the entry point: the mapped argument, scalars, and blocks that it owns.
    fn results(
        &mut self,
        scope: &mut Scope,
        mapped: (Var, PrimType),
        count: Var,
    ) -> (Vec<(Exp, ImpType)>, Vec<InterfaceValue>) {
        let mem = ImpType::Mem(Space::Default);
        let mut results = vec![(Exp::Var(count), ImpType::Prim(PrimType::I64)), (Exp::Var(mapped.0), mem)];
        let array =
            |mem, elem, shape| InterfaceValue::Array { mem, elem, shape, consumed: false, place: None };
        let mut gives = vec![array(1, mapped.1, vec![InterfaceSize::At(0)])];
        for scalar in scope.scalars.iter().rev().take(4) {
            gives.push(InterfaceValue::Scalar { at: results.len(), ty: scalar.ty });
            results.push((Exp::Var(scalar.var), ImpType::Prim(scalar.ty)));
        }
        for _ in 0..3 {
            let own = scope.blocks.iter().filter(|block| scope.owned.contains(&block.var));
            let own: Vec<Block> = own.cloned().collect();
            let block = if own.is_empty() { self.fresh_array(scope) } else { self.random.pick(&own).clone() };
            scope.owned.retain(|var| *var != block.var);
            let shape = if block.cells % 2 == 0 && self.random.chance(1, 2) {
                vec![2, block.cells / 2]
            } else {
                vec![block.cells]
            };
            let shape = shape.into_iter().map(InterfaceSize::Const).collect();
            gives.push(array(results.len(), block.elem, shape));
            results.push((Exp::Var(block.var), mem));
        }
        (results, gives)
    }

    /// A fresh block with an expression of each element of `xs`.
    fn map_argument(&mut self, scope: &Scope, xs: Var, elem: PrimType, count: Var) -> (Var, PrimType) {
        let to = self.any_type();
        let mem = self.b.alloc("ys_mem", to, vec![Exp::Var(count)], Space::Default);
        let row = Lmad::row_major(Poly::constant(0), &[Poly::var(count)]);
        let ys = self.b.view("ys", to, mem, row);
        let kind = if self.random.chance(2, 3) { LoopKind::Par } else { LoopKind::Seq };
        let counter = self.b.names.fresh("i");
        let outer = self.b.begin();
        let x = self.b.let_("x", elem, read(xs, vec![counter.into()]));
        let mut inner = scope.clone();
        inner.scalars.push(Scalar { var: x, ty: elem, assignable: false, below: None });
        let value = self.exp(&inner, to, 3);
        self.b.write(ys, vec![counter.into()], value);
        let body = self.b.end(outer);
        self.b.push(StatementKind::For {
            var: counter,
            ty: PrimType::I64,
            bound: Exp::Var(count),
            kind,
            body,
        });
        (mem, to)
    }

    fn any_type(&mut self) -> PrimType {
        // The types of indices and of most data more often than the others.
        match self.random.below(4) {
            0 => PrimType::I64,
            1 => *self.random.pick(&[PrimType::I32, PrimType::F32, PrimType::F64, PrimType::Bool]),
            _ => *self.random.pick(&PrimType::NUMERIC_AND_BOOL),
        }
    }

    fn fresh_block(&mut self) -> u32 {
        self.next_block += 1;
        self.next_block
    }
}
