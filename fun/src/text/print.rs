//! The printer.

use super::TextRep;
use crate::ir::{
    Atom, Binder, Body, Combine, Dim, Exp, FlatDim, Function, Lambda, LoopForm, Mode, Param, Program,
    Statement, Type,
};
use fun_base::name::Var;
use fun_base::text::{print_loc, quote};
use std::fmt::{Display, Write, from_fn};

/// The program as text.
pub fn program_to_string<R: TextRep>(program: &Program<R>) -> String {
    let functions: Vec<String> = program.functions.iter().map(function_to_string).collect();
    functions.join("\n")
}

/// The function as text, with a line feed at the end.
pub(super) fn function_to_string<R: TextRep>(function: &Function<R>) -> String {
    let mut printer = Printer::default();
    printer.function(function);
    printer.out
}

/// The body as text.
pub(super) fn body_to_string<R: TextRep>(body: &Body<R>) -> String {
    let mut printer = Printer::default();
    printer.body(body);
    printer.out
}

/// The statement as text.
pub fn statement_to_string<R: TextRep>(statement: &Statement<R>) -> String {
    let mut printer = Printer::default();
    printer.statement(statement);
    printer.out
}

/// The first line of the statement, for messages.
pub fn statement_head<R: TextRep>(statement: &Statement<R>) -> String {
    // Printing whole bodies for each statement of nested ones would take quadratic time.
    let mut printer = Printer { brief: true, ..Printer::default() };
    printer.statement(statement);
    match printer.out.split_once('\n') {
        Some((head, _)) => format!("{head} …"),
        None => printer.out,
    }
}

/// The expression as text.
pub fn exp_to_string<R: TextRep>(exp: &Exp<R>) -> String {
    let mut printer = Printer::default();
    printer.exp(exp);
    printer.out
}

/// The FUN type as text.
pub fn type_to_string(ty: &Type) -> String {
    let mut out = String::new();
    print_type(ty, &mut out);
    out
}

/// Why writing to a string does not fail.
const WRITES: &str = "invariant: a string takes what is written";

/// Adds the atom to the text.
pub fn print_atom(atom: Atom, out: &mut String) {
    write!(out, "{atom}").expect(WRITES);
}

/// Adds `[a][b]` to the text.
pub fn print_shape(shape: &[Atom], out: &mut String) {
    for size in shape {
        out.push('[');
        print_atom(*size, out);
        out.push(']');
    }
}

/// Adds the FUN type to the text.
pub fn print_type(ty: &Type, out: &mut String) {
    print_shape(ty.shape(), out);
    out.push_str(ty.elem().name());
}

#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
    /// Whether bodies are left out.
    brief: bool,
}

/// `a, b, c`.
fn commas<T: Display>(items: impl IntoIterator<Item = T> + Clone) -> impl Display {
    from_fn(move |f| {
        items.clone().into_iter().enumerate().try_for_each(|(k, item)| {
            f.write_str(if k == 0 { "" } else { ", " })?;
            item.fmt(f)
        })
    })
}

/// ` a b c`, with a blank before each.
fn blanks<T: Display>(items: &[T]) -> impl Display {
    from_fn(move |f| items.iter().try_for_each(|item| write!(f, " {item}")))
}

fn dims(dims: &[Dim]) -> impl Display {
    commas(dims.iter().map(|dim| {
        from_fn(move |f| match dim {
            Dim::Fix(index) => index.fmt(f),
            Dim::Range { offset, count, stride } => write!(f, "{offset} : {count} : {stride}"),
            Dim::Flat { offset, dims } => {
                write!(f, "{offset} + {{")?;
                dims.iter().try_for_each(|FlatDim { count, stride }| write!(f, "({count} : {stride})"))?;
                f.write_str("}")
            }
        })
    }))
}

fn shape(sizes: &[Atom]) -> impl Display {
    from_fn(move |f| sizes.iter().try_for_each(|size| write!(f, "[{size}]")))
}

