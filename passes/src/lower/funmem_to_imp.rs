//! FUNMEM to IMP: forget values, keep memory (paper section 4, Procedure FunMemToImp, grown to loops, functions, several results,
//! updates, reductions, scans, histograms and scatters). The program must be in kernel form.
//!
//! Scalars become `let`s and blocks `mem` variables; an array becomes a view on its block, declared where the array is bound. What
//! FUNMEM leaves implicit becomes statements: the loops that write fresh arrays, and the copies of values that do not already lie
//! where they are wanted.
//!
//! # Owners of blocks
//! Each body owns the blocks that its statements allocate or get from an `if`, a loop or a call. At its end it hands one owner of
//! each block result to whoever takes the result (`share`, if the block is not its own) and frees the rest, so memory does not grow
//! with iterations. A loop's block parameter owns what it holds; parameters of procedures stay the caller's.
//! At last every `free` moves up to behind the last use of the block.
//!
//! # Parallelism
//! The first dimension of a kernel outside of all others becomes a `par` loop, every other one `seq`. A reduction to scalars there
//! is cut into a number of chunks that depends on its size alone, so results do not vary between runs and machines; where elements take long,
//! from two elements on. So are scans (`pieces.rs`). Reductions of several values that are combined together run in lanes (`lanes.rs`). For a device blocks
//! of threads do such reductions, in kernels (`blocks.rs`), and the whole body of a row (`rows.rs`).

mod array;
mod blocks;
mod control;
mod kernel;
mod lanes;
mod pieces;
mod rows;
mod scanned;
mod statement;
mod tidy;

pub(crate) use blocks::{SCANNED_BYTES, SORTS_HISTOGRAM, exact_sums};
pub(crate) use rows::{ROWS_IN_BLOCKS, answer, has_kernels};

