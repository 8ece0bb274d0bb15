//! Equal kernels: a reduction, a scan or a costly map that is written twice is computed once.
//!
//! ```text
//! let (s_1: [n_0]i64) = kernel (i_2 < n_0) scan \(a_3: i64) (b_4: i64) : i64 { … } (0i64) { … index xs_5[i_2] … }
//! let (t_6: [n_0]i64) = kernel (j_7 < n_0) scan \(c_8: i64) (d_9: i64) : i64 { … } (0i64) { … index xs_5[j_7] … }
//! ```
//! are one, up to the names that they bind, and `s_1` may stand for `t_6` if neither is consumed: all that is done with `t_6` is to read it, and
//! `s_1` is read, or a result of the function. Cheap maps are left to `fuse`, which computes them where they are read.

use super::super::fuse::is_costly;
use fun::ir::{Atom, Body, Combine, Exp, Fun, Program, Statement, Type};
use fun::visit::names::{Subst, rename_body};
use fun::visit::{Walk, for_each_body_mut, walk_body, walk_exp};
use fun_base::name::{NameSource, Var};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Tags from here on are those of bound variables in canonical kernels.
const CANONICAL: u32 = u32::MAX / 2;

/// What is done with an array, under any name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Use {
    /// Its elements are read.
    #[default]
    Read,
    /// It is a result of the function.
    Given,
    /// It may be consumed.
    Other,
}

/// What is done with the arrays of a program.
#[derive(Default)]
pub(super) struct Uses {
    uses: BTreeMap<Var, Use>,
    /// Views, with the arrays that they are of, in the order of the text.
    views: Vec<(Var, Var)>,
}

impl Uses {
    /// Of all arrays.
    pub(super) fn of_program(program: &Program) -> Uses {
        let mut uses = Uses::default();
        for function in &program.functions {
            uses.statements(&function.body);
            function.body.results.iter().for_each(|result| uses.note(result, Use::Given));
        }
        for (view, array) in std::mem::take(&mut uses.views).into_iter().rev() {
            let of_view = uses.of(view);
            uses.note(&Atom::Var(array), of_view);
        }
        uses
    }

    fn of(&self, var: Var) -> Use {
        self.uses.get(&var).copied().unwrap_or_default()
    }

    fn note(&mut self, atom: &Atom, found: Use) {
        if let Atom::Var(var) = atom {
            let known = self.uses.entry(*var).or_default();
            *known = found.max(*known);
        }
    }

    fn statements(&mut self, body: &Body) {
        body.statements.iter().for_each(|statement| self.statement(statement));
    }

    /// Whether `known` may stand for `other`, which have this type.
    pub(super) fn may_stand_for(&self, known: Var, other: Var, ty: &Type) -> bool {
        ty.rank() == 0 || self.of(other) == Use::Read && self.of(known) <= Use::Given
    }
}

impl Walk<Fun> for Uses {
    fn atom(&mut self, atom: &Atom) {
        self.note(atom, Use::Other);
    }

    fn ty(&mut self, _: &Type) {}

    fn statement(&mut self, statement: &Statement) {
        match &statement.exp {
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. }
            | Exp::Atom(Atom::Var(array)) => {
                self.views.extend(statement.pattern.iter().map(|binder| (binder.var, *array)));
            }
            // what is put into another array is copied
            Exp::Update { array, .. } => self.note(&Atom::Var(*array), Use::Other),
            Exp::Index { .. }
            | Exp::Copy(_)
            | Exp::Concat { .. }
            | Exp::Replicate { .. }
            | Exp::ArrayLiteral { .. } => {}
            Exp::Kernel { combine, body, .. } => {
                if let Combine::Hist { dests, .. } | Combine::Scatter { dests } = combine {
                    dests.iter().for_each(|dest| self.note(&Atom::Var(*dest), Use::Other));
                }
                let lambdas = combine.lambda().into_iter().chain(combine.epilogue());
                lambdas.for_each(|lambda| self.statements(&lambda.body));
                self.statements(body);
            }
            exp => walk_exp(self, exp),
        }
    }

    fn body(&mut self, body: &Body) {
        walk_body(self, body);
    }
}

/// A kernel up to the names that it binds, and without places in the source.
#[derive(Clone, PartialEq)]
pub(super) struct Canonical(Arc<Body>);

/// The canonical form of a kernel that is worth while to look for, and its hash.
pub(super) fn canonical(statement: &Statement) -> Option<(u64, Canonical)> {
    let Exp::Kernel { combine, body, .. } = &statement.exp else { return None };
    match combine {
        Combine::Reduce { .. } | Combine::Scan { .. } => {}
        Combine::Map if is_costly(body) => {}
        Combine::Map | Combine::Hist { .. } | Combine::Scatter { .. } => return None,
    }
    let alone = Body { statements: vec![statement.clone()], results: Vec::new() };
    let mut body = rename_body(&mut NameSource::starting_at(CANONICAL), Subst::new(), &alone);
    forget_places(&mut body);
    let mut hash = Hash64(DefaultHasher::new());
    hash.body(&body);
    Some((hash.0.finish(), Canonical(Arc::new(body))))
}

fn forget_places(body: &mut Body) {
    for statement in &mut body.statements {
        statement.loc = None;
        for_each_body_mut(&mut statement.exp, &mut forget_places);
    }
}

/// What differs between most kernels that differ: kinds of expressions and atoms, in order.
struct Hash64(DefaultHasher);

impl Walk<Fun> for Hash64 {
    fn atom(&mut self, atom: &Atom) {
        atom.hash(&mut self.0);
    }

    fn exp(&mut self, exp: &Exp) {
        std::mem::discriminant(exp).hash(&mut self.0);
        if let Exp::Bin(op, ty, ..) = exp {
            (op, ty).hash(&mut self.0);
        }
        walk_exp(self, exp);
    }
}
