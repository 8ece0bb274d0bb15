//! The recursive-descent parser. It demands the grammar only; [`crate::check`] demands the rest.

mod exp;

use crate::ir::{
    Direction, Exp, ImpType, Interface, InterfacePlace, InterfaceSize, InterfaceValue, LoopKind, Procedure,
    Program, Space, Statement, StatementKind, WindowDim,
};
use exp::exp;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Source;
use fun_base::text::{Cursor, Parse, TextError, Token};
use fun_index::text::parse_lmad;

/// The program that a text is.
pub fn parse_program(source: &Source) -> Result<Program, TextError> {
    let mut c = Cursor::new(source, 0)?;
    let mut procedures = Vec::new();
    while *c.peek() != Token::End {
        procedures.push(procedure(&mut c)?);
    }
    Ok(Program { procedures })
}

fn procedure(c: &mut Cursor) -> Parse<Procedure> {
    let entry = c.eat_word("entry");
    c.expect_word("proc")?;
    let name = c.word("the name of a procedure")?;
    let params = c.comma_list("(", ")", |c| {
        let var = c.var()?;
        c.expect_punct(":")?;
        Ok((var, imp_type(c)?))
    })?;
    c.expect_punct(":")?;
    let types = c.comma_list("(", ")", imp_type)?;
    let interface = if entry { Some(interface(c)?) } else { None };
    c.expect_punct("{")?;
    let mut body = Vec::new();
    while !c.eat_word("return") {
        body.push(statement(c)?);
    }
    let place = c.span();
    let results = c.comma_list("(", ")", exp)?;
    if results.len() != types.len() {
        return Err(c.error_at(place, format!("{} results for {} types", results.len(), types.len())));
    }
    c.expect_punct("}")?;
    Ok(Procedure { name, interface, params, body, results: results.into_iter().zip(types).collect() })
}

fn interface(c: &mut Cursor) -> Parse<Interface> {
    c.expect_word("takes")?;
    let takes = c.comma_list("(", ")", interface_value)?;
    c.expect_word("gives")?;
    let gives = c.comma_list("(", ")", interface_value)?;
    Ok(Interface { takes, gives })
}

fn interface_value(c: &mut Cursor) -> Parse<InterfaceValue> {
    let consumed = c.eat_punct("*");
    let elem = c.prim_type()?;
    let mut shape = Vec::new();
    while c.eat_punct("[") {
        let at = c.eat_punct("@");
        shape.push(if at { InterfaceSize::At(c.natural()?) } else { InterfaceSize::Const(c.int()?) });
        c.expect_punct("]")?;
    }
    c.expect_punct("@")?;
    let position = c.natural()?;
    match (shape.is_empty(), consumed) {
        (false, _) => {
            let place = if c.eat_punct("->") { Some(interface_place(c)?) } else { None };
            Ok(InterfaceValue::Array { mem: position, elem, shape, consumed, place })
        }
        (true, false) => Ok(InterfaceValue::Scalar { at: position, ty: elem }),
        (true, true) => Err(c.error("a scalar is never consumed")),
    }
}

fn interface_place(c: &mut Cursor) -> Parse<InterfacePlace> {
    let offset = c.natural()?;
    c.expect_punct("+")?;
    let strides = c.comma_list("{", "}", |c| c.natural())?;
    Ok(InterfacePlace { offset, strides })
}

fn imp_type(c: &mut Cursor) -> Parse<ImpType> {
    if c.eat_word("mem") {
        return Ok(ImpType::Mem(space(c)?.unwrap_or(Space::Default)));
    }
    if c.is_prim_type() { Ok(ImpType::Prim(c.prim_type()?)) } else { Err(c.expected("a type")) }
}

/// A space, if one is next.
fn space(c: &mut Cursor) -> Parse<Option<Space>> {
    let words = [
        ("stack", Space::Stack),
        ("device", Space::Device),
        ("shared", Space::Shared),
        ("register", Space::Register),
    ];
    for (word, space) in words {
        if c.eat_word(word) {
            return Ok(Some(space));
        }
    }
    match c.peek() {
        Token::Text(_) => Ok(Some(Space::Named(c.text()?.as_str().into()))),
        _ => Ok(None),
    }
}

/// `{ statement* }`
fn block(c: &mut Cursor) -> Parse<Vec<Statement>> {
    c.nested(|c| {
        c.expect_punct("{")?;
        let mut statements = Vec::new();
        while !c.eat_punct("}") {
            statements.push(statement(c)?);
        }
        Ok(statements)
    })
}

fn statement(c: &mut Cursor) -> Parse<Statement> {
    let kind = kind(c)?;
    Ok(Statement { kind, loc: c.optional_loc()? })
}

