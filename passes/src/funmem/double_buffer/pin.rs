//! Loops in one block: where each next value is made over the present one, in the block of the initial one, that block is no parameter.
//!
//! ```text
//! let (r_mem: mem) (r: [n]f32 @ r_mem -> …) = loop (x_mem: mem = a_mem) (x: [n]f32 @ x_mem -> … = a) for i < k {
//!   let (y_mem: mem) = alloc [n] f32
//!   let (y: [n]f32 @ y_mem -> …) = kernel …
//!   in (y_mem, y)
//! }
//! ```
//! becomes
//! ```text
//! let (r: [n]f32 @ a_mem -> …) = loop (x: [n]f32 @ a_mem -> … = a) for i < k {
//!   let (y: [n]f32 @ a_mem -> …) = kernel …
//!   in (y)
//! }
//! ```
//! Where that block cannot be taken over, and the result is copied, the initial value is copied instead, into a block of the loop's own. Then the
//! result can be where its copy would go.

use super::candidate::{Found, Loop, is_like};
use super::{Buffer, Buffering, block, replace_allocations};
use fun::ir::{Atom, BinderType, LoopParam};
use fun::visit::names::{Subst, subst_atom, subst_body};
use fun::visit::{Walk, walk_exp};
use fun_base::name::Var;
use funmem::ir::{Binder, Exp, Function, Mem, MemOp, MemType, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// The arrays of a function whose only use is that they are copied.
pub(super) fn copied_only(function: &Function) -> BTreeSet<Var> {
    #[derive(Default)]
    struct Uses {
        copied: BTreeSet<Var>,
        all: BTreeMap<Var, usize>,
    }
    impl Walk<Mem> for Uses {
        fn exp(&mut self, exp: &Exp) {
            if let Exp::Copy(array) = exp {
                self.copied.insert(*array);
            }
            walk_exp(self, exp);
        }
        fn atom(&mut self, atom: &Atom) {
            if let Atom::Var(var) = atom {
                *self.all.entry(*var).or_default() += 1;
            }
        }
    }
    let mut uses = Uses::default();
    uses.body(&function.body);
    uses.copied.retain(|array| uses.all.get(array) == Some(&1));
    uses.copied
}

impl Buffering<'_> {
    /// Gives the values of a loop the blocks of its initial ones, where they can be made there, or of copies of these. What is to be put in
    /// for its results after the loop is added. What comes before the loop, if there is such a value.
    pub(super) fn pin(&mut self, statement: &mut Statement, replaced: &mut Subst) -> Option<Vec<Statement>> {
        let mut found = Loop::of(statement).map_or(Vec::new(), |repeat| self.candidates(&repeat));
        let mut before = Vec::new();
        found.retain(|found| match found {
            Found::InPlace { .. } => true,
            Found::Rotate { at, lives: 0, guarded: false, next } => {
                self.copy_first(statement, *at, &next.buffer, &mut before)
            }
            _ => false,
        });
        // From the last on: positions before stay.
        for found in found.iter().rev() {
            let (at, next) = match found {
                Found::InPlace { at, next, .. } => (at, next),
                Found::Rotate { at, next, .. } => (at, &next.blocks[0]),
                Found::TakeOver { .. } | Found::Carry { .. } => continue,
            };
            let Exp::Loop { params, body, .. } = &mut statement.exp else { return None };
            // (which may be the block of such a loop before)
            let Some(init) = subst_atom(replaced, params[*at].init).as_var() else { continue };
            self.make_over(found, body, statement.loc);
            replace_allocations(body, &[*next], init);
            let param = params.remove(*at).binder.var;
            body.results.remove(*at);
            let result = statement.pattern.remove(*at).var;
            let put = |old, binders: Vec<&mut Binder>| {
                for binder in binders {
                    binder.ty = binder.ty.map_vars(&mut |var| Atom::Var(if var == old { init } else { var }));
                }
            };
            put(param, params.iter_mut().map(|param| &mut param.binder).collect());
            put(result, statement.pattern.iter_mut().collect());
            *body = subst_body::<Mem>(&Subst::from([(param, Atom::Var(init))]), body);
            replaced.insert(result, Atom::Var(init));
        }
        (!found.is_empty()).then_some(before)
    }

    /// Lets a loop, whose result at this position is a block with an array that is only copied, start from a copy of its initial array.
    fn copy_first(
        &mut self,
        statement: &mut Statement,
        at: usize,
        buffer: &Buffer,
        before: &mut Vec<Statement>,
    ) -> bool {
        let loc = statement.loc;
        let Exp::Loop { params, .. } = &mut statement.exp else { return false };
        let mem = params[at].binder.var;
        let mut inside = (0..params.len()).filter(|other| block(&params[*other].binder.ty) == Some(mem));
        let (Some(array), None) = (inside.next(), inside.next()) else { return false };
        let is_copied = self.copied_only.contains(&statement.pattern[array].var);
        let LoopParam { binder, init: Atom::Var(init) } = &params[array] else { return false };
        let mut changes_place = false;
        binder.ty.for_each_var(&mut |var| {
            changes_place |= var != mem && params.iter().any(|param| param.binder.var == var);
        });
        if !is_copied || changes_place || !is_like(&binder.ty, buffer) {
            return false;
        }
        let (init, copy) = (*init, self.names.fresh_like(*init));
        let own = self.names.fresh("loop_mem");
        let ty = binder.ty.map_vars(&mut |var| Atom::Var(if var == mem { own } else { var }));
        let Buffer { space, shape, elem } = buffer.clone();
        let mut add = |binder: Binder, exp: Exp| before.push(Statement { pattern: vec![binder], exp, loc });
        add(Binder { var: own, ty: MemType::Mem(space) }, Exp::Op(MemOp::Alloc { space, shape, elem }));
        add(Binder { var: copy, ty }, Exp::Copy(init));
        params[at].init = Atom::Var(own);
        params[array].init = Atom::Var(copy);
        true
    }
}
