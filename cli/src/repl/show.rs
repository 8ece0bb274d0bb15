//! Values as the REPL prints them: tuples and records put together again, large arrays abridged.

use fun_base::name::Symbol;
use fun_base::value::{ArrayData, ArrayValue, Value};
use fun_frontend::types::{Slots, Type, leaf_count};
use std::sync::Arc;

/// An array longer than this is abridged.
const MOST_ELEMENTS: usize = 100;

/// Whether a value of the type has a function in it.
pub(super) fn is_functional(ty: &Type) -> bool {
    match ty {
        Type::Arrow(_) => true,
        Type::Prim(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) => false,
        Type::Array(_, inner) | Type::Unique(inner) => is_functional(inner),
        Type::Record(fields) => fields.iter().any(|(_, field)| is_functional(field)),
        Type::Sum(constructors) => constructors.iter().flat_map(|(_, payload)| payload).any(is_functional),
    }
}

/// The values that an expression of this type evaluated to: one for each primitive or array in the type, arrays of records
/// having been taken apart.
pub(super) fn values_text(ty: &Type, values: Vec<Value>) -> String {
    text(ty, &mut values.into_iter())
}

fn text(ty: &Type, values: &mut dyn Iterator<Item = Value>) -> String {
    match ty {
        Type::Record(fields) => {
            let is_tuple = fields.iter().enumerate().all(|(i, (name, _))| name.as_str() == i.to_string());
            let parts = fields.iter().map(|(name, field)| {
                let value = text(field, values);
                if is_tuple { value } else { format!("{name} = {value}") }
            });
            let parts = parts.collect::<Vec<_>>().join(", ");
            if is_tuple { format!("({parts})") } else { format!("{{{parts}}}") }
        }
        Type::Array(_, elem) if sum_inside(elem) => elements_text(elem, values),
        Type::Array(_, elem) if record_inside(elem) => {
            // an array of records is a record of arrays
            format!("unzipped {}", text(&innermost_record(elem), values))
        }
        Type::Unique(inner) => text(inner, values),
        Type::Sum(constructors) => sum_text(ty, constructors, values),
        Type::Prim(_)
        | Type::Array(..)
        | Type::Param(_)
        | Type::Named(..)
        | Type::Meta(_)
        | Type::Arrow(_) => match values.next() {
            Some(value) => value.pretty(MOST_ELEMENTS),
            None => String::new(),
        },
    }
}

fn record_inside(ty: &Type) -> bool {
    match ty {
        Type::Record(_) => true,
        Type::Array(_, inner) | Type::Unique(inner) => record_inside(inner),
        Type::Sum(_) | Type::Prim(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) | Type::Arrow(_) => {
            false
        }
    }
}

fn sum_inside(ty: &Type) -> bool {
    match ty {
        Type::Sum(_) => true,
        Type::Array(_, inner) | Type::Unique(inner) => sum_inside(inner),
        Type::Record(fields) => fields.iter().any(|(_, field)| sum_inside(field)),
        Type::Prim(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) | Type::Arrow(_) => false,
    }
}

/// The elements one by one: their parts mean nothing apart.
fn elements_text(elem: &Type, values: &mut dyn Iterator<Item = Value>) -> String {
    let leaves: Vec<Value> = values.take(leaf_count(elem)).collect();
    let count = leaves.first().and_then(|leaf| leaf.shape().first()).map_or(0, |n| *n as usize);
    let shown = (0..count.min(MOST_ELEMENTS))
        .map(|i| inner_text(elem, &mut leaves.iter().filter_map(|leaf| element(leaf, i))))
        .chain((count > MOST_ELEMENTS).then(|| "...".to_owned()));
    format!("[{}]", shown.collect::<Vec<_>>().join(", "))
}

/// The text of a part; the whole tells the types.
fn inner_text(ty: &Type, values: &mut dyn Iterator<Item = Value>) -> String {
    let text = text(ty, values);
    match (ty.without_unique(), text.rsplit_once(" : ")) {
        (Type::Array(..), Some((elements, _))) => elements.to_owned(),
        _ => text,
    }
}

/// Element `i` of an array.
fn element(array: &Value, i: usize) -> Option<Value> {
    let array = array.as_array()?;
    let shape = array.shape.get(1..)?.to_vec();
    if shape.is_empty() {
        return array.get(i).map(Value::Prim);
    }
    let len = shape.iter().product::<i64>() as usize;
    let data = ArrayData::from_prims(array.elem_type(), array.iter().skip(i * len).take(len))?;
    ArrayValue::new(shape, data).ok().map(|row| Value::Array(Arc::new(row)))
}

fn innermost_record(ty: &Type) -> Type {
    match ty {
        Type::Array(_, inner) | Type::Unique(inner) => innermost_record(inner),
        Type::Record(_)
        | Type::Sum(_)
        | Type::Prim(_)
        | Type::Param(_)
        | Type::Named(..)
        | Type::Meta(_)
        | Type::Arrow(_) => ty.clone(),
    }
}

/// `#c a b`: the constructor that the tag says, with its payload.
fn sum_text(
    ty: &Type,
    constructors: &[(Symbol, Vec<Type>)],
    values: &mut dyn Iterator<Item = Value>,
) -> String {
    let Some(layout) = Slots::of_type(ty) else { return String::new() };
    let tag = values.next().and_then(|tag| tag.as_prim()).map_or(usize::MAX, |tag| tag.bits() as usize);
    let slots: Vec<Value> = values.take(layout.slots.len()).collect();
    let (Some((name, payload)), Some(places)) = (constructors.get(tag), layout.places.get(tag)) else {
        return String::new();
    };
    let mut leaves = places.iter().filter_map(|place| slots.get(*place).cloned());
    let parts = payload.iter().map(|part| {
        let text = inner_text(part, &mut leaves);
        if text.starts_with('#') && text.contains(' ') { format!(" ({text})") } else { format!(" {text}") }
    });
    format!("#{name}{}", parts.collect::<String>())
}
