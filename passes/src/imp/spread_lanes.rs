//! Iterations of a loop with loops inside run side by side, each in a lane: the innermost loop is then one over lanes.
//!
//! ```text
//! for j < n par {
//!   var s : f32 = 0
//!   for i < m seq { s := add.f32(s, a[i, j]) }
//!   b[j] := s
//! }
//! ```
//! becomes, where there are enough iterations for it to pay,
//! ```text
//! for r < shr.i64(add.i64(n, 31), 5) par {
//!   let first = mul.i64(r, 32)
//!   let width = min.i64(32, sub.i64(n, first))
//!   alloc s_mem : f32[32] in stack      view s_lanes : f32 @ s_mem -> 0 + {(32 : 1)}
//!   for l < width simd { let j = add.i64(first, l)   var s : f32 = 0   s_lanes[l] := s }
//!   for i < m seq {
//!     for l < width simd { let j = add.i64(first, l)   var s : f32 = s_lanes[l]   s := add.f32(s, a[i, j])   s_lanes[l] := s }
//!   }
//!   for l < width simd { let j = add.i64(first, l)   var s : f32 = s_lanes[l]   b[j] := s }
//! }
//! ```
//! once with 32 for `width`, so that loops over lanes are vectors of known number, and once for what is left. (Outer-loop vectorisation: Nuzman and Zaks,
//! 2008; Allen and Kennedy's loop distribution with scalar expansion.) Sums down the columns of a matrix then read along its rows, and what cannot run in vectors by
//! itself, such as a recurrence, does so for many elements of a map at once.
//!
//! Legal where iterations are independent, as those of `par` and `simd` loops are (I6), and what decides how often loops run and which branches around them are
//! taken is the same for all lanes: such statements run once for all of them (`varying.rs`). Each lane does what its iteration did, in the same order, so values are the
//! same to the bit. A `while` loop without loops inside runs until few lanes go on, which then finish it one by one, or none; lanes that are done keep what they have, and touch no memory. An assertion may hold in some lanes alone where nothing
//! was written before it that others see: the iterations of a round in which it does not hold in one run again in order (`while_loops.rs`). Blocks of an iteration, those of the heap if they are small as far as that is
//! known before the loop, get a cell for each lane, in the interleaved form (before `hoist-blocks`, while iterations have blocks of their own). Sequential loops are taken too where what comes before the
//! first mention of a variable that goes from one iteration to the next writes only such blocks; the rest runs in order behind it.
//! Done where an inner loop would not run in vectors by itself, and few accesses and operators are such that lanes don't either (`pays.rs`). Where lanes would read or write rows of an
//! array, with a stride, each iteration gets a block for its row (`rows.rs`), of which lanes have neighbouring cells: copied there and back for all of them at once (`copies.rs`), where the
//! iterations of inner loops wait for one another longer than that takes (`chains.rs`).
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, times how deep loops nest; a loop that is taken is there three times.

mod chains;
mod copies;
mod emit;
pub(super) mod pays;
mod plan;
mod planning;
mod rounds;
mod rows;
mod streams;
mod varying;
mod while_loops;

use super::copy::{constant, has_loops};
use super::different_blocks;
use super::fuse_loops::access::Places;
use super::numbers::Numbers;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::Builder;
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use pays::Tally;
use plan::Plan;
use rows::{Around, Blocks, Effects, Loop, WithRows};
use std::collections::{BTreeMap, BTreeSet};
use streams::Streams;

/// Loops that are known to have fewer iterations than would make so many rounds of lanes are left to those around them (`short-rows`).
const FEW_ROUNDS: i64 = 4;

/// How many lanes there are, and from how many iterations on.
#[derive(Clone, Copy)]
struct Sizes {
    log_lanes: i64,
    least: i64,
    /// So many iterations of a `while` loop run before it is asked whether a lane goes on.
    steps: i64,
    /// So few lanes that go on with it then, twice as many where vectors of them are twice as long, finish it one after the other.
    few: i64,
    /// After so many times of that, a loop with assertions behind it is taken for one that may not end.
    most_steps: i64,
    /// Whether it is done wherever it is legal.
    always: bool,
    /// When all lanes run at once.
    streams: Streams,
}

impl Sizes {
    fn lanes(self) -> i64 {
        1 << self.log_lanes
    }
}

