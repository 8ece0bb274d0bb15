//! Values as the REPL prints them: tuples and records put together again, large arrays abridged.

use fun_base::name::Symbol;
use fun_base::value::Value;
use fun_frontend::types::{Slots, Type};

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
        Type::Record(_) | Type::Sum(_) => true,
        Type::Array(_, inner) | Type::Unique(inner) => record_inside(inner),
        Type::Prim(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) | Type::Arrow(_) => false,
    }
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
        let text = text(part, &mut leaves);
        if text.starts_with('#') && text.contains(' ') { format!(" ({text})") } else { format!(" {text}") }
    });
    format!("#{name}{}", parts.collect::<String>())
}
