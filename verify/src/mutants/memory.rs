//! What the mutants on FUNMEM share: which variables lie in a block, and renaming of blocks.

use super::rewrite::{Site, bound, used};
use fun::ir::{Atom, LoopParam};
use fun::visit::names::{Subst, subst_body};
use fun::visit::{Walk, for_each_body};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Mem, MemOp, MemType, Space, Statement, atom_poly};
use std::collections::BTreeSet;

/// An allocation in a body.
#[derive(Clone, Debug)]
pub(super) struct Alloc {
    /// Which statement it is.
    pub(super) at: usize,
    pub(super) block: Var,
    pub(super) shape: Vec<Atom>,
    pub(super) elem: PrimType,
}

/// The allocations of ordinary memory in a body, those of nested bodies not included.
pub(super) fn allocs(body: &Body) -> Vec<Alloc> {
    let alloc = |(at, statement): (usize, &Statement)| match (&statement.exp, statement.pattern.as_slice()) {
        (Exp::Op(MemOp::Alloc { space: Space::Default, shape, elem }), [binder]) => {
            Some(Alloc { at, block: binder.var, shape: shape.clone(), elem: *elem })
        }
        _ => None,
    };
    body.statements.iter().enumerate().filter_map(alloc).collect()
}

/// Block and index function of a type.
pub(super) fn place(ty: &MemType) -> Option<(Var, &Lmad)> {
    match ty {
        MemType::Array { mem, lmad, .. } => Some((*mem, lmad)),
        MemType::Prim(_) | MemType::Mem(_) => None,
    }
}

/// The place of a variable.
pub(super) fn place_of(site: &Site<Mem>, var: Var) -> Option<(Var, Lmad)> {
    place(site.types.get(&var)?).map(|(mem, lmad)| (mem, lmad.clone()))
}

/// The product of sizes.
pub(super) fn product(sizes: &[Atom]) -> Poly {
    sizes.iter().fold(Poly::constant(1), |product, size| product.mul(&atom_poly(*size)))
}

/// Puts one block in place of another everywhere in the body, whose statement at `alloc` goes.
pub(super) fn rename_block(body: &mut Body, alloc: usize, from: Var, into: Var) {
    body.statements.remove(alloc);
    *body = subst_body::<Mem>(&Subst::from([(from, Atom::Var(into))]), body);
}

/// Moves a binder to another place.
pub(super) fn move_to(binder: &mut Binder, block: Var, index: Lmad) {
    if let MemType::Array { mem, lmad, .. } = &mut binder.ty {
        (*mem, *lmad) = (block, index);
    }
}

/// Whether the expression writes a fresh array.
pub(super) fn is_fresh(exp: &Exp) -> bool {
    use funmem::ir::Combine;
    match exp {
        Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::ArrayLiteral { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_) => true,
        Exp::Kernel { combine, .. } => !matches!(combine, Combine::Hist { .. } | Combine::Scatter { .. }),
        _ => false,
    }
}

/// Whether a variable is used as an atom, not only in types.
pub(super) fn is_passed_on(body: &Body, var: Var) -> bool {
    struct Atoms(Var, bool);
    impl Walk<Mem> for Atoms {
        fn atom(&mut self, atom: &Atom) {
            self.1 |= *atom == Atom::Var(self.0);
        }
        fn ty(&mut self, _: &MemType) {}
    }
    let mut atoms = Atoms(var, false);
    Walk::<Mem>::body(&mut atoms, body);
    atoms.1
}

/// Which uses of a block an analysis sees.
#[derive(Clone, Copy)]
pub(super) struct Sees {
    /// That a block comes back from branches, loops and calls under another name.
    pub(super) aliases: bool,
    /// Arrays derived from those that were written to the block.
    pub(super) views: bool,
    /// Uses in the bodies of branches, loops and kernels.
    pub(super) nested: bool,
    /// Uses as results of the body.
    pub(super) results: bool,
    /// Arguments of calls.
    pub(super) calls: bool,
}

impl Sees {
    pub(super) const ALL: Sees =
        Sees { aliases: true, views: true, nested: true, results: true, calls: true };
}

/// What may lie in a block: the block, its other names, and the arrays in any of them.
pub(super) fn residents(body: &Body, block: Var, sees: Sees) -> BTreeSet<Var> {
    let mut found = BTreeSet::from([block]);
    loop {
        let before = found.len();
        collect(body, &mut found, sees);
        if found.len() == before {
            return found;
        }
    }
}

fn collect(body: &Body, found: &mut BTreeSet<Var>, sees: Sees) {
    let bind = |binder: &Binder, derived: bool, found: &mut BTreeSet<Var>| {
        let inside = place(&binder.ty).is_some_and(|(mem, _)| found.contains(&mem));
        if inside && (sees.views || !derived) {
            found.insert(binder.var);
        }
    };
    for statement in &body.statements {
        if sees.aliases && !used(statement).is_disjoint(found) {
            let blocks = statement.pattern.iter().filter(|binder| matches!(binder.ty, MemType::Mem(_)));
            found.extend(blocks.map(|binder| binder.var));
            if let Exp::Loop { params, .. } = &statement.exp {
                let blocks = |param: &&LoopParam<Mem>| matches!(param.binder.ty, MemType::Mem(_));
                found.extend(params.iter().filter(blocks).map(|param| param.binder.var));
            }
        }
        if let Exp::Loop { params, .. } = &statement.exp {
            params.iter().for_each(|param| bind(&param.binder, true, found));
        }
        for_each_body(&statement.exp, &mut |inner| collect(inner, found, sees));
        statement.pattern.iter().for_each(|binder| bind(binder, !is_fresh(&statement.exp), found));
    }
}

/// The last statement of a body that uses a block, as far as the analysis sees; beyond the last if the body gives it back.
pub(super) fn last_use(body: &Body, block: Var, sees: Sees) -> usize {
    let residents = residents(body, block, sees);
    if sees.results
        && body.results.iter().filter_map(|atom| atom.as_var()).any(|var| residents.contains(&var))
    {
        return body.statements.len();
    }
    let uses = |statement: &Statement| {
        if !sees.calls && matches!(statement.exp, Exp::Call { .. }) {
            return false;
        }
        if sees.nested {
            return !used(statement).is_disjoint(&residents);
        }
        struct Own(BTreeSet<Var>);
        impl Walk<Mem> for Own {
            fn atom(&mut self, atom: &Atom) {
                self.0.extend(atom.as_var());
            }
            fn body(&mut self, _: &Body) {}
        }
        let mut own = Own(BTreeSet::new());
        Walk::<Mem>::statement(&mut own, statement);
        !own.0.is_disjoint(&residents)
    };
    body.statements.iter().rposition(uses).unwrap_or(0)
}

/// Whether the variables are bound by none of the statements.
pub(super) fn in_scope_before(statements: &[Statement], vars: &BTreeSet<Var>) -> bool {
    statements.iter().all(|statement| bound(statement).is_disjoint(vars))
}

/// The variables of an index function and its block.
pub(super) fn vars_of(mem: Var, lmad: &Lmad) -> BTreeSet<Var> {
    let mut vars = BTreeSet::from([mem]);
    lmad.for_each_var(&mut |var| {
        vars.insert(var);
    });
    vars
}
