//! Functions of the generator as text: one line for each instruction, in the form of the other listings, with names for the places that jumps go to.

use super::Code;
use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter, Instruction, OpKind};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of a function.
pub(crate) fn text(code: &Code) -> String {
    let bytes = &code.bytes[..code.instructions];
    let instructions: Vec<Instruction> = Decoder::new(64, bytes, DecoderOptions::NONE).into_iter().collect();
    let mut labels: BTreeMap<u64, usize> = instructions.iter().filter_map(target).map(|to| (to, 0)).collect();
    labels.values_mut().zip(1..).for_each(|(number, at)| *number = at);
    let mut formatter = GasFormatter::new();
    let mut text = String::new();
    for instruction in &instructions {
        if let Some(number) = labels.get(&instruction.ip()) {
            // writing to a string does not fail
            let _ = writeln!(text, "block{number}:");
        }
        let mut line = String::new();
        formatter.format(instruction, &mut line);
        if let Some(number) = target(instruction).and_then(|target| labels.get(&target)) {
            let (mnemonic, _) = line.split_once(' ').unwrap_or((&line, ""));
            line = format!("{mnemonic} block{number}");
        }
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Where a jump goes.
fn target(instruction: &Instruction) -> Option<u64> {
    let is_jump = instruction.op_count() == 1 && instruction.op0_kind() == OpKind::NearBranch64;
    is_jump.then(|| instruction.near_branch64())
}