/// Several vectors of any machine, so that lanes need not wait for one another; fewer are written out by GCC before it looks for vectors.
const USUAL: Sizes = Sizes {
    log_lanes: 5,
    least: 8,
    steps: 4,
    few: 2,
    most_steps: 1 << 16,
    always: false,
    streams: streams::USUAL,
};
/// What small test programs come to.
const SMALL: Sizes =
    Sizes { log_lanes: 1, least: 1, steps: 2, few: 1, most_steps: 1, always: true, streams: streams::SMALL };

/// Spreads the loops of a program.
pub fn run(program: Program) -> Program {
    spread(program, USUAL)
}

/// The same with few lanes, wherever it is legal.
pub fn run_small(program: Program) -> Program {
    spread(program, SMALL)
}

fn spread(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (places, numbers) = (Places::of(procedure), Numbers::of(procedure));
        let (blocks, around) = (Blocks::of(procedure, &numbers), Vec::new());
        let held = held_at_loops(procedure);
        let known = Known { places, numbers, sizes };
        let mut spreading = Spreading { known, blocks, around, few: Vec::new(), held, b: &mut builder };
        spreading.statements(&mut procedure.body);
    }
    program
}

/// Tells passes that write versions of a loop whether its iterations will run in lanes.
pub(super) struct Forecast {
    known: Known,
    blocks: Blocks,
}

impl Forecast {
    /// For the loops of a procedure; `small` as [`run_small`] does it.
    pub(super) fn of(procedure: &Procedure, small: bool) -> Forecast {
        let (places, numbers) = (Places::of(procedure), Numbers::of(procedure));
        let blocks = Blocks::of(procedure, &numbers);
        Forecast { known: Known { places, numbers, sizes: if small { SMALL } else { USUAL } }, blocks }
    }

    /// Whether a loop in sequential ones, of which these are the counters and bounds, runs in lanes where it has enough iterations.
    pub(super) fn takes(self, of: &Statement, steps: &[(Var, Exp)], b: &mut Builder) -> bool {
        let Forecast { mut known, blocks } = self;
        known.places.learn(std::slice::from_ref(of));
        known.numbers.learn(std::slice::from_ref(of));
        let step = |(counter, bound): &(Var, Exp)| Around {
            counter: *counter,
            bound: bound.clone(),
            side_by_side: None,
        };
        let (around, few, held) = (steps.iter().map(step).collect(), Vec::new(), BTreeMap::new());
        Spreading { known, blocks, around, few, held, b }.spread(&mut of.clone())
    }
}

struct Spreading<'b> {
    known: Known,
    blocks: Blocks,
    /// The loops around.
    around: Vec<Around>,
    /// Numbers of iterations that branches around say are few.
    few: Vec<Exp>,
    /// What is known of blocks where parallel loops begin that stand in no other, by their counters.
    held: BTreeMap<Var, different_blocks::Known>,
    b: &'b mut Builder,
}

/// What is known of a procedure, and how many lanes there are.
struct Known {
    places: Places,
    numbers: Numbers,
    sizes: Sizes,
}

