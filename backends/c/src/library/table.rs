//! The tables of what entry points take and give, as `backends/c/runtime/library/interface.c` describes them.

use super::named::constant;
use crate::compile::c_string;
use fun_base::name::Symbol;
use imp::ir::{InterfaceSize, InterfaceValue, Procedure, Program};
use std::collections::BTreeMap;

/// The table of all entry points, by name; `symbols` are those of their functions on words.
pub(super) fn entries(program: &Program, symbols: &BTreeMap<Symbol, String>) -> String {
    let (mut text, mut rows) = (String::new(), String::new());
    let named = |name: &Symbol| program.procedures.iter().find(|procedure| procedure.name == *name);
    for (k, (name, symbol)) in symbols.iter().enumerate() {
        if let Some(procedure) = named(name) {
            rows += &entry(&mut text, k, procedure, symbol);
        }
    }
    text += "static const struct fun_entry fun_entries[] = {\n";
    text += &rows;
    text + "    {NULL, NULL, 0, 0, 0, 0, NULL, NULL},\n};\n\n"
}

/// The row of entry point `k`; what it points to is added to `text`.
fn entry(text: &mut String, k: usize, procedure: &Procedure, symbol: &str) -> String {
    let interface = procedure.interface.clone().unwrap_or_default();
    let takes = values(text, &format!("fun_takes{k}"), &interface.takes);
    let gives = values(text, &format!("fun_gives{k}"), &interface.gives);
    format!(
        "    {{{}, {symbol}, {}, {}, {}, {}, {takes}, {gives}}},\n",
        c_string(procedure.name.as_str()),
        procedure.params.len(),
        procedure.results.len(),
        interface.takes.len(),
        interface.gives.len(),
    )
}

/// The name of a table of values, which is added to `text`.
fn values(text: &mut String, name: &str, values: &[InterfaceValue]) -> String {
    if values.is_empty() {
        return "NULL".to_owned();
    }
    let mut rows = String::new();
    for (k, value) in values.iter().enumerate() {
        rows += &match value {
            InterfaceValue::Scalar { at, ty } => {
                format!("    {{{}, 0, {at}, false, NULL}},\n", constant(*ty))
            }
            InterfaceValue::Array { mem, elem, shape, consumed } => {
                let sizes: Vec<String> = shape.iter().map(size).collect();
                *text += &format!("static const struct fun_size {name}_{k}[] = {{{}}};\n", sizes.join(", "));
                let (elem, rank) = (constant(*elem), shape.len());
                format!("    {{{elem}, {rank}, {mem}, {consumed}, {name}_{k}}},\n")
            }
        };
    }
    *text += &format!("static const struct fun_value {name}[] = {{\n{rows}}};\n");
    name.to_owned()
}

fn size(size: &InterfaceSize) -> String {
    match size {
        InterfaceSize::At(at) => format!("{{false, {at}}}"),
        InterfaceSize::Const(n) => format!("{{true, INT64_C({n})}}"),
    }
}
