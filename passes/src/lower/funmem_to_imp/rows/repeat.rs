//! Loops of a row: around thread loops, with scalars in registers and the places of arrays in variables of the block.

use super::super::Lowerer;
use super::I64;
use fun::ir::{Atom, LoopForm, LoopParam};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Mem, MemType};
use imp::ir::{Exp, ImpType, LoopKind, StatementKind};
use std::collections::BTreeSet;

/// What a parameter of a loop is to the block.
enum Carried {
    /// A scalar of each thread: its register.
    Scalar(Var, PrimType),
    /// An array's block: where the array begins in the shared block.
    Place(Var, Var),
    /// What follows from its block.
    Array,
}

impl Lowerer {
    pub(super) fn repeat_in_row(
        &mut self,
        pattern: &[Binder],
        params: &[LoopParam<Mem>],
        form: &LoopForm,
        body: &Body,
    ) -> Option<()> {
        let LoopForm::For { var, ty, bound } = form else { return None };
        if bound.as_var().is_some_and(|var| self.is_own(var)) {
            return None;
        }
        self.version.as_mut()?.repeats = true;
        let bound = self.exp(*bound);
        let carried = self.begin_row_loop(params)?;
        for (param, carried) in params.iter().zip(&carried) {
            match carried {
                Carried::Scalar(register, ty) => self.have_own(vec![(param.binder.var, *register, *ty)]),
                Carried::Place(block, _) => _ = self.values.insert(param.binder.var, Atom::Var(*block)),
                Carried::Array => {}
            }
        }
        self.are_placed(params.iter().map(|param| &param.binder)).then_some(())?;
        let counter = self.bind(*var);
        let outer = self.b.begin();
        self.places_now(params.iter().map(|param| &param.binder), &carried);
        for param in params {
            self.bind_array(&param.binder);
        }
        let fresh = self.places.keys().copied().collect();
        let done = self.row_body(body, |this, results| this.next_in_row(&carried, results, &fresh));
        let statements = self.b.end(outer);
        done?;
        self.b.push(StatementKind::For {
            var: counter,
            ty: *ty,
            bound,
            kind: LoopKind::Seq,
            body: statements,
        });
        for (binder, carried) in pattern.iter().zip(&carried) {
            match carried {
                Carried::Scalar(register, ty) => self.have_own(vec![(binder.var, *register, *ty)]),
                Carried::Place(block, _) => _ = self.values.insert(binder.var, Atom::Var(*block)),
                Carried::Array => {}
            }
        }
        self.are_placed(pattern.iter()).then_some(())?;
        self.places_now(pattern.iter(), &carried);
        for binder in pattern {
            self.bind_array(binder);
        }
        Some(())
    }

    /// Registers and variables for the parameters, with their first values.
    fn begin_row_loop(&mut self, params: &[LoopParam<Mem>]) -> Option<Vec<Carried>> {
        let (mut carried, mut scalars) = (Vec::new(), Vec::new());
        for param in params {
            carried.push(match param.binder.ty {
                MemType::Prim(ty) => {
                    let register = self.register(ty)?;
                    scalars.push((register, param.init));
                    Carried::Scalar(register, ty)
                }
                MemType::Mem(_) => {
                    let (block, place) = self.placed(param.init)?;
                    let value = Some(self.poly_exp(&place));
                    let var = self.b.declare("place", ImpType::Prim(I64), value);
                    Carried::Place(block, var)
                }
                MemType::Array { .. } => Carried::Array,
            });
        }
        self.write_own(&scalars);
        Some(carried)
    }

    /// The block of an array of the row, and where it begins there.
    fn placed(&self, block: Atom) -> Option<(Var, Poly)> {
        let place = self.places.get(&block.as_var()?)?.clone();
        Some((self.atom(block).as_var()?, place))
    }

    /// Where arrays begin in this iteration, or behind the loop.
    fn places_now<'a>(&mut self, binders: impl Iterator<Item = &'a Binder>, carried: &[Carried]) {
        for (binder, carried) in binders.zip(carried) {
            if let Carried::Place(_, var) = carried {
                let now = self.b.let_("start", I64, Exp::Var(*var));
                self.places.insert(binder.var, Poly::var(now));
            }
        }
    }

    /// The parameters of the next iteration. An array that an iteration makes has the same place in each, so none stays for the next, where the
    /// known ones are those from before.
    fn next_in_row(&mut self, carried: &[Carried], results: &[Atom], known: &BTreeSet<Var>) -> Option<()> {
        let (mut scalars, mut places) = (Vec::new(), Vec::new());
        for (carried, result) in carried.iter().zip(results) {
            match carried {
                Carried::Scalar(register, _) => scalars.push((*register, *result)),
                Carried::Place(block, var) => {
                    let (of, place) = self.placed(*result)?;
                    if of != *block || !result.as_var().is_some_and(|result| known.contains(&result)) {
                        return None;
                    }
                    places.push((*var, self.b.let_("next", I64, self.poly_exp(&place))));
                }
                Carried::Array => {}
            }
        }
        self.write_own(&scalars);
        places.into_iter().for_each(|(var, next)| self.b.assign(var, next));
        Some(())
    }

    /// `registers := values`, all at once.
    fn write_own(&mut self, scalars: &[(Var, Atom)]) {
        if scalars.is_empty() {
            return;
        }
        let used: BTreeSet<Var> = scalars.iter().filter_map(|(_, value)| value.as_var()).collect();
        self.by_threads(&used, |this, t| {
            let values: Vec<Exp> = scalars.iter().map(|(_, value)| this.exp(*value)).collect();
            for ((register, _), value) in scalars.iter().zip(values) {
                this.b.write(*register, vec![t.into()], value);
            }
        });
    }
}
