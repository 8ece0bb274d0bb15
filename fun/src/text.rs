//! The text form: printing and parsing, generic in the representation, so that FUNMEM reuses both. The grammar stands in
//! [`crate::ir`].
//!
//! The layout is canonical: one statement a line, bodies indented by two blanks. So `parse(print(p)) == p`, and
//! `print(parse(s)) == s` for whatever the printer printed.

mod parse;
mod print;

pub use parse::{parse_atom, parse_program};
pub use print::{
    exp_to_string, print_atom, print_shape, program_to_string, statement_head, statement_to_string,
    type_to_string,
};

use crate::ir::{Body, Exp, Fun, Function, NoOp, Program, Rep, Statement, Type};
use fun_base::text::{Cursor, Parse};
use std::fmt;

/// A representation that has a text form: what its binders and operations look like.
pub trait TextRep: Rep {
    /// Prints the annotation of a binder.
    fn print_type(ty: &Self::Type, out: &mut String);
    /// Parses the annotation of a binder.
    fn parse_type(cursor: &mut Cursor<'_>) -> Parse<Self::Type>;
    /// Prints an operation that only this representation has, its first word included.
    fn print_op(op: &Self::Op, out: &mut String);
    /// Parses such an operation. `None`, and nothing read, if the next word begins none.
    fn parse_op(cursor: &mut Cursor<'_>) -> Parse<Option<Self::Op>>;
}

impl TextRep for Fun {
    fn print_type(ty: &Type, out: &mut String) {
        print::print_type(ty, out);
    }
    fn parse_type(cursor: &mut Cursor<'_>) -> Parse<Type> {
        parse::parse_type(cursor)
    }
    fn print_op(op: &NoOp, _: &mut String) {
        match *op {}
    }
    fn parse_op(_: &mut Cursor<'_>) -> Parse<Option<NoOp>> {
        Ok(None)
    }
}

pub use parse::parse_type;
pub use print::print_type;

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&type_to_string(self))
    }
}

impl fmt::Display for crate::ir::Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            crate::ir::Atom::Var(var) => var.fmt(f),
            crate::ir::Atom::Const(value) => value.fmt(f),
        }
    }
}

impl<R: TextRep> fmt::Display for Program<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&program_to_string(self))
    }
}

impl<R: TextRep> fmt::Display for Function<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::function_to_string(self))
    }
}

impl<R: TextRep> fmt::Display for Body<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::body_to_string(self))
    }
}

impl<R: TextRep> fmt::Display for Statement<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&statement_to_string(self))
    }
}

impl<R: TextRep> fmt::Display for Exp<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&exp_to_string(self))
    }
}

#[cfg(test)]
mod tests;
