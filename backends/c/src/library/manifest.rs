//! The manifest: a JSON text that describes the C interface of a library, as Futhark's compilers write it.

use super::api::{TypeFunctions, c_struct};
use super::interface::{EntryInterface, Input, NamedType, TypeForm};
use super::names::c_name;

/// A JSON value.
enum Json {
    Text(String),
    Number(usize),
    Truth(bool),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
        Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn write(&self, out: &mut String, depth: usize) {
        let line = |out: &mut String, depth: usize| *out += &format!("\n{}", "  ".repeat(depth));
        match self {
            Json::Text(text) => *out += &quoted(text),
            Json::Number(number) => *out += &number.to_string(),
            Json::Truth(truth) => *out += &truth.to_string(),
            Json::List(values) if values.is_empty() => *out += "[]",
            Json::Object(fields) if fields.is_empty() => *out += "{}",
            Json::List(values) => {
                for (k, value) in values.iter().enumerate() {
                    *out += if k == 0 { "[" } else { "," };
                    line(out, depth + 1);
                    value.write(out, depth + 1);
                }
                line(out, depth);
                *out += "]";
            }
            Json::Object(fields) => {
                for (k, (name, value)) in fields.iter().enumerate() {
                    *out += if k == 0 { "{" } else { "," };
                    line(out, depth + 1);
                    *out += &format!("{}: ", quoted(name));
                    value.write(out, depth + 1);
                }
                line(out, depth);
                *out += "}";
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let mut literal = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            c if c.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal + "\""
}

/// The manifest of these entry points, with the tuning parameters that each asks for, and types, whose functions are given with them.
pub(super) fn manifest(
    backend: &str,
    version: &str,
    entries: &[(&EntryInterface, Vec<&str>)],
    types: &[(&NamedType, TypeFunctions)],
) -> String {
    let entries =
        entries.iter().map(|(entry, params)| (entry.name.clone(), entry_point(entry, params))).collect();
    let types =
        types.iter().map(|(ty, functions)| (ty.name.clone(), type_description(ty, functions))).collect();
    let manifest = Json::object([
        ("backend", Json::text(backend)),
        ("version", Json::text(version)),
        ("entry_points", Json::Object(entries)),
        ("types", Json::Object(types)),
    ]);
    let mut text = String::new();
    manifest.write(&mut text, 0);
    text + "\n"
}

fn entry_point(entry: &EntryInterface, params: &[&str]) -> Json {
    let input = |input: &Input| {
        Json::object([
            ("name", Json::text(&input.name)),
            ("type", Json::text(&input.ty.name)),
            ("unique", Json::Truth(input.consumed)),
        ])
    };
    let output =
        || Json::object([("type", Json::text(&entry.output.name)), ("unique", Json::Truth(entry.fresh))]);
    let mut fields = vec![
        ("cfun".to_owned(), Json::Text(format!("futhark_entry_{}", c_name(&entry.name)))),
        ("tuning_params".to_owned(), Json::List(params.iter().map(|name| Json::text(name)).collect())),
        ("attributes".to_owned(), Json::List(entry.attributes.iter().map(|text| Json::text(text)).collect())),
        ("output".to_owned(), output()),
        // where manifests had it before tuples became one value: bridges of that time read it
        ("outputs".to_owned(), Json::List(vec![output()])),
        ("inputs".to_owned(), Json::List(entry.inputs.iter().map(input).collect())),
    ];
    if let Some(doc) = &entry.doc {
        fields.push(("doc".to_owned(), Json::text(doc)));
    }
    Json::Object(fields)
}

fn type_description(ty: &NamedType, functions: &TypeFunctions) -> Json {
    let named = |operation: &str| Json::text(functions.names.get(operation).map_or("", String::as_str));
    let operations =
        |names: &[&str]| Json::Object(names.iter().map(|name| ((*name).to_owned(), named(name))).collect());
    let c_type = Json::Text(format!("{} *", c_struct(ty)));
    if let TypeForm::Plain(leaf) = &ty.form {
        return Json::object([
            ("kind", Json::text("array")),
            ("ctype", c_type),
            ("rank", Json::Number(leaf.rank)),
            ("elemtype", Json::text(leaf.elem.name())),
            ("ops", operations(&["free", "shape", "values", "values_raw", "new", "new_raw", "index"])),
        ]);
    }
    let fields = |fields: &[(String, NamedType)], rank: usize| {
        let field = |(name, ty): &(String, NamedType)| {
            let ty = if rank == 0 { ty.clone() } else { ty.clone().array(rank) };
            Json::object([
                ("name", Json::text(name)),
                ("type", Json::text(&ty.name)),
                ("project", named(&format!("project {name}"))),
            ])
        };
        Json::List(fields.iter().map(field).collect())
    };
    let (what, description) = match &ty.form {
        TypeForm::Record(parts) => {
            ("record", Json::object([("new", named("new")), ("fields", fields(parts, 0))]))
        }
        TypeForm::Sum { variants, .. } => {
            let variant = |(name, payload): &(String, Vec<NamedType>)| {
                Json::object([
                    ("name", Json::text(name)),
                    ("construct", named(&format!("construct {name}"))),
                    ("destruct", named(&format!("destruct {name}"))),
                    ("payload", Json::List(payload.iter().map(|ty| Json::text(&ty.name)).collect())),
                ])
            };
            let variants = Json::List(variants.iter().map(variant).collect());
            ("sum", Json::object([("variant", named("variant")), ("variants", variants)]))
        }
        TypeForm::Array(rank, element) => {
            let mut parts = vec![
                ("rank".to_owned(), Json::Number(*rank)),
                ("elemtype".to_owned(), Json::text(&element.name)),
                ("index".to_owned(), named("index")),
                ("shape".to_owned(), named("shape")),
                ("new".to_owned(), named("new")),
                ("set".to_owned(), named("set")),
            ];
            let TypeForm::Record(inner) = &element.form else {
                return opaque(
                    c_type,
                    operations(&["free", "store", "restore"]),
                    "opaque_array",
                    Json::Object(parts),
                );
            };
            parts.push(("zip".to_owned(), named("zip")));
            parts.push(("fields".to_owned(), fields(inner, *rank)));
            ("record_array", Json::Object(parts))
        }
        TypeForm::Plain(_) => return Json::Object(Vec::new()),
    };
    opaque(c_type, operations(&["free", "store", "restore"]), what, description)
}

fn opaque(c_type: Json, operations: Json, what: &str, description: Json) -> Json {
    Json::object([
        ("kind", Json::text("opaque")),
        ("ctype", c_type),
        ("ops", operations),
        (what, description),
    ])
}
