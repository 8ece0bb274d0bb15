//! Cells that elements say, and what is asserted of these: each lane is read by itself, and where an index of a lane is out of range, iterations run one by one from there.

use super::super::view::{Number, ViewPlace};
use super::super::{Emit, Emitter};
use super::lane::{Lane, Lanes};
use super::plan::Plan;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use fun_base::prim::{BinOp, PrimType};
use imp::ir::Exp;

impl<'p> Emitter<'_, 'p> {
    /// The address of each lane, if an index is not linear.
    pub(super) fn gathered(
        &mut self,
        lanes: &Lanes,
        view: &ViewPlace,
        indices: &[Exp],
    ) -> Emit<Option<Vec<Value>>> {
        if !lanes.gathers {
            return Ok(None);
        }
        let mut found = Vec::with_capacity(indices.len());
        for index in indices {
            found.push(self.lane(lanes, index)?);
        }
        if !found.iter().any(|lane| matches!(lane, Lane::Vector(_) | Lane::Extended(_))) {
            return Ok(None);
        }
        self.check_rank(view, indices.len())?;
        let mut common = view.base;
        for (lane, dim) in found.iter().zip(&view.dims) {
            let first = match lane {
                Lane::Affine(affine) => Some(self.first_lane(lanes, affine)),
                lane => self.scalar(lane),
            };
            if let Some(first) = first {
                let offset = self.scale(Number::Value(first), dim.stride);
                let offset = self.number(offset);
                common = self.b.ins().iadd(common, offset);
            }
        }
        let mut addresses = vec![common; lanes.count as usize];
        for (lane, dim) in found.iter().zip(&view.dims) {
            for (number, address) in (0..).zip(&mut addresses) {
                let index = match lane {
                    Lane::Vector(parts) => Number::Value(self.element(parts, number)),
                    // it is in range, so that it is not negative
                    Lane::Extended(parts) => {
                        let index = self.element(parts, number);
                        Number::Value(self.b.ins().uextend(types::I64, index))
                    }
                    Lane::Affine(affine) => self.scale(affine.step, Number::Const(number)),
                    Lane::Const(_) | Lane::Uniform(_) | Lane::Mask(..) => Number::Const(0),
                };
                match self.scale(index, dim.stride) {
                    Number::Const(0) => {}
                    offset => {
                        let offset = self.number(offset);
                        *address = self.b.ins().iadd(*address, offset);
                    }
                }
            }
        }
        Ok(Some(addresses))
    }

    /// The element of a lane.
    fn element(&mut self, parts: &[Value], lane: i64) -> Value {
        let per_part = i64::from(self.b.func.dfg.value_type(parts[0]).lane_count());
        self.b.ins().extractlane(parts[(lane / per_part) as usize], (lane % per_part) as u8)
    }

    /// Goes on where a condition holds in all lanes; otherwise iterations run one by one from the first lane on.
    pub(super) fn lane_assert(&mut self, plan: &Plan<'p>, lanes: &Lanes, condition: &Exp) -> Emit {
        let Some(failing) = lanes.failing else { return Ok(()) };
        let holds = self.holds(plan, lanes, condition)?;
        let first = match lanes.from {
            Some(from) => self.b.ins().iadd_imm_s(from, lanes.first),
            None => self.i64(lanes.first),
        };
        let next = self.b.create_block();
        self.b.ins().brif(holds, next, &[], failing, &[first.into()]);
        self.b.seal_block(next);
        self.b.switch_to_block(next);
        Ok(())
    }

    /// Whether a condition holds in all lanes.
    fn holds(&mut self, plan: &Plan<'p>, lanes: &Lanes, condition: &Exp) -> Emit<Value> {
        if let Exp::Bin(BinOp::And, PrimType::Bool, x, y) = defined(plan, condition) {
            if let Some(holds) = self.in_range_of_lanes(plan, lanes, x, y)? {
                return Ok(holds);
            }
            let (x, y) = (self.holds(plan, lanes, x)?, self.holds(plan, lanes, y)?);
            return Ok(self.b.ins().band(x, y));
        }
        let lane = self.lane(lanes, condition)?;
        if let Some(holds) = self.scalar(&lane) {
            return Ok(holds);
        }
        let bytes = if let Lane::Mask(_, bytes) = lane { bytes } else { 1 };
        let masks = self.mask(lanes, lane, bytes)?;
        let all = masks.into_iter().reduce(|all, mask| self.b.ins().band(all, mask));
        Ok(match all {
            Some(all) => self.b.ins().vall_true(all),
            None => self.b.ins().iconst(types::I8, 1),
        })
    }

    /// Whether numbers of 32 bits are not negative and below something that is the same for all lanes: one comparison, as unsigned numbers.
    fn in_range_of_lanes(
        &mut self,
        plan: &Plan<'p>,
        lanes: &Lanes,
        low: &Exp,
        high: &Exp,
    ) -> Emit<Option<Value>> {
        let Exp::Bin(BinOp::Le, PrimType::I64, zero, x) = defined(plan, low) else { return Ok(None) };
        let Exp::Bin(BinOp::Lt, PrimType::I64, y, bound) = defined(plan, high) else { return Ok(None) };
        if x != y || **zero != Exp::Const(PrimType::I64.zero()) {
            return Ok(None);
        }
        let Lane::Extended(parts) = self.lane(lanes, x)? else { return Ok(None) };
        let bound = self.lane(lanes, bound)?;
        let Some(bound) = self.scalar(&bound) else { return Ok(None) };
        let (none, most) = (self.i64(0), self.i64(1 << 31));
        let bound = self.most(bound, none);
        let bound = self.least(bound, most);
        let bound = self.b.ins().ireduce(types::I32, bound);
        let mut all = None;
        for part in parts {
            let ty = self.b.func.dfg.value_type(part);
            let bound = self.b.ins().splat(ty, bound);
            let below = self.b.ins().icmp(IntCC::UnsignedLessThan, part, bound);
            all = Some(match all {
                Some(all) => self.b.ins().band(all, below),
                None => below,
            });
        }
        Ok(all.map(|all| self.b.ins().vall_true(all)))
    }
}

/// The value of a variable instead of it.
fn defined<'e>(plan: &'e Plan<'_>, mut exp: &'e Exp) -> &'e Exp {
    while let Exp::Var(var) = exp
        && let Some(value) = plan.lets.get(var)
    {
        exp = value;
    }
    exp
}
