//! The tables of the types that entry points name, as `backends/c/runtime/library/types.c` describes them.

use super::interface::{EntryInterface, Input, NamedType, TypeForm};
use crate::CompileError;
use crate::compile::c_string;
use fun_base::prim::PrimType;
use imp::ir::{Interface, InterfaceValue};

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

    /// The address of the table of a type.
    pub(super) fn table(&self, ty: &NamedType) -> String {
        let at = self.list.iter().position(|known| known.name == ty.name);
        format!("&fun_named[{}]", at.unwrap_or(self.list.len()))
    }

    /// The tables.
    pub(super) fn text(&self) -> String {
        let (mut text, mut rows) = (String::new(), String::new());
        text += &format!("static const struct fun_named fun_named[{}];\n", self.list.len() + 1);
        for (k, ty) in self.list.iter().enumerate() {
            rows += &self.row(&mut text, k, ty);
        }
        text += "static const struct fun_named fun_named[] = {\n";
        text += &rows;
        text + "    {NULL, FUN_PRIMITIVE, 0, NULL, 0, NULL, 0, NULL, 0, NULL},\n};\n\n"
    }

    fn row(&self, text: &mut String, k: usize, ty: &NamedType) -> String {
        let leaves = ty.leaves();
        let list: Vec<String> =
            leaves.iter().map(|leaf| format!("{{{}, {}}}", constant(leaf.elem), leaf.rank)).collect();
        let leaf_table = table(text, "struct fun_leaf", &format!("fun_leaves{k}"), &list);
        let (mut kind, mut rank, mut element) = ("FUN_PRIMITIVE", 0, "NULL".to_owned());
        let (mut field_rows, mut variant_rows) = (Vec::new(), Vec::new());
        match &ty.form {
            TypeForm::Plain(leaf) if leaf.rank == 0 => {}
            TypeForm::Plain(leaf) => (kind, rank) = ("FUN_ARRAY", leaf.rank),
            TypeForm::Record(fields) => {
                kind = "FUN_RECORD";
                field_rows = self.parts(text, &format!("fun_fields{k}"), fields, &in_order(fields));
            }
            TypeForm::Array(dimensions, inner) => {
                (kind, rank, element) = ("FUN_OPAQUE_ARRAY", *dimensions, self.table(inner));
                if let TypeForm::Record(fields) = &inner.form {
                    kind = "FUN_RECORD_ARRAY";
                    let fields: Vec<_> =
                        fields.iter().map(|(name, ty)| (name.clone(), ty.clone().array(rank))).collect();
                    field_rows = self.parts(text, &format!("fun_fields{k}"), &fields, &in_order(&fields));
                }
            }
            TypeForm::Sum { variants, places } => {
                kind = "FUN_SUM";
                for (j, ((name, payload), places)) in variants.iter().zip(places).enumerate() {
                    let parts: Vec<_> =
                        payload.iter().enumerate().map(|(n, ty)| (n.to_string(), ty.clone())).collect();
                    let rows = self.parts(text, &format!("fun_payload{k}_{j}"), &parts, places);
                    let payload = table(text, "struct fun_part", &format!("fun_payload{k}_{j}"), &rows);
                    variant_rows.push(format!("{{{}, {}, {payload}}}", c_string(name), rows.len()));
                }
            }
        }
        let fields = table(text, "struct fun_part", &format!("fun_fields{k}"), &field_rows);
        let variants = table(text, "struct fun_variant", &format!("fun_variants{k}"), &variant_rows);
        format!(
            "    {{{}, {kind}, {}, {leaf_table}, {rank}, {element}, {}, {fields}, {}, {variants}}},\n",
            c_string(&ty.name),
            leaves.len(),
            field_rows.len(),
            variant_rows.len(),
        )
    }

    /// The rows of parts, whose leaves stand at these places of the whole, one after the other.
    fn parts(
        &self,
        text: &mut String,
        name: &str,
        parts: &[(String, NamedType)],
        places: &[usize],
    ) -> Vec<String> {
        let mut places = places.iter();
        let mut rows = Vec::new();
        for (k, (part, ty)) in parts.iter().enumerate() {
            let own: Vec<String> = places.by_ref().take(ty.leaves().len()).map(ToString::to_string).collect();
            let own = table(text, "uint32_t", &format!("{name}_{k}"), &own);
            rows.push(format!("{{{}, {}, {own}}}", c_string(part), self.table(ty)));
        }
        rows
    }

    /// The tables of what the source says of entry points. `at` gives the place of an entry point in `fun_entries`.
    pub(super) fn signatures(&self, entries: &[EntryInterface], at: impl Fn(&str) -> usize) -> String {
        let (mut text, mut rows) = (String::new(), String::new());
        for (k, entry) in entries.iter().enumerate() {
            let input = |input: &Input| {
                format!("{{{}, {}, {}}}", c_string(&input.name), self.table(&input.ty), input.consumed)
            };
            let inputs: Vec<String> = entry.inputs.iter().map(input).collect();
            let inputs = table(&mut text, "struct fun_input", &format!("fun_inputs{k}"), &inputs);
            let mut attributes: Vec<String> = entry.attributes.iter().map(|text| c_string(text)).collect();
            attributes.push("NULL".to_owned());
            let attributes = table(&mut text, "char *const", &format!("fun_attributes{k}"), &attributes);
            rows += &format!(
                "    {{&fun_entries[{}], {}, {inputs}, {}, {}, {attributes}}},\n",
                at(&entry.name),
                entry.inputs.len(),
                self.table(&entry.output),
                entry.fresh
            );
        }
        text += "static const struct fun_signature fun_signatures[] = {\n";
        text += &rows;
        text + "    {NULL, 0, NULL, NULL, false, NULL},\n};\n\n"
    }
}

fn fields(form: &TypeForm) -> &[(String, NamedType)] {
    if let TypeForm::Record(fields) = form { fields } else { &[] }
}

/// The places of leaves that follow each other.
fn in_order(parts: &[(String, NamedType)]) -> Vec<usize> {
    (0..parts.iter().map(|(_, ty)| ty.leaves().len()).sum()).collect()
}

/// Adds a table to `text` and gives its name; `NULL` for an empty one.
fn table(text: &mut String, ty: &str, name: &str, rows: &[String]) -> String {
    if rows.is_empty() {
        return "NULL".to_owned();
    }
    *text += &format!("static const {ty} {name}[] = {{{}}};\n", rows.join(", "));
    name.to_owned()
}

/// The constant of C that stands for a type.
pub(super) fn constant(ty: PrimType) -> String {
    format!("FUN_{}", ty.name().to_uppercase())
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
