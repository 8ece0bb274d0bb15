//! The parser.

use super::TextRep;
use crate::ir::{
    Atom, Binder, Body, Combine, Dim, Exp, FlatDim, Function, Lambda, LoopForm, LoopParam, Mode, Param,
    Program, Statement, Type,
};
use fun_base::name::Var;
use fun_base::prim::{BinOp, UnOp};
use fun_base::source::Source;
use fun_base::text::{Cursor, Parse, Token};

/// Parses a whole source. Spans of errors say that it is number `file` of the sources at hand.
pub fn parse_program<R: TextRep>(source: &Source, file: u32) -> Parse<Program<R>> {
    let mut cursor = Cursor::new(source, file)?;
    let mut functions = Vec::new();
    while *cursor.peek() != Token::End {
        functions.push(parse_function(&mut cursor)?);
    }
    Ok(Program { functions })
}

fn parse_function<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Function<R>> {
    let entry = c.eat_word("entry");
    if !entry && !c.eat_word("fun") {
        return Err(c.expected("`fun` or `entry`"));
    }
    let noinline = c.eat_punct("#");
    if noinline {
        c.expect_punct("[")?;
        if !c.eat_word("noinline") {
            return Err(c.expected("`noinline`"));
        }
        c.expect_punct("]")?;
    }
    let name = c.word("the name of a function")?;
    let params = parse_params(c)?;
    c.expect_punct(":")?;
    let results = parse_params(c)?;
    c.expect_punct("=")?;
    Ok(Function { name, entry, noinline, params, results, body: parse_body(c)? })
}

fn parse_params<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Vec<Param<R>>> {
    let mut params = Vec::new();
    loop {
        let implicit = c.eat_punct("[");
        if !implicit && !c.eat_punct("(") {
            return Ok(params);
        }
        let unique = c.eat_punct("*");
        let binder = parse_binder(c)?;
        c.expect_punct(if implicit { "]" } else { ")" })?;
        params.push(Param { binder, implicit, unique });
    }
}

fn parse_binder<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Binder<R>> {
    let var = c.var()?;
    c.expect_punct(":")?;
    Ok(Binder { var, ty: R::parse_type(c)? })
}

/// Binders, each in parentheses.
#[inline(never)]
fn parse_binders<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Vec<Binder<R>>> {
    let mut binders = Vec::new();
    while c.eat_punct("(") {
        binders.push(parse_binder(c)?);
        c.expect_punct(")")?;
    }
    Ok(binders)
}

/// A FUN type.
pub fn parse_type(c: &mut Cursor<'_>) -> Parse<Type> {
    let shape = parse_shape(c)?;
    Ok(Type::array_of(&shape, &Type::Prim(c.prim_type()?)))
}

/// Sizes, each in brackets; maybe none.
fn parse_shape(c: &mut Cursor<'_>) -> Parse<Vec<Atom>> {
    let mut shape = Vec::new();
    while c.eat_punct("[") {
        shape.push(parse_atom(c)?);
        c.expect_punct("]")?;
    }
    Ok(shape)
}

/// An atom.
pub fn parse_atom(c: &mut Cursor<'_>) -> Parse<Atom> {
    if c.is_literal() {
        return Ok(Atom::Const(c.literal()?));
    }
    if !c.is_var() {
        return Err(c.expected("a variable (`name_1`) or a literal (`1i32`)"));
    }
    Ok(Atom::Var(c.var()?))
}

#[inline(never)]
fn parse_atoms(c: &mut Cursor<'_>, open: &str, close: &str) -> Parse<Vec<Atom>> {
    c.comma_list(open, close, parse_atom)
}

/// Variables without anything between; maybe none.
fn parse_vars(c: &mut Cursor<'_>) -> Parse<Vec<Var>> {
    let mut vars = Vec::new();
    while c.is_var() {
        vars.push(c.var()?);
    }
    Ok(vars)
}

