//! The tables of the types that entry points name, as `backends/c/runtime/library/types.c` describes them.

use super::interface::{EntryInterface, Input, NamedType, TypeForm};
use super::table::{ENTRIES, named};
use crate::CompileError;
use fun_base::prim::PrimType;
use fun_runtime::library::{Cell, Table};
use imp::ir::{Interface, InterfaceValue};

/// The name of the table of types.
pub(super) const NAMED: &str = "fun_named";
/// The name of the table of what the source says of entry points.
pub(super) const SIGNATURES: &str = "fun_signatures";

/// All types that entry points name, those of parts before those of wholes.
pub(super) struct Types {
    list: Vec<NamedType>,
}

impl Types {
    /// Those of these entry points.
    pub(super) fn of(entries: &[EntryInterface]) -> Result<Types, CompileError> {
        let mut types = Types { list: Vec::new() };
        for entry in entries {
            for ty in entry.inputs.iter().map(|input| &input.ty).chain([&entry.output]) {
                types.add(ty)?;
            }
        }
        Ok(types)
    }

    fn add(&mut self, ty: &NamedType) -> Result<(), CompileError> {
        if let Some(known) = self.list.iter().find(|known| known.name == ty.name) {
            if known.form == ty.form {
                return Ok(());
            }
            let name = &ty.name;
            return Err(CompileError::of_machine(format!("two types of entry points have the name {name}")));
        }
        match &ty.form {
            TypeForm::Plain(_) => {}
            TypeForm::Record(fields) => fields.iter().try_for_each(|(_, ty)| self.add(ty))?,
            TypeForm::Sum { variants, .. } => {
                variants.iter().flat_map(|(_, payload)| payload).try_for_each(|ty| self.add(ty))?;
            }
            TypeForm::Array(rank, element) => {
                self.add(element)?;
                for (_, field) in fields(&element.form) {
                    self.add(&field.clone().array(*rank))?;
                }
            }
        }
        self.list.push(ty.clone());
        Ok(())
    }

    /// The types that are no scalars.
    pub(super) fn shown(&self) -> impl Iterator<Item = &NamedType> {
        let scalar = |ty: &&NamedType| matches!(&ty.form, TypeForm::Plain(leaf) if leaf.rank == 0);
        self.list.iter().filter(move |ty| !scalar(ty))
    }

    /// The row of a type in the table of all.
    pub(super) fn place(&self, ty: &NamedType) -> usize {
        self.list.iter().position(|known| known.name == ty.name).unwrap_or(self.list.len())
    }

    fn row_of(&self, ty: &NamedType) -> Cell {
        Cell::Row(NAMED.to_owned(), self.place(ty))
    }

