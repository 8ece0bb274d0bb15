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
//! A kernel's result may go into the block of what the kernel reads for the last time, if each point overwrites only what no other point
//! reads (see [`super::short_circuit::in_place`]).
//!
//! On devices blocks are shared by arrays of one element type alone: where threads have copies of a block, their cells lie between each other, which
//! takes cells of one width.
//!
//! When one block is known to be large enough stands in [`sizes`]. Functions are taken callees first: where a function has begun to give
//! a block that it is given, its callers must know.
//!
//! Requires and ensures M1–M9. Cost: n log n in the size of the program, times the number of blocks compared for an allocation, which
//! has a limit.

mod sizes;

use super::blocks::{Blocks, Origin, Summaries, drop_allocations};
use super::last_use::{Lives, ScopeKind, Span, Time, intersect};
use super::short_circuit::in_place::{Overwrites, overwrites};
use crate::evidence::PassEvidence;
use fun::ir::Atom;
use fun::visit::names::{Subst, name_source, subst_body};
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use fun_index::certificate::{Certificate, Decision};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Function, Mem, MemType, Program, Space};
use sizes::{Size, Sizes};
use std::collections::{BTreeMap, BTreeSet};

/// How many blocks are looked at for an allocation, those of equal size apart: the youngest first. And what may be more blocks than that
/// is not written over in place: at the end of long chains of loops all but one of them are mostly in use.
const CANDIDATES: usize = 64;

/// Whose blocks may be used for an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    /// Those of arrays of any type.
    Any,
    /// Those of arrays with elements of the same type.
    Same,
}

/// Reuses blocks of a program.
pub fn run(program: Program, given: &mut PassEvidence) -> Program {
    reuse(program, Elements::Any, given)
}

/// Reuses blocks of a program for a device.
pub fn run_device(program: Program, given: &mut PassEvidence) -> Program {
    reuse(program, Elements::Same, given)
}

