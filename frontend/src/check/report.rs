//! What the user is told when types or sizes do not fit.

use super::Infer;
use super::unify::Mismatch;
use crate::types::{Size, Type, TypeArg, payloads, size_to_string, type_to_string, types_to_strings};
use fun_base::diag::Diagnostic;
use fun_base::name::Var;
use fun_base::source::Span;
use std::collections::BTreeSet;

/// The place of a requirement and its reason.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    /// What doesn't fit.
    pub(crate) span: Span,
    /// Where the other type comes from, and how.
    pub(crate) because: Option<(Span, String)>,
}

impl Why {
    pub(crate) fn at(span: Span) -> Why {
        Why { span, because: None }
    }
    pub(crate) fn because(self, span: Span, text: impl Into<String>) -> Why {
        Why { because: Some((span, text.into())), ..self }
    }
}

impl Infer<'_> {
    /// Requires an expression's type; reports where it is another. Gives whether all is well.
    pub(crate) fn expect(&mut self, expected: &Type, actual: &Type, why: Why) -> bool {
        self.current = why.span;
        match self.unify(expected, actual) {
            Ok(()) => true,
            Err(mismatch) => {
                self.report(&mismatch, expected, actual, why);
                false
            }
        }
    }

    pub(crate) fn report(&mut self, mismatch: &Mismatch, expected: &Type, actual: &Type, why: Why) {
        let (expected, actual) = (self.resolve(expected), self.resolve(actual));
        if self.mentions_failed(&expected) || self.mentions_failed(&actual) {
            // A consequence of something that has been reported.
            return;
        }
        let whole = types_to_strings(&[&expected, &actual]);
        let diagnostic = match mismatch {
            Mismatch::Types(a, b) => {
                let (a, b) = (self.resolve(a), self.resolve(b));
                let mut d = Diagnostic::error("E0204", format!("expected {}, found {}", whole[0], whole[1]))
                    .at_saying(why.span, format!("this is {}", whole[1]));
                if a != expected && b != actual && a != actual {
                    let parts = types_to_strings(&[&a, &b]);
                    d = d.note(format!("{} and {} differ", parts[0], parts[1]));
                }
                if let Type::Arrow(_) = actual
                    && !matches!(expected, Type::Arrow(_))
                {
                    d = d.help("the function may lack an argument");
                }
                d
            }
            Mismatch::Sizes(a, b) => {
                let names = types_to_strings(&[&sized(a), &sized(b)]);
                let text = |name: &str| name.strip_suffix("()").unwrap_or(name).to_owned();
                let message = format!("the sizes {} and {} differ", text(&names[0]), text(&names[1]));
                // Equations that were put off have no types to show.
                let said = if expected == actual {
                    String::new()
                } else {
                    format!("expected {}, this is {}", whole[0], whole[1])
                };
                let mut d = Diagnostic::error("E0301", message).at_saying(why.span, said);
                for (span, text) in self.origins([a, b]) {
                    d = d.label(span, text);
                }
                d.help("if they are equal when the program runs, say so with `:>`")
            }
            Mismatch::Infinite => {
                Diagnostic::error("E0208", format!("the type {} would contain itself", whole[1])).at(why.span)
            }
            Mismatch::Escape(var) => {
                let message = format!("the size {} isn't known where it is needed", self.describe(*var));
                let mut d =
                    Diagnostic::error("E0302", message).at_saying(why.span, format!("this is {}", whole[1]));
                for (span, text) in self.origins([&Size::Var(*var)]) {
                    d = d.label(span, text);
                }
                d
            }
            Mismatch::UnknownResult(function) => {
                let function = type_to_string(&self.resolve(function));
                Diagnostic::error("E0302", "the size of this function's result is not the same for all arguments")
                    .at_saying(why.span, format!("this is {function}"))
                    .help("compute the size before the function, bind it with `let`, or coerce the result with `:>`")
            }
            Mismatch::NotOneOf(t, set) => {
                let t = match t {
                    Type::Meta(meta) => self.describe_unknown(*meta),
                    _ => type_to_string(&self.resolve(t)),
                };
                let d = |message| Diagnostic::error("E0209", message).at(why.span);
                match (&expected, &actual) {
                    (Type::Meta(_), _) | (_, Type::Prim(_)) => {
                        d(format!("expected {}, found {t}", set.describe()))
                    }
                    (_, Type::Meta(_)) => d(format!("expected {t}, found {}", set.describe())),
                    _ => d(format!("expected {}, found {}", whole[0], whole[1]))
                        .note(format!("{t} is not {}", set.describe())),
                }
            }
            Mismatch::Function(_) if arrows(&actual) > arrows(&expected) && arrows(&expected) > 0 => {
                let (takes, given) = (arrows(&actual), arrows(&expected));
                let message = format!("this function takes {takes} arguments, but is given {given} here");
                Diagnostic::error("E0215", message).at_saying(why.span, format!("this is {}", whole[1]))
            }
            Mismatch::Lifted(t) => {
                let t = type_to_string(&self.resolve(t));
                let message = format!("values of the type {t} may differ in their sizes, so it is lifted");
                Diagnostic::error("E0215", message).at(why.span).note(
                    "lifted types cannot be those of elements of arrays, nor stand for type parameters declared 'a",
                )
            }
            Mismatch::Function(t) => {
                let t = type_to_string(&self.resolve(t));
                Diagnostic::error("E0215", format!("a value of type {t} cannot be used here")).at(why.span).note(
                    "functions cannot be compared, and cannot be elements of arrays or results of `if` and `loop`; \
                     a type parameter declared 'a has no operators",
                )
            }
            Mismatch::NoField(t, field) => {
                let t = self.resolve(t);
                let message = format!("{} has no field `{field}`", type_to_string(&t));
                let d = Diagnostic::error("E0206", message).at(why.span);
                match &t {
                    Type::Record(fields) => {
                        d.did_you_mean(field.as_str(), fields.iter().map(|(f, _)| f.as_str()))
                    }
                    _ => d,
                }
            }
            Mismatch::NoConstructor(t, name) => {
                let t = self.resolve(t);
                let message = format!("{} has no constructor `#{name}`", type_to_string(&t));
                let d = Diagnostic::error("E0206", message).at(why.span);
                match &t {
                    Type::Sum(constructors) => {
                        d.did_you_mean(name.as_str(), constructors.iter().map(|(c, _)| c.as_str()))
                    }
                    _ => d,
                }
            }
            Mismatch::Payload(name, wanted, given) => {
                let count =
                    |n: usize| if n == 1 { "1 component".to_owned() } else { format!("{n} components") };
                let message = format!("`#{name}` has {}, not {given}", count(*wanted));
                Diagnostic::error("E0206", message).at(why.span)
            }
        };
        let diagnostic = match why.because {
            Some((span, text)) if span != why.span => {
                let text = if whole[0] == "_" { text.replace("expected {} as ", "") } else { text };
                diagnostic.label(span, text.replace("{}", &whole[0]))
            }
            _ => diagnostic,
        };
        self.errors.push(diagnostic);
        if let Mismatch::NotOneOf(..) | Mismatch::Function(_) = mismatch {
            // The operator or literal has been reported: what follows from it is not.
            for t in [&expected, &actual] {
                if let Type::Meta(meta) = t {
                    self.metas[*meta as usize].constraint.failed = true;
                }
            }
        }
    }

    /// What is known of an unknown type, for a message.
    fn describe_unknown(&self, meta: u32) -> String {
        let constraint = &self.metas[meta as usize].constraint;
        match (constraint.constructors.first(), constraint.fields.first()) {
            (Some((name, _)), _) => format!("a sum type with `#{name}`"),
            (_, Some((field, _))) => format!("a record with a field `{field}`"),
            _ => "_".to_owned(),
        }
    }

    /// The name of a size for a message.
    fn describe(&self, var: Var) -> String {
        match self.vars.get(&var).and_then(|info| info.definition.as_ref()) {
            Some(definition) => format!("{} (= {})", var.text, size_to_string(definition)),
            None => var.text.to_string(),
        }
    }

    /// Where the variables in some sizes come from.
    fn origins<const N: usize>(&self, sizes: [&Size; N]) -> Vec<(Span, String)> {
        let mut vars = BTreeSet::new();
        sizes.iter().for_each(|size| crate::types::free_in_size(size, &mut vars));
        vars.iter().filter_map(|var| self.vars.get(var)?.origin.clone()).collect()
    }

    /// Whether a resolved type contains something that has been reported.
    fn mentions_failed(&self, t: &Type) -> bool {
        match t {
            Type::Prim(_) | Type::Param(_) => false,
            Type::Meta(meta) => self.metas[*meta as usize].constraint.failed,
            Type::Array(_, elem) => self.mentions_failed(elem),
            Type::Record(fields) => fields.iter().any(|(_, t)| self.mentions_failed(t)),
            Type::Sum(constructors) => payloads(constructors).any(|t| self.mentions_failed(t)),
            Type::Unique(inner) => self.mentions_failed(inner),
            Type::Named(_, args) => args.iter().any(|arg| match arg {
                TypeArg::Size(_) => false,
                TypeArg::Type(t) => self.mentions_failed(t),
            }),
            Type::Arrow(arrow) => self.mentions_failed(&arrow.param) || self.mentions_failed(&arrow.result),
        }
    }
}

/// How many arguments a function of the type takes one after the other.
fn arrows(t: &Type) -> usize {
    match t {
        Type::Arrow(arrow) => 1 + arrows(&arrow.result),
        _ => 0,
    }
}

/// A type that prints as the size in brackets.
fn sized(size: &Size) -> Type {
    Type::array(size.clone(), Type::unit())
}
