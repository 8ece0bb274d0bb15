//! Expressions.

use crate::ir::Exp;
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, UnOp};
use fun_base::text::{Cursor, Parse, Token};

/// An expression.
pub(super) fn exp(c: &mut Cursor) -> Parse<Exp> {
    c.nested(|c| {
        if c.is_literal() {
            return Ok(Exp::Const(c.literal()?));
        }
        if c.is_var() {
            let var = c.var()?;
            if c.is_punct("[") {
                return Ok(Exp::Read { view: var, indices: c.comma_list("[", "]", exp)? });
            }
            return Ok(Exp::Var(var));
        }
        application(c)
    })
}

/// An operator with its operands.
fn application(c: &mut Cursor) -> Parse<Exp> {
    let Token::Word(name) = *c.peek() else { return Err(c.expected("an expression")) };
    let place = c.span();
    c.advance();
    let unknown = || c.error_at(place, format!("expected an expression, found `{name}`"));
    if name.as_str() == "select" {
        let [condition, yes, no] = operands(c)?;
        return Ok(Exp::Select(condition, yes, no));
    }
    if name.as_str() == "threads" {
        return Ok(Exp::Threads);
    }
    if name.as_str() == "param" {
        return Ok(Exp::Param { name: Symbol::new(&c.text()?), usual: c.int()? });
    }
    if name.as_str() == "fma" {
        c.expect_punct(".")?;
        let ty = c.prim_type()?;
        return Ok(Exp::Fma(ty, operands(c)?));
    }
    if name.as_str() == "convert" {
        c.expect_punct(".")?;
        let to = c.prim_type()?;
        c.expect_punct(".")?;
        let from = c.prim_type()?;
        let [value] = operands(c)?;
        return Ok(Exp::Convert { to, from, value });
    }
    if let Some(op) = BinOp::from_name(name.as_str()) {
        c.expect_punct(".")?;
        let ty = c.prim_type()?;
        let [left, right] = operands(c)?;
        return Ok(Exp::Bin(op, ty, left, right));
    }
    let op = UnOp::from_name(name.as_str()).ok_or_else(unknown)?;
    c.expect_punct(".")?;
    let ty = c.prim_type()?;
    let [operand] = operands(c)?;
    Ok(Exp::Un(op, ty, operand))
}

/// As many operands as demanded.
fn operands<const N: usize>(c: &mut Cursor) -> Parse<[Box<Exp>; N]> {
    let place = c.span();
    let operands = c.comma_list("(", ")", |c| Ok(Box::new(exp(c)?)))?;
    let count = operands.len();
    operands.try_into().map_err(|_| c.error_at(place, format!("expected {N} operands, found {count}")))
}
