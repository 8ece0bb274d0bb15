//! Nests whose sums stay in registers: a loop in order around loops over the rows and columns of a small block on the stack, or over the
//! elements of a small row.
//!
//! ```text
//! for k < m seq { for r < 12 unroll { let x = a[i, k]; for c < 32 simd { sums[r, c] := fma.f32(x, b[k, c], sums[r, c]) } } }
//! ```
//! becomes, for 6 rows and as many columns as 12 vectors hold, and then for the others,
//! ```text
//! sums[0 .. 6, c .. c + 8] into registers
//! for k < m, by 4 { for each r: x in all lanes; two vectors of b, the same for all rows; fma; … for k + 1, k + 2, k + 3 }
//! for what is left of m { the same one by one }
//! back into sums[0 .. 6, c .. c + 8]
//! ```
//! Legal where the nest writes nothing but cells of the block of its own row and column: then other columns do not see when it does so,
//! and each sum has its own order. Blocks on the stack are only seen through their views (I9), so no other view shows the cells. A nest without rows
//! may write other cells too, as all its columns are one strip: it does so in the order of the program.

use super::lane::{Lane, Lanes, vector_access, vector_type};
use super::plan::{Plan, Planner};
use super::{Binding, Emit, Emitter, MOST_INSTRUCTIONS, NARROW, Widths};
use cranelift_codegen::ir::{InstBuilder, Value};
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;
use std::ops::Range;

/// Vectors that stay in registers: of 16, some are left for operands.
const REGISTERS: i64 = 12;
/// Rows at once: two vectors of each fill the registers.
const MOST_ROWS: i64 = 6;
/// Parts of the rows, each of which reads the columns again.
const MOST_PARTS: i64 = 4;

/// Rounds written one after the other: between them, sums need not go back to the registers that they came in. Where our own generator assigns
/// registers, sums stay where they are, and what one round reads would only be kept for the next ones.
const ROUNDS: i64 = 4;
/// Instructions that these have together at most, roughly.
const MOST_OF_ROUNDS: i64 = 200;

/// A nest of this form.
pub(super) struct Nest<'p> {
    rows: i64,
    /// The counter of the rows, if the block has any.
    row: Option<Var>,
    /// What is computed for each row before its columns.
    of_row: &'p [Statement],
    columns: i64,
    column: Var,
    /// The indices of a sum.
    own: Vec<Exp>,
    body: &'p [Statement],
    plan: Plan<'p>,
    /// The blocks of sums.
    sums: BTreeSet<Var>,
    /// What is read elsewhere in each iteration, which nothing writes meanwhile.
    advancing: BTreeSet<Var>,
}

/// What is computed of a nest at once.
struct Strip {
    rows: Range<i64>,
    columns: Range<i64>,
}

impl Strip {
    /// Where its vectors begin.
    fn vectors(&self, lanes: i64) -> impl Iterator<Item = i64> {
        self.columns.clone().step_by(lanes as usize)
    }
}

impl Nest<'_> {
    fn bind_row(&self, lanes: &mut Lanes, number: i64) {
        if let Some(row) = self.row {
            lanes.bind(row, PrimType::I64, Lane::Const(PrimValue::I64(number)));
        }
    }
}

