//! Nests that read arrays near the place of their iteration, and which of these arrays tiles pay for.

use super::Sizes;
use crate::imp::copy::{can_fail, declared_in};
use crate::imp::different_blocks::Known;
use crate::imp::distance::{Axis, Number, Numbers};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Where views lie that are declared outside of a nest.
pub(super) type Views = BTreeMap<Var, (PrimType, Lmad)>;

/// Parallel loops in each other, with nothing between but names of places and numbers.
pub(super) struct Nest {
    /// The loops around the axes, and what stands before the next loop.
    pub(super) around: Vec<(Axis, Vec<Statement>)>,
    /// The innermost loop, and the one around it if there is one.
    pub(super) axes: Vec<Axis>,
    /// What an iteration does.
    pub(super) body: Vec<Statement>,
}

/// What an index of a tiled array is.
#[derive(Clone, PartialEq)]
pub(super) enum Place {
    /// The same for all iterations of the axes.
    Same(Exp),
    /// Near the counter of this axis.
    Near(usize),
}

/// Reads of an array near the place of the iteration.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) view: Var,
    pub(super) elem: PrimType,
    /// One for each dimension of the array.
    pub(super) places: Vec<Place>,
    /// How many elements a dimension has.
    pub(super) sizes: Vec<Exp>,
    /// The least and greatest distance for each axis.
    pub(super) reach: Vec<(i64, i64)>,
    /// For each axis whether indices go on at the other end.
    pub(super) wraps: Vec<bool>,
    /// How often an iteration reads.
    reads: i64,
}

impl Nest {
    /// The nest that a parallel loop is.
    pub(super) fn of(statement: &Statement) -> Option<Nest> {
        if !matches!(statement.kind, StatementKind::For { kind: LoopKind::Par, .. }) {
            return None;
        }
        let (mut loops, mut body) = (Vec::new(), vec![statement.clone()]);
        while let Some(Statement { kind: StatementKind::For { var, ty, bound, kind, body: inner }, .. }) =
            body.last()
        {
            let is_point = *ty == PrimType::I64 && matches!(kind, LoopKind::Par | LoopKind::Simd);
            let is_plain = matches!(bound, Exp::Var(_) | Exp::Const(_));
            if !is_point || !is_plain || !body[..body.len() - 1].iter().all(is_name) {
                break;
            }
            let axis = Axis { counter: *var, bound: bound.clone() };
            let inner = inner.clone();
            body.pop();
            loops.push((axis, std::mem::replace(&mut body, inner)));
        }
        let own = declared_in(std::slice::from_ref(statement));
        let outside = |axis: &Axis| !matches!(&axis.bound, Exp::Var(var) if own.contains(var));
        if !loops.iter().all(|(axis, _)| outside(axis)) || !is_simple(&body) {
            return None;
        }
        // what stands before a loop belongs to the loop around it
        let first_axis = loops.len().saturating_sub(2);
        let (mut around, mut axes, mut first) =
            (Vec::<(Axis, Vec<Statement>)>::new(), Vec::new(), Vec::new());
        for (at, (axis, before)) in loops.into_iter().enumerate() {
            if at > first_axis {
                first.extend(before);
            } else if let Some((_, inside)) = around.last_mut() {
                *inside = before;
            }
            if at < first_axis { around.push((axis, Vec::new())) } else { axes.push(axis) }
        }
        first.append(&mut body);
        (!axes.is_empty()).then_some(Nest { around, axes, body: first })
    }

    /// The arrays that tiles pay for.
    pub(super) fn groups(&self, views: &Views, blocks: &Known, sizes: &Sizes) -> Vec<Group> {
        let inside = declared_in(&self.body);
        let mut survey = Survey::new(self, views, &inside);
        survey.statements(&self.body, 1);
        let written = self.written();
        let mut groups = survey.found;
        groups.retain(|group| {
            let apart = |to: &Var| inside.contains(to) || blocks.are_different(group.view, *to);
            group.pays(sizes) && written.iter().all(apart)
        });
        groups.sort_by_key(|group| -group.reads);
        let mut left = sizes.shared_bytes;
        groups.retain(|group| {
            let bytes = group.bytes(&sizes.tile(self.axes.len()));
            let fits = bytes <= left;
            left -= if fits { bytes } else { 0 };
            fits
        });
        groups
    }

