//! Types as Futhark writes them, for `:type` and messages. Different variables of the same text get numbers.

use super::{ACCUMULATOR, Scheme, Size, Type, TypeArg};
use crate::typed::{DimIndex, Exp, ExpKind, Intrinsic};
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use std::collections::{BTreeMap, BTreeSet};

/// The type, e.g. `(i32, [n]f32) -> ?[k].[k]f32`.
pub fn type_to_string(t: &Type) -> String {
    let mut printer = Printer::default();
    printer.print(t, Place::Whole);
    printer.out
}

/// The size as it stands between the brackets of a type.
pub fn size_to_string(size: &Size) -> String {
    let mut printer = Printer::default();
    printer.size(size, 0);
    printer.out
}

/// The type with its parameters in front, e.g. `[n] 'a. [n]a -> i64`.
pub fn scheme_to_string(scheme: &Scheme) -> String {
    let mut printer = Printer::default();
    for var in &scheme.sizes {
        let name = printer.name(*var);
        printer.out.push_str(&format!("[{name}] "));
    }
    for (var, lifted) in scheme.types.iter().zip(&scheme.liftedness) {
        let name = printer.name(*var);
        let mark = match lifted {
            crate::syntax::Liftedness::Unlifted => "",
            crate::syntax::Liftedness::SizeLifted => "~",
            crate::syntax::Liftedness::Lifted => "^",
        };
        printer.out.push_str(&format!("'{mark}{name} "));
    }
    if !printer.out.is_empty() {
        printer.out.pop();
        printer.out.push_str(". ");
    }
    printer.print(&scheme.ty, Place::Whole);
    printer.out
}

/// Types that are printed together, so that the same variable has the same name in all.
pub(crate) fn types_to_strings(types: &[&Type]) -> Vec<String> {
    let mut printer = Printer::default();
    types
        .iter()
        .map(|t| {
            printer.print(t, Place::Whole);
            std::mem::take(&mut printer.out)
        })
        .collect()
}

/// Where a type stands, which decides about parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Whole,
    Param,
    Element,
    Payload,
}

#[derive(Default)]
struct Printer {
    out: String,
    names: BTreeMap<Var, String>,
    used: BTreeSet<String>,
}

impl Printer {
    fn name(&mut self, var: Var) -> String {
        if let Some(name) = self.names.get(&var) {
            return name.clone();
        }
        let mut name = var.text.as_str().to_owned();
        let mut count = 1;
        while !self.used.insert(name.clone()) {
            name = format!("{}{count}", var.text);
            count += 1;
        }
        self.names.insert(var, name.clone());
        name
    }

    fn print(&mut self, t: &Type, place: Place) {
        match t {
            Type::Prim(PrimType::Unit) => self.out.push_str("()"),
            Type::Prim(p) => self.out.push_str(&p.to_string()),
            Type::Array(..) | Type::Unique(_) if place == Place::Payload => {
                self.out.push('(');
                self.print(t, Place::Whole);
                self.out.push(')');
            }
            Type::Array(size, elem) => {
                self.out.push('[');
                self.size(size, 0);
                self.out.push(']');
                self.print(elem, Place::Element);
            }
            Type::Record(fields)
                if fields.first().is_some_and(|(field, _)| field.as_str() == ACCUMULATOR) =>
            {
                self.out.push_str("acc ");
                fields.iter().for_each(|(_, t)| self.print(t, Place::Param));
            }
            Type::Record(fields) => {
                if let Some(components) = t.as_tuple() {
                    self.out.push('(');
                    for (i, t) in components.into_iter().enumerate() {
                        if i > 0 {
                            self.out.push_str(", ");
                        }
                        self.print(t, Place::Whole);
                    }
                    self.out.push(')');
                } else {
                    self.out.push('{');
                    for (i, (field, t)) in fields.iter().enumerate() {
                        if i > 0 {
                            self.out.push_str(", ");
                        }
                        self.out.push_str(field.as_str());
                        self.out.push_str(": ");
                        self.print(t, Place::Whole);
                    }
                    self.out.push('}');
                }
            }
            Type::Sum(constructors) => {
                let parens = place != Place::Whole;
                if parens {
                    self.out.push('(');
                }
                for (i, (name, payload)) in constructors.iter().enumerate() {
                    self.out.push_str(if i > 0 { " | #" } else { "#" });
                    self.out.push_str(name.as_str());
                    for t in payload {
                        self.out.push(' ');
                        self.print(t, Place::Payload);
                    }
                }
                if parens {
                    self.out.push(')');
                }
            }
            Type::Arrow(arrow) => {
                if place != Place::Whole {
                    self.out.push('(');
                }
                match arrow.name {
                    Some(var) if super::free_sizes(&arrow.result).contains(&var) => {
                        let name = self.name(var);
                        self.out.push_str(&format!("({name}: "));
                        self.print(&arrow.param, Place::Whole);
                        self.out.push(')');
                    }
                    _ => self.print(&arrow.param, Place::Param),
                }
                self.out.push_str(" -> ");
                if !arrow.exts.is_empty() {
                    self.out.push('?');
                    for var in &arrow.exts {
                        let name = self.name(*var);
                        self.out.push_str(&format!("[{name}]"));
                    }
                    self.out.push('.');
                }
                self.print(&arrow.result, Place::Whole);
                if place != Place::Whole {
                    self.out.push(')');
                }
            }
            Type::Param(var) => {
                let name = self.name(*var);
                self.out.push_str(&name);
            }
            Type::Named(name, args) => {
                // Sizes that the definition leaves open are not written.
                let written = args.len() - name.hidden.min(args.len());
                let parens = written > 0 && place == Place::Param;
                if parens {
                    self.out.push('(');
                }
                let text = self.name(name.name);
                self.out.push_str(&text);
                for arg in &args[..written] {
                    self.out.push(' ');
                    match arg {
                        TypeArg::Size(size) => {
                            self.out.push('[');
                            self.size(size, 0);
                            self.out.push(']');
                        }
                        TypeArg::Type(t) => self.print(t, Place::Param),
                    }
                }
                if parens {
                    self.out.push(')');
                }
            }
            Type::Unique(inner) => {
                self.out.push('*');
                self.print(inner, Place::Param);
            }
            Type::Meta(_) => self.out.push('_'),
        }
    }

