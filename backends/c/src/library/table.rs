//! The tables of what entry points take and give, as `backends/c/runtime/library/interface.c` describes them.

use super::named::elem_cell;
use fun_base::name::Symbol;
use fun_runtime::library::{Cell, Table};
use imp::ir::{InterfaceSize, InterfaceValue, Procedure, Program};

/// The name of the table of entry points.
pub(super) const ENTRIES: &str = "fun_entries";

/// The table of these entry points, behind those that it refers to.
pub(super) fn entries(program: &Program, names: &[Symbol]) -> Vec<Table> {
    let (mut tables, mut rows) = (Vec::new(), Vec::new());
    let named = |name: &Symbol| program.procedures.iter().find(|procedure| procedure.name == *name);
    for (k, procedure) in names.iter().filter_map(named).enumerate() {
        rows.push(entry(&mut tables, k, procedure));
    }
    let none = [Cell::Null, Cell::Null].into_iter();
    rows.push(none.chain(vec![Cell::Number(0); 4]).chain([Cell::Null, Cell::Null]).collect());
    tables.push(Table { ty: "struct fun_entry", name: ENTRIES.to_owned(), rows });
    tables
}

/// The row of entry point `k`; what it points to is added to `tables`.
fn entry(tables: &mut Vec<Table>, k: usize, procedure: &Procedure) -> Vec<Cell> {
    let interface = procedure.interface.clone().unwrap_or_default();
    let takes = values(tables, &format!("fun_takes{k}"), &interface.takes);
    let gives = values(tables, &format!("fun_gives{k}"), &interface.gives);
    let counts =
        [procedure.params.len(), procedure.results.len(), interface.takes.len(), interface.gives.len()];
    let mut row = vec![Cell::Text(procedure.name.as_str().to_owned()), Cell::Entry(procedure.name)];
    row.extend(counts.map(|count| Cell::Number(count as u32)));
    row.extend([takes, gives]);
    row
}

/// The address of a table of values, which is added to `tables`.
fn values(tables: &mut Vec<Table>, name: &str, values: &[InterfaceValue]) -> Cell {
    let mut rows = Vec::new();
    for (k, value) in values.iter().enumerate() {
        rows.push(match value {
            InterfaceValue::Scalar { at, ty } => {
                vec![elem_cell(*ty), Cell::Number(0), Cell::Number(*at as u32), Cell::Bool(false), Cell::Null]
            }
            InterfaceValue::Array { mem, elem, shape, consumed } => {
                let sizes = shape.iter().map(size).collect();
                let sizes = named(tables, "struct fun_size", format!("{name}_{k}"), sizes);
                let rank = Cell::Number(shape.len() as u32);
                vec![elem_cell(*elem), rank, Cell::Number(*mem as u32), Cell::Bool(*consumed), sizes]
            }
        });
    }
    named(tables, "struct fun_value", name.to_owned(), rows)
}

/// The address of a table of these rows, which is added to `tables`; none of an empty one.
pub(super) fn named(tables: &mut Vec<Table>, ty: &'static str, name: String, rows: Vec<Vec<Cell>>) -> Cell {
    if rows.is_empty() {
        return Cell::Null;
    }
    tables.push(Table { ty, name: name.clone(), rows });
    Cell::Table(name)
}

fn size(size: &InterfaceSize) -> Vec<Cell> {
    match size {
        InterfaceSize::At(at) => vec![Cell::Bool(false), Cell::Long(*at as i64)],
        InterfaceSize::Const(n) => vec![Cell::Bool(true), Cell::Long(*n)],
    }
}
