//! Iterations of a loop get blocks of their own for the rows of arrays that they touch, so that lanes have neighbouring cells in these.
//!
//! ```text
//! for i < n par {
//!   view y : f64 @ mem -> m*i + {(m : 1)}
//!   for k < m - 1 seq { y[k + 1] := add.f64(y[k + 1], mul.f64(a[i, k], y[k])) }
//! }
//! ```
//! becomes, before its iterations are spread,
//! ```text
//! for i < n par {
//!   alloc row : f64[m]      view row_cells : f64 @ row -> 0 + {(m : 1)}     view cells : f64 @ mem -> m*i + {(m : 1)}     copy row_cells <- cells
//!   (and so for the row of a)
//!   view y : f64 @ row -> 0 + {(m : 1)}
//!   for k < m - 1 seq { y[k + 1] := add.f64(y[k + 1], mul.f64(a_cells[k], y[k])) }
//!   copy cells <- row_cells      free row
//! }
//! ```
//! A row are the cells of an array whose first indices are counters of loops around and the counter of the loop last, side by side, perhaps with their dimensions in another order. It is known to lie inside of its
//! block: the last rows of all these loops end where the block does, or each iteration writes all of its row before it reads any of it. Where iterations write in the array, each touches its row alone, and nothing else that may lie in that
//! block. Where iterations of a parallel loop around have one row in common, none of them writes to its block. What an iteration writes all over first is not copied in, and what it only reads not back.

use crate::imp::copy::{declared_in, fresh};
use crate::imp::fuse_loops::access::Places;
use crate::imp::numbers::Numbers;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use imp::build::Builder;
use imp::ir::{Exp, InterfaceSize, InterfaceValue, Procedure, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// How many cells blocks have that a procedure allocates or is given, as factors.
pub(super) struct Blocks(BTreeMap<Var, Vec<Poly>>);

impl Blocks {
    pub(super) fn of(procedure: &Procedure, numbers: &Numbers) -> Blocks {
        let mut blocks = BTreeMap::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Alloc { var, shape, .. } = &statement.kind
                && let Some(shape) = shape.iter().map(|size| numbers.poly(size)).collect()
            {
                blocks.insert(*var, shape);
            }
        });
        for statement in &procedure.body {
            if let StatementKind::View { mem, lmad, .. } = &statement.kind
                && procedure.params.iter().any(|(param, _)| param == mem)
                && is_whole(lmad)
                && let Some(lmad) = resolved(lmad, numbers)
            {
                blocks.entry(*mem).or_insert_with(|| lmad.sizes());
            }
        }
        for value in procedure.interface.iter().flat_map(|interface| &interface.takes) {
            if let InterfaceValue::Array { mem, shape, place: None, .. } = value
                && let Some((mem, _)) = procedure.params.get(*mem)
                && let Some(shape) = shape.iter().map(|size| size_of(*size, procedure)).collect()
            {
                blocks.entry(*mem).or_insert(shape);
            }
        }
        Blocks(blocks)
    }
}

/// A size of an array that an entry point is given.
fn size_of(size: InterfaceSize, procedure: &Procedure) -> Option<Poly> {
    match size {
        InterfaceSize::At(at) => procedure.params.get(at).map(|(var, _)| Poly::var(*var)),
        InterfaceSize::Const(size) => Some(Poly::constant(size)),
    }
}

/// Whether a view is row-major from the start of its block.
fn is_whole(lmad: &Lmad) -> bool {
    *lmad == Lmad::row_major(Poly::constant(0), &lmad.sizes())
}

/// An index function by the variables that others are made of.
fn resolved(lmad: &Lmad, numbers: &Numbers) -> Option<Lmad> {
    let mut known = true;
    lmad.for_each_var(&mut |var| known &= !numbers.is_assigned(var));
    known.then(|| lmad.subst(&mut |var| numbers.poly(&Exp::Var(var)).unwrap_or_else(|| Poly::var(var))))
}

