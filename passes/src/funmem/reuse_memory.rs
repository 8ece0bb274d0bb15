//! Reuse of blocks: an allocation goes where a block that is dead by then is large enough.
//!
//! ```text
//! let (a_mem: mem) = alloc [n] f32
//! let (a: [n]f32 @ a_mem -> …) = replicate [n] 1.0f32
//! let (x: f32) = index a[i]
//! let (b_mem: mem) = alloc [n] i32
//! let (b: [n]i32 @ b_mem -> …) = iota.i32 n 0i32 1i32
//! ```
//! becomes
//! ```text
//! let (a_mem: mem) = alloc [n] f32
//! let (a: [n]f32 @ a_mem -> …) = replicate [n] 1.0f32
//! let (x: f32) = index a[i]
//! let (b: [n]i32 @ a_mem -> …) = iota.i32 n 0i32 1i32
//! ```
//! Greedy colouring of the graph of interference (two roots are live at one time, see [`super::last_use`]) over a whole function: first
//! among blocks of equal size, in order of their first use, then what is smaller goes into what is larger. The blocks of consumed
//! parameters count, as large as the array in them. A block from outside serves in a loop or branch too; but not
//! - in a kernel: its points run at the same time;
//! - in a loop that carries the allocation to its next iteration: there it stands for several blocks that live at once.
//!
//! When one block is known to be large enough stands in [`sizes`]. Functions are taken callees first: where a function has begun to give
//! a block that it is given, its callers must know.
//!
//! Requires and ensures M1–M8. Cost: n log n in the size of the program, times the number of blocks compared for an allocation, which
//! has a limit.

mod sizes;

use super::blocks::{Blocks, Origin, Summaries};
use super::last_use::{Lives, ScopeKind, Span, Time, intersect};
use fun::ir::Atom;
use fun::visit::for_each_body_mut;
use fun::visit::names::{Subst, subst_body};
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp, Function, Mem, MemOp, MemType, Program, Space};
use sizes::{Size, Sizes};
use std::collections::BTreeMap;

/// How many blocks are looked at for an allocation, those of equal size apart: the youngest first.
const CANDIDATES: usize = 64;

/// Reuses blocks of a program.
pub fn run(mut program: Program) -> Program {
    let mut summaries = Summaries::default();
    for function in &mut program.functions {
        let blocks = Blocks::of_function(function, &mut summaries);
        let subst = colour(function, &blocks);
        if !subst.is_empty() {
            drop_allocations(&mut function.body, &subst);
            function.body = subst_body::<Mem>(&subst, &function.body);
            Blocks::of_function(function, &mut summaries);
        }
    }
    program
}

/// A block that arrays share.
#[derive(Clone)]
struct Shared {
    root: Var,
    space: Space,
    size: Size,
    birth: (Time, usize),
    /// When it is live: in order, disjoint.
    spans: Vec<Span>,
    /// The allocations that use it, with where they are: itself first, unless it is a parameter.
    members: Vec<(Var, (Time, usize))>,
}

/// Which allocations go, and whose block is used instead.
fn colour(function: &Function, blocks: &Blocks) -> Subst {
    let lives = Lives::of_function(function, blocks);
    let sizes = Sizes::of_function(function);
    let mut shared: Vec<Shared> = consumed(function, blocks, &lives, &sizes);
    let mut allocations = Vec::new();
    for (root, origin) in blocks.all_roots() {
        if let (Origin::Alloc { space, shape, elem }, Some(birth)) = (origin, lives.birth(root))
            && let Some(first) = lives.spans(root).first()
        {
            allocations.push((first.start, birth, root, *space, sizes.size(shape, *elem)));
        }
    }
    allocations.sort_by_key(|(first, birth, ..)| (*first, *birth));
    // First those of equal size share, in order of their first use.
    let mut equal: BTreeMap<Size, Vec<usize>> = BTreeMap::new();
    for (k, block) in shared.iter().enumerate() {
        equal.entry(block.size.clone()).or_default().push(k);
    }
    for (_, birth, root, space, size) in allocations {
        let spans = lives.spans(root).to_vec();
        let new = Shared { root, space, size, birth, spans, members: vec![(root, birth)] };
        let same = equal.entry(new.size.clone()).or_default();
        match same.iter().rev().take(CANDIDATES).find(|k| shared[**k].can_be(&new, &lives)) {
            Some(k) => shared[*k].take(new),
            None => {
                same.push(shared.len());
                shared.push(new);
            }
        }
    }
    // Then what is smaller goes into what is larger.
    let mut subst = Subst::new();
    for k in 0..shared.len() {
        let larger = (0..shared.len()).rev().filter(|host| *host != k && !shared[*host].is_gone());
        let host = larger.take(CANDIDATES).find(|host| {
            let (host, block) = (&shared[*host], &shared[k]);
            block.is_allocated() && sizes.fits(&block.size, &host.size) && host.can_be(block, &lives)
        });
        if let Some(host) = host {
            let gone = Shared {
                spans: std::mem::take(&mut shared[k].spans),
                members: std::mem::take(&mut shared[k].members),
                ..shared[k].clone()
            };
            shared[host].take(gone);
        }
    }
    for block in &shared {
        let others = block.members.iter().filter(|(root, _)| *root != block.root);
        subst.extend(others.map(|(root, _)| (*root, Atom::Var(block.root))));
    }
    subst
}

