//! The names of the types of entry points: those that the source ascribes to parameters and results, as Futhark names them in its C
//! interface; where it ascribes none, the types themselves without sizes.

use fun_base::name::Symbol;
use fun_base::source::Source;
use fun_c::library::{EntryInterface, Input, NamedType, TypeForm};
use fun_frontend::lower::{EntryInfo, Layout};
use fun_frontend::parse::parse_program;
use fun_frontend::syntax::{
    Declaration, Ident, Pattern, PatternKind, TypeArg, TypeExp, TypeExpKind, ValueDeclaration,
};
use std::collections::BTreeMap;

/// What the source texts, the main one first, say of these entry points.
pub fn interfaces(sources: &[Source], entries: &[EntryInfo]) -> Vec<EntryInterface> {
    if entries.is_empty() {
        return Vec::new();
    }
    let ascribed = Ascribed::of(sources);
    entries.iter().map(|entry| ascribed.interface(entry)).collect()
}

/// What the source says of a definition.
struct Definition {
    params: Vec<Option<TypeExp>>,
    /// The names of these parameters, with the primes that variables of programs lack.
    names: Vec<Option<String>>,
    result: Option<TypeExp>,
    doc: Option<String>,
}

/// What the texts say of the types of entry points.
#[derive(Default)]
struct Ascribed {
    /// Definitions by name; the last one counts.
    values: BTreeMap<Symbol, Definition>,
    /// Abbreviations of types.
    types: BTreeMap<Symbol, TypeExp>,
}

impl Ascribed {
    /// Of all files of a program; imported ones come before, as what stands in the main file counts.
    fn of(sources: &[Source]) -> Ascribed {
        let mut ascribed = Ascribed::default();
        for source in sources.iter().rev() {
            let program = parse_program(source, 0).unwrap_or_default();
            program.declarations.iter().for_each(|declaration| ascribed.add(declaration));
        }
        ascribed
    }

    fn add(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Value(ValueDeclaration { name, params, result, doc, .. }) => {
                let names = params.iter().map(name_of).collect();
                let params = params.iter().map(ascription).collect();
                let definition = Definition { params, names, result: result.clone(), doc: doc.clone() };
                self.values.insert(name.name, definition);
            }
            Declaration::Type(declared) => {
                self.types.insert(declared.name.name, declared.definition.clone());
            }
            Declaration::Local(inner) => self.add(inner),
            Declaration::Module(..)
            | Declaration::ModuleType(..)
            | Declaration::Open(_)
            | Declaration::Import(_) => {}
        }
    }

    /// What is known of an entry point.
    fn interface(&self, entry: &EntryInfo) -> EntryInterface {
        let known = self.values.get(&Symbol::new(&entry.name));
        let param = |k: usize| known.and_then(|known| known.params.get(k)?.as_ref());
        let source_name = |k: usize| known.and_then(|known| known.names.get(k)?.clone());
        let input = |(k, (layout, (name, ty))): (usize, (&Layout, &(String, String)))| Input {
            name: source_name(k).unwrap_or_else(|| name.clone()),
            ty: self.named(param(k), layout),
            text: ty.clone(),
            consumed: ty.starts_with('*'),
        };
        EntryInterface {
            name: entry.name.clone(),
            inputs: entry.takes.iter().zip(&entry.params).enumerate().map(input).collect(),
            output: self.named(known.and_then(|known| known.result.as_ref()), &entry.gives),
            output_text: entry.result.clone(),
            fresh: entry.result.starts_with('*'),
            attributes: entry.attributes.clone(),
            doc: known.and_then(|known| known.doc.clone()),
        }
    }

    /// A type of this layout with the name that `exp` gives it.
    fn named(&self, exp: Option<&TypeExp>, layout: &Layout) -> NamedType {
        let name = || exp.map_or_else(|| layout.to_string(), type_name);
        match layout {
            Layout::Prim(prim) => NamedType::plain(*prim, 0),
            Layout::Record(fields) => {
                let exps = exp.and_then(|exp| self.fields(exp));
                let field = |(field, layout): &(String, Layout)| {
                    (
                        field.clone(),
                        self.named(exps.as_ref().and_then(|exps| exps.get(field).copied()), layout),
                    )
                };
                NamedType { name: name(), form: TypeForm::Record(fields.iter().map(field).collect()) }
            }
            Layout::Sum(constructors, slots) => {
                let exps = exp.and_then(|exp| self.constructors(exp));
                let variant = |(name, payload): &(String, Vec<Layout>)| {
                    let exps = exps.as_ref().and_then(|exps| exps.get(name.as_str()));
                    let part = |(k, layout)| self.named(exps.and_then(|exps| exps.get(k)), layout);
                    (name.clone(), payload.iter().enumerate().map(part).collect())
                };
                let behind_tag = |places: &Vec<usize>| places.iter().map(|place| place + 1).collect();
                let form = TypeForm::Sum {
                    variants: constructors.iter().map(variant).collect(),
                    places: slots.places.iter().map(behind_tag).collect(),
                };
                NamedType { name: name(), form }
            }
            Layout::Array(_) => {
                let (mut rank, mut element, mut row) = (0, layout, exp);
                while let Layout::Array(inner) = element {
                    (rank, element, row) = (rank + 1, &**inner, row.and_then(row_of));
                }
                let array = self.named(row, element).array(rank);
                if let TypeForm::Plain(_) = array.form { array } else { NamedType { name: name(), ..array } }
            }
        }
    }

    /// What a type is, behind abbreviations. Modules are not told apart here, so that one may seem to stand for itself: the steps are counted.
    fn meaning<'e>(&'e self, exp: &'e TypeExp) -> &'e TypeExp {
        let mut exp = root(exp);
        for _ in 0..self.types.len() {
            let TypeExpKind::Name(name) = &exp.kind else { break };
            let Some(known) = self.types.get(&name.name) else { break };
            exp = root(known);
        }
        exp
    }

    /// The fields of what is a record.
    fn fields<'e>(&'e self, exp: &'e TypeExp) -> Option<BTreeMap<String, &'e TypeExp>> {
        match &self.meaning(exp).kind {
            TypeExpKind::Record(fields) => {
                Some(fields.iter().map(|(name, exp)| (name.name.to_string(), exp)).collect())
            }
            TypeExpKind::Tuple(parts) => {
                Some(parts.iter().enumerate().map(|(k, exp)| (k.to_string(), exp)).collect())
            }
            _ => None,
        }
    }

    /// The payloads of what is a sum.
    fn constructors<'e>(&'e self, exp: &'e TypeExp) -> Option<BTreeMap<&'e str, &'e [TypeExp]>> {
        match &self.meaning(exp).kind {
            TypeExpKind::Sum(variants) => {
                Some(variants.iter().map(|(name, payload)| (name.name.as_str(), &payload[..])).collect())
            }
            _ => None,
        }
    }
}