/// A loop, and those around it, outermost first.
pub(super) struct Loop<'l> {
    pub(super) counter: Var,
    pub(super) bound: &'l Exp,
    pub(super) body: &'l [Statement],
    pub(super) around: &'l [Around],
}

/// A loop around another one.
pub(super) struct Around {
    pub(super) counter: Var,
    pub(super) bound: Exp,
    /// What iterations do to memory, if they run side by side.
    pub(super) side_by_side: Option<Effects>,
}

/// What statements do to memory.
#[derive(Default)]
pub(super) struct Effects {
    /// The views through which they write.
    written: Vec<Var>,
    /// The blocks that they allocate.
    own: BTreeSet<Var>,
}

impl Effects {
    pub(super) fn of(body: &[Statement]) -> Effects {
        let mut effects = Effects::default();
        for_each_statement(body, &mut |statement| {
            effects.written.extend(statement.kind.writes());
            if let StatementKind::Alloc { var, .. } = &statement.kind {
                effects.own.insert(*var);
            }
        });
        effects
    }
}

/// Cells that lie side by side.
#[derive(Clone, PartialEq)]
struct Row {
    cells: Lmad,
    /// The dimensions as they follow in memory, outermost first.
    in_memory: Vec<LmadDim>,
    /// Whether the rows of all iterations are known to be in the block.
    inside: bool,
}

/// What is touched of a block.
struct Touched {
    view: Var,
    /// How many of its indices the row has as its place.
    fixed: usize,
    /// If it is a row of the loop.
    row: Option<Row>,
    written: bool,
}

/// The body of a loop with blocks for rows.
pub(super) struct WithRows {
    /// All that it declares has other names than before.
    pub(super) body: Vec<Statement>,
    /// How long a row is.
    pub(super) length: Exp,
    /// Whether all have a few cells, by constants.
    pub(super) few: bool,
}

/// Cells of rows that are few.
const FEW: i64 = 64;

/// The body with blocks for rows; `None` where there is no such row.
pub(super) fn with_rows(
    of: &Loop<'_>,
    blocks: &Blocks,
    places: &Places,
    numbers: &Numbers,
    b: &mut Builder,
) -> Option<WithRows> {
    let declared = declared_in(of.body);
    let rows = Rows { of, blocks, places, numbers, declared: &declared };
    let touched = rows.touched()?;
    let mut owned: Vec<Owned> = Vec::new();
    for (mem, (elem, all)) in &touched {
        let written = all.iter().any(|touched| touched.written);
        let mut of_block: Vec<Owned> = Vec::new();
        for touched in all {
            let Some(row) = &touched.row else { continue };
            let access = (touched.view, touched.fixed);
            match of_block.iter_mut().find(|owned| owned.row == *row) {
                Some(owned) => owned.accesses.push(access),
                None => of_block.push(Owned {
                    mem: *mem,
                    elem: *elem,
                    row: row.clone(),
                    accesses: vec![access],
                    written,
                }),
            }
        }
        // all that is touched through a view goes to one row
        of_block.retain(|owned| {
            let through = |touched: &&Touched| owned.accesses.iter().any(|(view, _)| *view == touched.view);
            let same = |touched: &Touched| touched.row.as_ref() == Some(&owned.row);
            all.iter().filter(through).all(same)
        });
        of_block.retain(|owned| owned.row.inside || owned.is_filled_first(of.body));
        let alone = || {
            of_block.len() == 1 && all.iter().all(|touched| touched.row.as_ref() == Some(&of_block[0].row))
        };
        let apart = || {
            let others = touched.iter().filter(|(other, _)| *other != mem).flat_map(|(_, (_, all))| all);
            let clash = |other: &Touched| {
                (written || other.written) && !places.in_different_blocks(all[0].view, other.view)
            };
            !others.into_iter().any(clash)
        };
        // what others may write at the same time is not copied as a whole
        let disputed = || of_block.iter().any(|owned| rows.is_disputed(*mem, all[0].view, &owned.row.cells));
        if (!written || alone()) && apart() && !disputed() {
            owned.extend(of_block);
        }
    }
    let length = size_exp(&owned.first()?.row.in_memory.last()?.size);
    let cells = |owned: &Owned| {
        let mut sizes = owned.row.in_memory.iter().map(|dim| dim.size.as_constant());
        sizes.try_fold(1, |product: i64, size| product.checked_mul(size?))
    };
    let few = owned.iter().all(|owned| cells(owned).is_some_and(|cells| cells <= FEW));
    Some(WithRows { body: rewritten(of, &owned, b), length, few })
}