impl Spreading<'_> {
    /// Whether something inside was spread.
    fn statements(&mut self, list: &mut [Statement]) -> bool {
        let mut any = false;
        for statement in list {
            let (mut inside, mut entered) = (false, false);
            let here = self.around.len();
            if let StatementKind::For { var, bound, kind, body, .. } = &statement.kind {
                let side_by_side = kind.is_parallel().then(|| Effects::of(body));
                self.around.push(Around { counter: *var, bound: bound.clone(), side_by_side });
                entered = self.held.remove(var).map(|known| self.known.places.enter(known, body)).is_some();
            }
            let known = self.few.len();
            if let StatementKind::If { condition, then, otherwise } = &mut statement.kind {
                few(condition, FEW_ROUNDS * self.known.sizes.lanes(), &mut self.few);
                inside |= self.statements(then);
                self.few.truncate(known);
                inside |= self.statements(otherwise);
            } else {
                statement.kind.for_each_body_mut(&mut |body| inside |= self.statements(body));
            }
            self.around.truncate(here);
            any |= inside || self.spread(statement);
            if entered {
                self.known.places.leave();
            }
        }
        any
    }

    fn spread(&mut self, statement: &mut Statement) -> bool {
        let StatementKind::For { var, ty, bound, kind, body } = &statement.kind else { return false };
        let taken = matches!(kind, LoopKind::Par | LoopKind::Simd | LoopKind::Seq | LoopKind::Fold);
        if !taken || *ty != PrimType::I64 || !has_loops(body) || self.few.contains(bound) {
            return false;
        }
        // it is looked at in each round, behind those before
        let mut changes = bound.reads();
        for_each_statement(body, &mut |inner| {
            if let StatementKind::Assign { var, .. } = &inner.kind {
                bound.for_each_var(&mut |used| changes |= used == *var);
            }
        });
        if changes {
            return false;
        }
        let rows = self.with_rows(*var, bound, body);
        let own = || {
            let rows = rows.as_ref()?;
            self.known.plan(*var, bound, *kind, &rows.body, Some(rows))
        };
        let as_it_is = || self.known.plan(*var, bound, *kind, body, None);
        let plan = match self.known.sizes.always {
            true => own().or_else(as_it_is),
            // neighbouring cells are better than those apart, if the copies of a few pay by themselves
            false => {
                let few = || rows.as_ref().filter(|rows| rows.few).and_then(|_| own());
                few().filter(|plan| plan.least.is_none()).or_else(as_it_is).or_else(own)
            }
        };
        let Some(plan) = plan else { return false };
        let outer = self.b.begin();
        self.b.loc = statement.loc;
        let of = Loop { counter: *var, bound, body, around: &self.around };
        match streams::condition(&plan, bound, body, &self.known) {
            Some(condition) => {
                let (then, ()) = self.b.nested(|b| rounds::all_at_once(&plan, bound, self.known.sizes, b));
                let (otherwise, ()) =
                    self.b.nested(|b| rounds::rounds(&plan, &of, *kind, self.known.sizes, b));
                self.b.push(StatementKind::If { condition, then, otherwise });
            }
            None => rounds::rounds(&plan, &of, *kind, self.known.sizes, self.b),
        }
        let then = self.b.end(outer);
        let condition = rounds::enough(&plan, bound, self.known.sizes);
        statement.kind = StatementKind::If { condition, then, otherwise: vec![statement.clone()] };
        true
    }

    /// The body of a loop with blocks of its own for rows.
    fn with_rows(&mut self, counter: Var, bound: &Exp, body: &[Statement]) -> Option<WithRows> {
        let of = Loop { counter, bound, body, around: &self.around };
        let rows = rows::with_rows(&of, &self.blocks, &self.known.places, &self.known.numbers, self.b)?;
        self.known.places.learn(&rows.body);
        self.known.numbers.learn(&rows.body);
        Some(rows)
    }
}

impl Known {
    /// How to spread a loop, where it is legal and pays; `rows` are those that iterations have copies of.
    fn plan<'p>(
        &'p self,
        counter: Var,
        bound: &Exp,
        kind: LoopKind,
        body: &'p [Statement],
        rows: Option<&WithRows>,
    ) -> Option<Plan<'p>> {
        let mut plan = Plan::of(counter, kind.is_parallel(), body, self.sizes, &self.places)?;
        if !self.sizes.always {
            let tally = Tally::of(counter, bound, body, &plan.varying, &self.places, &self.numbers)?;
            match rows {
                Some(rows) if rows.few && tally.few_cells_pay() => {}
                Some(rows) => plan.least = Some((rows.length.clone(), tally.least_row()?)),
                None if tally.pays() => {}
                None => return None,
            }
        }
        Some(plan)
    }
}

/// What is known of the blocks that variables hold where parallel loops begin that stand in no other one.
fn held_at_loops(procedure: &Procedure) -> BTreeMap<Var, different_blocks::Known> {
    fn outermost(list: &[Statement], found: &mut BTreeSet<Var>) {
        for statement in list {
            match &statement.kind {
                StatementKind::For { var, kind, .. } if kind.is_parallel() => _ = found.insert(*var),
                kind => kind.for_each_body(&mut |body| outermost(body, found)),
            }
        }
    }
    let mut holds = false;
    for_each_statement(&procedure.body, &mut |statement| {
        holds |= matches!(statement.kind, StatementKind::Declare { ty: ImpType::Mem(_), .. });
    });
    let mut counters = BTreeSet::new();
    if !holds {
        return BTreeMap::new();
    }
    outermost(&procedure.body, &mut counters);
    different_blocks::at_loops(procedure, &counters)
}

/// Adds the numbers of iterations that are below a number where a condition holds.
pub(super) fn few(condition: &Exp, below: i64, found: &mut Vec<Exp>) {
    match condition {
        Exp::Bin(BinOp::And, PrimType::Bool, x, y) => {
            few(x, below, found);
            few(y, below, found);
        }
        Exp::Bin(BinOp::Lt, PrimType::I64, count, least)
            if constant(least).is_some_and(|least| least <= below) =>
        {
            found.push((**count).clone());
        }
        _ => {}
    }
}
