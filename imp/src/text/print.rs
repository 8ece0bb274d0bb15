//! The canonical printer: one statement a line, two spaces for each level.

use crate::ir::{
    Direction, Exp, ImpType, Interface, InterfacePlace, InterfaceSize, InterfaceValue, LoopKind, Procedure,
    Program, Space, Statement, StatementKind, WindowDim,
};
use fun_base::text::quote;
use std::fmt::{self, Write};

/// The text of a program.
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    for (i, procedure) in program.procedures.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out += &print_procedure(procedure);
    }
    out
}

/// The text of one procedure.
pub fn print_procedure(procedure: &Procedure) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.procedure(procedure).expect("invariant: writing to a string does not fail");
    printer.out
}

/// The text of an expression.
pub fn print_exp(exp: &Exp) -> String {
    exp.to_string()
}

struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn procedure(&mut self, procedure: &Procedure) -> fmt::Result {
        let Procedure { name, interface, params, body, results } = procedure;
        let entry = if interface.is_some() { "entry " } else { "" };
        let params = commas(params.iter().map(|(var, ty)| format!("{var}: {ty}")));
        let types = commas(results.iter().map(|(_, ty)| ty));
        write!(self.out, "{entry}proc {name}({params}): ({types})")?;
        if let Some(Interface { takes, gives }) = interface {
            write!(self.out, "\n  takes ({})\n  gives ({})\n{{", commas(takes), commas(gives))?;
        } else {
            self.out.push_str(" {");
        }
        self.indent += 1;
        self.statements(body)?;
        let results = commas(results.iter().map(|(exp, _)| exp));
        write!(self.out, "\n  return ({results})\n}}\n")?;
        self.indent -= 1;
        Ok(())
    }

    fn statements(&mut self, statements: &[Statement]) -> fmt::Result {
        statements.iter().try_for_each(|statement| {
            self.new_line();
            self.kind(&statement.kind)?;
            if let Some(loc) = statement.loc {
                write!(self.out, " # {}:{}:{}", quote(loc.file.as_str()), loc.line, loc.column)?;
            }
            Ok(())
        })
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn block(&mut self, body: &[Statement]) -> fmt::Result {
        if body.is_empty() {
            self.out.push_str("{}");
            return Ok(());
        }
        self.out.push('{');
        self.indent += 1;
        self.statements(body)?;
        self.indent -= 1;
        self.new_line();
        self.out.push('}');
        Ok(())
    }

    fn kind(&mut self, kind: &StatementKind) -> fmt::Result {
        let out = &mut self.out;
        match kind {
            StatementKind::Let { var, ty, value } => write!(out, "let {var}: {ty} = {value}"),
            StatementKind::Declare { var, ty, value: None } => write!(out, "var {var}: {ty}"),
            StatementKind::Declare { var, ty, value: Some(value) } => {
                write!(out, "var {var}: {ty} = {value}")
            }
            StatementKind::Assign { var, value } => write!(out, "{var} := {value}"),
            StatementKind::Alloc { var, elem, shape, space } => {
                write!(out, "alloc {var}: {elem}")?;
                shape.iter().try_for_each(|size| write!(out, "[{size}]"))?;
                if *space == Space::Default { Ok(()) } else { write!(out, " in {space}") }
            }
            StatementKind::Share(var) => write!(out, "share {var}"),
            StatementKind::Free(var) => write!(out, "free {var}"),
            StatementKind::View { var, elem, mem, lmad } => {
                write!(out, "view {var}: {elem} @ {mem} -> {lmad}")
            }
            StatementKind::Window { var, view, dims } => {
                write!(out, "window {var} = {view}[{}]", commas(dims))
            }
            StatementKind::Write { view, indices, value } => {
                write!(out, "{view}[{}] := {value}", commas(indices))
            }
            StatementKind::Accumulate { view, indices, value } => {
                write!(out, "{view}[{}] += {value}", commas(indices))
            }
            StatementKind::Atomic { view, indices, op, value } => {
                write!(out, "atomic {view}[{}] := {op}({value})", commas(indices))
            }
            StatementKind::Lock { view, indices, body } => {
                write!(out, "lock {view}[{}] ", commas(indices))?;
                self.block(body)
            }
            StatementKind::Ordered { words, body } => {
                write!(out, "ordered {words} ")?;
                self.block(body)
            }
            StatementKind::Shuffle { dest, source, direction, by, group } => {
                write!(out, "shuffle {dest} <- {source} {direction} {by} in {group}")
            }
            StatementKind::Copy { dest, source } => write!(out, "copy {dest} <- {source}"),
            StatementKind::For { var, ty, bound, kind, body } => {
                write!(out, "for {var}: {ty} < {bound} {kind} ")?;
                self.block(body)
            }
            StatementKind::While { condition, body } => {
                write!(out, "while {condition} ")?;
                self.block(body)
            }
            StatementKind::If { condition, then, otherwise } => {
                write!(out, "if {condition} ")?;
                self.block(then)?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                self.out.push_str(" else ");
                self.block(otherwise)
            }
            StatementKind::Assert { condition, message, args } => {
                let numbers = if args.is_empty() { String::new() } else { format!(" ({})", commas(args)) };
                write!(out, "assert {condition} {}{numbers}", quote(message))
            }
            StatementKind::Call { results, procedure, args } => {
                let space = if results.is_empty() { "" } else { " " };
                write!(out, "call {}{space}= {procedure}({})", commas(results), commas(args))
            }
        }
    }
}