    /// The table of types, behind those that it refers to.
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        let mut rows: Vec<_> =
            self.list.iter().enumerate().map(|(k, ty)| self.row(&mut tables, k, ty)).collect();
        let none = kind("FUN_PRIMITIVE");
        let (no_rows, zero) = (Cell::Null, Cell::Number(0));
        let end = [&no_rows, &none, &zero, &no_rows, &zero, &no_rows, &zero, &no_rows, &zero, &no_rows];
        rows.push(end.into_iter().cloned().collect());
        tables.push(Table { ty: "struct fun_named", name: NAMED.to_owned(), rows });
        tables
    }

    fn row(&self, tables: &mut Vec<Table>, k: usize, ty: &NamedType) -> Vec<Cell> {
        let leaves = ty.leaves();
        let list = leaves.iter().map(|leaf| vec![elem_cell(leaf.elem), Cell::Number(leaf.rank as u32)]);
        let leaf_table = named(tables, "struct fun_leaf", format!("fun_leaves{k}"), list.collect());
        let (mut form, mut rank, mut element) = ("FUN_PRIMITIVE", 0, Cell::Null);
        let (mut field_rows, mut variant_rows) = (Vec::new(), Vec::new());
        match &ty.form {
            TypeForm::Plain(leaf) if leaf.rank == 0 => {}
            TypeForm::Plain(leaf) => (form, rank) = ("FUN_ARRAY", leaf.rank),
            TypeForm::Record(fields) => {
                form = "FUN_RECORD";
                field_rows = self.parts(tables, &format!("fun_fields{k}"), fields, &in_order(fields));
            }
            TypeForm::Array(dimensions, inner) => {
                (form, rank, element) = ("FUN_OPAQUE_ARRAY", *dimensions, self.row_of(inner));
                if let TypeForm::Record(fields) = &inner.form {
                    form = "FUN_RECORD_ARRAY";
                    let fields: Vec<_> =
                        fields.iter().map(|(name, ty)| (name.clone(), ty.clone().array(rank))).collect();
                    field_rows = self.parts(tables, &format!("fun_fields{k}"), &fields, &in_order(&fields));
                }
            }
            TypeForm::Sum { variants, places } => {
                form = "FUN_SUM";
                for (j, ((name, payload), places)) in variants.iter().zip(places).enumerate() {
                    let parts: Vec<_> =
                        payload.iter().enumerate().map(|(n, ty)| (n.to_string(), ty.clone())).collect();
                    let rows = self.parts(tables, &format!("fun_payload{k}_{j}"), &parts, places);
                    let count = Cell::Number(rows.len() as u32);
                    let payload = named(tables, "struct fun_part", format!("fun_payload{k}_{j}"), rows);
                    variant_rows.push(vec![Cell::Text(name.clone()), count, payload]);
                }
            }
        }
        let (field_count, variant_count) = (field_rows.len() as u32, variant_rows.len() as u32);
        let fields = named(tables, "struct fun_part", format!("fun_fields{k}"), field_rows);
        let variants = named(tables, "struct fun_variant", format!("fun_variants{k}"), variant_rows);
        vec![
            Cell::Text(ty.name.clone()),
            kind(form),
            Cell::Number(leaves.len() as u32),
            leaf_table,
            Cell::Number(rank as u32),
            element,
            Cell::Number(field_count),
            fields,
            Cell::Number(variant_count),
            variants,
        ]
    }

    /// The rows of parts, whose leaves stand at these places of the whole, one after the other.
    fn parts(
        &self,
        tables: &mut Vec<Table>,
        name: &str,
        parts: &[(String, NamedType)],
        places: &[usize],
    ) -> Vec<Vec<Cell>> {
        let mut places = places.iter();
        let mut rows = Vec::new();
        for (k, (part, ty)) in parts.iter().enumerate() {
            let own = places.by_ref().take(ty.leaves().len()).map(|place| vec![Cell::Number(*place as u32)]);
            let own = named(tables, "uint32_t", format!("{name}_{k}"), own.collect());
            rows.push(vec![Cell::Text(part.clone()), self.row_of(ty), own]);
        }
        rows
    }

    /// The tables of what the source says of entry points. `at` gives the place of an entry point in the table of all.
    pub(super) fn signatures(&self, entries: &[EntryInterface], at: impl Fn(&str) -> usize) -> Vec<Table> {
        let (mut tables, mut rows) = (Vec::new(), Vec::new());
        for (k, entry) in entries.iter().enumerate() {
            let input = |input: &Input| {
                vec![Cell::Text(input.name.clone()), self.row_of(&input.ty), Cell::Bool(input.consumed)]
            };
            let inputs = entry.inputs.iter().map(input).collect();
            let inputs = named(&mut tables, "struct fun_input", format!("fun_inputs{k}"), inputs);
            let attributes = entry.attributes.iter().map(|text| vec![Cell::Text(text.clone())]);
            let attributes = attributes.chain([vec![Cell::Null]]).collect();
            let attributes = named(&mut tables, "char *const", format!("fun_attributes{k}"), attributes);
            rows.push(vec![
                Cell::Row(ENTRIES.to_owned(), at(&entry.name)),
                Cell::Number(entry.inputs.len() as u32),
                inputs,
                self.row_of(&entry.output),
                Cell::Bool(entry.fresh),
                attributes,
            ]);
        }
        let (null, none) = (Cell::Null, Cell::Number(0));
        rows.push(vec![null.clone(), none, null.clone(), null.clone(), Cell::Bool(false), null]);
        tables.push(Table { ty: "struct fun_signature", name: SIGNATURES.to_owned(), rows });
        tables
    }
}