/// A row that gets a block.
struct Owned {
    mem: Var,
    elem: PrimType,
    row: Row,
    /// The views through which it is touched, and how many of their indices are its place.
    accesses: Vec<(Var, usize)>,
    written: bool,
}

impl Owned {
    /// How many indices of an access are not there any more, if it is in the row.
    fn fixed(&self, view: Var) -> Option<usize> {
        self.accesses.iter().find(|(other, _)| *other == view).map(|(_, fixed)| *fixed)
    }

    /// Whether the first statement that touches the row writes all of it, and reads nothing of it.
    fn is_filled_first(&self, body: &[Statement]) -> bool {
        let touches = |statement: &&Statement| {
            let mut count = 0;
            for_each_statement(std::slice::from_ref(*statement), &mut |inner| count += self.touches(inner));
            count > 0
        };
        match body.iter().find(touches).map(|first| &first.kind) {
            Some(StatementKind::Copy { dest, source }) => {
                self.fixed(*dest).is_some() && self.fixed(*source).is_none()
            }
            Some(StatementKind::For { var, bound, body, .. }) => {
                let mut count = 0;
                for_each_statement(body, &mut |inner| count += self.touches(inner));
                let writes = |statement: &Statement| match &statement.kind {
                    StatementKind::Write { view, indices, .. } => {
                        let fixed = self.fixed(*view);
                        fixed.is_some_and(|fixed| indices.get(fixed..) == Some(&[Exp::Var(*var)][..]))
                    }
                    _ => false,
                };
                let sizes = self.row.cells.sizes();
                count == 1 && body.iter().any(writes) && matches!(&*sizes, [size] if size_exp(size) == *bound)
            }
            _ => false,
        }
    }

    /// How often the statement itself touches the row.
    fn touches(&self, statement: &Statement) -> usize {
        let mut count = 0;
        let mut touch = |view: Var| count += usize::from(self.fixed(view).is_some());
        statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut |view, _| touch(view)));
        match &statement.kind {
            StatementKind::Write { view, .. } | StatementKind::Accumulate { view, .. } => touch(*view),
            StatementKind::Copy { dest, source } => {
                touch(*dest);
                touch(*source);
            }
            _ => {}
        }
        count
    }
}

struct Rows<'r> {
    of: &'r Loop<'r>,
    blocks: &'r Blocks,
    places: &'r Places,
    numbers: &'r Numbers,
    declared: &'r BTreeSet<Var>,
}

