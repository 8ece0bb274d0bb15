//! Choosing instructions of the machine for those of Cranelift's intermediate code, from the last to the first: what a later one has taken
//! into itself (an address, a constant, an element read once, a comparison) or what nobody needs is not computed by itself.

mod choice;
mod control;
mod integer;
mod lanes;
mod memory;
mod tables;
mod vector;

use super::Unsupported;
use super::code::{Class, Condition, Draft, Inst, Operand, Reg, View};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{self, Block, Function, InstructionData, Opcode, Type, Value, ValueDef, types};
use iced_x86::Code;
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) type Selected<T = ()> = Result<T, Unsupported>;

/// The selection for one function.
pub(super) struct Selector<'f> {
    pub(super) func: &'f Function,
    draft: Draft,
    /// The register of each value that someone wants in one.
    regs: HashMap<Value, Reg>,
    /// How often each value is used.
    uses: HashMap<Value, u32>,
    /// The block of each instruction, and how many writes to memory are before it there.
    places: HashMap<ir::Inst, (Block, u32)>,
    /// How many loops are around each block.
    depths: HashMap<Block, u32>,
    /// The first block of the loop around a block that no other is in.
    innermost: HashMap<Block, Block>,
    /// Where the slots of the stack are in the frame.
    slots: HashMap<ir::StackSlot, i32>,
    /// For sums that Cranelift has computed once more, those that are there already.
    again: HashMap<Value, Value>,
    /// Constants of the pool by their bytes.
    constants: HashMap<Vec<u8>, usize>,
    /// The block at hand, and the writes to memory before the instruction at hand.
    here: Option<(Block, u32)>,
    /// What the instruction at hand has become so far, in order.
    now: Vec<Inst>,
}

/// How much of a register a value of this type is.
pub(super) fn view_of(ty: Type) -> Selected<View> {
    Ok(match ty {
        types::I8 => View::Byte,
        types::I16 => View::Word,
        types::I32 => View::Double,
        types::I64 => View::Quad,
        types::F32 | types::F64 | types::I128 => View::Xmm,
        _ if ty.is_vector() && ty.bytes() == 16 => View::Xmm,
        _ if ty.is_vector() && ty.bytes() == 32 => View::Ymm,
        _ => return Err(Unsupported::new(format!("values of type {ty}"))),
    })
}

/// The instructions of a function that has been through Cranelift's passes.
pub(super) fn select(context: &Context) -> Selected<Draft> {
    let func = &context.func;
    let mut selector = Selector {
        func,
        draft: Draft::default(),
        regs: HashMap::new(),
        uses: HashMap::new(),
        places: HashMap::new(),
        depths: HashMap::new(),
        innermost: HashMap::new(),
        slots: HashMap::new(),
        again: HashMap::new(),
        constants: HashMap::new(),
        here: None,
        now: Vec::new(),
    };
    selector.look(context)?;
    let mut bodies = HashMap::new();
    for block in context.domtree.cfg_postorder() {
        let body = selector.block(*block)?;
        bodies.insert(*block, body);
    }
    // parameters that are wanted are known only now
    let order: Vec<Block> = func.layout.blocks().filter(|block| bodies.contains_key(block)).collect();
    for block in order {
        if let Some(mut body) = bodies.remove(&block) {
            body.params = selector.params(block)?;
            selector.draft.bodies.push(body);
        }
    }
    selector.edges();
    control::straighten(&mut selector.draft.bodies);
    Ok(selector.draft)
}

