//! What C compilers do not see of how a procedure reads its arrays, and are told.
//!
//! Rows whose cells the data choose (a table of counts, `counts[values[k]] += 1`) get a pointer to their first cell that compilers must keep: left
//! to themselves they add where the row starts to each index again, which took a histogram 4.4 ms where this takes 3.1.
//!
//! Loops that read neighbours (`a[i - 1] + a[i] + a[i + 1]`) take vectors of 32 bytes, not of 64: of two neighbours' vectors at most one
//! begins where a line of the cache does, and half as many of those with 32 bytes lie in two lines. A thousand steps of Jacobi's method took 51 ms
//! with 64 and 44 with 32, on a processor with two reads of 32 bytes in a cycle (Zen 4); 41 where the first iterations run apart, up to
//! one that writes at a multiple of 32 bytes. So do loops that write cells and compute little, where memory is what takes long: a triad of 40M
//! f32 took 16.8 ms with 64 and 13.8 with 32. Loops that compute more are better off with 64, as they have half as many instructions.
//! (With AVX-512 most loops that read neighbours do not load each of them at all: see `rows.rs`.)

use super::view::{Dim, Number};
use super::{Emit, Emitter};
use crate::names;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::cost::{MEMORY, static_cost};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::plain::is_plain;
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The windows of which data choose a cell in a loop that begins behind them.
pub(super) fn rows_that_data_choose(body: &[Statement]) -> BTreeSet<Var> {
    let mut rows = Rows::default();
    rows.body(body, 0);
    rows.chosen
}

#[derive(Default)]
struct Rows {
    /// What was computed from cells.
    from_data: BTreeSet<Var>,
    /// Windows, with the loops around them.
    windows: BTreeMap<Var, usize>,
    chosen: BTreeSet<Var>,
}

impl Rows {
    fn body(&mut self, body: &[Statement], loops: usize) {
        for statement in body {
            match &statement.kind {
                StatementKind::Let { var, value, .. }
                | StatementKind::Assign { var, value }
                | StatementKind::Declare { var, value: Some(value), .. }
                    if self.comes_from_data(value) =>
                {
                    self.from_data.insert(*var);
                }
                StatementKind::Window { var, .. } => {
                    self.windows.insert(*var, loops);
                }
                StatementKind::Write { view, indices, .. }
                | StatementKind::Accumulate { view, indices, .. } => self.access(*view, indices, loops),
                _ => {}
            }
            statement.kind.for_each_exp(&mut |exp| self.reads(exp, loops));
            let is_loop = matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
            statement.kind.for_each_body(&mut |body| self.body(body, loops + usize::from(is_loop)));
        }
    }

    fn reads(&mut self, exp: &Exp, loops: usize) {
        if let Exp::Read { view, indices } = exp {
            self.access(*view, indices, loops);
        }
        exp.for_each_child(&mut |child| self.reads(child, loops));
    }

    fn access(&mut self, view: Var, indices: &[Exp], loops: usize) {
        let is_before = self.windows.get(&view).is_some_and(|around| *around < loops);
        if is_before && indices.iter().any(|index| self.comes_from_data(index)) {
            self.chosen.insert(view);
        }
    }

    fn comes_from_data(&self, exp: &Exp) -> bool {
        let mut found = match exp {
            Exp::Read { .. } => true,
            Exp::Var(var) => self.from_data.contains(var),
            _ => false,
        };
        exp.for_each_child(&mut |child| found |= self.comes_from_data(child));
        found
    }
}

/// Whether shorter vectors suit the loop over `body`: it writes cells and computes little, or the loops in it that can run in vectors read
/// neighbours, each of them, and there is one.
pub(super) fn takes_short_vectors(body: &[Statement]) -> bool {
    if is_plain(body) {
        return waits_for_memory(body);
    }
    let (mut loops, mut found) = (0, 0);
    for_each_statement(body, &mut |statement| {
        if let StatementKind::For { var, kind: LoopKind::Simd, body, .. } = &statement.kind
            && is_plain(body)
        {
            loops += 1;
            found += usize::from(reads_neighbours(*var, body));
        }
    });
    loops > 0 && found == loops
}

/// Whether an iteration reads, computes and writes cells of one width, without branches, with no more than two cheap operators for each cell that it
/// touches. What is of several widths or has a choice is better off with long vectors, in which compilers have masks.
fn waits_for_memory(body: &[Statement]) -> bool {
    let (mut reads, mut writes, mut straight) = (0, 0, true);
    for statement in body {
        match &statement.kind {
            StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Window { .. } => {}
            StatementKind::Write { .. } => writes += 1,
            _ => return false,
        }
        statement.kind.for_each_exp(&mut |exp| straight &= reads_straight(exp, &mut reads));
    }
    straight
        && reads > 0
        && writes > 0
        && static_cost(body, &|_| None).cost <= 2.0 * MEMORY * (reads + writes) as f64
}

/// Counts the cells that an expression reads; `false` if it has a choice or a conversion.
fn reads_straight(exp: &Exp, reads: &mut usize) -> bool {
    let mut straight = !matches!(exp, Exp::Select(..) | Exp::Convert { .. });
    *reads += usize::from(matches!(exp, Exp::Read { .. }));
    exp.for_each_child(&mut |child| straight &= reads_straight(child, reads));
    straight
}

