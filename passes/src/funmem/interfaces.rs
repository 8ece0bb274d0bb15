//! What callers know of a function: which parameters say where a result goes, where else it may write, and whether it may stop the program.
//!
//! A result has a *destination* if block and offset of its place are parameters of the function; strides may be, or are what the function
//! says:
//!
//! ```text
//! fun f [n: i64] … [r_mem: mem] [r_off: i64] : (r: [n]f32 @ r_mem -> r_off + {(n : 1)}) = { … }
//! ```
//! Its caller chooses the place. Besides for destinations, a function writes only to blocks of arrays that it consumes (M9), and it reads
//! only what its arrays show.

use super::blocks::block;
use fun::ir::{Atom, LoopForm};
use fun::visit::for_each_body;
use fun_base::name::{Symbol, Var};
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Function, MemType, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Which arguments of a call say where a result goes: positions in the list of parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Destination {
    /// The block.
    pub block: usize,
    /// The offset.
    pub offset: usize,
    /// The strides, of the outermost dimension first.
    pub strides: Vec<Stride>,
}

/// A stride of a destination.
#[derive(Clone, PartialEq, Debug)]
pub enum Stride {
    /// The caller's choice: the position of an argument.
    Chosen(usize),
    /// What the function says, in its parameters.
    Fixed(Poly),
}

impl Destination {
    /// The positions of the arguments: that of the block first.
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        let chosen = self.strides.iter().filter_map(|stride| match stride {
            Stride::Chosen(at) => Some(*at),
            Stride::Fixed(_) => None,
        });
        [self.block, self.offset].into_iter().chain(chosen)
    }
}

/// What a function does with the blocks that it is given.
#[derive(Clone, Default, Debug)]
pub struct Interface {
    /// Its parameters.
    pub params: Vec<Var>,
    /// For each result its destination, if it has one.
    pub destinations: Vec<Option<Destination>>,
    /// The blocks that it may write otherwise than to a destination, by their positions.
    pub written: BTreeSet<usize>,
    /// Whether a call may stop the program, or not end.
    pub may_stop: bool,
}

impl Interface {
    /// Of a function, of whose body nothing is known.
    pub fn of(function: &Function) -> Interface {
        let params: Vec<Var> = function.params.iter().map(|param| param.binder.var).collect();
        let positions: BTreeMap<Var, usize> = params.iter().enumerate().map(|(at, var)| (*var, at)).collect();
        let arrays = || function.params.iter().filter_map(|param| Some((param, block(&param.binder.ty)?)));
        let taken: BTreeSet<Var> = arrays().map(|(_, mem)| mem).collect();
        let given: Vec<Var> = function.results.iter().filter_map(|result| block(&result.binder.ty)).collect();
        let destination = |binder: &Binder| {
            let MemType::Array { mem, lmad, .. } = &binder.ty else { return None };
            if taken.contains(mem) || given.iter().filter(|other| *other == mem).count() > 1 {
                return None;
            }
            let known = Destination {
                block: *positions.get(mem)?,
                offset: *positions.get(&lmad.offset.as_var()?)?,
                strides: lmad.dims.iter().map(|dim| stride(&dim.stride, function, &positions)).collect(),
            };
            // (one number for two of them could not be chosen)
            let distinct: BTreeSet<usize> = known.positions().collect();
            let says = |stride: &Stride| match stride {
                Stride::Chosen(_) => true,
                Stride::Fixed(poly) => {
                    let mut said = true;
                    poly.for_each_var(&mut |var| said &= positions.contains_key(&var));
                    said
                }
            };
            (distinct.len() == known.positions().count() && known.strides.iter().all(says)).then_some(known)
        };
        let destinations: Vec<Option<Destination>> =
            function.results.iter().map(|result| destination(&result.binder)).collect();
        let consumed = arrays().filter(|(param, _)| param.unique).map(|(_, mem)| mem);
        let written: BTreeSet<usize> =
            consumed.chain(given.iter().copied()).filter_map(|mem| positions.get(&mem).copied()).collect();
        let chosen: BTreeSet<usize> = destinations.iter().flatten().map(|known| known.block).collect();
        let written = written.difference(&chosen).copied().collect();
        Interface { params, destinations, written, may_stop: true }
    }
}

/// A stride is chosen by the caller if it is a parameter that is nothing else: no size and no explicit number.
fn stride(stride: &Poly, function: &Function, positions: &BTreeMap<Var, usize>) -> Stride {
    let chosen = || {
        let var = stride.as_var()?;
        let at = *positions.get(&var)?;
        let size = |ty: &MemType| match ty {
            MemType::Array { shape, .. } => shape.contains(&Atom::Var(var)),
            MemType::Prim(_) | MemType::Mem(_) => false,
        };
        let params = function.params.iter().chain(&function.results);
        let free = function.params[at].implicit && !params.into_iter().any(|param| size(&param.binder.ty));
        free.then_some(Stride::Chosen(at))
    };
    chosen().unwrap_or_else(|| Stride::Fixed(stride.clone()))
}

/// The interfaces of the functions of a program.
#[derive(Default, Debug)]
pub struct Interfaces(BTreeMap<Symbol, Interface>);

impl Interfaces {
    /// Of all functions.
    pub fn of_program(program: &Program) -> Interfaces {
        let mut interfaces = Interfaces::default();
        program.functions.iter().for_each(|function| interfaces.learn(function));
        interfaces
    }

    /// Of one; `None` if it is not known.
    pub fn get(&self, function: Symbol) -> Option<&Interface> {
        self.0.get(&function)
    }

    /// Learns of a function, whose callees are known but for itself, or of its new form.
    pub fn learn(&mut self, function: &Function) {
        self.0.remove(&function.name);
        let may_stop = function.body.statements.iter().any(|statement| self.may_stop(statement));
        self.0.insert(function.name, Interface { may_stop, ..Interface::of(function) });
    }

    /// Whether executing the statement may stop the program, or not end. Allocations, which fail for want of memory, are not counted.
    pub fn may_stop(&self, statement: &Statement) -> bool {
        let mut stops = match &statement.exp {
            Exp::Call { function, .. } => self.get(*function).is_none_or(|interface| interface.may_stop),
            Exp::Assert { .. } | Exp::Loop { form: LoopForm::While(_), .. } => true,
            _ => false,
        };
        let mut inside = |body: &Body| stops |= body.statements.iter().any(|inner| self.may_stop(inner));
        for_each_body(&statement.exp, &mut inside);
        stops
    }
}
