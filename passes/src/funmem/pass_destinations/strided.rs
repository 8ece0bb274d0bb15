//! Results of calls that are copied to places without the strides of a row-major array: to a column, a block of a matrix, every second
//! cell.

use fun::visit::{Walk, walk_program, walk_statement};
use fun_base::name::{Symbol, Var};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Exp, Mem, MemType, Program, Statement, slices};
use std::collections::{BTreeMap, BTreeSet};

/// Which calls make what goes to such places.
#[derive(Default)]
pub(super) struct Strided {
    /// The arrays.
    pub(super) arrays: BTreeSet<Var>,
    /// The functions that are called for them.
    pub(super) functions: BTreeSet<Symbol>,
}

/// Finds them, through permutations, reversals and the arms of branches.
pub(super) fn find(program: &Program) -> Strided {
    let mut finder = Finder::default();
    walk_program(&mut finder, program);
    let mut found = Strided::default();
    while let Some(var) = finder.targets.pop() {
        match finder.sources.remove(&var) {
            Some(Source::Call(function)) => {
                found.arrays.insert(var);
                found.functions.insert(function);
            }
            Some(Source::Arrays(arrays)) => finder.targets.extend(arrays),
            None => {}
        }
    }
    found
}

/// What an array is or may be.
enum Source {
    /// The result of a call.
    Call(Symbol),
    /// One of these, in another order.
    Arrays(Vec<Var>),
}

#[derive(Default)]
struct Finder {
    types: BTreeMap<Var, MemType>,
    sources: BTreeMap<Var, Source>,
    /// What is copied to places that are not row-major.
    targets: Vec<Var>,
}

/// Whether the strides are those of a row-major array of these sizes.
fn row_major(place: &Lmad) -> bool {
    let strides = |lmad: &Lmad| lmad.dims.iter().map(|dim| dim.stride.clone()).collect::<Vec<Poly>>();
    strides(&Lmad::row_major(Poly::constant(0), &place.sizes())) == strides(place)
}

impl Finder {
    /// Notes that an array is copied to a place.
    fn copied(&mut self, value: Var, place: &Lmad) {
        // What was permuted or reversed is row-major in no order that the call knows.
        let moved = matches!(self.sources.get(&value), Some(Source::Arrays(arrays)) if arrays.len() == 1);
        if moved || !row_major(place) {
            self.targets.push(value);
        }
    }

    /// The place of an array.
    fn place(&self, array: Var) -> Option<Lmad> {
        match self.types.get(&array)? {
            MemType::Array { lmad, .. } => Some(lmad.clone()),
            MemType::Prim(_) | MemType::Mem(_) => None,
        }
    }
}

impl Walk<Mem> for Finder {
    fn bind(&mut self, var: Var, ty: Option<&MemType>) {
        if let Some(ty @ MemType::Array { .. }) = ty {
            self.types.insert(var, ty.clone());
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let arrays = statement.pattern.iter().filter(|binder| matches!(binder.ty, MemType::Array { .. }));
        match &statement.exp {
            Exp::Call { function, .. } => {
                self.sources.extend(arrays.map(|binder| (binder.var, Source::Call(*function))));
            }
            Exp::Permute { array, .. } | Exp::Reverse { array, .. } => {
                self.sources.extend(arrays.map(|binder| (binder.var, Source::Arrays(vec![*array]))));
            }
            Exp::If { then, otherwise, .. } => {
                let results = then.results.iter().zip(&otherwise.results);
                for (binder, (left, right)) in statement.pattern.iter().zip(results) {
                    if let (MemType::Array { .. }, Some(left), Some(right)) =
                        (&binder.ty, left.as_var(), right.as_var())
                    {
                        self.sources.insert(binder.var, Source::Arrays(vec![left, right]));
                    }
                }
            }
            Exp::Update { array, dims, value } => {
                if let (Some(value), Some(place)) = (value.as_var(), self.place(*array))
                    && self.types.contains_key(&value)
                {
                    self.copied(value, &place.slice(&slices(dims)));
                }
            }
            // (parts differ from the whole in the outer size alone, on which no stride of a row-major array depends)
            Exp::Concat { arrays: parts, .. } => {
                let MemType::Array { lmad, .. } = &statement.pattern[0].ty else { return };
                parts.iter().for_each(|part| self.copied(*part, lmad));
            }
            Exp::Copy(value) => {
                let MemType::Array { lmad, .. } = &statement.pattern[0].ty else { return };
                self.copied(*value, lmad);
            }
            _ => {}
        }
        walk_statement(self, statement);
    }
}