impl<'p> Emitter<'_, 'p> {
    fn nest(&self, var: Var, body: &'p [Statement]) -> Option<Nest<'p>> {
        let [statement] = body else { return None };
        let (row, rows, inner) = match statement.kind.constant_loop()? {
            (row, rows, LoopKind::Unroll, inner) => (Some(row), rows, inner),
            (_, _, LoopKind::Simd, _) => (None, 1, body),
            _ => return None,
        };
        let (last, of_row) = inner.split_last()?;
        let (column, columns, LoopKind::Simd, body) = last.kind.constant_loop()? else { return None };
        if !self.unit.has_avx {
            return None;
        }
        let mut planner = Planner::new(self, column);
        row.into_iter().for_each(|row| planner.uniform(row, PrimType::I64));
        for statement in of_row {
            let StatementKind::Let { var, ty, .. } = &statement.kind else { return None };
            planner.uniform(*var, *ty);
        }
        let plan = planner.plan(body, Some(columns)).ok().filter(|plan| plan.regions.is_empty())?;
        let own: Vec<Exp> = row.into_iter().chain([column]).map(Exp::Var).collect();
        let (mut sums, mut blocks) = (BTreeSet::new(), BTreeSet::new());
        let mut elsewhere = Vec::new();
        for statement in body {
            match &statement.kind {
                StatementKind::Write { view, indices, .. } => match self.stack_block_of(*view) {
                    Some(block) if indices[..] == own => {
                        sums.insert(*view);
                        blocks.insert(block);
                    }
                    block => elsewhere.push(block),
                },
                // what is assigned is declared here, as each iteration of a loop over lanes has its own
                StatementKind::Let { .. } | StatementKind::Declare { .. } | StatementKind::Assign { .. } => {}
                _ => return None,
            }
        }
        let mut private = elsewhere
            .iter()
            .all(|block| row.is_none() && !block.is_some_and(|block| blocks.contains(&block)));
        let mut widths = BTreeSet::new();
        for view in &sums {
            widths.insert(self.view(*view).ok()?.elem.bytes());
        }
        let mut look = |exp: &Exp| {
            exp.for_each_read(&mut |view, indices| {
                private &= match self.stack_block_of(view) {
                    Some(block) if blocks.contains(&block) => sums.contains(&view) && indices[..] == own,
                    _ => true,
                };
            });
        };
        for_each_statement(body, &mut |statement| statement.kind.for_each_exp(&mut look));
        for_each_statement(of_row, &mut |statement| statement.kind.for_each_exp(&mut look));
        // what fails would leave sums in registers
        let fits = private
            && !plan.asserts
            && blocks.len() == sums.len()
            && widths.len() == 1
            && plan.lanes * i64::from(*widths.first()?) == plan.size;
        let mut planner = Planner::new(self, var);
        row.into_iter().for_each(|row| planner.uniform(row, PrimType::I64));
        planner.uniform(column, PrimType::I64);
        let mut advancing = planner.advancing([of_row, body]);
        // what is written elsewhere may be what is read
        advancing.retain(|view| elsewhere.is_empty() && !sums.contains(view));
        fits.then_some(Nest { rows, row, of_row, columns, column, own, body, plan, sums, advancing })
    }

    /// The iterations `0..count` of a loop in order, with sums in registers, if the body is such a nest; otherwise nothing is emitted.
    pub(in crate::emit) fn tile(
        &mut self,
        var: Var,
        count: Value,
        body: &'p [Statement],
    ) -> Emit<Option<Widths>> {
        let Some(nest) = self.nest(var, body) else { return Ok(None) };
        let sums = nest.sums.len() as i64;
        if sums > REGISTERS || nest.rows < 1 {
            return Ok(None);
        }
        // in as few parts as may be, all about as long
        let most = MOST_ROWS.min(REGISTERS / sums);
        let parts = (nest.rows + most - 1) / most;
        if parts > MOST_PARTS {
            return Ok(None);
        }
        let rows = (nest.rows + parts - 1) / parts;
        let vectors = REGISTERS / (rows * sums);
        let strip = [8, 4, 2, 1].into_iter().find(|vectors_at_once| {
            *vectors_at_once <= vectors && nest.columns % (vectors_at_once * nest.plan.lanes) == 0
        });
        // several strips of one row would read again and again what comes by once
        let strip = strip.filter(|vectors| nest.row.is_some() || vectors * nest.plan.lanes == nest.columns);
        let Some(strip) = strip.map(|vectors| vectors * nest.plan.lanes) else { return Ok(None) };
        if rows * nest.plan.weight * strip / nest.plan.lanes > MOST_INSTRUCTIONS {
            return Ok(None);
        }
        for row in (0..nest.rows).step_by(rows as usize) {
            for first in (0..nest.columns).step_by(strip as usize) {
                let rows = row..nest.rows.min(row + rows);
                self.strip(&nest, var, count, &Strip { rows, columns: first..first + strip })?;
            }
        }
        Ok(Some(Widths {
            lanes: nest.plan.lanes,
            bytes: nest.plan.size,
            copies: rows * strip / nest.plan.lanes,
        }))
    }

    fn strip(&mut self, nest: &Nest<'p>, var: Var, count: Value, strip: &Strip) -> Emit {
        let mut lanes = Lanes::new(nest.column, &nest.plan);
        lanes.advancing.clone_from(&nest.advancing);
        let mut kept = Vec::new();
        for view in &nest.sums {
            let place = self.view(*view)?;
            let machine = vector_type(place.elem, nest.plan.size)?;
            for row in strip.rows.clone() {
                for at in strip.vectors(nest.plan.lanes) {
                    nest.bind_row(&mut lanes, row);
                    let cell = lanes.at(None, at);
                    let access = self.lane_access(&cell, &place, &nest.own)?;
                    let offset = self.cell(&cell, &access);
                    let variable = self.b.declare_var(machine);
                    let value = self.b.ins().load(machine, vector_access(), place.base, offset as i32);
                    self.b.def_var(variable, value);
                    kept.push((place.base, offset, variable));
                    lanes.kept.insert((*view, offset), variable);
                }
            }
        }
        let zero = self.i64(0);
        let vectors = strip.rows.clone().count() * strip.vectors(nest.plan.lanes).count();
        let weight = vectors as i64 * nest.plan.weight;
        let together = self.vector_bytes == NARROW && weight * ROUNDS <= MOST_OF_ROUNDS;
        let rounds = if together { ROUNDS } else { 1 };
        self.pieces(zero, count, false, |e, from, to| {
            if rounds == 1 {
                return e.steps(from, to, 1, |e, k| e.iteration(nest, &lanes, var, k, strip));
            }
            let all = e.b.ins().isub(to, from);
            let together = e.b.ins().band_imm_s(all, -rounds);
            let middle = e.b.ins().iadd(from, together);
            e.steps(from, middle, rounds, |e, k| {
                (0..rounds).try_for_each(|round| {
                    let k = if round == 0 { k } else { e.b.ins().iadd_imm_s(k, round) };
                    e.iteration(nest, &lanes, var, k, strip)
                })
            })?;
            e.steps(middle, to, 1, |e, k| e.iteration(nest, &lanes, var, k, strip))
        })?;
        for (base, offset, variable) in kept {
            let value = self.b.use_var(variable);
            self.b.ins().store(vector_access(), value, base, offset as i32);
        }
        Ok(())
    }

    fn iteration(&mut self, nest: &Nest<'p>, lanes: &Lanes, var: Var, k: Value, strip: &Strip) -> Emit {
        self.bind(var, Binding::Fixed(k), Some(ImpType::Prim(PrimType::I64)));
        for row in strip.rows.clone() {
            let mut lanes = lanes.clone();
            nest.bind_row(&mut lanes, row);
            for statement in nest.of_row {
                if let StatementKind::Let { var, ty, value } = &statement.kind {
                    self.loc = statement.loc;
                    let lane = self.lane(&lanes, value)?;
                    lanes.bind(*var, *ty, lane);
                }
            }
            for at in strip.vectors(nest.plan.lanes) {
                self.copy_of_body(&nest.plan, &mut lanes.at(None, at), nest.body)?;
            }
        }
        Ok(())
    }

    /// The block on the stack that a view lies in, if it is in one.
    fn stack_block_of(&self, view: Var) -> Option<Var> {
        match &self.env.get(&view)?.binding {
            Binding::View(place) => place.stack,
            Binding::Fixed(_) | Binding::Mutable(_) => None,
        }
    }
}
