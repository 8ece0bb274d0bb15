//! Blocks, how they end, and the edges between them.

use super::super::Unsupported;
use super::super::code::{Body, Edge, End, Inst, Reg, View};
use super::{Selected, Selector, view_of};
use cranelift_codegen::ir::{self, Block, InstructionData, Opcode};
use std::collections::{HashMap, HashSet};

/// Edges to blocks that do nothing but go on lead to where these go, and such blocks are no more.
pub(super) fn straighten(bodies: &mut Vec<Body>) {
    let passes: HashMap<Block, Block> = bodies
        .iter()
        .filter_map(|body| match &body.end {
            End::Jump(edge) if body.insts.is_empty() && body.params.is_empty() && edge.moves.is_empty() => {
                Some((body.block, edge.to))
            }
            _ => None,
        })
        .collect();
    let last = |first: Block| {
        let mut block = first;
        // as many steps as there are such blocks, in case they go round
        for _ in 0..passes.len() {
            block = passes.get(&block).copied().unwrap_or(block);
        }
        block
    };
    for body in bodies.iter_mut() {
        match &mut body.end {
            End::Jump(edge) => edge.to = last(edge.to),
            End::Branch { yes, no, .. } => {
                yes.to = last(yes.to);
                no.to = last(no.to);
            }
            End::Return(_) => {}
        }
    }
    let reached: HashSet<Block> =
        bodies.iter().flat_map(|body| body.end.edges().map(|edge| edge.to)).collect();
    let first = bodies.first().map(|body| body.block);
    bodies.retain(|body| Some(body.block) == first || reached.contains(&body.block));
}

impl Selector<'_> {
    /// The parameters of a block; all of them, wanted or not.
    pub(super) fn params(&mut self, block: Block) -> Selected<Vec<(Reg, View)>> {
        let values = self.func.dfg.block_params(block).to_vec();
        values.into_iter().map(|value| Ok((self.reg(value)?, view_of(self.ty(value))?))).collect()
    }

    /// Fills in the parameters that edges move values to.
    pub(super) fn edges(&mut self) {
        let params: HashMap<Block, Vec<Reg>> = self
            .draft
            .bodies
            .iter()
            .map(|body| (body.block, body.params.iter().map(|(reg, _)| *reg).collect()))
            .collect();
        for body in &mut self.draft.bodies {
            let fill = |edge: &mut Edge| {
                let params = params.get(&edge.to).into_iter().flatten();
                edge.moves.iter_mut().zip(params).for_each(|(step, param)| step.0 = *param);
            };
            match &mut body.end {
                End::Jump(edge) => fill(edge),
                End::Branch { yes, no, .. } => {
                    fill(yes);
                    fill(no);
                }
                End::Return(_) => {}
            }
        }
    }

    pub(super) fn block(&mut self, block: Block) -> Selected<Body> {
        let insts: Vec<ir::Inst> = self.func.layout.block_insts(block).collect();
        let mut backwards: Vec<Inst> = Vec::new();
        let mut end = None;
        let last = insts.last().copied();
        let late: Vec<ir::Inst> = insts
            .iter()
            .copied()
            .filter(|inst| last.is_some_and(|last| self.is_for_end(*inst, last)))
            .collect();
        let order = insts.iter().filter(|inst| !late.contains(inst) && Some(**inst) != last);
        let order: Vec<ir::Inst> = order.chain(&late).chain(&last).copied().collect();
        for inst in order.into_iter().rev() {
            // what stands late reads no memory
            self.here = self.places.get(&inst).copied();
            let opcode = self.func.dfg.insts[inst].opcode();
            if opcode.is_terminator() {
                end = Some(self.end(inst)?);
            } else {
                let wanted =
                    self.func.dfg.inst_results(inst).iter().any(|value| self.regs.contains_key(value));
                if wanted || opcode.can_store() {
                    self.lower(inst)?;
                }
            }
            backwards.extend(self.now.drain(..).rev());
        }
        backwards.reverse();
        let end = end.ok_or_else(|| Unsupported::new("a block without an end"))?;
        let depth = self.depths.get(&block).copied().unwrap_or(0);
        let innermost = self.innermost.get(&block).copied();
        Ok(Body { block, params: Vec::new(), insts: backwards, end, depth, innermost })
    }

    /// Whether an instruction adds a constant to something for the end of the block alone, where nobody may need the old value any more.
    fn is_for_end(&self, inst: ir::Inst, last: ir::Inst) -> bool {
        let InstructionData::Binary { opcode: Opcode::Iadd, args: [_, constant] } = self.func.dfg.insts[inst]
        else {
            return false;
        };
        let sum = self.func.dfg.first_result(inst);
        if self.integer(constant).is_none() {
            return false;
        }
        let mut uses = self.func.dfg.inst_values(last).filter(|value| *value == sum).count();
        if let InstructionData::Brif { arg, .. } = self.func.dfg.insts[last]
            && self.is_used_once(arg)
            && let Some((comparison, InstructionData::IntCompare { .. })) = self.definition(arg)
        {
            uses += self.args(comparison).iter().filter(|value| **value == sum).count();
        }
        self.uses.get(&sum).is_some_and(|all| *all as usize == uses)
    }

    fn end(&mut self, inst: ir::Inst) -> Selected<End> {
        match self.func.dfg.insts[inst] {
            InstructionData::Jump { destination, .. } => Ok(End::Jump(self.edge(destination)?)),
            InstructionData::Brif { arg, blocks: [yes, no], .. } => {
                // what edges need comes first, so that nothing stands between the comparison and the branch
                let (yes, no) = (self.edge(yes)?, self.edge(no)?);
                let condition = self.condition(arg)?;
                Ok(End::Branch { condition, yes, no })
            }
            InstructionData::MultiAry { opcode: Opcode::Return, .. } => {
                let [value] = *self.func.dfg.inst_args(inst) else {
                    return Err(Unsupported::new("not one result"));
                };
                Ok(End::Return(self.reg(value)?))
            }
            _ => Err(self.unsupported(inst)),
        }
    }

    /// An edge whose parameters are filled in later.
    fn edge(&mut self, call: ir::BlockCall) -> Selected<Edge> {
        let pool = &self.func.dfg.value_lists;
        let to = call.block(pool);
        let mut moves = Vec::new();
        for arg in call.args(pool) {
            let value =
                arg.as_value().ok_or_else(|| Unsupported::new("a result of a call as an argument"))?;
            let reg = self.reg(value)?;
            moves.push((reg, reg, view_of(self.ty(value))?));
        }
        Ok(Edge { to, moves })
    }
}
