//! Values as the REPL prints them: tuples and records put together again, large arrays abridged.

use fun_base::value::Value;
use fun_frontend::types::Type;

/// An array longer than this is abridged.
const MOST_ELEMENTS: usize = 100;

/// Whether a value of the type has a function in it.
pub(super) fn is_functional(ty: &Type) -> bool {
    match ty {
        Type::Arrow(_) => true,
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) => false,
        Type::Array(_, inner) | Type::Unique(inner) => is_functional(inner),
        Type::Record(fields) => fields.iter().any(|(_, field)| is_functional(field)),
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
        Type::Prim(_) | Type::Array(..) | Type::Param(_) | Type::Meta(_) | Type::Arrow(_) => {
            match values.next() {
                Some(value) => value.pretty(MOST_ELEMENTS),
                None => String::new(),
            }
        }
    }
}

fn record_inside(ty: &Type) -> bool {
    match ty {
        Type::Record(_) => true,
        Type::Array(_, inner) | Type::Unique(inner) => record_inside(inner),
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) | Type::Arrow(_) => false,
    }
}

fn innermost_record(ty: &Type) -> Type {
    match ty {
        Type::Array(_, inner) | Type::Unique(inner) => innermost_record(inner),
        Type::Record(_) | Type::Prim(_) | Type::Param(_) | Type::Meta(_) | Type::Arrow(_) => ty.clone(),
    }
}