impl Shared {
    /// Whether it can be used instead of another one, sizes left aside.
    fn can_be(&self, other: &Shared, lives: &Lives) -> bool {
        self.space == other.space
            && !intersect(&self.spans, &other.spans)
            && other.members.iter().all(|(root, birth)| reaches(lives, self, *root, *birth))
    }

    fn take(&mut self, other: Shared) {
        self.spans.extend(other.spans);
        self.spans.sort_unstable();
        self.members.extend(other.members);
    }

    /// Whether it went into another one.
    fn is_gone(&self) -> bool {
        self.spans.is_empty()
    }

    /// Whether it is an allocation, which may go.
    fn is_allocated(&self) -> bool {
        self.members.first().is_some_and(|(root, _)| *root == self.root)
    }
}

/// The blocks of parameters that the function may overwrite.
fn consumed(function: &Function, blocks: &Blocks, lives: &Lives, sizes: &Sizes) -> Vec<Shared> {
    let mut found = Vec::new();
    for param in function.params.iter().filter(|param| param.unique) {
        let MemType::Array { shape, elem, mem, lmad } = &param.binder.ty else { continue };
        let space = function.params.iter().find_map(|other| match other.binder.ty {
            MemType::Mem(space) if other.binder.var == *mem => Some(space),
            _ => None,
        });
        let whole = lmad.equivalent(&Lmad::row_major(Poly::constant(0), &lmad.sizes()));
        let alone = function.params.iter().all(|other| {
            other.binder.var == param.binder.var || super::blocks::block(&other.binder.ty) != Some(*mem)
        });
        if let (Some(space), true, Some(birth), Some(Origin::Param { consumed: true })) =
            (space, whole && alone, lives.birth(*mem), blocks.origin(*mem))
        {
            let (size, spans) = (sizes.size(shape, *elem), lives.spans(*mem).to_vec());
            found.push(Shared { root: *mem, space, size, birth, spans, members: Vec::new() });
        }
    }
    found
}

/// Whether a block can be used instead of an allocation, as far as it matters where both are.
fn reaches(lives: &Lives, block: &Shared, root: Var, birth: (Time, usize)) -> bool {
    let (time, scope) = birth;
    if block.birth.0 >= time {
        return false;
    }
    for inner in lives.around(scope) {
        if inner == block.birth.1 {
            return true;
        }
        match lives.scope(inner).kind {
            ScopeKind::Kernel | ScopeKind::Operator => return false,
            ScopeKind::Loop if lives.carries(inner, root) => return false,
            ScopeKind::Loop | ScopeKind::Branch | ScopeKind::Function => {}
        }
    }
    false
}

fn drop_allocations(body: &mut Body, gone: &Subst) {
    body.statements.retain_mut(|statement| {
        for_each_body_mut(&mut statement.exp, &mut |inner| drop_allocations(inner, gone));
        let allocates = matches!(statement.exp, Exp::Op(MemOp::Alloc { .. }));
        !(allocates && statement.pattern.iter().any(|binder| gone.contains_key(&binder.var)))
    });
}
