//! Operators on integers in vectors of 32 bytes, out of sight of Cranelift's rules: these know vectors of at most 16 bytes, and some panic for longer ones, such
//! as that for `x ^ x`.
//!
//! A rule matches an operator with operands that are made in a certain way, or that are the same. So each operand goes through `popcnt`, the second one
//! twice: of that there are no rules but one that moves it over a splat, loops in vectors do not have it otherwise, and the two operands are never the
//! same. Common expressions and what does not change in a loop are found all the same. Before instructions are chosen, operators get their operands back.

use cranelift_codegen::ir::{Function, InstBuilder, Opcode, Value};
use cranelift_frontend::FunctionBuilder;

/// An operand out of sight.
pub(crate) fn hidden(b: &mut FunctionBuilder<'_>, x: Value) -> Value {
    let ty = b.func.dfg.value_type(x);
    if ty.is_vector() && ty.bytes() > 16 && ty.lane_type().is_int() { b.ins().popcnt(x) } else { x }
}

/// Two operands out of sight, which are not the same.
pub(crate) fn hidden_pair(b: &mut FunctionBuilder<'_>, x: Value, y: Value) -> (Value, Value) {
    let (x, y) = (hidden(b, x), hidden(b, y));
    (x, hidden(b, y))
}

/// Gives all operators the operands that were hidden.
pub(super) fn reveal(func: &mut Function) {
    let blocks: Vec<_> = func.layout.blocks().collect();
    for block in blocks {
        let insts: Vec<_> = func.layout.block_insts(block).collect();
        for inst in insts {
            if func.dfg.insts[inst].opcode() == Opcode::Popcnt {
                func.layout.remove_inst(inst);
                continue;
            }
            let shown: Vec<Value> = func.dfg.inst_values(inst).map(|value| revealed(func, value)).collect();
            let mut shown = shown.into_iter();
            func.dfg.map_inst_values(inst, |value| shown.next().unwrap_or(value));
        }
    }
}

fn revealed(func: &Function, mut value: Value) -> Value {
    loop {
        value = func.dfg.resolve_aliases(value);
        let Some(inst) = func.dfg.value_def(value).inst() else { return value };
        if func.dfg.insts[inst].opcode() != Opcode::Popcnt {
            return value;
        }
        value = func.dfg.inst_args(inst)[0];
    }
}