use crate::thresholds::Thresholds;
use fun::ir::Atom;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, Function, MemType, Program, atom_poly, place_variables};
use imp::build::Builder;
use imp::ir::{
    self, Exp, ImpType, Interface, InterfacePlace, InterfaceSize, InterfaceValue, Procedure, StatementKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// The IMP program with the meaning of a FUNMEM program.
pub fn run(program: Program) -> ir::Program {
    lower(&program, None, Some((pieces::USUAL, lanes::USUAL, kernel::USUAL)))
}

/// The same with pieces of few values, with few lanes and few chunks, so that small inputs are cut and fill them.
pub fn run_small(program: Program) -> ir::Program {
    lower(&program, None, Some((pieces::SMALL, lanes::SMALL, kernel::SMALL)))
}

/// The same for a device, whose threads work on a reduction in blocks (`blocks.rs`).
pub fn run_for_device(program: Program, thresholds: &Thresholds) -> ir::Program {
    lower(&program, Some((blocks::USUAL, thresholds)), None)
}

/// The same with blocks of few threads, which small inputs fill.
pub fn run_for_device_small(program: Program, thresholds: &Thresholds) -> ir::Program {
    lower(&program, Some((blocks::SMALL, thresholds)), None)
}

fn lower(
    program: &Program,
    device: Option<(blocks::Blocks, &Thresholds)>,
    host: Option<(pieces::Pieces, lanes::Lanes, kernel::Chunks)>,
) -> ir::Program {
    let mut lowerer = Lowerer::new(program, device, host);
    // on a device nobody calls what asks for versions: the answer is known
    let called = |function: &&Function| device.is_none() || function.entry || !is_question(function.name);
    let functions = program.functions.iter().filter(called);
    let procedures = functions.map(|function| lowerer.function(function)).collect();
    ir::Program { procedures }
}

/// Whether a function is one that programs ask which version to take.
fn is_question(function: Symbol) -> bool {
    [ROWS_IN_BLOCKS, SORTS_HISTOGRAM].contains(&function.as_str())
}

/// An array in terms of IMP variables.
#[derive(Clone, Debug)]
struct Array {
    elem: PrimType,
    shape: Vec<Atom>,
    mem: Var,
    lmad: Lmad,
    view: Var,
    /// Where its block begins in the one that rows share; zero elsewhere.
    place: Poly,
}

struct Lowerer {
    b: Builder,
    /// What IMP calls scalars and blocks: constants or immutable while the FUNMEM variable is in scope.
    values: BTreeMap<Var, Atom>,
    arrays: BTreeMap<Var, Array>,
    /// Variables that are declared already: a body that is written twice gets fresh names the second time.
    declared: BTreeSet<Var>,
    /// The blocks owned by each open body, innermost last.
    owned: Vec<Vec<Var>>,
    /// Whether a parallel loop is open.
    parallel: bool,
    /// The counter of the `thread` loop around.
    thread: Option<Var>,
    /// Answers to whether rows are in blocks.
    asks: BTreeSet<Var>,
    /// The version with a block for each row, while it is written.
    version: Option<rows::Version>,
    /// The row of which a block's statements are written.
    row: Option<rows::Row>,
    /// Where the blocks of a row begin in the one that they share.
    places: BTreeMap<Var, Poly>,
    /// The blocks of threads that the program is for, if it is for a device.
    blocks: Option<blocks::Blocks>,
    /// Arrays that say how many flags there are up to a place, on a device. (No two variables of a program have one name.)
    counted: BTreeMap<Var, blocks::distinct::CountedFlags>,
    /// Blocks of arrays that were made without contents. (Loops carry none that a scatter writes to: `map-loops`.)
    scratch: BTreeSet<Var>,
    /// How scans are cut, if it is for a host.
    pieces: Option<pieces::Pieces>,
    /// How reductions run in lanes, if it is for a host.
    lanes: Option<lanes::Lanes>,
    /// How reductions are cut for threads.
    chunks: kernel::Chunks,
    /// What it asks for on a device.
    thresholds: Thresholds,
    /// The function at hand.
    function: Symbol,
    /// Results that procedures have beyond those of their functions.
    extras: BTreeMap<Symbol, Vec<ImpType>>,
}

/// A result of a procedure: what it is called among the results, its value, its type.
type ProcedureResult = (Option<Var>, Atom, ImpType);

impl Lowerer {
    fn new(
        program: &Program,
        device: Option<(blocks::Blocks, &Thresholds)>,
        host: Option<(pieces::Pieces, lanes::Lanes, kernel::Chunks)>,
    ) -> Lowerer {
        Lowerer {
            b: Builder::new(fun::visit::names::name_source(program)),
            values: BTreeMap::new(),
            arrays: BTreeMap::new(),
            declared: BTreeSet::new(),
            owned: Vec::new(),
            parallel: false,
            thread: None,
            asks: BTreeSet::new(),
            version: None,
            row: None,
            places: BTreeMap::new(),
            blocks: device.map(|(blocks, _)| blocks),
            counted: BTreeMap::new(),
            scratch: BTreeSet::new(),
            pieces: host.map(|(pieces, ..)| pieces),
            lanes: host.map(|(_, lanes, _)| lanes),
            chunks: host.map_or(kernel::USUAL, |(.., chunks)| chunks),
            thresholds: device.map(|(_, thresholds)| thresholds.clone()).unwrap_or_default(),
            function: Symbol::new(""),
            extras: BTreeMap::new(),
        }
    }

    fn function(&mut self, function: &Function) -> Procedure {
        let outer = self.b.begin();
        self.function = function.name;
        self.thresholds.enter(function.name, &blocks::ASKED);
        let mut params = Vec::new();
        for param in &function.params {
            if let Some(ty) = imp_type(&param.binder.ty) {
                params.push((self.bind(param.binder.var), ty));
            }
        }
        for param in &function.params {
            self.bind_array(&param.binder);
        }
        let param_vars: Vec<Var> = params.iter().map(|(var, _)| *var).collect();
        let mut results: Vec<ProcedureResult> = Vec::new();
        let mut interface = None;
        self.body(&function.body, |this, atoms| {
            for (result, atom) in function.results.iter().zip(atoms) {
                if let Some(ty) = imp_type(&result.binder.ty) {
                    results.push((Some(result.binder.var), this.atom(*atom), ty));
                }
            }
            let known = results.len();
            if function.entry {
                interface = Some(this.interface(function, &param_vars, &mut results));
            }
            this.extras.insert(function.name, results[known..].iter().map(|(_, _, ty)| *ty).collect());
            for (_, atom, ty) in &results {
                if let (Atom::Var(block), ImpType::Mem(_)) = (atom, ty) {
                    this.hand_over(*block);
                }
            }
        });
        let mut body = self.b.end(outer);
        let results: Vec<(Exp, ImpType)> =
            results.iter().map(|(_, atom, ty)| (atom_exp(*atom), *ty)).collect();
        tidy::tidy(&mut body, &results);
        Procedure { name: function.name, interface, params, body, results }
    }

    /// The interface of an entry point. A size or block that a result's type takes from the parameters becomes a result.
    fn interface(
        &mut self,
        function: &Function,
        params: &[Var],
        results: &mut Vec<ProcedureResult>,
    ) -> Interface {
        let mut interface = Interface::default();
        for param in function.params.iter().filter(|param| !param.implicit) {
            let mut position = |this: &Lowerer, var: Var, _: ImpType| {
                let var = this.values.get(&var).and_then(|atom| atom.as_var());
                params
                    .iter()
                    .position(|param| Some(*param) == var)
                    .expect("invariant F3: sizes are parameters")
            };
            let value = self.interface_value(&param.binder.ty, param.binder.var, param.unique, &mut position);
            interface.takes.push(value);
        }
        for result in function.results.iter().filter(|result| !result.implicit) {
            let mut position = |this: &Lowerer, var: Var, ty: ImpType| {
                results.iter().position(|(name, _, _)| *name == Some(var)).unwrap_or_else(|| {
                    results.push((Some(var), this.atom(Atom::Var(var)), ty));
                    results.len() - 1
                })
            };
            let value = self.interface_value(&result.binder.ty, result.binder.var, false, &mut position);
            interface.gives.push(value);
        }
        interface
    }

    fn interface_value(
        &self,
        ty: &MemType,
        var: Var,
        consumed: bool,
        position: &mut dyn FnMut(&Lowerer, Var, ImpType) -> usize,
    ) -> InterfaceValue {
        match ty {
            MemType::Prim(prim) => {
                InterfaceValue::Scalar { at: position(self, var, ImpType::Prim(*prim)), ty: *prim }
            }
            MemType::Mem(_) => unreachable!("invariant M6: blocks are implicit"),
            MemType::Array { shape, elem, mem, lmad } => InterfaceValue::Array {
                mem: position(self, *mem, ImpType::Mem(ir::Space::Default)),
                elem: *elem,
                shape: shape
                    .iter()
                    .map(|size| match size {
                        Atom::Var(size) => {
                            InterfaceSize::At(position(self, *size, ImpType::Prim(PrimType::I64)))
                        }
                        Atom::Const(size) => {
                            let size = size.as_i64().expect("invariant F2: sizes are i64");
                            // No run gives a result of negative size: an assertion stops it before.
                            InterfaceSize::Const(size.max(0))
                        }
                    })
                    .collect(),
                consumed,
                // row-major places have a constant for an offset
                place: place_variables(lmad).map(|(offset, strides)| {
                    let mut number = |var| position(self, var, ImpType::Prim(PrimType::I64));
                    InterfacePlace {
                        offset: number(offset),
                        strides: strides.into_iter().map(number).collect(),
                    }
                }),
            },
        }
    }

    /// The statements of a body; then `f` uses its results and takes over the blocks among them; then what the body still owns is
    /// freed.
    fn body<T>(&mut self, body: &Body, f: impl FnOnce(&mut Lowerer, &[Atom]) -> T) -> T {
        self.owned.push(Vec::new());
        let loc = self.b.loc;
        for statement in &body.statements {
            self.b.loc = statement.loc;
            self.statement(statement);
        }
        self.b.loc = loc;
        let result = f(self, &body.results);
        for block in self.owned.pop().unwrap_or_default() {
            self.b.push(StatementKind::Free(block));
        }
        result
    }

    /// The innermost body owns this block.
    fn own(&mut self, block: Var) {
        if let Some(innermost) = self.owned.last_mut() {
            innermost.push(block);
        }
    }

    /// One owner of the block for someone outside of the innermost body.
    fn hand_over(&mut self, block: Var) {
        let own = self.owned.last_mut().and_then(|innermost| {
            let at = innermost.iter().position(|var| *var == block)?;
            Some(innermost.remove(at))
        });
        if own.is_none() {
            self.b.push(StatementKind::Share(block));
        }
    }

    /// The IMP variable for a binder, itself unless that is declared already.
    fn bind(&mut self, var: Var) -> Var {
        let fresh = if self.declared.insert(var) { var } else { self.b.names.fresh_like(var) };
        self.values.insert(var, Atom::Var(fresh));
        fresh
    }

    /// For an array: what is known of it, and its view. The variables of its type must be bound.
    fn bind_array(&mut self, binder: &funmem::ir::Binder) {
        let MemType::Array { shape, elem, mem, lmad } = &binder.ty else { return };
        let place = self.places.get(mem).cloned().unwrap_or_else(|| Poly::constant(0));
        let mem = self.block(*mem);
        let mut lmad = lmad.subst(&mut |var| self.poly(var));
        lmad.offset = lmad.offset.add(&place);
        let shape = shape.iter().map(|size| self.atom(*size)).collect();
        let view = self.bind(binder.var);
        self.values.remove(&binder.var);
        self.b.push(StatementKind::View { var: view, elem: *elem, mem, lmad: lmad.clone() });
        self.arrays.insert(binder.var, Array { elem: *elem, shape, mem, lmad, view, place });
    }

    /// The operand in IMP of a scalar or block.
    fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Const(_) => atom,
            Atom::Var(var) => *self.values.get(&var).expect("invariant F1: a scalar or block in scope"),
        }
    }

    fn exp(&self, atom: Atom) -> Exp {
        atom_exp(self.atom(atom))
    }

    fn exps(&self, atoms: &[Atom]) -> Vec<Exp> {
        atoms.iter().map(|atom| self.exp(*atom)).collect()
    }

    fn poly(&self, var: Var) -> Poly {
        atom_poly(self.atom(Atom::Var(var)))
    }

    fn block(&self, var: Var) -> Var {
        self.atom(Atom::Var(var)).as_var().expect("invariant M2: a block is a variable")
    }

    fn array(&self, var: Var) -> &Array {
        self.arrays.get(&var).expect("invariant F1: an array in scope")
    }

    /// The array that an atom is, if it is one.
    fn as_array(&self, atom: Atom) -> Option<&Array> {
        self.arrays.get(&atom.as_var()?)
    }
}

fn atom_exp(atom: Atom) -> Exp {
    match atom {
        Atom::Var(var) => Exp::Var(var),
        Atom::Const(value) => Exp::Const(value),
    }
}

fn space(space: funmem::ir::Space) -> ir::Space {
    match space {
        funmem::ir::Space::Default => ir::Space::Default,
        // what may be on the stack is decided below, where all of it is known
        funmem::ir::Space::Stack => ir::Space::Default,
        funmem::ir::Space::Device => ir::Space::Device,
        funmem::ir::Space::Shared => ir::Space::Shared,
        funmem::ir::Space::Named(name) => ir::Space::Named(name),
    }
}

/// The type of what IMP passes and returns; arrays are not passed, only their blocks.
fn imp_type(ty: &MemType) -> Option<ImpType> {
    match ty {
        MemType::Prim(prim) => Some(ImpType::Prim(*prim)),
        MemType::Mem(mem) => Some(ImpType::Mem(space(*mem))),
        MemType::Array { .. } => None,
    }
}
