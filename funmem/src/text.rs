//! The text form: that of FUN (`fun::text`) with blocks, LMADs and `alloc`. The grammar stands in [`crate::ir`].

use crate::ir::{Mem, MemOp, MemType, Program, Space};
use fun::text::{TextRep, parse_atom, print_shape};
use fun_base::name::Symbol;
use fun_base::source::Source;
use fun_base::text::{Cursor, Parse, Token, quote};
use fun_index::text::parse_lmad;
use std::fmt::Write;

/// Parses a whole source. Spans of errors say that it is number `file` of the sources at hand.
pub fn parse_program(source: &Source, file: u32) -> Parse<Program> {
    fun::text::parse_program::<Mem>(source, file)
}

impl TextRep for Mem {
    fn print_type(ty: &MemType, out: &mut String) {
        match ty {
            MemType::Prim(elem) => out.push_str(elem.name()),
            MemType::Mem(space) => {
                out.push_str("mem");
                print_space(*space, out);
            }
            MemType::Array { shape, elem, mem, lmad } => {
                print_shape(shape, out);
                write!(out, "{} @ {mem} -> {lmad}", elem.name())
                    .expect("invariant: a string takes what is written");
            }
        }
    }

    fn parse_type(cursor: &mut Cursor<'_>) -> Parse<MemType> {
        if cursor.eat_word("mem") {
            return Ok(MemType::Mem(parse_space(cursor)?));
        }
        let mut shape = Vec::new();
        while cursor.eat_punct("[") {
            shape.push(parse_atom(cursor)?);
            cursor.expect_punct("]")?;
        }
        let elem = cursor.prim_type()?;
        if shape.is_empty() {
            return Ok(MemType::Prim(elem));
        }
        cursor.expect_punct("@")?;
        let mem = cursor.var()?;
        cursor.expect_punct("->")?;
        Ok(MemType::Array { shape, elem, mem, lmad: parse_lmad(cursor)? })
    }

    fn print_op(op: &MemOp, out: &mut String) {
        match op {
            MemOp::Alloc { space, shape, elem } => {
                out.push_str("alloc");
                print_space(*space, out);
                out.push(' ');
                print_shape(shape, out);
                // No factor is one element.
                if !shape.is_empty() {
                    out.push(' ');
                }
                out.push_str(elem.name());
            }
        }
    }

    fn parse_op(cursor: &mut Cursor<'_>) -> Parse<Option<MemOp>> {
        if !cursor.eat_word("alloc") {
            return Ok(None);
        }
        let space = parse_space(cursor)?;
        let mut shape = Vec::new();
        while cursor.eat_punct("[") {
            shape.push(parse_atom(cursor)?);
            cursor.expect_punct("]")?;
        }
        Ok(Some(MemOp::Alloc { space, shape, elem: cursor.prim_type()? }))
    }
}

fn print_space(space: Space, out: &mut String) {
    match space {
        Space::Default => {}
        Space::Stack => out.push_str(" stack"),
        Space::Device => out.push_str(" device"),
        Space::Shared => out.push_str(" shared"),
        Space::Named(name) => {
            out.push(' ');
            out.push_str(&quote(name.as_str()));
        }
    }
}

fn parse_space(cursor: &mut Cursor<'_>) -> Parse<Space> {
    for (word, space) in [("stack", Space::Stack), ("device", Space::Device), ("shared", Space::Shared)] {
        if cursor.eat_word(word) {
            return Ok(space);
        }
    }
    match cursor.peek() {
        Token::Text(_) => Ok(Space::Named(Symbol::new(&cursor.text()?))),
        _ => Ok(Space::Default),
    }
}

#[cfg(test)]
mod tests;