fn kind(c: &mut Cursor) -> Parse<StatementKind> {
    if c.is_var() {
        return assignment(c);
    }
    let Token::Word(keyword) = *c.peek() else { return Err(c.expected("a statement")) };
    let place = c.span();
    c.advance();
    match keyword.as_str() {
        "let" => {
            let (var, ty) = typed(c)?;
            c.expect_punct("=")?;
            Ok(StatementKind::Let { var, ty, value: exp(c)? })
        }
        "var" => {
            let var = c.var()?;
            c.expect_punct(":")?;
            let ty = imp_type(c)?;
            let value = if c.eat_punct("=") { Some(exp(c)?) } else { None };
            Ok(StatementKind::Declare { var, ty, value })
        }
        "alloc" => alloc(c),
        "share" => Ok(StatementKind::Share(c.var()?)),
        "free" => Ok(StatementKind::Free(c.var()?)),
        "view" => {
            let (var, elem) = typed(c)?;
            c.expect_punct("@")?;
            let mem = c.var()?;
            c.expect_punct("->")?;
            Ok(StatementKind::View { var, elem, mem, lmad: parse_lmad(c)? })
        }
        "window" => {
            let var = c.var()?;
            c.expect_punct("=")?;
            let view = c.var()?;
            Ok(StatementKind::Window { var, view, dims: c.comma_list("[", "]", window_dim)? })
        }
        "atomic" => {
            let view = c.var()?;
            let indices = c.comma_list("[", "]", exp)?;
            c.expect_punct(":=")?;
            let name = c.word("an operator")?;
            let op = BinOp::from_name(name.as_str());
            let op = op.ok_or_else(|| c.expected("an operator"))?;
            c.expect_punct("(")?;
            let value = exp(c)?;
            c.expect_punct(")")?;
            Ok(StatementKind::Atomic { view, indices, op, value })
        }
        "lock" => {
            let view = c.var()?;
            let indices = c.comma_list("[", "]", exp)?;
            Ok(StatementKind::Lock { view, indices, body: block(c)? })
        }
        "ordered" => {
            let words = c.var()?;
            Ok(StatementKind::Ordered { words, body: block(c)? })
        }
        "shuffle" => {
            let dest = c.var()?;
            c.expect_punct("<-")?;
            let source = c.var()?;
            let direction = if c.eat_word("up") {
                Direction::Up
            } else {
                c.expect_word("down")?;
                Direction::Down
            };
            let by = exp(c)?;
            c.expect_word("in")?;
            Ok(StatementKind::Shuffle { dest, source, direction, by, group: c.int()? })
        }
        "copy" => {
            let dest = c.var()?;
            c.expect_punct("<-")?;
            Ok(StatementKind::Copy { dest, source: c.var()? })
        }
        "for" => for_loop(c),
        "while" => {
            let condition = exp(c)?;
            Ok(StatementKind::While { condition, body: block(c)? })
        }
        "if" => {
            let condition = exp(c)?;
            let then = block(c)?;
            let otherwise = if c.eat_word("else") { block(c)? } else { Vec::new() };
            Ok(StatementKind::If { condition, then, otherwise })
        }
        "assert" => {
            let (condition, message) = (exp(c)?, c.text()?);
            let args = if c.is_punct("(") { c.comma_list("(", ")", exp)? } else { Vec::new() };
            Ok(StatementKind::Assert { condition, message, args })
        }
        "call" => call(c),
        _ => Err(c.error_at(place, format!("expected a statement, found `{keyword}`"))),
    }
}

/// `var : prim`
fn typed(c: &mut Cursor) -> Parse<(Var, PrimType)> {
    let var = c.var()?;
    c.expect_punct(":")?;
    Ok((var, c.prim_type()?))
}

/// `x := e`, `A[i, j] := e` or `A[i, j] += e`
fn assignment(c: &mut Cursor) -> Parse<StatementKind> {
    let var = c.var()?;
    if c.eat_punct(":=") {
        return Ok(StatementKind::Assign { var, value: exp(c)? });
    }
    if !c.is_punct("[") {
        return Err(c.expected("`:=` or `[`"));
    }
    let indices = c.comma_list("[", "]", exp)?;
    if c.eat_punct("+=") {
        return Ok(StatementKind::Accumulate { view: var, indices, value: exp(c)? });
    }
    c.expect_punct(":=")?;
    Ok(StatementKind::Write { view: var, indices, value: exp(c)? })
}

fn alloc(c: &mut Cursor) -> Parse<StatementKind> {
    let (var, elem) = typed(c)?;
    let mut shape = Vec::new();
    while c.eat_punct("[") {
        shape.push(exp(c)?);
        c.expect_punct("]")?;
    }
    let space = if c.eat_word("in") {
        space(c)?.ok_or_else(|| c.expected("a memory space"))?
    } else {
        Space::Default
    };
    Ok(StatementKind::Alloc { var, elem, shape, space })
}

fn window_dim(c: &mut Cursor) -> Parse<WindowDim> {
    let offset = exp(c)?;
    if !c.eat_punct(":") {
        return Ok(WindowDim::Fix(offset));
    }
    let count = exp(c)?;
    c.expect_punct(":")?;
    Ok(WindowDim::Range { offset, count, stride: exp(c)? })
}

fn for_loop(c: &mut Cursor) -> Parse<StatementKind> {
    let (var, ty) = typed(c)?;
    c.expect_punct("<")?;
    let bound = exp(c)?;
    let kind = LoopKind::ALL.into_iter().find(|kind| c.eat_word(kind.name()));
    let kind = kind.ok_or_else(|| c.expected("the kind of the loop"))?;
    Ok(StatementKind::For { var, ty, bound, kind, body: block(c)? })
}

fn call(c: &mut Cursor) -> Parse<StatementKind> {
    let mut results = Vec::new();
    while !c.eat_punct("=") {
        if !results.is_empty() {
            c.expect_punct(",")?;
        }
        results.push(c.var()?);
    }
    let procedure = c.word("the name of a procedure")?;
    let args: Vec<Exp> = c.comma_list("(", ")", exp)?;
    Ok(StatementKind::Call { results, procedure, args })
}