    /// Whether there are arrays that tiles might pay for.
    pub(super) fn may_pay(&self, views: &Views, sizes: &Sizes) -> bool {
        let inside = declared_in(&self.body);
        let mut survey = Survey::new(self, views, &inside);
        survey.statements(&self.body, 1);
        survey.found.iter().any(|group| group.pays(sizes))
    }

    /// What iterations write: views from outside, and blocks from outside that views inside see.
    fn written(&self) -> BTreeSet<Var> {
        let mut seen: BTreeMap<Var, Var> = BTreeMap::new();
        let mut written = BTreeSet::new();
        let around = self.around.iter().flat_map(|(_, before)| before);
        for statement in around.chain(&self.body) {
            for_each_statement(std::slice::from_ref(statement), &mut |statement| {
                match &statement.kind {
                    StatementKind::View { var, mem: of, .. }
                    | StatementKind::Window { var, view: of, .. } => {
                        seen.insert(*var, seen.get(of).copied().unwrap_or(*of));
                    }
                    _ => {}
                }
                written.extend(statement.kind.writes().map(|to| seen.get(&to).copied().unwrap_or(to)));
            });
        }
        written
    }
}

/// Whether a statement is a name for a number or a place, and the same for all that are in a loop with it.
fn is_name(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Let { value, .. } => !can_fail(value) && !value.reads(),
        StatementKind::View { .. } => true,
        _ => false,
    }
}

/// Whether a thread can do this without memory but what is there, on the stack or shared.
fn is_simple(body: &[Statement]) -> bool {
    let mut simple = true;
    for_each_statement(body, &mut |statement| {
        simple &= match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { ty: ImpType::Prim(_), .. }
            | StatementKind::Assign { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Alloc { space: Space::Stack, .. }
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::If { .. }
            | StatementKind::While { .. } => true,
            StatementKind::For { kind, .. } => {
                matches!(kind, LoopKind::Seq | LoopKind::Fold | LoopKind::Unroll)
            }
            _ => false,
        };
    });
    simple
}

/// A size, if it is a number or a variable.
fn size_of(dim: &LmadDim) -> Option<Exp> {
    let constant = dim.size.as_constant().map(Exp::i64);
    constant.or_else(|| dim.size.as_var().map(Exp::Var))
}

impl Group {
    /// Whether threads read it so often that a tile pays.
    fn pays(&self, sizes: &Sizes) -> bool {
        let rows = match self.reach.as_slice() {
            [(low, high), _] => high - low + 1,
            _ => 1,
        };
        self.reads >= if rows > 1 { sizes.reads } else { sizes.reads_of_row }
    }

    /// The sizes of a tile around that many cells.
    pub(super) fn extents(&self, tile: &[i64]) -> Vec<i64> {
        tile.iter().zip(&self.reach).map(|(tile, (low, high))| tile + high - low).collect()
    }

    fn bytes(&self, tile: &[i64]) -> i64 {
        let cells: i64 = self.extents(tile).iter().product();
        cells * i64::from(self.elem.bytes())
    }

    /// What a tile has in place of a read of the array: the distances of its indices from those of the first cell.
    pub(super) fn indices(&self, numbers: &Numbers, view: Var, indices: &[Exp]) -> Option<Vec<Exp>> {
        let read = places(numbers, self.reach.len(), indices).filter(|_| view == self.view)?;
        let same = read.iter().zip(&self.places).all(|(read, place)| read.place == *place);
        same.then(|| of_axes(&read, self.reach.len()).into_iter().map(|read| read.index.clone()).collect())
    }
}

/// An index of a read.
struct Index {
    place: Place,
    reach: (i64, i64),
    wraps: bool,
    /// Its number, before it goes on at the other end.
    index: Exp,
}

