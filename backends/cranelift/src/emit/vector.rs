//! Loops in vectors, of 16 bytes, or 32 where the generator in `wide` makes the code.
//!
//! The iterations of a `par` or `simd` loop are independent (I6), so some of them may run at once, statement by statement: as many as
//! the narrowest type of the body has elements in a vector, several vectors for wider types. Iterations whose branches and clamps of
//! indices all go one way form a range, which runs so; those before, those after, and what does not fill the lanes run one by one.
//!
//! ```text
//! for i < n simd { let l = max(i - 1, 0); b[i] := add.f32(a[l], a[i]) }
//! ```
//! becomes, with `4 × 4` lanes,
//! ```text
//! for i in 0 .. min(1, n)          { as it was }
//! for i in 1 .. 1 + (n - 1) & !15, by 16 { b[i .. i + 4] := a[i - 1 .. i + 3] + a[i .. i + 4]; … three more }
//! …                                { the same with one vector, and with half of one if that has 32 bytes }
//! for i in 1 + (n - 1) & !3 .. n   { as it was }
//! ```
//! What is the same for all iterations is computed before them. Vectors hold the same bits as scalars: only what vectors compute like
//! scalars is done in them ([`plan`]).

mod access;
mod convert;
mod gather;
mod lane;
mod linear;
mod plan;
mod prefix;
mod quotient;
mod shift;
mod tile;

use super::statement::FEW;
use super::{Binding, Emit, Emitter};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};
use lane::{Lane, Lanes};
use linear::Affine;
pub(super) use plan::NARROW;
pub(crate) use plan::Refusal;
use plan::{Plan, Planner, Region};
use prefix::Scanned;

/// Copies of a body that a loop of a constant number of iterations may become.
const MOST_COPIES: i64 = 16;
/// Instructions that these may have together, roughly.
const MOST_INSTRUCTIONS: i64 = 400;
/// Counters and what is added to them are below this where ranges are computed; bounds beyond twice that are as good as it.
const FAR: i64 = 1 << 61;

/// How wide a loop in vectors is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Widths {
    /// Iterations at once.
    pub(crate) lanes: i64,
    /// Bytes of a vector.
    pub(crate) bytes: i64,
    /// Such groups of iterations written one after the other.
    pub(crate) copies: i64,
}