impl Rows<'_> {
    /// What the loop touches of the blocks from outside, if it does nothing else.
    fn touched(&self) -> Option<BTreeMap<Var, (PrimType, Vec<Touched>)>> {
        let mut found: BTreeMap<Var, (PrimType, Vec<Touched>)> = BTreeMap::new();
        let mut plain = true;
        let mut touch = |view: Var, indices: Option<&[Exp]>, written: bool| {
            let Some((elem, mem, lmad)) = self.places.place(view) else {
                plain = false;
                return;
            };
            if self.declared.contains(&mem) {
                return;
            }
            let row = resolved(lmad, self.numbers).and_then(|lmad| self.row(mem, &lmad, indices));
            let (fixed, row) = row.map_or((0, None), |(fixed, row)| (fixed, Some(row)));
            let (first, all) = found.entry(mem).or_insert_with(|| (elem, Vec::new()));
            plain &= *first == elem;
            all.push(Touched { view, fixed, row, written });
        };
        let mut others = false;
        for_each_statement(self.of.body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |view, indices| touch(view, Some(indices), false));
            });
            match &statement.kind {
                StatementKind::Write { view, indices, .. }
                | StatementKind::Accumulate { view, indices, .. } => touch(*view, Some(indices), true),
                StatementKind::Copy { dest, source } => {
                    touch(*dest, None, true);
                    touch(*source, None, false);
                }
                StatementKind::Let { .. }
                | StatementKind::Declare { .. }
                | StatementKind::Assign { .. }
                | StatementKind::Alloc { .. }
                | StatementKind::Free(_)
                | StatementKind::View { .. }
                | StatementKind::Assert { .. }
                | StatementKind::For { .. }
                | StatementKind::While { .. }
                | StatementKind::If { .. } => {}
                _ => others = true,
            }
        });
        (plain && !others).then_some(found)
    }

    /// The row that an access is in, and how many of its indices say which one it is.
    fn row(&self, mem: Var, lmad: &Lmad, indices: Option<&[Exp]>) -> Option<(usize, Row)> {
        let counter = self.of.counter;
        let mut in_place = false;
        lmad.offset.for_each_var(&mut |var| in_place |= var == counter);
        let fixed = match indices {
            _ if in_place => 0,
            Some(indices) => indices.iter().position(|index| *index == Exp::Var(counter))? + 1,
            None => return None,
        };
        let first = indices.unwrap_or_default().get(..fixed)?;
        let first = first.iter().map(|index| self.numbers.poly(index)).collect::<Option<Vec<Poly>>>()?;
        let (outer, inner) = lmad.dims.split_at_checked(fixed)?;
        let place = Lmad { offset: lmad.offset.clone(), dims: outer.to_vec() };
        let row = Lmad { offset: place.apply(&first), dims: inner.to_vec() };
        let in_memory = in_memory(&row)?;
        let size = row.sizes().iter().fold(Poly::constant(1), |product, size| product.mul(size));
        let mut from_outside = true;
        row.for_each_var(&mut |var| from_outside &= var == counter || !self.declared.contains(&var));
        // lanes have neighbouring cells as it is
        let near = matches!(row.offset.step(counter).as_constant(), Some(-1..=1));
        let taken = !inner.is_empty() && from_outside && !near && size_known(&row);
        (taken && row.offset.step(counter) == size).then(|| {
            let inside = self.fills(mem, &row.offset, &size);
            (fixed, Row { cells: row, in_memory, inside })
        })
    }

    /// Whether iterations of a parallel loop around have the same row of a block, and write where it may lie.
    fn is_disputed(&self, mem: Var, view: Var, row: &Lmad) -> bool {
        let elsewhere = |other: &Var| self.places.in_different_blocks(view, *other);
        self.of.around.iter().any(|around| {
            let Some(Effects { written, own }) = &around.side_by_side else { return false };
            let stays = row.offset.step(around.counter).as_constant() == Some(0);
            stays && !own.contains(&mem) && !written.iter().all(elsewhere)
        })
    }

    /// Whether the rows of all iterations are in the block: the first begins with it, and the last ends with it.
    fn fills(&self, mem: Var, offset: &Poly, size: &Poly) -> bool {
        let Some(shape) = self.blocks.0.get(&mem) else { return false };
        // of arrays in the block: these are not negative
        let mut strides = vec![Poly::constant(1)];
        strides.extend(shape.iter().rev().scan(Poly::constant(1), |product, size| {
            *product = product.mul(size);
            Some(product.clone())
        }));
        let (mut rest, mut last) = (offset.clone(), size.clone());
        let around = self.of.around.iter().map(|around| (around.counter, &around.bound));
        for (counter, bound) in around.chain([(self.of.counter, self.of.bound)]) {
            let step = offset.step(counter);
            if step.as_constant() == Some(0) {
                continue;
            }
            let Some(bound) = self.numbers.poly(bound) else { return false };
            if !strides.contains(&step) {
                return false;
            }
            rest = rest.sub(&step.mul(&Poly::var(counter)));
            last = last.add(&step.mul(&bound.sub(&Poly::constant(1))));
        }
        rest.as_constant() == Some(0) && strides.last() == Some(&last)
    }
}

