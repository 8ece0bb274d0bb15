//! What the tools say about entry points: parameters and results in source terms.

use super::layout::Layout;
use crate::typed::{self, PatternKind};
use crate::types::{Size, Type, TypeArg};
use fun_base::name::Symbol;

/// The source-level interface of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryInfo {
    /// Its name.
    pub name: String,
    /// Names and types of the parameters; `_` for those without a name.
    pub params: Vec<(String, String)>,
    /// The type of the result.
    pub result: String,
    /// How each parameter is passed.
    pub takes: Vec<Layout>,
    /// How the result is passed.
    pub gives: Layout,
    /// Its attributes, as the source writes them.
    pub attributes: Vec<String>,
}

/// What the source says of an entry point that was lowered so.
pub(super) fn entry_info(definition: &typed::Definition, takes: Vec<Layout>, gives: Layout) -> EntryInfo {
    let mut params = Vec::new();
    // The type of the name shows abstract types.
    let mut ty = &definition.scheme.ty;
    for param in &definition.params {
        let name = match &param.kind {
            PatternKind::Var(var) => var.text.to_string(),
            PatternKind::Wildcard
            | PatternKind::Record(_)
            | PatternKind::Constructor(..)
            | PatternKind::Literal(_) => "_".to_owned(),
        };
        match ty {
            Type::Arrow(arrow) => {
                params.push((name, type_text(&arrow.param)));
                ty = &arrow.result;
            }
            _ => params.push((name, type_text(&param.ty))),
        }
    }
    // A function that it gives takes further parameters.
    let mut result = ty;
    while let Type::Arrow(arrow) = result.without_unique() {
        let name = arrow.name.map_or("_".to_owned(), |name| name.text.to_string());
        params.push((name, type_text(&arrow.param)));
        result = &arrow.result;
    }
    let attributes = definition.attributes.iter().map(ToString::to_string).collect();
    EntryInfo {
        name: definition.name.to_string(),
        params,
        result: type_text(result),
        takes,
        gives,
        attributes,
    }
}

/// A type as the user writes it.
fn type_text(ty: &Type) -> String {
    match ty {
        Type::Prim(prim) => prim.name().to_owned(),
        Type::Array(size, element) => format!("[{}]{}", size_text(size), type_text(element)),
        Type::Record(fields) => {
            let tuple = fields.iter().enumerate().all(|(k, (name, _))| name.as_str() == k.to_string());
            if tuple && fields.len() != 1 {
                let parts: Vec<String> = fields.iter().map(|(_, ty)| type_text(ty)).collect();
                format!("({})", parts.join(", "))
            } else {
                let parts: Vec<String> =
                    fields.iter().map(|(name, ty)| format!("{name}: {}", type_text(ty))).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
        Type::Sum(constructors) => {
            let constructor = |(name, payload): &(Symbol, Vec<Type>)| {
                let payload: Vec<String> = payload.iter().map(|t| format!(" ({})", type_text(t))).collect();
                format!("#{name}{}", payload.concat())
            };
            constructors.iter().map(constructor).collect::<Vec<_>>().join(" | ")
        }
        Type::Arrow(arrow) => format!("({} -> {})", type_text(&arrow.param), type_text(&arrow.result)),
        Type::Param(var) => var.text.to_string(),
        Type::Named(name, args) => {
            let args = args[..args.len() - name.hidden.min(args.len())].iter().map(|arg| match arg {
                TypeArg::Size(size) => format!(" [{}]", size_text(size)),
                TypeArg::Type(ty) => format!(" ({})", type_text(ty)),
            });
            format!("{}{}", name.name.text, args.collect::<String>())
        }
        Type::Unique(inner) => format!("*{}", type_text(inner)),
        Type::Meta(_) => "_".to_owned(),
    }
}

fn size_text(size: &Size) -> String {
    match size {
        Size::Const(n) => n.to_string(),
        Size::Var(var) => var.text.to_string(),
        Size::Add(a, b) => format!("{} + {}", size_text(a), size_text(b)),
        Size::Sub(a, b) => format!("{} - {}", size_text(a), operand_text(b)),
        Size::Mul(a, b) => format!("{} * {}", operand_text(a), operand_text(b)),
        Size::Opaque(_, text) => text.to_string(),
        Size::Meta(_) => String::new(),
    }
}

/// A size as an operand that binds tighter than a sum.
fn operand_text(size: &Size) -> String {
    match size {
        Size::Add(..) | Size::Sub(..) => format!("({})", size_text(size)),
        Size::Const(_) | Size::Var(_) | Size::Mul(..) | Size::Opaque(..) | Size::Meta(_) => size_text(size),
    }
}