impl<'p> Emitter<'_, 'p> {
    /// Whether a loop runs in vectors, and how.
    fn vector_plan(
        &self,
        var: Var,
        kind: LoopKind,
        bound: Option<i64>,
        body: &'p [Statement],
    ) -> Result<Plan<'p>, Refusal> {
        if !self.unit.has_avx {
            return Err(Refusal::Machine);
        }
        let mut planner = Planner::new(self, var);
        if kind == LoopKind::Scan {
            planner.scans(Scanned::of(body).ok_or(Refusal::Statement("another scan than by one operator"))?);
        }
        planner.plan(body, bound)
    }

    /// The iterations `from..to`, independent or a scan, in vectors, if that can be; otherwise nothing is emitted.
    pub(super) fn vector_loop(
        &mut self,
        var: Var,
        kind: LoopKind,
        from: Value,
        to: Value,
        bound: Option<i64>,
        body: &'p [Statement],
    ) -> Emit<Result<Widths, Refusal>> {
        let plan = match self.vector_plan(var, kind, bound, body) {
            Ok(plan) => plan,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if bound.is_some_and(|bound| bound < plan.lanes) {
            return Ok(Err(Refusal::Short));
        }
        if let Some(bound) = bound
            && let copies = bound / plan.lanes
            && copies * plan.lanes == bound
            && plan.regions.is_empty()
            && plan.scanned.is_none()
            && !plan.asserts
            && copies <= MOST_COPIES
            && copies * plan.weight <= MOST_INSTRUCTIONS
        {
            let mut lanes = Lanes::new(var, &plan);
            self.prelude(&plan, &mut lanes, body)?;
            for copy in 0..copies {
                self.copy_of_body(&plan, &mut lanes.at(None, copy * plan.lanes), body)?;
            }
            return Ok(Ok(Widths { lanes: plan.lanes, bytes: plan.size, copies }));
        }
        let (run, after) = (self.b.create_block(), self.b.create_block());
        let some = self.b.ins().icmp(IntCC::SignedLessThan, from, to);
        self.b.ins().brif(some, run, &[], after, &[]);
        self.b.seal_block(run);
        self.b.switch_to_block(run);
        let mut lanes = Lanes::new(var, &plan);
        let failing = self.block_with(types::I64);
        lanes.failing = plan.asserts.then_some(failing.0);
        self.prelude(&plan, &mut lanes, body)?;
        if let Some(scanned) = &plan.scanned {
            lanes.total = Some(self.begin_scan(scanned)?);
        }
        let (first, last) = self.range_of(&plan, &lanes, from, to)?;
        let few = bound.is_some_and(|bound| bound <= FEW);
        if !plan.regions.is_empty() {
            self.one_by_one(var, PrimType::I64, from, first, few, body)?;
        }
        let total = lanes.total;
        let width = plan.lanes * plan.copies;
        let count = self.b.ins().isub(last, first);
        let filled = self.b.ins().band_imm_s(count, -width);
        let end = self.b.ins().iadd(first, filled);
        self.pieces(first, end, few, |e, from, to| {
            e.steps(from, to, width, |e, i| {
                (0..plan.copies).try_for_each(|copy| {
                    e.copy_of_body(&plan, &mut lanes.at(Some(i), copy * plan.lanes), body)
                })
            })
        })?;
        // what fills a vector more, and then half of one
        let mut rest = Vec::new();
        if plan.copies > 1 {
            rest.push(lanes.clone());
        }
        if plan.size > NARROW {
            rest.push(Lanes { count: plan.lanes * NARROW / plan.size, size: NARROW, ..lanes.clone() });
        }
        let mut done = end;
        for lanes in rest {
            let left = self.b.ins().isub(last, done);
            let filled = self.b.ins().band_imm_s(left, -lanes.count);
            let next = self.b.ins().iadd(done, filled);
            self.steps(done, next, lanes.count, |e, i| {
                e.copy_of_body(&plan, &mut lanes.at(Some(i), 0), body)
            })?;
            done = next;
        }
        if let (Some(scanned), Some(total)) = (&plan.scanned, total) {
            self.end_scan(scanned, total)?;
        }
        // the rest, and all from where something does not hold
        self.jump(failing.0, &[done]);
        self.b.seal_block(failing.0);
        self.b.switch_to_block(failing.0);
        self.one_by_one(var, PrimType::I64, failing.1, to, few, body)?;
        self.b.ins().jump(after, &[]);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
        Ok(Ok(Widths { lanes: plan.lanes, bytes: plan.size, copies: plan.copies }))
    }

    /// The iterations `from..to` in steps that divide their number.
    fn steps(
        &mut self,
        from: Value,
        to: Value,
        step: i64,
        body: impl FnOnce(&mut Self, Value) -> Emit,
    ) -> Emit {
        self.rounds(from, to, |e, i| {
            e.depth += 1;
            body(e, i)?;
            e.depth -= 1;
            Ok(e.b.ins().iadd_imm_s(i, step))
        })
    }

    /// Computes before the loop what is the same for all iterations, or grows evenly.
    fn prelude(&mut self, plan: &Plan<'p>, lanes: &mut Lanes, body: &'p [Statement]) -> Emit {
        for statement in body {
            match &statement.kind {
                StatementKind::Let { var, ty, value } if plan.early.contains(var) => {
                    let lane = self.lane(lanes, value)?;
                    lanes.bind(*var, *ty, lane);
                }
                StatementKind::If { condition, then, otherwise } => {
                    if let Some(holds) = plan.arms.get(&std::ptr::from_ref(condition)) {
                        self.prelude(plan, lanes, if *holds { then } else { otherwise })?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The iterations of `from..to` in which all that the plan wants holds.
    fn range_of(&mut self, plan: &Plan<'p>, lanes: &Lanes, from: Value, to: Value) -> Emit<(Value, Value)> {
        let (mut first, mut last) = (from, to);
        for region in &plan.regions {
            match region {
                Region::Is(condition, holds) => {
                    let condition = self.lane(lanes, condition)?;
                    let condition = self.scalar_of(&condition)?;
                    last = match holds {
                        true => self.b.ins().select(condition, last, from),
                        false => self.b.ins().select(condition, from, last),
                    };
                }
                Region::Compare(op, affine, bound) => {
                    let offset = match self.lane(lanes, affine)? {
                        Lane::Affine(Affine { base, constant, .. }) => {
                            let constant = self.i64(constant);
                            base.map_or(constant, |base| self.b.ins().iadd(base, constant))
                        }
                        lane => self.scalar_of(&lane)?,
                    };
                    let bound = self.lane(lanes, bound)?;
                    let bound = self.scalar_of(&bound)?;
                    // beyond what sums do without overflow, nothing runs in vectors
                    let shifted = self.b.ins().iadd_imm_s(offset, FAR);
                    let near = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, shifted, 2 * FAR);
                    last = self.b.ins().select(near, last, from);
                    let bound = self.clamped(bound, 2 * FAR);
                    let limit = self.b.ins().isub(bound, offset);
                    let next = self.b.ins().iadd_imm_s(limit, 1);
                    match op {
                        BinOp::Lt => last = self.least(last, limit),
                        BinOp::Le => last = self.least(last, next),
                        BinOp::Gt => first = self.most(first, next),
                        _ => first = self.most(first, limit),
                    }
                }
            }
        }
        if !plan.regions.is_empty() {
            let near = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, to, FAR);
            last = self.b.ins().select(near, last, from);
        }
        let first = self.least(first, to);
        let last = self.most(last, first);
        Ok((first, last))
    }

    fn clamped(&mut self, x: Value, far: i64) -> Value {
        let (low, high) = (self.i64(-far), self.i64(far));
        let x = self.most(x, low);
        self.least(x, high)
    }

    fn least(&mut self, x: Value, y: Value) -> Value {
        let less = self.b.ins().icmp(IntCC::SignedLessThan, x, y);
        self.b.ins().select(less, x, y)
    }

    fn most(&mut self, x: Value, y: Value) -> Value {
        let less = self.b.ins().icmp(IntCC::SignedLessThan, x, y);
        self.b.ins().select(less, y, x)
    }

    fn scalar_of(&mut self, lane: &Lane) -> Emit<Value> {
        let scalar = self.scalar(lane);
        scalar.ok_or_else(|| crate::CompileError::new("invariant: the same for all iterations"))
    }

    /// The body for the lanes.
    fn copy_of_body(&mut self, plan: &Plan<'p>, lanes: &mut Lanes, body: &'p [Statement]) -> Emit {
        for statement in body {
            self.loc = statement.loc;
            match &statement.kind {
                StatementKind::Let { var, .. } if plan.early.contains(var) && lanes.env.contains_key(var) => {
                }
                StatementKind::Let { var, ty, value } => {
                    let lane = match plan.scanned_by(*var) {
                        Some(scanned) => self.scan(lanes, scanned)?,
                        None => self.lane(lanes, value)?,
                    };
                    lanes.bind(*var, *ty, lane);
                }
                StatementKind::Declare { var, ty: ImpType::Prim(ty), value } => {
                    let lane = match value {
                        Some(value) => self.lane(lanes, value)?,
                        None => Lane::Const(ty.zero()),
                    };
                    let lane = self.varying(lanes, lane)?;
                    lanes.bind(*var, *ty, lane);
                }
                StatementKind::Assign { var, value } => {
                    let lane = match &plan.scanned {
                        Some(scanned) if scanned.named.is_none() => self.scan(lanes, scanned)?,
                        _ => self.lane(lanes, value)?,
                    };
                    let lane = self.varying(lanes, lane)?;
                    lanes.env.insert(*var, lane);
                }
                StatementKind::Write { view, indices, value } => {
                    let lane = self.lane(lanes, value)?;
                    self.lane_write(lanes, *view, indices, lane, false)?;
                }
                StatementKind::Accumulate { view, indices, value } => {
                    let lane = self.lane(lanes, value)?;
                    self.lane_write(lanes, *view, indices, lane, true)?;
                }
                StatementKind::Assert { condition, .. } => self.lane_assert(plan, lanes, condition)?,
                StatementKind::If { condition, then, otherwise } => {
                    match plan.arms.get(&std::ptr::from_ref(condition)) {
                        Some(true) => self.copy_of_body(plan, lanes, then)?,
                        Some(false) => self.copy_of_body(plan, lanes, otherwise)?,
                        None => self.both_arms(plan, lanes, condition, then, otherwise)?,
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Both arms, and a choice for each variable that they leave different.
    fn both_arms(
        &mut self,
        plan: &Plan<'p>,
        lanes: &mut Lanes,
        condition: &'p Exp,
        then: &'p [Statement],
        otherwise: &'p [Statement],
    ) -> Emit {
        let condition = self.lane(lanes, condition)?;
        let (mut yes, mut no) = (lanes.clone(), lanes.clone());
        self.copy_of_body(plan, &mut yes, then)?;
        self.copy_of_body(plan, &mut no, otherwise)?;
        let mut assigned = Vec::new();
        imp::visit::for_each_statement(then, &mut |statement| assigned.extend(assigns(statement)));
        imp::visit::for_each_statement(otherwise, &mut |statement| assigned.extend(assigns(statement)));
        assigned.retain(|var| lanes.env.contains_key(var));
        assigned.sort_unstable();
        assigned.dedup();
        for var in assigned {
            let ty = lanes.types.get(&var).copied();
            if let (Some(x), Some(y)) = (yes.env.remove(&var), no.env.remove(&var)) {
                let chosen = self.lane_choose(lanes, ty, condition.clone(), x, y)?;
                lanes.env.insert(var, chosen);
            }
        }
        Ok(())
    }
}

/// The variable that a statement assigns.
fn assigns(statement: &Statement) -> Option<Var> {
    if let StatementKind::Assign { var, .. } = statement.kind { Some(var) } else { None }
}
