//! Calls that make arrays at places of their caller's choice: such an array is built where it would be copied to by telling the call.
//!
//! ```text
//! let (b_mem: mem) = alloc [m] f32
//! let (b: [m]f32 @ b_mem -> 0 + {(m : 1)}) = call f m x b_mem 0i64
//! let (ys: [n][m]f32 @ xs_mem -> 0 + {(n : m)(m : 1)}) = update xs[k, 0 : m : 1] b
//! ```
//! becomes
//! ```text
//! let (b_off: i64) = mul.i64 k m
//! let (b: [m]f32 @ xs_mem -> k*m + {(m : 1)}) = call f m x xs_mem b_off
//! let (ys: [n][m]f32 @ xs_mem -> 0 + {(n : m)(m : 1)}) = update xs[k, 0 : m : 1] b
//! ```
//! Nobody else knows when the call writes there and when it reads its arguments, so the destination must leave all of them alone. What it
//! reads are the arrays that it is given; in a block that it may write otherwise, anything may happen.

use super::Circuits;
use super::candidate::is_plain;
use super::rebase::{Definition, definitions};
use super::refusal::Reason;
use crate::funmem::interfaces::{Destination, Interfaces, Stride};
use fun::ir::Atom;
use fun::visit::{Walk, for_each_body_mut, walk_exp};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemType, Statement, atom_poly, poly_atom};
use std::collections::BTreeMap;

/// What a call makes at a place of its caller's choice.
#[derive(Clone)]
pub(super) struct Made {
    destination: Destination,
    /// What the parameters are in the call.
    args: BTreeMap<Var, Atom>,
}

impl Made {
    /// The strides that the function says, in numbers of the caller; `None` where the caller chooses.
    fn strides(&self) -> impl Iterator<Item = Option<Poly>> {
        let in_caller = |var: Var| self.args.get(&var).map_or(Poly::var(var), |atom| atom_poly(*atom));
        self.destination.strides.iter().map(move |stride| match stride {
            Stride::Chosen(_) => None,
            Stride::Fixed(poly) => Some(poly.subst(&mut { in_caller })),
        })
    }
}

impl Circuits<'_> {
    /// The definitions of the arrays in a block: calls make those anew whose place they are told.
    pub(super) fn definitions(&self, window: &[Statement], own: Var) -> Vec<(Var, Definition)> {
        let mut all = definitions(window, &|mem| mem == own);
        for (var, definition) in &mut all {
            if self.made_by_calls.contains_key(var) {
                *definition = Definition::Fresh;
            }
        }
        all
    }

    /// Why the calls among those that make these arrays cannot be told these places in a block.
    pub(super) fn calls_can_make(&mut self, places: &BTreeMap<Var, Lmad>, block: Var) -> Result<(), Reason> {
        let facts = self.facts.known();
        let plain = |number: &Poly| is_plain(&facts.expand(number));
        for (var, place) in places {
            let Some(made) = self.made_by_calls.get(var) else { continue };
            let own = match self.types.get(var) {
                Some(MemType::Array { mem, .. }) => self.types.get(mem),
                _ => None,
            };
            if own != self.types.get(&block) {
                return Err(Reason::OtherSpace);
            }
            let same = |(stride, wanted): (&Poly, Option<Poly>)| match wanted {
                None => plain(stride),
                Some(wanted) => {
                    *stride == wanted || facts.expand(stride) == facts.expand(&wanted) && plain(stride)
                }
            };
            let mut strides = place.dims.iter().map(|dim| &dim.stride).zip(made.strides());
            let fits = plain(&place.offset) && place.rank() == made.destination.strides.len();
            if !(fits && strides.all(same)) {
                return Err(Reason::OtherLayout);
            }
        }
        Ok(())
    }

    /// Whether a call may write to a block otherwise than by making arrays at places that it is told.
    pub(super) fn may_write(&self, function: Symbol, args: &[Atom], mem: Var) -> bool {
        let interface = self.interfaces.get(function);
        args.iter().enumerate().any(|(at, arg)| {
            let Some(block) = arg.as_var() else { return false };
            matches!(self.types.get(&block), Some(MemType::Mem(_)))
                && interface.is_none_or(|interface| interface.written.contains(&at))
                && self.may_meet(block, mem)
        })
    }

    /// Tells the calls of a body where the arrays go that they make.
    pub(super) fn tell_calls(&mut self, body: &mut Body) {
        let mut statements = Vec::with_capacity(body.statements.len());
        for mut statement in std::mem::take(&mut body.statements) {
            for_each_body_mut(&mut statement.exp, &mut |inner| self.tell_calls(inner));
            self.tell_call(&mut statement, &mut statements);
            statements.push(statement);
        }
        body.statements = statements;
    }

    /// Tells a call; what numbers need is appended.
    fn tell_call(&mut self, statement: &mut Statement, before: &mut Vec<Statement>) {
        let loc = statement.loc;
        let Exp::Call { args, .. } = &mut statement.exp else { return };
        for binder in &statement.pattern {
            let (Some(made), MemType::Array { mem, lmad, .. }) =
                (self.made_by_calls.get(&binder.var).cloned(), &binder.ty)
            else {
                continue;
            };
            args[made.destination.block] = Atom::Var(*mem);
            self.tell(&mut args[made.destination.offset], &lmad.offset, "off", loc, before);
            for (stride, dim) in made.destination.strides.iter().zip(&lmad.dims) {
                if let Stride::Chosen(at) = stride {
                    self.tell(&mut args[*at], &dim.stride, "step", loc, before);
                }
            }
        }
    }

    /// Makes an argument this number.
    fn tell(
        &mut self,
        arg: &mut Atom,
        number: &Poly,
        text: &str,
        loc: Option<Loc>,
        before: &mut Vec<Statement>,
    ) {
        if atom_poly(*arg) == *number {
            return;
        }
        *arg = poly_atom(number, &mut |op, left, right| {
            let var = self.names.fresh(text);
            let pattern = vec![Binder { var, ty: MemType::Prim(PrimType::I64) }];
            before.push(Statement { pattern, exp: Exp::Bin(op, PrimType::I64, left, right), loc });
            Atom::Var(var)
        });
    }
}

/// The arrays of a function that calls make at places of its choice, each with the argument for its block.
pub(super) fn made_by_calls(function: &Function, interfaces: &Interfaces) -> Vec<(Var, Var, Made)> {
    let mut made = Finder { interfaces, found: Vec::new() };
    made.body(&function.body);
    made.found
}

struct Finder<'i> {
    interfaces: &'i Interfaces,
    found: Vec<(Var, Var, Made)>,
}

impl Walk<Mem> for Finder<'_> {
    fn statement(&mut self, statement: &Statement) {
        if let Exp::Call { function, args } = &statement.exp
            && let Some(interface) = self.interfaces.get(*function)
        {
            for (binder, destination) in statement.pattern.iter().zip(&interface.destinations) {
                let Some(destination) = destination.clone() else { continue };
                let Some(block) = args.get(destination.block).and_then(|arg| arg.as_var()) else { continue };
                let args = interface.params.iter().copied().zip(args.iter().copied()).collect();
                self.found.push((binder.var, block, Made { destination, args }));
            }
        }
        walk_exp(self, &statement.exp);
    }
    fn ty(&mut self, _: &MemType) {}
}