    /// `level` 0: anything; 1: operand of a sum on the right; 2: operand of a product.
    fn size(&mut self, size: &Size, level: u8) {
        let (needed, op, a, b) = match size {
            Size::Const(n) if *n < 0 && level > 0 => {
                self.out.push_str(&format!("({n})"));
                return;
            }
            Size::Const(n) => {
                self.out.push_str(&n.to_string());
                return;
            }
            Size::Var(var) => {
                let name = self.name(*var);
                self.out.push_str(&name);
                return;
            }
            Size::Meta(_) => {
                self.out.push('_');
                return;
            }
            Size::Opaque(exp, _) => {
                self.exp(exp, level > 0);
                return;
            }
            Size::Add(a, b) => (1, " + ", a, b),
            Size::Sub(a, b) => (1, " - ", a, b),
            Size::Mul(a, b) => (2, " * ", a, b),
        };
        let parens = level > needed || level == 1 && needed == 1;
        if parens {
            self.out.push('(');
        }
        self.size(a, if needed == 1 { 0 } else { 2 });
        self.out.push_str(op);
        self.size(b, needed);
        if parens {
            self.out.push(')');
        }
    }

    fn exp(&mut self, exp: &Exp, parens: bool) {
        match &exp.kind {
            ExpKind::Var(var) => {
                let name = self.name(*var);
                self.out.push_str(&name);
            }
            ExpKind::Const(PrimValue::I64(n)) => self.out.push_str(&n.to_string()),
            ExpKind::Const(value) => self.out.push_str(&value.to_string()),
            ExpKind::Project(inner, field) => {
                self.exp(inner, true);
                self.out.push_str(&format!(".{field}"));
            }
            ExpKind::Index { array, indices, .. } => {
                self.exp(array, true);
                self.out.push('[');
                for (i, index) in indices.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    match index {
                        DimIndex::Fix(exp) => self.exp(exp, false),
                        DimIndex::Slice { .. } => self.out.push(':'),
                    }
                }
                self.out.push(']');
            }
            ExpKind::Apply { function, args, .. } => {
                if parens {
                    self.out.push('(');
                }
                match (&function.kind, args.as_slice()) {
                    (ExpKind::Intrinsic(Intrinsic::Bin(op, _), _), [a, b]) => {
                        self.exp(a, true);
                        self.out.push_str(&format!(" {} ", crate::check::operator_text(*op)));
                        self.exp(b, true);
                    }
                    _ => {
                        self.exp(function, true);
                        for arg in args {
                            self.out.push(' ');
                            self.exp(arg, true);
                        }
                    }
                }
                if parens {
                    self.out.push(')');
                }
            }
            ExpKind::Intrinsic(Intrinsic::Convert(to, from), _) => self.out.push_str(&format!("{to}.{from}")),
            ExpKind::Intrinsic(intrinsic, _) => {
                self.out.push_str(&format!("{intrinsic:?}").to_lowercase());
            }
            _ => self.out.push_str("..."),
        }
    }
}