impl Printer {
    fn put(&mut self, text: impl Display) {
        write!(self.out, "{text}").expect(WRITES);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn function<R: TextRep>(&mut self, function: &Function<R>) {
        self.put(if function.entry { "entry " } else { "fun " });
        self.put(if function.noinline { "#[noinline] " } else { "" });
        self.put(function.name);
        function.params.iter().for_each(|param| self.param(param));
        self.put(" :");
        function.results.iter().for_each(|param| self.param(param));
        self.put(" = ");
        self.body(&function.body);
        self.put("\n");
    }

    fn param<R: TextRep>(&mut self, param: &Param<R>) {
        self.put(if param.implicit { " [" } else { " (" });
        self.put(if param.unique { "*" } else { "" });
        self.binder(&param.binder);
        self.put(if param.implicit { "]" } else { ")" });
    }

    fn binder<R: TextRep>(&mut self, binder: &Binder<R>) {
        self.put(binder.var);
        self.put(": ");
        R::print_type(&binder.ty, &mut self.out);
    }

    fn body<R: TextRep>(&mut self, body: &Body<R>) {
        self.put("{");
        if self.brief {
            self.line();
            return;
        }
        self.indent += 1;
        for statement in &body.statements {
            self.line();
            self.statement(statement);
        }
        self.line();
        self.put(format_args!("in ({})", commas(&body.results)));
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn statement<R: TextRep>(&mut self, statement: &Statement<R>) {
        self.put("let ");
        for binder in &statement.pattern {
            self.put("(");
            self.binder(binder);
            self.put(") ");
        }
        self.put("= ");
        self.exp(&statement.exp);
        if let Some(loc) = statement.loc {
            self.put(format_args!(" # {}", print_loc(loc)));
        }
    }

    /// A blank, the lambda, a blank.
    fn lambda<R: TextRep>(&mut self, lambda: &Lambda<R>) {
        self.put(" \\");
        for binder in &lambda.params {
            self.put("(");
            self.binder(binder);
            self.put(") ");
        }
        self.put(": ");
        if !lambda.results.is_empty() {
            self.put(format_args!("{} ", commas(&lambda.results)));
        }
        self.body(&lambda.body);
    }

    fn operator<R: TextRep>(&mut self, op: &Lambda<R>, neutral: &[Atom]) {
        self.lambda(op);
        self.put(format_args!(" ({})", commas(neutral)));
    }

    fn scatter_like(&mut self, dests: &[Var], indices: Var, values: &[Var]) {
        self.put(format_args!(" ({}) {indices}{}", commas(dests), blanks(values)));
    }

    fn exp<R: TextRep>(&mut self, exp: &Exp<R>) {
        match exp {
            Exp::Atom(atom) => self.put(atom),
            Exp::Bin(op, t, left, right) => self.put(format_args!("{op}.{t} {left} {right}")),
            Exp::Un(op, t, value) => self.put(format_args!("{op}.{t} {value}")),
            Exp::Fma(t, operands) => self.put(format_args!("fma.{t}{}", blanks(operands))),
            Exp::Convert { to, from, value } => self.put(format_args!("convert.{to}.{from} {value}")),
            Exp::Index { array, indices } => self.put(format_args!("index {array}[{}]", commas(indices))),
            Exp::Slice { array, dims: d } => self.put(format_args!("slice {array}[{}]", dims(d))),
            Exp::Update { array, dims: d, value } => {
                self.put(format_args!("update {array}[{}] {value}", dims(d)));
            }
            Exp::Iota { count, start, step, elem } => {
                self.put(format_args!("iota.{elem} {count} {start} {step}"));
            }
            Exp::Replicate { shape: s, value } => self.put(format_args!("replicate {} {value}", shape(s))),
            Exp::Scratch { shape: s, elem } => self.put(format_args!("scratch {}{elem}", shape(s))),
            Exp::ArrayLiteral { row, elems } => self.put(format_args!("array {row} [{}]", commas(elems))),
            Exp::Concat { size, arrays } => self.put(format_args!("concat {size}{}", blanks(arrays))),
            Exp::Copy(array) => self.put(format_args!("copy {array}")),
            Exp::Permute { perm, array } => self.put(format_args!("permute ({}) {array}", commas(perm))),
            Exp::Reshape { shape: s, array } => self.put(format_args!("reshape {} {array}", shape(s))),
            Exp::Reverse { dim, array } => self.put(format_args!("reverse {dim} {array}")),
            Exp::If { condition, then, otherwise } => {
                self.put(format_args!("if {condition} "));
                self.body(then);
                self.put(" else ");
                self.body(otherwise);
            }
            Exp::Loop { params, form, body } => {
                self.put("loop");
                for param in params {
                    self.put(" (");
                    self.binder(&param.binder);
                    self.put(format_args!(" = {})", param.init));
                }
                match form {
                    LoopForm::For { var, ty, bound } => {
                        self.put(format_args!(" for {var}: {ty} < {bound} "));
                    }
                    LoopForm::While(var) => self.put(format_args!(" while {var} ")),
                }
                self.body(body);
            }
            Exp::Call { function, args } => self.put(format_args!("call {function}{}", blanks(args))),
            Exp::Assert { condition, message, args } => {
                self.put(format_args!("assert {condition} {}{}", quote(message), blanks(args)));
            }
            Exp::Trace { text, args, pause } => {
                let word = if *pause { "break" } else { "trace" };
                self.put(format_args!("{word} {}{}", quote(text), blanks(args)));
            }
            Exp::Map { width, lambda, arrays } => {
                self.put(format_args!("map {width}"));
                self.lambda(lambda);
                self.put(blanks(arrays));
            }
            Exp::Reduce { width, op, neutral, arrays, commutative } => {
                let name = if *commutative { "reduce_comm" } else { "reduce" };
                self.put(format_args!("{name} {width}"));
                self.operator(op, neutral);
                self.put(blanks(arrays));
            }
            Exp::Scan { width, op, neutral, arrays } => {
                self.put(format_args!("scan {width}"));
                self.operator(op, neutral);
                self.put(blanks(arrays));
            }
            Exp::Hist { width, op, neutral, dests, indices, values } => {
                self.put(format_args!("hist {width}"));
                self.operator(op, neutral);
                self.scatter_like(dests, *indices, values);
            }
            Exp::Scatter { width, dests, indices, values } => {
                self.put(format_args!("scatter {width}"));
                self.scatter_like(dests, *indices, values);
            }
            Exp::Kernel { space, combine, body } => {
                let space =
                    commas(space.iter().map(|(var, bound)| from_fn(move |f| write!(f, "{var} < {bound}"))));
                self.put(format_args!("kernel ({space})"));
                self.combine(combine);
                self.put(" ");
                self.body(body);
            }
            Exp::Derive { mode, function, args } => {
                self.put(match mode {
                    Mode::Jvp { .. } => "jvp",
                    Mode::Vjp { .. } => "vjp",
                    Mode::Custom { .. } => "with_vjp",
                });
                self.lambda(function);
                if let Mode::Custom { adjoint } = mode {
                    self.lambda(adjoint);
                    self.put(format_args!(" ({})", commas(args)));
                } else {
                    self.put(format_args!(" ({}) ({})", commas(args), commas(mode.seeds())));
                }
            }
            Exp::Op(op) => R::print_op(op, &mut self.out),
        }
    }

    fn combine<R: TextRep>(&mut self, combine: &Combine<R>) {
        match combine {
            Combine::Map => {}
            Combine::Reduce { op, neutral, commutative } => {
                self.put(if *commutative { " reduce_comm" } else { " reduce" });
                self.operator(op, neutral);
            }
            Combine::Scan { op, neutral, epilogue } => {
                self.put(" scan");
                self.operator(op, neutral);
                if let Some(epilogue) = epilogue {
                    self.put(" then");
                    self.lambda(epilogue);
                }
            }
            Combine::Hist { op, neutral, dests } => {
                self.put(" hist");
                self.operator(op, neutral);
                self.put(format_args!(" ({})", commas(dests)));
            }
            Combine::Scatter { dests } => self.put(format_args!(" scatter ({})", commas(dests))),
        }
    }
}
