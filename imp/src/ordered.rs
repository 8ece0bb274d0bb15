//! What the blocks of a `chain` loop do one after the other (I14): what a region reads of a block, and what is handed from block to block. Both travel in words
//! of 8 bytes, whose upper half says that there is something: so nobody who sees it has to ask whether memory is up to date.

use crate::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use crate::visit::for_each_statement;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a value in a word.
pub const PIECE: u32 = 4;

/// The region of a loop.
pub struct Ordered<'p> {
    /// The view of words.
    pub words: Var,
    /// What is done for a block.
    pub body: &'p [Statement],
    /// Cells in shared memory that are read, each once: the view, constant indices, and the type.
    pub told: Vec<(Var, Vec<Exp>, PrimType)>,
    /// Variables from outside that are assigned.
    pub state: Vec<Var>,
    /// Views of shared memory whose cells are written.
    pub given: BTreeSet<Var>,
}

/// A view of memory that the threads of a block share.
#[derive(Clone, Copy)]
pub struct SharedView {
    /// The type of its cells.
    pub elem: PrimType,
    /// The memory.
    pub block: Var,
}

/// How many words a value takes.
#[must_use]
pub fn words(ty: PrimType) -> u32 {
    ty.bytes().div_ceil(PIECE)
}

impl Ordered<'_> {
    /// The words that a block tells; those that it is told by come behind.
    #[must_use]
    pub fn told_words(&self) -> u32 {
        self.told.iter().map(|(_, _, ty)| words(*ty)).sum()
    }

    /// The region among the statements of a `chain` loop, if there is one.
    #[must_use]
    pub fn of(list: &[Statement]) -> Option<Ordered<'_>> {
        let (words, body) = list.iter().find_map(|statement| match &statement.kind {
            StatementKind::Ordered { words, body } => Some((*words, body)),
            _ => None,
        })?;
        let shared = shared_views(list);
        let mut inside = BTreeSet::new();
        let mut found = Ordered { words, body, told: Vec::new(), state: Vec::new(), given: BTreeSet::new() };
        for_each_statement(body, &mut |statement| {
            inside.extend(statement.kind.declares());
            if let StatementKind::Assign { var, .. } = &statement.kind
                && !inside.contains(var)
                && !found.state.contains(var)
            {
                found.state.push(*var);
            }
            found.given.extend(statement.kind.writes());
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |view, indices| {
                    let Some(place) = shared.get(&view) else { return };
                    let cell = (view, indices.to_vec(), place.elem);
                    if !found.told.contains(&cell) {
                        found.told.push(cell);
                    }
                });
            });
        });
        Some(found)
    }
}

/// Views of memory that the threads of a block share, among the statements of a loop.
#[must_use]
pub fn shared_views(list: &[Statement]) -> BTreeMap<Var, SharedView> {
    let (mut blocks, mut views) = (BTreeSet::new(), BTreeMap::new());
    for_each_statement(list, &mut |statement| match &statement.kind {
        StatementKind::Alloc { var, space: Space::Shared, .. } => _ = blocks.insert(*var),
        StatementKind::View { var, elem, mem, .. } if blocks.contains(mem) => {
            views.insert(*var, SharedView { elem: *elem, block: *mem });
        }
        StatementKind::Window { var, view, .. } => views.extend(views.get(view).map(|place| (*var, *place))),
        _ => {}
    });
    views
}

/// Whether a statement may stand in a region, but for what it writes: what one thread can do alone, and do again elsewhere.
#[must_use]
pub fn may_stand(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Let { .. }
        | StatementKind::Declare { ty: ImpType::Prim(_), .. }
        | StatementKind::Assign { .. }
        | StatementKind::View { .. }
        | StatementKind::Window { .. }
        | StatementKind::Write { .. }
        | StatementKind::While { .. }
        | StatementKind::If { .. }
        | StatementKind::Assert { .. } => true,
        StatementKind::For { kind, .. } => !kind.is_parallel() && *kind != LoopKind::Thread,
        StatementKind::Declare { ty: ImpType::Mem(_), .. }
        | StatementKind::Alloc { .. }
        | StatementKind::Share(_)
        | StatementKind::Free(_)
        | StatementKind::Accumulate { .. }
        | StatementKind::Atomic { .. }
        | StatementKind::Lock { .. }
        | StatementKind::Ordered { .. }
        | StatementKind::Shuffle { .. }
        | StatementKind::Copy { .. }
        | StatementKind::Call { .. } => false,
    }
}