/// The constant for a kind of types, as `types.c` lists them.
fn kind(name: &str) -> Cell {
    const KINDS: [&str; 6] =
        ["FUN_PRIMITIVE", "FUN_ARRAY", "FUN_RECORD", "FUN_SUM", "FUN_RECORD_ARRAY", "FUN_OPAQUE_ARRAY"];
    let number = KINDS.iter().position(|known| *known == name);
    Cell::Named(name.to_owned(), number.unwrap_or_default() as u32)
}

fn fields(form: &TypeForm) -> &[(String, NamedType)] {
    if let TypeForm::Record(fields) = form { fields } else { &[] }
}

/// The places of leaves that follow each other.
fn in_order(parts: &[(String, NamedType)]) -> Vec<usize> {
    (0..parts.iter().map(|(_, ty)| ty.leaves().len()).sum()).collect()
}

/// The constant of C that stands for a type.
pub(super) fn constant(ty: PrimType) -> String {
    format!("FUN_{}", ty.name().to_uppercase())
}

/// The number of that constant: `interface.c` has the types in this order.
pub(super) fn type_number(ty: PrimType) -> u32 {
    fun_runtime::scalar::type_number(ty)
}

/// The constant for the type of a scalar.
pub(super) fn elem_cell(ty: PrimType) -> Cell {
    Cell::Named(constant(ty), type_number(ty))
}

/// Whether the values that a procedure takes and gives are the leaves of those that the source says.
pub(super) fn agree(entry: &EntryInterface, interface: &Interface) -> bool {
    let of = |value: &InterfaceValue| match value {
        InterfaceValue::Scalar { at: _, ty } => (*ty, 0),
        InterfaceValue::Array { elem, shape, .. } => (*elem, shape.len()),
    };
    let flat = |types: &[&NamedType]| -> Vec<_> {
        types.iter().flat_map(|ty| ty.leaves()).map(|leaf| (leaf.elem, leaf.rank)).collect()
    };
    let inputs: Vec<&NamedType> = entry.inputs.iter().map(|input| &input.ty).collect();
    flat(&inputs) == interface.takes.iter().map(of).collect::<Vec<_>>()
        && flat(&[&entry.output]) == interface.gives.iter().map(of).collect::<Vec<_>>()
}

/// What is known of an entry point of a program that has no source: its values, in a tuple where they are not one.
pub(super) fn of_leaves(name: &str, interface: &Interface) -> EntryInterface {
    let ty = |value: &InterfaceValue| match value {
        InterfaceValue::Scalar { at: _, ty } => NamedType::plain(*ty, 0),
        InterfaceValue::Array { elem, shape, .. } => NamedType::plain(*elem, shape.len()),
    };
    let input = |(k, value): (usize, &InterfaceValue)| Input {
        name: format!("v{k}"),
        ty: ty(value),
        text: ty(value).name,
        consumed: matches!(value, InterfaceValue::Array { consumed: true, .. }),
    };
    let mut gives: Vec<NamedType> = interface.gives.iter().map(ty).collect();
    let output = if gives.len() == 1 {
        gives.remove(0)
    } else {
        let names: Vec<&str> = gives.iter().map(|ty| ty.name.as_str()).collect();
        let name = format!("({})", names.join(", "));
        let fields = gives.into_iter().enumerate().map(|(k, ty)| (k.to_string(), ty)).collect();
        NamedType { name, form: TypeForm::Record(fields) }
    };
    EntryInterface {
        name: name.to_owned(),
        inputs: interface.takes.iter().enumerate().map(input).collect(),
        output_text: output.name.clone(),
        output,
        fresh: false,
        attributes: Vec::new(),
        doc: None,
    }
}
