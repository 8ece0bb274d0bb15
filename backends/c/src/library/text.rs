//! The tables and functions of a library as C.

use crate::compile::c_string;
use fun_base::name::Symbol;
use fun_runtime::library::{Argument, Cell, Param, Table, Wrapper, WrapperResult};
use std::collections::{BTreeMap, BTreeSet};

/// Tables, each behind those that it refers to where that can be; `symbols` are those of entry points.
pub(super) fn tables(tables: &[Table], symbols: &BTreeMap<Symbol, String>) -> String {
    let (mut text, mut known) = (String::new(), BTreeSet::new());
    for table in tables {
        for cell in table.rows.iter().flatten() {
            let (Cell::Table(name) | Cell::Row(name, _)) = cell else { continue };
            // one that comes later, or itself
            if known.insert(name.as_str())
                && let Some(other) = tables.iter().find(|other| other.name == *name)
            {
                text += &format!("static const {} {name}[{}];\n", other.ty, other.rows.len());
            }
        }
        known.insert(&table.name);
        text += &format!("static const {} {}[] = {{", table.ty, table.name);
        let rows = table.rows.iter().map(|row| {
            let cells: Vec<String> = row.iter().map(|each| cell(each, symbols)).collect();
            if let [cell] = &cells[..] { cell.clone() } else { format!("{{{}}}", cells.join(", ")) }
        });
        let rows: Vec<String> = rows.collect();
        text += &if rows.len() == 1 { rows.concat() } else { format!("\n    {},\n", rows.join(",\n    ")) };
        text += "};\n";
    }
    text + "\n"
}

fn cell(cell: &Cell, symbols: &BTreeMap<Symbol, String>) -> String {
    match cell {
        Cell::Number(n) => n.to_string(),
        Cell::Named(name, _) => name.clone(),
        Cell::Long(n) => format!("INT64_C({n})"),
        Cell::Bool(holds) => holds.to_string(),
        Cell::Text(text) => c_string(text),
        Cell::Table(name) => name.clone(),
        Cell::Row(name, row) => format!("&{name}[{row}]"),
        Cell::Entry(entry) => symbols.get(entry).map_or("NULL", String::as_str).to_owned(),
        Cell::Null => "NULL".to_owned(),
    }
}

/// The head of a function, without `;`.
pub(super) fn head(wrapper: &Wrapper) -> String {
    let params: Vec<String> =
        wrapper.params.iter().map(|param| param.declaration.replace('$', &param.name)).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    format!("{}{}({params})", result(&wrapper.result), wrapper.name)
}

fn result(result: &WrapperResult) -> String {
    match result {
        WrapperResult::Nothing => "void ".to_owned(),
        WrapperResult::Bool => "bool ".to_owned(),
        WrapperResult::Int => "int ".to_owned(),
        WrapperResult::Address(ty) => ty.clone(),
    }
}

/// The body of a function, braces included.
pub(super) fn body(wrapper: &Wrapper) -> String {
    let (mut text, mut list) = ("{\n".to_owned(), Vec::new());
    let is_context = |argument: &Argument| *argument == Argument::Param("ctx".to_owned(), None);
    if wrapper.params.iter().any(|param| param.name == "ctx") && !wrapper.arguments.iter().any(is_context) {
        text += "    (void)ctx;\n";
    }
    for argument in &wrapper.arguments {
        list.push(match argument {
            Argument::Param(name, None) => name.clone(),
            Argument::Param(name, Some(ty)) => format!("({ty}){name}"),
            Argument::Constant(text, _) => text.clone(),
            Argument::Row(table, row) => format!("&{table}[{row}]"),
            Argument::Numbers(names) => {
                let first = names
                    .first()
                    .map_or("number", |name| name.trim_end_matches(|c: char| c.is_ascii_digit()));
                text += &format!("    const int64_t {first}s[] = {{{}}};\n", names.join(", "));
                format!("{first}s")
            }
            Argument::Values(names) => {
                let address = |name: &String| {
                    let scalar = |param: &&Param| param.name == *name && param.scalar.is_some();
                    let by_value = wrapper.params.iter().any(|param| scalar(&param));
                    if by_value { format!("&{name}") } else { name.clone() }
                };
                text += &addresses("const void *const values", names.iter().map(address));
                "values".to_owned()
            }
            Argument::Places(names) => {
                text += &addresses("void *const outs", names.iter().cloned());
                "outs".to_owned()
            }
        });
    }
    let call = format!("{}({})", wrapper.calls, list.join(", "));
    text += &match &wrapper.result {
        WrapperResult::Nothing => format!("    {call};\n"),
        WrapperResult::Bool | WrapperResult::Int => format!("    return {call};\n"),
        WrapperResult::Address(ty) => format!("    return ({ty}){call};\n"),
    };
    text + "}\n"
}

/// A list of addresses; C has no empty ones.
fn addresses(name: &str, list: impl Iterator<Item = String>) -> String {
    let list: Vec<String> = list.chain(["NULL".to_owned()]).collect();
    format!("    {name}[] = {{{}}};\n", list.join(", "))
}