#[inline(never)]
fn parse_body<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Body<R>> {
    c.nested(|c| {
        c.expect_punct("{")?;
        let mut statements = Vec::new();
        while !c.eat_word("in") {
            if !c.is_word("let") {
                return Err(c.expected("`let` or `in`"));
            }
            statements.push(parse_statement(c)?);
        }
        let results = parse_atoms(c, "(", ")")?;
        c.expect_punct("}")?;
        Ok(Body { statements, results })
    })
}

#[inline(never)]
fn parse_statement<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Statement<R>> {
    c.expect_word("let")?;
    let pattern = parse_binders(c)?;
    c.expect_punct("=")?;
    let exp = parse_exp(c)?;
    Ok(Statement { pattern, exp, loc: c.optional_loc()? })
}

#[inline(never)]
fn parse_lambda<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Lambda<R>> {
    c.expect_punct("\\")?;
    let params = parse_binders(c)?;
    c.expect_punct(":")?;
    let mut results = Vec::new();
    while !c.is_punct("{") {
        if !results.is_empty() {
            c.expect_punct(",")?;
        }
        results.push(parse_type(c)?);
    }
    Ok(Lambda { params, results, body: parse_body(c)? })
}

fn parse_dim(c: &mut Cursor<'_>) -> Parse<Dim> {
    let first = parse_atom(c)?;
    if c.eat_punct("+") {
        c.expect_punct("{")?;
        let mut dims = Vec::new();
        while c.eat_punct("(") {
            let count = parse_atom(c)?;
            c.expect_punct(":")?;
            dims.push(FlatDim { count, stride: parse_atom(c)? });
            c.expect_punct(")")?;
        }
        c.expect_punct("}")?;
        return Ok(Dim::Flat { offset: first, dims });
    }
    if !c.eat_punct(":") {
        return Ok(Dim::Fix(first));
    }
    let count = parse_atom(c)?;
    c.expect_punct(":")?;
    Ok(Dim::Range { offset: first, count, stride: parse_atom(c)? })
}

/// An expression. Those with bodies are parsed by functions of their own that are not inlined: the stack of the recursion holds
/// only the locals of what is nested.
fn parse_exp<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Exp<R>> {
    let Token::Word(word) = *c.peek() else { return parse_flat(c) };
    match word.as_str() {
        "if" => parse_if(c),
        "loop" => parse_loop(c),
        "map" => parse_map(c),
        "jvp" | "vjp" | "with_vjp" => parse_derivative(c, word.as_str()),
        "reduce" | "reduce_comm" | "scan" | "hist" => parse_combination(c, word.as_str()),
        "kernel" => parse_kernel(c),
        _ => parse_flat(c),
    }
}

/// An expression without bodies.
#[inline(never)]
fn parse_flat<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Exp<R>> {
    if c.is_literal() || c.is_var() {
        return Ok(Exp::Atom(parse_atom(c)?));
    }
    if let Some(op) = R::parse_op(c)? {
        return Ok(Exp::Op(op));
    }
    let start = c.span();
    let word = c.word("an expression")?;
    if let Some(op) = BinOp::from_name(word.as_str()) {
        c.expect_punct(".")?;
        return Ok(Exp::Bin(op, c.prim_type()?, parse_atom(c)?, parse_atom(c)?));
    }
    if let Some(op) = UnOp::from_name(word.as_str()) {
        c.expect_punct(".")?;
        return Ok(Exp::Un(op, c.prim_type()?, parse_atom(c)?));
    }
    if word.as_str() == "fma" {
        c.expect_punct(".")?;
        return Ok(Exp::Fma(c.prim_type()?, [parse_atom(c)?, parse_atom(c)?, parse_atom(c)?]));
    }
    match parse_array(c, word.as_str())? {
        Some(exp) => Ok(exp),
        None => Err(c.error_at(start, format!("expected an expression, found `{word}`"))),
    }
}