impl<'p> Emitter<'_, 'p> {
    /// Emits a loop that reads neighbours in two parts, of which the second writes where vectors are aligned; `false` if it is another one.
    pub(super) fn aligned_loop(&mut self, var: Var, end: &str, body: &'p [Statement]) -> Emit<bool> {
        let Some((view, indices)) = first_cell(var, body) else { return Ok(false) };
        let view = self.view(view)?;
        let side_by_side = matches!(view.dims.last(), Some(Dim { stride: Number::Const(1), .. }));
        if !side_by_side || view.elem == PrimType::Unit || self.is_remote(&view) {
            return Ok(false);
        }
        let name = names::variable(var);
        // the loop may have no iterations, and then the sum may be any number: it wraps around
        let named: Vec<Var> = indices
            .iter()
            .filter_map(|index| if let Exp::Var(var) = index { Some(*var) } else { None })
            .collect();
        let added: Vec<Var> = named.into_iter().filter(|var| self.wrapped.insert(*var)).collect();
        let at = self.address(&view, &indices)?.operand();
        added.iter().for_each(|var| _ = self.wrapped.remove(var));
        let gap = format!("fun_gap({}, (uint64_t){at}, {}, {end})", view.pointer, view.elem.bytes());
        self.lines.open(format!(
            "for (int64_t {name} = 0, {name}_stop = {gap}, {name}_part = 0; {name}_part < 2; {name}_part++, {name}_stop = {end}) {{"
        ));
        self.independent_loop(body, |emitter| {
            emitter.lines.open(format!("for (; {name} < {name}_stop; {name}++) {{"));
            emitter.depth += 1;
            emitter.body(body)?;
            emitter.depth -= 1;
            emitter.lines.close("}");
            Ok(())
        })?;
        self.lines.close("}");
        Ok(true)
    }
}

/// Where the first iteration of a loop that reads neighbours writes, if the next ones write the cells behind it: the view and indices there.
fn first_cell(counter: Var, body: &[Statement]) -> Option<(Var, Vec<Exp>)> {
    if !is_plain(body) || !reads_neighbours(counter, body) {
        return None;
    }
    let (mut distances, mut inside) = (BTreeMap::from([(counter, 0i64)]), BTreeSet::from([counter]));
    let mut cell = None;
    for statement in body {
        inside.extend(statement.kind.declares());
        match &statement.kind {
            StatementKind::Let { var, ty: PrimType::I64, value } => {
                distances.extend(distance(value, &distances).map(|distance| (*var, distance)));
            }
            StatementKind::Write { view, indices, .. } => cell = Some((*view, indices)),
            _ => {}
        }
    }
    let (view, indices) = cell?;
    let (last, outer) = indices.split_last()?;
    let is_outside = |exp: &Exp| match exp {
        Exp::Const(_) => true,
        Exp::Var(var) => !inside.contains(var),
        _ => false,
    };
    let first = Exp::i64(distance(last, &distances)?);
    let known = outer.iter().all(is_outside) && !inside.contains(&view);
    known.then(|| (view, outer.iter().cloned().chain([first]).collect()))
}

/// Whether a loop over `counter` reads cells of one view whose last indices are `counter` plus different numbers.
fn reads_neighbours(counter: Var, body: &[Statement]) -> bool {
    let mut distances = BTreeMap::from([(counter, 0i64)]);
    let mut places: BTreeMap<Var, BTreeSet<i64>> = BTreeMap::new();
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Let { var, ty: PrimType::I64, value } = &statement.kind
            && let Some(distance) = distance(value, &distances)
        {
            distances.insert(*var, distance);
        }
        statement.kind.for_each_exp(&mut |exp| places_in(exp, &distances, &mut places));
    });
    places.values().any(|places| places.len() > 1)
}

/// How far behind the counter an index is.
pub(super) fn distance(index: &Exp, distances: &BTreeMap<Var, i64>) -> Option<i64> {
    let constant = |exp: &Exp| if let Exp::Const(value) = exp { value.as_i64() } else { None };
    match index {
        Exp::Var(var) => distances.get(var).copied(),
        Exp::Bin(BinOp::Add, PrimType::I64, x, y) => match (constant(x), constant(y)) {
            (Some(n), None) => distance(y, distances)?.checked_add(n),
            (None, Some(n)) => distance(x, distances)?.checked_add(n),
            _ => None,
        },
        Exp::Bin(BinOp::Sub, PrimType::I64, x, y) => distance(x, distances)?.checked_sub(constant(y)?),
        _ => None,
    }
}

fn places_in(exp: &Exp, distances: &BTreeMap<Var, i64>, places: &mut BTreeMap<Var, BTreeSet<i64>>) {
    if let Exp::Read { view, indices } = exp
        && let Some(distance) = indices.last().and_then(|last| distance(last, distances))
    {
        places.entry(*view).or_default().insert(distance);
    }
    exp.for_each_child(&mut |child| places_in(child, distances, places));
}