/// The indices of a read, if each axis has one and all others are the same for all iterations of the axes.
fn places(numbers: &Numbers, axes: usize, indices: &[Exp]) -> Option<Vec<Index>> {
    let mut found = Vec::with_capacity(indices.len());
    for index in indices {
        found.push(match numbers.of(index)? {
            Number::Near { axis: Some(axis), low, high } => {
                Index { place: Place::Near(axis), reach: (low, high), wraps: false, index: index.clone() }
            }
            Number::Wrapped { axis, low, high, of } => {
                Index { place: Place::Near(axis), reach: (low, high), wraps: true, index: of }
            }
            Number::Near { axis: None, low, high } if low == high => {
                Index { place: Place::Same(Exp::i64(low)), reach: (0, 0), wraps: false, index: index.clone() }
            }
            Number::Same(exp) => {
                Index { place: Place::Same(exp), reach: (0, 0), wraps: false, index: index.clone() }
            }
            Number::Near { .. } | Number::Last(_) => return None,
        });
    }
    let each_once =
        (0..axes).all(|axis| found.iter().filter(|index| index.place == Place::Near(axis)).count() == 1);
    each_once.then_some(found)
}

/// The indices near the counters of axes, in the order of these.
fn of_axes(indices: &[Index], axes: usize) -> Vec<&Index> {
    (0..axes).filter_map(|axis| indices.iter().find(|index| index.place == Place::Near(axis))).collect()
}

/// Finds the reads of a body.
struct Survey<'n> {
    numbers: Numbers<'n>,
    views: &'n Views,
    axes: &'n [Axis],
    found: Vec<Group>,
}

impl<'n> Survey<'n> {
    fn new(nest: &'n Nest, views: &'n Views, inside: &'n BTreeSet<Var>) -> Survey<'n> {
        Survey { numbers: Numbers::new(&nest.axes, inside), views, found: Vec::new(), axes: &nest.axes }
    }

    fn statements(&mut self, list: &[Statement], times: i64) {
        for statement in list {
            statement.kind.for_each_exp(&mut |exp| self.reads(exp, times));
            self.numbers.passed(statement);
            let repeats = statement.kind.constant_loop().map_or(1, |(_, count, ..)| count.clamp(0, 1 << 10));
            let times = (times * repeats).min(1 << 20);
            statement.kind.for_each_body(&mut |body| self.statements(body, times));
        }
    }

    fn reads(&mut self, exp: &Exp, times: i64) {
        exp.for_each_child(&mut |child| self.reads(child, times));
        if let Exp::Read { view, indices } = exp {
            self.read(*view, indices, times);
        }
    }

    fn read(&mut self, view: Var, indices: &[Exp], times: i64) -> Option<()> {
        let (elem, lmad) = self.views.get(&view)?;
        let read = places(&self.numbers, self.axes.len(), indices)?;
        let sizes = lmad.dims.iter().map(size_of).collect::<Option<Vec<Exp>>>()?;
        // neighbouring threads read neighbouring cells
        let innermost = Place::Near(self.axes.len() - 1);
        let along = read.iter().position(|index| index.place == innermost)?;
        if lmad.dims.len() != read.len() || lmad.dims[along].stride.as_constant() != Some(1) {
            return None;
        }
        for (index, size) in read.iter().zip(&sizes) {
            if let (Place::Near(axis), true) = (&index.place, index.wraps)
                && self.axes[*axis].bound != *size
            {
                return None;
            }
        }
        let own = of_axes(&read, self.axes.len());
        let places: Vec<Place> = read.iter().map(|index| index.place.clone()).collect();
        let alike = |group: &&mut Group| group.view == view && group.places == places;
        if let Some(group) = self.found.iter_mut().find(alike) {
            group.reads += times;
            for ((reach, wraps), index) in group.reach.iter_mut().zip(&mut group.wraps).zip(own) {
                *reach = (reach.0.min(index.reach.0), reach.1.max(index.reach.1));
                *wraps |= index.wraps;
            }
            return Some(());
        }
        let reach = own.iter().map(|index| index.reach).collect();
        let wraps = own.iter().map(|index| index.wraps).collect();
        self.found.push(Group { view, elem: *elem, places, sizes, reach, wraps, reads: times });
        Some(())
    }
}