/// Operations without bodies, after their first word. `None` if it is none.
fn parse_array<R: TextRep>(c: &mut Cursor<'_>, word: &str) -> Parse<Option<Exp<R>>> {
    Ok(Some(match word {
        "convert" => {
            c.expect_punct(".")?;
            let to = c.prim_type()?;
            c.expect_punct(".")?;
            Exp::Convert { to, from: c.prim_type()?, value: parse_atom(c)? }
        }
        "index" => Exp::Index { array: c.var()?, indices: parse_atoms(c, "[", "]")? },
        "slice" => Exp::Slice { array: c.var()?, dims: c.comma_list("[", "]", parse_dim)? },
        "update" => {
            Exp::Update { array: c.var()?, dims: c.comma_list("[", "]", parse_dim)?, value: parse_atom(c)? }
        }
        "iota" => {
            c.expect_punct(".")?;
            let elem = c.prim_type()?;
            Exp::Iota { count: parse_atom(c)?, start: parse_atom(c)?, step: parse_atom(c)?, elem }
        }
        "replicate" => Exp::Replicate { shape: parse_shape(c)?, value: parse_atom(c)? },
        "scratch" => Exp::Scratch { shape: parse_shape(c)?, elem: c.prim_type()? },
        "array" => Exp::ArrayLiteral { row: parse_type(c)?, elems: parse_atoms(c, "[", "]")? },
        "concat" => Exp::Concat { size: parse_atom(c)?, arrays: parse_vars(c)? },
        "copy" => Exp::Copy(c.var()?),
        "permute" => Exp::Permute { perm: c.comma_list("(", ")", |c| c.natural())?, array: c.var()? },
        "reshape" => Exp::Reshape { shape: parse_shape(c)?, array: c.var()? },
        "reverse" => Exp::Reverse { dim: c.natural()?, array: c.var()? },
        "call" => {
            let function = c.word("the name of a function")?;
            let mut args = Vec::new();
            while c.is_literal() || c.is_var() {
                args.push(parse_atom(c)?);
            }
            Exp::Call { function, args }
        }
        "assert" => {
            let (condition, message) = (parse_atom(c)?, c.text()?);
            let mut args = Vec::new();
            while c.is_literal() || c.is_var() {
                args.push(parse_atom(c)?);
            }
            Exp::Assert { condition, message, args }
        }
        "trace" | "break" => {
            let text = c.text()?;
            let mut args = Vec::new();
            while c.is_literal() || c.is_var() {
                args.push(parse_atom(c)?);
            }
            Exp::Trace { text, args, pause: word == "break" }
        }
        "scatter" => Exp::Scatter {
            width: parse_atom(c)?,
            dests: parse_var_list(c)?,
            indices: c.var()?,
            values: parse_vars(c)?,
        },
        _ => return Ok(None),
    }))
}

#[inline(never)]
fn parse_if<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Exp<R>> {
    c.expect_word("if")?;
    let condition = parse_atom(c)?;
    let then = parse_body(c)?;
    c.expect_word("else")?;
    Ok(Exp::If { condition, then, otherwise: parse_body(c)? })
}

#[inline(never)]
fn parse_loop<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Exp<R>> {
    c.expect_word("loop")?;
    let (params, form) = parse_loop_head(c)?;
    Ok(Exp::Loop { params, form, body: parse_body(c)? })
}

#[inline(never)]
fn parse_loop_head<R: TextRep>(c: &mut Cursor<'_>) -> Parse<(Vec<LoopParam<R>>, LoopForm)> {
    let mut params = Vec::new();
    while c.eat_punct("(") {
        let binder = parse_binder(c)?;
        c.expect_punct("=")?;
        params.push(LoopParam { binder, init: parse_atom(c)? });
        c.expect_punct(")")?;
    }
    if c.eat_word("while") {
        return Ok((params, LoopForm::While(c.var()?)));
    }
    c.expect_word("for")?;
    let var = c.var()?;
    c.expect_punct(":")?;
    let ty = c.prim_type()?;
    c.expect_punct("<")?;
    Ok((params, LoopForm::For { var, ty, bound: parse_atom(c)? }))
}