fn reuse(mut program: Program, elements: Elements, given: &mut PassEvidence) -> Program {
    let mut summaries = Summaries::default();
    let mut names = name_source(&program);
    for function in &mut program.functions {
        let blocks = Blocks::of_function(function, &mut summaries);
        let subst = colour(function, &blocks, elements, &mut names, given);
        if !subst.is_empty() {
            drop_allocations(&mut function.body, &|block| !subst.contains_key(&block));
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
    /// The type of its arrays' elements, where that matters.
    elem: Option<PrimType>,
    size: Size,
    birth: (Time, usize),
    /// When it is live: in order, disjoint.
    spans: Vec<Span>,
    /// The allocations that use it, with where they are: itself first, unless it is a parameter.
    members: Vec<(Var, (Time, usize))>,
    /// Its root and those of the members.
    roots: BTreeSet<Var>,
}

/// Which allocations go, and whose block is used instead.
fn colour(
    function: &Function,
    blocks: &Blocks,
    elements: Elements,
    names: &mut NameSource,
    given: &mut PassEvidence,
) -> Subst {
    let lives = Lives::of_function(function, blocks);
    let mut overwrites =
        overwrites(function, blocks, names, given.findings(function.name), &|read, written, array| {
            let may_end = |root: Var| match blocks.origin(root) {
                Some(Origin::Alloc { .. } | Origin::Param { consumed: true }) => true,
                Some(Origin::Param { consumed: false } | Origin::Call) | None => false,
            };
            let Some(kernel) = lives.making_of(array) else { return Vec::new() };
            // Of each block the one that is live when the kernel begins, or the next one.
            let at = |root: Var| {
                let spans = lives.spans(root);
                spans.get(spans.partition_point(|span| span.end < kernel.start))
            };
            if at(written).is_none_or(|span| span.start != kernel.start) {
                return Vec::new();
            }
            let ends =
                |root: Var| at(root).is_some_and(|span| span.start < kernel.start && span.end <= kernel.end);
            let few = |mem: &&Var| blocks.root_set(**mem).numbers().nth(CANDIDATES).is_none();
            let roots: BTreeSet<Var> = read.iter().filter(few).flat_map(|mem| blocks.roots(*mem)).collect();
            roots.into_iter().filter(|root| ends(*root) && may_end(*root)).collect()
        });
    let sizes = Sizes::of_function(function);
    let matters = |elem: PrimType| (elements == Elements::Same).then_some(elem);
    let mut shared: Vec<Shared> = consumed(function, blocks, &lives, &sizes, &matters);
    let mut allocations = Vec::new();
    for (root, origin) in blocks.all_roots() {
        if let (Origin::Alloc { space, shape, elem }, Some(birth)) = (origin, lives.birth(root))
            && let Some(first) = lives.spans(root).first()
        {
            let kind = (*space, matters(*elem));
            allocations.push((first.start, birth, root, kind, sizes.size(shape, *elem)));
        }
    }
    allocations.sort_by_key(|(first, birth, ..)| (*first, *birth));
    // First those of equal size share, in order of their first use.
    let mut equal: BTreeMap<Size, Vec<usize>> = BTreeMap::new();
    for (k, block) in shared.iter().enumerate() {
        equal.entry(block.size.clone()).or_default().push(k);
    }
    for (_, birth, root, (space, elem), size) in allocations {
        let spans = lives.spans(root).to_vec();
        let new = Shared {
            root,
            space,
            elem,
            size,
            birth,
            spans,
            members: vec![(root, birth)],
            roots: BTreeSet::from([root]),
        };
        let same = equal.entry(new.size.clone()).or_default();
        let mut candidates = same.iter().rev().take(CANDIDATES);
        match candidates.find_map(|k| Some((*k, shared[*k].spans_with(&new, blocks, &lives, &overwrites)?))) {
            Some((k, spans)) => {
                given.certificates.extend(shared[k].overwritten(&new, &mut overwrites));
                shared[k].take(new, spans);
            }
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
        let host = larger.take(CANDIDATES).find_map(|at| {
            let (host, block) = (&shared[at], &shared[k]);
            let fits = block.is_allocated() && sizes.fits(&block.size, &host.size);
            fits.then(|| Some((at, host.spans_with(block, blocks, &lives, &overwrites)?))).flatten()
        });
        if let Some((host, spans)) = host {
            let gone = Shared {
                spans: std::mem::take(&mut shared[k].spans),
                members: std::mem::take(&mut shared[k].members),
                roots: std::mem::take(&mut shared[k].roots),
                ..shared[k].clone()
            };
            given.certificates.extend(shared[host].overwritten(&gone, &mut overwrites));
            shared[host].take(gone, spans);
        }
    }
    for block in &shared {
        let others = block.members.iter().filter(|(root, _)| *root != block.root);
        subst.extend(others.map(|(root, _)| (*root, Atom::Var(block.root))));
    }
    subst
}

impl Shared {
    /// When it would be live besides, or nothing if that is as now, if it can be used instead of another one, sizes left aside. Where a
    /// kernel writes over what it reads, the life of that ends with the kernel's beginning.
    fn spans_with(
        &self,
        other: &Shared,
        blocks: &Blocks,
        lives: &Lives,
        overwrites: &Overwrites,
    ) -> Option<Option<Vec<Span>>> {
        let fits = (self.space, self.elem) == (other.space, other.elem)
            && other.members.iter().all(|(root, birth)| reaches(blocks, lives, self, *root, *birth));
        if !fits {
            return None;
        }
        if !intersect(&self.spans, &other.spans) {
            return Some(None);
        }
        let overwritten = self.overwritten_by(other, overwrites);
        if overwritten.is_empty() {
            return None;
        }
        let mut spans = self.spans.clone();
        for (_, _, array) in overwritten {
            let Some(kernel) = lives.making_of(array) else { continue };
            for span in &mut spans {
                if span.start < kernel.start && kernel.start <= span.end && span.end <= kernel.end {
                    span.end = kernel.start - 1;
                }
            }
        }
        (!intersect(&spans, &other.spans)).then_some(Some(spans))
    }

    /// Where one of its roots is read while one of another's is written: the latter, the former, and the array that is made.
    fn overwritten_by(&self, other: &Shared, overwrites: &Overwrites) -> Vec<(Var, Var, Var)> {
        let written = other.members.iter().filter_map(|(member, _)| Some((*member, overwrites.get(member)?)));
        let pairs = written.flat_map(|(written, reads)| {
            reads.iter().map(move |(read, (array, _))| (written, *read, *array))
        });
        pairs.filter(|(_, read, _)| self.roots.contains(read)).collect()
    }

    /// Certificates for the kernels that write over what they read when another one comes in.
    fn overwritten(&self, other: &Shared, overwrites: &mut Overwrites) -> Vec<Certificate> {
        if !intersect(&self.spans, &other.spans) {
            return Vec::new();
        }
        let kernels = self.overwritten_by(other, overwrites).into_iter();
        let kernels = kernels.filter_map(|(written, read, _)| overwrites.get_mut(&written)?.remove(&read));
        let decision = Decision::InPlaceKernel;
        kernels.map(|(at, evidence)| Certificate { decision, at, loc: None, evidence }).collect()
    }

    /// Takes in another one; `spans` is when it is live besides, if that changes.
    fn take(&mut self, other: Shared, spans: Option<Vec<Span>>) {
        self.spans = spans.unwrap_or(std::mem::take(&mut self.spans));
        // Blocks come in the order in which they are used, so this is mostly at the end.
        for span in other.spans {
            let place = self.spans.partition_point(|before| *before < span);
            self.spans.insert(place, span);
        }
        self.members.extend(other.members);
        self.roots.extend(other.roots);
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
fn consumed(
    function: &Function,
    blocks: &Blocks,
    lives: &Lives,
    sizes: &Sizes,
    matters: &dyn Fn(PrimType) -> Option<PrimType>,
) -> Vec<Shared> {
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
            found.push(Shared {
                root: *mem,
                space,
                elem: matters(*elem),
                size,
                birth,
                spans,
                members: Vec::new(),
                roots: BTreeSet::from([*mem]),
            });
        }
    }
    found
}

/// Whether a block can be used instead of an allocation, as far as it matters where both are.
fn reaches(blocks: &Blocks, lives: &Lives, block: &Shared, root: Var, birth: (Time, usize)) -> bool {
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
            ScopeKind::Loop if lives.carries(blocks, inner, root) => return false,
            ScopeKind::Loop | ScopeKind::Branch | ScopeKind::Function => {}
        }
    }
    false
}