/// The dimensions of a row as they follow in memory, outermost first, if its cells lie side by side.
fn in_memory(row: &Lmad) -> Option<Vec<LmadDim>> {
    let mut cells = Poly::constant(1);
    let (mut rest, mut order) = (row.dims.clone(), Vec::new());
    while let Some(at) = rest.iter().rposition(|dim| dim.stride == cells) {
        cells = cells.mul(&rest[at].size);
        order.insert(0, rest.remove(at));
    }
    rest.is_empty().then_some(order)
}

/// Whether the sizes of a row are numbers or variables.
fn size_known(row: &Lmad) -> bool {
    row.dims.iter().all(|dim| dim.size.as_constant().is_some() || dim.size.as_var().is_some())
}

fn size_exp(size: &Poly) -> Exp {
    size.as_var().map_or_else(|| Exp::i64(size.as_constant().unwrap_or_default()), Exp::Var)
}

/// The body with these rows in blocks of their own.
fn rewritten(of: &Loop<'_>, owned: &[Owned], b: &mut Builder) -> Vec<Statement> {
    let (body, ()) = b.nested(|b| {
        let mut body = of.body.to_vec();
        let mut back = Vec::new();
        for row in owned {
            let Row { cells, in_memory, .. } = &row.row;
            // in the order of the array, so that whole rows are copied
            let shape = in_memory.iter().map(|dim| size_exp(&dim.size)).collect();
            let block = b.alloc("row", row.elem, shape, Space::Default);
            let start = |dims: &[LmadDim]| Lmad { offset: Poly::constant(0), dims: dims.to_vec() };
            let own = start(&cells.dims);
            let view = b.view("row", row.elem, block, own.clone());
            let to = match *in_memory == cells.dims {
                true => view,
                false => b.view("row", row.elem, block, start(in_memory)),
            };
            let cells = Lmad { offset: cells.offset.clone(), dims: in_memory.clone() };
            let cells = b.view("cells", row.elem, row.mem, cells);
            let place = Place { row, block, view, own };
            if !row.is_filled_first(&body) {
                b.copy(to, cells);
            }
            place.redirect(&mut body);
            back.push((block, row.written.then_some((cells, to))));
        }
        b.push_all(body);
        for (block, copied) in back {
            if let Some((cells, own)) = copied {
                b.copy(cells, own);
            }
            b.push(StatementKind::Free(block));
        }
    });
    fresh(&body, &mut b.names)
}

/// Where a row is.
struct Place<'r> {
    row: &'r Owned,
    block: Var,
    /// The row as a view, and its index function.
    view: Var,
    own: Lmad,
}

impl Place<'_> {
    /// Accesses go to the block.
    fn redirect(&self, body: &mut [Statement]) {
        for statement in body {
            statement.kind.for_each_exp_mut(&mut |exp| self.redirect_reads(exp));
            match &mut statement.kind {
                StatementKind::View { var, mem, lmad, .. } if self.row.fixed(*var) == Some(0) => {
                    (*mem, *lmad) = (self.block, self.own.clone());
                }
                StatementKind::Write { view, indices, .. }
                | StatementKind::Accumulate { view, indices, .. } => {
                    self.redirect_access(view, indices);
                }
                _ => {}
            }
            statement.kind.for_each_body_mut(&mut |inner| self.redirect(inner));
        }
    }

    fn redirect_reads(&self, exp: &mut Exp) {
        if let Exp::Read { view, indices } = exp {
            self.redirect_access(view, indices);
        }
        exp.for_each_child_mut(&mut |child| self.redirect_reads(child));
    }

    fn redirect_access(&self, view: &mut Var, indices: &mut Vec<Exp>) {
        if let Some(fixed) = self.row.fixed(*view).filter(|fixed| *fixed > 0) {
            *view = self.view;
            indices.drain(..fixed);
        }
    }
}