fn parse_var_list(c: &mut Cursor<'_>) -> Parse<Vec<Var>> {
    c.comma_list("(", ")", |c| c.var())
}

#[inline(never)]
fn parse_map<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Exp<R>> {
    c.expect_word("map")?;
    Ok(Exp::Map { width: parse_atom(c)?, lambda: parse_lambda(c)?, arrays: parse_vars(c)? })
}

/// `jvp`, `vjp`, `with_vjp`.
#[inline(never)]
fn parse_derivative<R: TextRep>(c: &mut Cursor<'_>, word: &str) -> Parse<Exp<R>> {
    c.expect_word(word)?;
    let function = parse_lambda(c)?;
    if word == "with_vjp" {
        let adjoint = parse_lambda(c)?;
        return Ok(Exp::Derive { mode: Mode::Custom { adjoint }, function, args: parse_atoms(c, "(", ")")? });
    }
    let args = parse_atoms(c, "(", ")")?;
    let seeds = parse_atoms(c, "(", ")")?;
    let mode = if word == "jvp" { Mode::Jvp { tangents: seeds } } else { Mode::Vjp { adjoints: seeds } };
    Ok(Exp::Derive { mode, function, args })
}

/// Reduce, scan, hist: all have a width, an operator and its neutral element.
#[inline(never)]
fn parse_combination<R: TextRep>(c: &mut Cursor<'_>, word: &str) -> Parse<Exp<R>> {
    c.expect_word(word)?;
    let width = parse_atom(c)?;
    let (op, neutral) = parse_operator(c)?;
    Ok(match word {
        "scan" => Exp::Scan { width, op, neutral, arrays: parse_vars(c)? },
        "hist" => {
            let (dests, indices) = (parse_var_list(c)?, c.var()?);
            Exp::Hist { width, op, neutral, dests, indices, values: parse_vars(c)? }
        }
        _ => {
            let commutative = word == "reduce_comm";
            Exp::Reduce { width, op, neutral, arrays: parse_vars(c)?, commutative }
        }
    })
}

fn parse_operator<R: TextRep>(c: &mut Cursor<'_>) -> Parse<(Lambda<R>, Vec<Atom>)> {
    Ok((parse_lambda(c)?, parse_atoms(c, "(", ")")?))
}

#[inline(never)]
fn parse_kernel<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Exp<R>> {
    c.expect_word("kernel")?;
    let space = parse_space(c)?;
    let combine = parse_combine(c)?;
    Ok(Exp::Kernel { space, combine, body: parse_body(c)? })
}

#[inline(never)]
fn parse_space(c: &mut Cursor<'_>) -> Parse<Vec<(Var, Atom)>> {
    c.comma_list("(", ")", |c| {
        let var = c.var()?;
        c.expect_punct("<")?;
        Ok((var, parse_atom(c)?))
    })
}

#[inline(never)]
fn parse_combine<R: TextRep>(c: &mut Cursor<'_>) -> Parse<Combine<R>> {
    if c.is_punct("{") {
        return Ok(Combine::Map);
    }
    let start = c.span();
    let word = c.word("a body, or how results are combined (`reduce`, `scan`, `hist`, `scatter`)")?;
    if word.as_str() == "scatter" {
        return Ok(Combine::Scatter { dests: parse_var_list(c)? });
    }
    if !matches!(word.as_str(), "reduce" | "reduce_comm" | "scan" | "hist") {
        return Err(c.error_at(start, format!("`{word}` is no way to combine results")));
    }
    let (op, neutral) = parse_operator(c)?;
    Ok(match word.as_str() {
        "scan" => {
            let epilogue = if c.eat_word("then") { Some(Box::new(parse_lambda(c)?)) } else { None };
            Combine::Scan { op, neutral, epilogue }
        }
        "hist" => Combine::Hist { op, neutral, dests: parse_var_list(c)? },
        _ => Combine::Reduce { op, neutral, commutative: word.as_str() == "reduce_comm" },
    })
}
