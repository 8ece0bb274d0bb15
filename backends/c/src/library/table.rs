//! The tables of what entry points take and give, as `backends/c/runtime/library/interface.c` describes them.

use super::named::elem_cell;
use fun_base::name::Symbol;
use fun_runtime::library::{Cell, Table};
use imp::ir::{InterfacePlace, InterfaceSize, InterfaceValue, Procedure, Program};
use std::collections::BTreeMap;

/// The name of the table of entry points.
pub(super) const ENTRIES: &str = "fun_entries";

/// The name of the table of procedures that give the sizes of results.
pub(super) const SIZES: &str = "fun_result_sizes";
/// The name of the table of the places that can fail, which backends write.
const SITES: &str = "fun_sites";

/// The table of these entry points, behind those that it refers to. `views` says which procedures are versions of which for
/// arrays in any order.
pub(super) fn entries(program: &Program, names: &[Symbol], views: &BTreeMap<Symbol, Symbol>) -> Vec<Table> {
    let (mut tables, mut rows) = (Vec::new(), Vec::new());
    let named = |name: &Symbol| program.procedures.iter().find(|procedure| procedure.name == *name);
    for (k, procedure) in names.iter().filter_map(named).enumerate() {
        let version =
            |other: &&Procedure| other.interface.is_some() && views.get(&other.name) == Some(&procedure.name);
        let second = program.procedures.iter().find(version).map_or(Cell::Null, |second| {
            let row = entry(&mut tables, &format!("_views{k}"), procedure.name, second, Cell::Null);
            self::named(&mut tables, "struct fun_entry", format!("fun_entry_views{k}"), vec![row])
        });
        rows.push(entry(&mut tables, &k.to_string(), procedure.name, procedure, second));
    }
    rows.push(no_entry(Cell::Null));
    tables.push(Table { ty: "struct fun_entry", name: ENTRIES.to_owned(), rows });
    tables
}

/// The same for the procedures that give the sizes of results; entry points that have none have no code there.
pub(super) fn result_sizes(
    program: &Program,
    names: &[Symbol],
    sizes: &BTreeMap<Symbol, Symbol>,
) -> Vec<Table> {
    let (mut tables, mut rows) = (Vec::new(), Vec::new());
    for (k, name) in names.iter().enumerate() {
        let own = |sizes: &Symbol| program.procedures.iter().find(|procedure| procedure.name == *sizes);
        rows.push(match sizes.get(name).and_then(own) {
            Some(procedure) => entry(&mut tables, &format!("_sizes{k}"), *name, procedure, Cell::Null),
            None => no_entry(Cell::Text(name.as_str().to_owned())),
        });
    }
    rows.push(no_entry(Cell::Null));
    tables.push(Table { ty: "struct fun_entry", name: SIZES.to_owned(), rows });
    tables
}

/// A row without code.
fn no_entry(name: Cell) -> Vec<Cell> {
    let counts = vec![Cell::Number(0); 4];
    [name, Cell::Null].into_iter().chain(counts).chain(vec![Cell::Null; 4]).collect()
}

/// The row of an entry point, which has this name in messages; what it points to is added to `tables`, under names with `suffix`.
fn entry(
    tables: &mut Vec<Table>,
    suffix: &str,
    name: Symbol,
    procedure: &Procedure,
    views: Cell,
) -> Vec<Cell> {
    let interface = procedure.interface.clone().unwrap_or_default();
    let takes = values(tables, &format!("fun_takes{suffix}"), &interface.takes);
    let gives = values(tables, &format!("fun_gives{suffix}"), &interface.gives);
    let counts =
        [procedure.params.len(), procedure.results.len(), interface.takes.len(), interface.gives.len()];
    let mut row = vec![Cell::Text(name.as_str().to_owned()), Cell::Entry(procedure.name)];
    row.extend(counts.map(|count| Cell::Number(count as u32)));
    row.extend([takes, gives, views, Cell::Table(SITES.to_owned())]);
    row
}

/// The address of a table of values, which is added to `tables`.
fn values(tables: &mut Vec<Table>, name: &str, values: &[InterfaceValue]) -> Cell {
    let mut rows = Vec::new();
    for (k, value) in values.iter().enumerate() {
        rows.push(match value {
            InterfaceValue::Scalar { at, ty } => {
                vec![
                    elem_cell(*ty),
                    Cell::Number(0),
                    Cell::Number(*at as u32),
                    Cell::Bool(false),
                    Cell::Null,
                    Cell::Null,
                ]
            }
            InterfaceValue::Array { mem, elem, shape, consumed, place } => {
                let sizes = shape.iter().map(size).collect();
                let sizes = named(tables, "struct fun_size", format!("{name}_{k}"), sizes);
                let place = place.iter().flat_map(InterfacePlace::positions);
                let place = place.map(|at| vec![Cell::Number(at as u32)]).collect();
                let place = named(tables, "uint32_t", format!("{name}_place{k}"), place);
                let rank = Cell::Number(shape.len() as u32);
                vec![elem_cell(*elem), rank, Cell::Number(*mem as u32), Cell::Bool(*consumed), sizes, place]
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