/// The type that a pattern carries.
fn ascription(pattern: &Pattern) -> Option<TypeExp> {
    match &pattern.kind {
        PatternKind::Ascription(_, exp) => Some((**exp).clone()),
        PatternKind::Attribute(_, inner) => ascription(inner),
        _ => None,
    }
}

/// The name of a parameter that is one.
fn name_of(pattern: &Pattern) -> Option<String> {
    match &pattern.kind {
        PatternKind::Name(name) => Some(name.to_string()),
        PatternKind::Ascription(inner, _) | PatternKind::Attribute(_, inner) => name_of(inner),
        _ => None,
    }
}

/// Without what only says more of it: sizes, and that it is consumed.
fn root(exp: &TypeExp) -> &TypeExp {
    match &exp.kind {
        TypeExpKind::Apply(inner, TypeArg::Size(_))
        | TypeExpKind::Unique(inner)
        | TypeExpKind::Exists(_, inner) => root(inner),
        _ => exp,
    }
}

/// The rows of an array type.
fn row_of(exp: &TypeExp) -> Option<&TypeExp> {
    match &root(exp).kind {
        TypeExpKind::Array(_, row) => Some(row),
        _ => None,
    }
}

/// A type as Futhark names it: without sizes.
fn type_name(exp: &TypeExp) -> String {
    let list = |exps: &[TypeExp]| exps.iter().map(type_name).collect::<Vec<_>>();
    match &root(exp).kind {
        TypeExpKind::Name(name) => {
            let path = name.qualifiers.iter().chain([&name.name]).map(ToString::to_string);
            path.collect::<Vec<_>>().join(".")
        }
        TypeExpKind::Apply(inner, TypeArg::Type(arg)) => format!("{} {}", type_name(inner), type_name(arg)),
        TypeExpKind::Array(_, row) => format!("[]{}", type_name(row)),
        TypeExpKind::Tuple(parts) => format!("({})", list(parts).join(", ")),
        TypeExpKind::Record(fields) => {
            let field = |(name, exp): &(Ident, TypeExp)| format!("{}: {}", name.name, type_name(exp));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        TypeExpKind::Sum(variants) => {
            let variants =
                variants.iter().map(|(name, payload)| format!("{}:{}", name.name, list(payload).join(" ")));
            variants.collect::<Vec<_>>().join(" | ")
        }
        TypeExpKind::Arrow(..)
        | TypeExpKind::Apply(_, TypeArg::Size(_))
        | TypeExpKind::Unique(_)
        | TypeExpKind::Exists(..) => "function".to_owned(),
    }
}