/// The texts with commas between.
fn commas<T: fmt::Display>(items: impl IntoIterator<Item = T> + Clone) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        items.clone().into_iter().enumerate().try_for_each(|(k, item)| {
            f.write_str(if k == 0 { "" } else { ", " })?;
            item.fmt(f)
        })
    })
}

impl fmt::Display for Exp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exp::Const(value) => write!(f, "{value}"),
            Exp::Var(var) => write!(f, "{var}"),
            Exp::Bin(op, ty, left, right) => write!(f, "{op}.{ty}({left}, {right})"),
            Exp::Un(op, ty, operand) => write!(f, "{op}.{ty}({operand})"),
            Exp::Fma(ty, operands) => write!(f, "fma.{ty}({})", commas(operands)),
            Exp::Convert { to, from, value } => write!(f, "convert.{to}.{from}({value})"),
            Exp::Select(condition, yes, no) => write!(f, "select({condition}, {yes}, {no})"),
            Exp::Read { view, indices } => write!(f, "{view}[{}]", commas(indices)),
            Exp::Threads => f.write_str("threads"),
            Exp::Param { name, usual } => write!(f, "param {} {usual}", quote(name.as_str())),
        }
    }
}

impl fmt::Display for WindowDim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WindowDim::Fix(index) => write!(f, "{index}"),
            WindowDim::Range { offset, count, stride } => write!(f, "{offset} : {count} : {stride}"),
        }
    }
}

impl fmt::Display for ImpType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImpType::Prim(ty) => write!(f, "{ty}"),
            ImpType::Mem(Space::Default) => f.write_str("mem"),
            ImpType::Mem(space) => write!(f, "mem {space}"),
        }
    }
}

/// `default` is never printed where it may be left out.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Space::Default => f.write_str("default"),
            Space::Stack => f.write_str("stack"),
            Space::Device => f.write_str("device"),
            Space::Shared => f.write_str("shared"),
            Space::Register => f.write_str("register"),
            Space::Named(name) => f.write_str(&quote(name.as_str())),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Down => "down",
            Direction::Up => "up",
        })
    }
}

impl LoopKind {
    /// Every kind.
    pub const ALL: [LoopKind; 9] = [
        LoopKind::Seq,
        LoopKind::Fold,
        LoopKind::Scan,
        LoopKind::Par,
        LoopKind::Simd,
        LoopKind::Unroll,
        LoopKind::Block,
        LoopKind::Chain,
        LoopKind::Thread,
    ];

    /// How the text form calls it.
    pub fn name(self) -> &'static str {
        match self {
            LoopKind::Seq => "seq",
            LoopKind::Fold => "fold",
            LoopKind::Scan => "scan",
            LoopKind::Par => "par",
            LoopKind::Simd => "simd",
            LoopKind::Unroll => "unroll",
            LoopKind::Block => "block",
            LoopKind::Chain => "chain",
            LoopKind::Thread => "thread",
        }
    }
}

impl fmt::Display for LoopKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for InterfaceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterfaceValue::Scalar { at, ty } => write!(f, "{ty} @ {at}"),
            InterfaceValue::Array { mem, elem, shape, consumed, place } => {
                write!(f, "{}{elem}", if *consumed { "*" } else { "" })?;
                shape.iter().try_for_each(|size| match size {
                    InterfaceSize::At(position) => write!(f, "[@{position}]"),
                    InterfaceSize::Const(size) => write!(f, "[{size}]"),
                })?;
                write!(f, " @ {mem}")?;
                let Some(InterfacePlace { offset, strides }) = place else { return Ok(()) };
                let strides: Vec<String> = strides.iter().map(usize::to_string).collect();
                write!(f, " -> {offset} + {{{}}}", strides.join(", "))
            }
        }
    }
}