impl Selector<'_> {
    /// What is known before the selection.
    fn look(&mut self, context: &Context) -> Selected {
        let loops = &context.loop_analysis;
        let outer: HashSet<_> = loops.loops().filter_map(|inner| loops.loop_parent(inner)).collect();
        for block in self.func.layout.blocks() {
            let mut writes = 0;
            for inst in self.func.layout.block_insts(block) {
                self.places.insert(inst, (block, writes));
                let opcode = self.func.dfg.insts[inst].opcode();
                writes += u32::from(opcode.can_store());
                for value in self.func.dfg.inst_values(inst) {
                    *self.uses.entry(value).or_default() += 1;
                }
            }
            self.depths.insert(block, loops.loop_level(block).level() as u32);
            if let Some(around) = loops.innermost_loop(block).filter(|around| !outer.contains(around)) {
                self.innermost.insert(block, loops.loop_header(around));
            }
        }
        self.look_for_sums(context);
        for (slot, data) in self.func.sized_stack_slots.iter() {
            let alignment = 1 << data.align_shift.clamp(3, 5);
            self.draft.frame = (self.draft.frame + alignment - 1) / alignment * alignment;
            self.slots.insert(slot, self.draft.frame);
            self.draft.frame += data.size as i32;
        }
        Ok(())
    }

    /// What goes from one iteration of a loop to the next, counters above all, may be computed again behind the loop, from what it was in this
    /// iteration, which then needs a register of its own.
    fn look_for_sums(&mut self, context: &Context) {
        let mut sums: BTreeMap<(Value, i64), Vec<(Block, Value)>> = BTreeMap::new();
        for block in self.func.layout.blocks() {
            for inst in self.func.layout.block_insts(block) {
                if let InstructionData::Binary { opcode: Opcode::Iadd, args: [x, y] } =
                    self.func.dfg.insts[inst]
                    && let Some(constant) = self.integer(y)
                {
                    let sum = self.func.dfg.first_result(inst);
                    sums.entry((x, constant)).or_default().push((block, sum));
                }
            }
        }
        for found in sums.values() {
            for (block, sum) in found {
                let earlier = found.iter().find(|(other, first)| {
                    first != sum && other != block && context.domtree.block_dominates(*other, *block)
                });
                if let Some((other, first)) = earlier
                    && self.goes_on(*other, *first)
                {
                    self.again.insert(*sum, *first);
                }
            }
        }
    }

    /// Whether a value is given to the parameter of a block where this one ends.
    fn goes_on(&self, block: Block, value: Value) -> bool {
        let last = self.func.layout.last_inst(block);
        let calls = last.map(|inst| {
            self.func.dfg.insts[inst]
                .branch_destination(&self.func.dfg.jump_tables, &self.func.dfg.exception_tables)
        });
        let pool = &self.func.dfg.value_lists;
        calls.into_iter().flatten().any(|call| call.args(pool).any(|arg| arg.as_value() == Some(value)))
    }

    pub(super) fn unsupported(&self, inst: ir::Inst) -> Unsupported {
        let opcode = self.func.dfg.insts[inst].opcode();
        let ty = self.func.dfg.inst_results(inst).first().map(|value| self.ty(*value));
        Unsupported::new(format!("{opcode} of {}", ty.unwrap_or(types::INVALID)))
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.func.dfg.value_type(value)
    }

    /// The instruction that computes a value.
    pub(super) fn definition(&self, value: Value) -> Option<(ir::Inst, InstructionData)> {
        match self.func.dfg.value_def(value) {
            ValueDef::Result(inst, 0) => Some((inst, self.func.dfg.insts[inst])),
            _ => None,
        }
    }

    pub(super) fn is_used_once(&self, value: Value) -> bool {
        self.uses.get(&value) == Some(&1)
    }

    pub(super) fn args(&self, inst: ir::Inst) -> &[Value] {
        self.func.dfg.inst_args(inst)
    }

    /// A register of its own.
    pub(super) fn fresh(&mut self, class: Class) -> Reg {
        self.draft.classes.push(class);
        Reg(self.draft.classes.len() as u32 - 1)
    }

    /// The register of a value; constants are made where they are wanted.
    pub(super) fn reg(&mut self, value: Value) -> Selected<Reg> {
        let view = view_of(self.ty(value))?;
        if let Some(bits) = self.integer(value) {
            let to = self.fresh(Class::General);
            let wide = i32::try_from(bits).is_err();
            let small = (0..=i64::from(u32::MAX)).contains(&bits);
            match (small, wide) {
                (true, _) => self.put(
                    Code::Mov_r32_imm32,
                    [
                        Operand::Def(to, View::Double),
                        Operand::Immediate(i64::from(bits as u32 as i32), iced_x86::OpKind::Immediate32),
                    ],
                ),
                (_, false) => self.put(
                    Code::Mov_rm64_imm32,
                    [
                        Operand::Def(to, View::Quad),
                        Operand::Immediate(bits, iced_x86::OpKind::Immediate32to64),
                    ],
                ),
                _ => self.put(
                    Code::Mov_r64_imm64,
                    [Operand::Def(to, View::Quad), Operand::Immediate(bits, iced_x86::OpKind::Immediate64)],
                ),
            }
            return Ok(to);
        }
        if let Some(bytes) = self.constant(value) {
            let to = self.fresh(Class::Vector);
            if bytes.iter().all(|byte| *byte == 0) {
                self.now.push(Inst::Zero { to });
                return Ok(to);
            }
            let (code, pool) = (memory::load_code(self.ty(value))?, self.pool(bytes));
            self.put(code, [Operand::Def(to, view), Operand::Pool(pool)]);
            return Ok(to);
        }
        let value = self.again.get(&value).copied().unwrap_or(value);
        if let Some(reg) = self.regs.get(&value) {
            return Ok(*reg);
        }
        let reg = self.fresh(view.class());
        self.regs.insert(value, reg);
        Ok(reg)
    }

    /// The register that the instruction at hand gives its result in.
    pub(super) fn result(&mut self, inst: ir::Inst) -> Selected<(Reg, Type)> {
        let value = self.func.dfg.first_result(inst);
        let view = view_of(self.ty(value))?;
        let known = self.regs.get(&value).copied();
        let reg = known.unwrap_or_else(|| self.fresh(view.class()));
        Ok((reg, self.ty(value)))
    }

    /// Whether an instruction stands in the block at hand.
    pub(super) fn is_here(&self, inst: ir::Inst) -> bool {
        self.places.get(&inst).map(|place| place.0) == self.here.map(|here| here.0)
    }

    /// Appends an instruction.
    pub(super) fn put<const N: usize>(&mut self, code: Code, operands: [Operand; N]) {
        self.now.push(Inst::Machine { code, operands: operands.to_vec() });
    }

    pub(super) fn copy(&mut self, to: Reg, from: Reg, view: View) {
        self.now.push(Inst::Move { to, from, view });
    }

    /// The number of a constant of the pool.
    pub(super) fn pool(&mut self, bytes: Vec<u8>) -> usize {
        if let Some(number) = self.constants.get(&bytes) {
            return *number;
        }
        self.draft.pool.push(bytes.clone());
        self.constants.insert(bytes, self.draft.pool.len() - 1);
        self.draft.pool.len() - 1
    }

    /// A constant integer.
    pub(super) fn integer(&self, value: Value) -> Option<i64> {
        match self.definition(value)?.1 {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    /// The bytes of a constant float or vector.
    pub(super) fn constant(&self, value: Value) -> Option<Vec<u8>> {
        match self.definition(value)?.1 {
            InstructionData::UnaryIeee32 { imm, .. } => Some(imm.bits().to_le_bytes().to_vec()),
            InstructionData::UnaryIeee64 { imm, .. } => Some(imm.bits().to_le_bytes().to_vec()),
            InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
                Some(self.func.dfg.constants.get(constant_handle).as_slice().to_vec())
            }
            InstructionData::Unary { opcode: Opcode::Splat, arg } => {
                let lane = self.ty(value).lane_type().bytes() as usize;
                let element = match self.integer(arg) {
                    Some(bits) => bits.to_le_bytes()[..lane].to_vec(),
                    None => self.constant(arg)?,
                };
                Some(element.repeat(self.ty(value).bytes() as usize / lane))
            }
            InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. }
                if self.ty(arg).is_vector() =>
            {
                self.constant(arg)
            }
            _ => None,
        }
    }

    /// One instruction that is wanted.
    pub(super) fn lower(&mut self, inst: ir::Inst) -> Selected {
        let data = self.func.dfg.insts[inst];
        let ty = self.func.dfg.inst_results(inst).first().map(|value| self.ty(*value));
        match data.opcode() {
            Opcode::Iconst | Opcode::F32const | Opcode::F64const | Opcode::Vconst => Ok(()),
            Opcode::Load
            | Opcode::Uload32
            | Opcode::Sload32
            | Opcode::Store
            | Opcode::AtomicLoad
            | Opcode::StackAddr => self.memory(inst),
            _ if ty.is_some_and(Type::is_int) && !self.takes_vectors(inst) => self.integers(inst),
            _ => self.vectors(inst),
        }
    }

    /// Whether the operands of an instruction are floats or vectors.
    fn takes_vectors(&self, inst: ir::Inst) -> bool {
        self.args(inst).iter().any(|arg| !self.ty(*arg).is_int())
    }

    /// The flags for a condition: set by the comparison itself where that can be.
    pub(super) fn condition(&mut self, value: Value) -> Selected<Condition> {
        if let Some((inst, InstructionData::IntCompare { cond, .. })) = self.definition(value)
            && self.is_used_once(value)
            && self.ty(self.args(inst)[0]).is_int()
        {
            return self.compare(inst, cond);
        }
        let ty = self.ty(value);
        let view = view_of(ty)?;
        let code = match view {
            View::Byte => Code::Test_rm8_r8,
            View::Word => Code::Test_rm16_r16,
            View::Double => Code::Test_rm32_r32,
            View::Quad => Code::Test_rm64_r64,
            View::Xmm | View::Ymm => return Err(Unsupported::new(format!("a condition of type {ty}"))),
        };
        let reg = self.reg(value)?;
        self.put(code, [Operand::Use(reg, view), Operand::Use(reg, view)]);
        Ok(Condition::NOT_EQUAL)
    }
}
