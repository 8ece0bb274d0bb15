//! Indivisible operations of threads on cells: by one operation of the device where it has it, by compare-and-swap otherwise. A cell of
//! fewer than 32 bits is part of a word that it has from the device: the other cells of that word stay what they are.

use super::exp::Text;
use super::{Emit, Emitter};
use crate::CompileError;
use crate::dialect::Dialect;
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::Exp;

/// What the word of a cell is called, and where in it the cell lies.
struct Word {
    /// Its type, an unsigned integer.
    ty: &'static str,
    /// What compares one with a second and puts a third there if they are the same; gives what was there.
    swap: &'static str,
    /// The pointer to it.
    at: String,
    /// The number of the first of the cell's bits, and a word of ones in all other bits; none where the cell is all of the word.
    part: Option<(String, String)>,
}

impl Emitter<'_, '_> {
    /// An indivisible operation of a thread on a cell.
    pub(super) fn atomic(&mut self, view: Var, indices: &[Exp], op: BinOp, value: &Exp) -> Emit {
        let Some(dialect) = self.dialect() else {
            return Err(CompileError::new("an atomic outside of kernels"));
        };
        let view = self.view(view)?;
        let value = self.exp(value)?;
        let cell = self.cell(&view, indices)?.text;
        let qualifier = self.qualifier(view.space)?;
        if let Some(call) = dialect.atomic(op, view.elem, qualifier) {
            self.lines.push(format!("{call}&{cell}, {});", value.text));
            return Ok(());
        }
        let elem = view.elem;
        let value = self.named(elem, value);
        self.lines.open("{".to_owned());
        let word = self.word(dialect, elem, qualifier, &cell)?;
        match bitwise(op, elem).and_then(|op| Some((op, dialect.atomic(op, PrimType::U32, qualifier)?))) {
            Some((op, call)) => self.combine_bits(dialect, op, &call, elem, &word, &value),
            None => self.combine_and_swap(dialect, op, elem, &word, value)?,
        }
        self.lines.close("}");
        Ok(())
    }

    /// The word that a cell lies in.
    fn word(&mut self, dialect: Dialect, elem: PrimType, qualifier: &str, cell: &str) -> Emit<Word> {
        let Some((ty, swap)) = dialect.swap(elem.bytes().max(4)) else {
            return Err(CompileError::new(format!("I12: there is no atomic on {elem}")));
        };
        let pointer = format!("volatile {qualifier}{ty} *");
        if elem.bytes() >= 4 {
            let at = self.temporary();
            self.lines.push(format!("{pointer}const {at} = ({pointer})&{cell};"));
            return Ok(Word { ty, swap, at, part: None });
        }
        let [place, at, bit] = [(); 3].map(|()| self.temporary());
        let ones = (1u64 << elem.bits()) - 1;
        self.lines.push(format!("const size_t {place} = (size_t)&{cell};"));
        self.lines.push(format!("{pointer}const {at} = ({pointer})({place} & ~(size_t)3);"));
        self.lines.push(format!("const {ty} {bit} = ({ty})({place} & 3) * 8;"));
        let others = format!("~(({ty}){ones} << {bit})");
        Ok(Word { ty, swap, at, part: Some((bit, others)) })
    }

    /// By an operation on the whole word whose other operand leaves the bits of other cells as they are.
    fn combine_bits(
        &mut self,
        dialect: Dialect,
        op: BinOp,
        call: &str,
        elem: PrimType,
        word: &Word,
        value: &str,
    ) {
        let mut operand = in_place(dialect, elem, word, value);
        if let (BinOp::And, Some((_, others))) = (op, &word.part) {
            operand = format!("{others} | {operand}");
        }
        self.lines.push(format!("{call}{}, {operand});", word.at));
    }

    /// What is in the cell is combined with the value, and written if the word is still what it was.
    fn combine_and_swap(
        &mut self,
        dialect: Dialect,
        op: BinOp,
        elem: PrimType,
        word: &Word,
        value: String,
    ) -> Emit {
        let Word { ty: word_type, swap, at, part } = word;
        let [seen, old] = [(); 2].map(|()| self.temporary());
        self.lines.push(format!("{word_type} {seen} = *{at}, {old};"));
        self.lines.open("do {".to_owned());
        self.lines.push(format!("{old} = {seen};"));
        let ty = c_type(elem);
        let (of_bits, bits) = match elem {
            PrimType::F32 => ("f32_of_bits", "f32_bits"),
            PrimType::F64 => ("f64_of_bits", "f64_bits"),
            _ => ("", ""),
        };
        let own = part.as_ref().map_or_else(|| old.clone(), |(bit, _)| format!("{old} >> {bit}"));
        let before = self.named(elem, Text::atom(format!("({ty}){of_bits}({own})"), &[]));
        let both = self.binary(op, elem, &Text::name(before), &Text::name(value), None, false)?;
        let new = match part {
            Some((_, others)) => {
                format!("({old} & {others}) | {}", in_place(dialect, elem, word, &both.text))
            }
            None => format!("({word_type}){bits}({})", both.text),
        };
        self.lines.push(format!("{seen} = {swap}({at}, {old}, {new});"));
        self.lines.close(format!("}} while ({seen} != {old});"));
        Ok(())
    }
}

/// The bits of a narrow cell's value where they lie in the word, and zeros.
fn in_place(dialect: Dialect, elem: PrimType, word: &Word, value: &str) -> String {
    let bits = format!("({})({})({value})", word.ty, dialect.cell(elem.bytes().into()));
    word.part.as_ref().map_or_else(|| bits.clone(), |(bit, _)| format!("({bits} << {bit})"))
}

/// The operator on the bits of a narrow cell that is this one.
fn bitwise(op: BinOp, elem: PrimType) -> Option<BinOp> {
    let is_bool = elem == PrimType::Bool;
    let op = match op {
        BinOp::Min if is_bool => BinOp::And,
        BinOp::Max if is_bool => BinOp::Or,
        BinOp::And | BinOp::Or | BinOp::Xor => op,
        _ => return None,
    };
    (elem.bytes() < 4).then_some(op)
}
