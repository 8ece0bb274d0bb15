//! Which values patterns miss, and which patterns match nothing: Maranget's algorithm, after types are decided.

use super::Infer;
use crate::typed::{Case, Pattern, PatternKind};
use crate::types::Type;
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::source::Span;

/// What a value is built with at its head.
#[derive(Clone, PartialEq, Debug)]
enum Head {
    Record(Vec<Symbol>),
    Constructor(Symbol),
    Literal(PrimValue),
}

/// A pattern, or the shape of a value that is missed.
#[derive(Clone, Debug)]
enum Shape {
    Any,
    Node(Head, Vec<Shape>),
}

impl Infer<'_> {
    /// Requires that some case matches each value; warns of cases that never match.
    pub(crate) fn check_cases(&mut self, scrutinee: &Type, cases: &[Case], span: Span) {
        let types = [scrutinee];
        let mut rows: Vec<Vec<Shape>> = Vec::with_capacity(cases.len());
        for case in cases {
            let row = vec![shape(&case.pattern)];
            if missed(&rows, &row, &types).is_none() {
                let d = Diagnostic::warning("W0507", "this case is never reached").at(case.pattern.span);
                self.warnings.push(d.help("the cases before it match all that it does"));
            }
            rows.push(row);
        }
        if let Some(witness) = missed(&rows, &[Shape::Any], &types) {
            let message = format!("this `match` has no case for `{}`", text_of(&witness));
            self.errors.push(Diagnostic::error("E0220", message).at_saying(span, "unmatched cases"));
        }
    }

    /// Requires that a pattern matches each value.
    pub(crate) fn check_irrefutable(&mut self, pattern: &Pattern) {
        if let Some(witness) = missed(&[vec![shape(pattern)]], &[Shape::Any], &[&pattern.ty]) {
            let message = format!("this pattern does not match `{}`", text_of(&witness));
            let d = Diagnostic::error("E0213", message).at_saying(pattern.span, "may not match");
            self.errors.push(d.help("only `match` takes patterns that may not match"));
        }
    }
}

fn shape(pattern: &Pattern) -> Shape {
    match &pattern.kind {
        PatternKind::Var(_) | PatternKind::Wildcard => Shape::Any,
        PatternKind::Record(fields) => {
            let names = fields.iter().map(|(name, _)| *name).collect();
            Shape::Node(Head::Record(names), fields.iter().map(|(_, p)| shape(p)).collect())
        }
        PatternKind::Constructor(name, parts) => {
            Shape::Node(Head::Constructor(*name), parts.iter().map(shape).collect())
        }
        PatternKind::Literal(value) => Shape::Node(Head::Literal(*value), Vec::new()),
    }
}

/// Whether all values have this shape.
fn irrefutable(shape: &Shape) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Node(Head::Record(_), parts) => parts.iter().all(irrefutable),
        Shape::Node(Head::Constructor(_) | Head::Literal(_), _) => false,
    }
}

/// What the vector of patterns matches and no row does: one shape for each column.
fn missed(rows: &[Vec<Shape>], vector: &[Shape], types: &[&Type]) -> Option<Vec<Shape>> {
    let (Some((first, rest)), Some((ty, other_types))) = (vector.split_first(), types.split_first()) else {
        return rows.is_empty().then(Vec::new);
    };
    // Without this the columns to the right would be gone through for nothing, twice for each column here.
    if rows.iter().any(|row| row.iter().all(irrefutable)) {
        return None;
    }
    match first {
        Shape::Node(head, parts) => missed_under(rows, (head, parts), rest, (ty, other_types)),
        Shape::Any => {
            let used = |head: &Head| rows.iter().any(|row| matches!(&row[0], Shape::Node(h, _) if h == head));
            if let Some(heads) = all_heads(ty)
                && heads.iter().all(used)
            {
                return heads.iter().find_map(|head| {
                    let parts = vec![Shape::Any; part_types(head, ty).len()];
                    missed_under(rows, (head, &parts), rest, (ty, other_types))
                });
            }
            let open = rows.iter().filter(|row| matches!(row[0], Shape::Any));
            let open: Vec<Vec<Shape>> = open.map(|row| row[1..].to_vec()).collect();
            let mut witness = missed(&open, rest, other_types)?;
            let missing = match all_heads(ty) {
                Some(heads) if heads.iter().any(used) => heads.into_iter().find(|head| !used(head)),
                _ => None,
            };
            let shape = missing.map_or(Shape::Any, |head| {
                let parts = part_types(&head, ty).len();
                Shape::Node(head, vec![Shape::Any; parts])
            });
            witness.insert(0, shape);
            Some(witness)
        }
    }
}

/// [`missed`] for a vector that begins with a head over parts.
fn missed_under(
    rows: &[Vec<Shape>],
    (head, parts): (&Head, &[Shape]),
    rest: &[Shape],
    (ty, other_types): (&&Type, &[&Type]),
) -> Option<Vec<Shape>> {
    let specialised = rows.iter().filter_map(|row| match &row[0] {
        Shape::Node(other, inner) if other == head => Some([inner, &row[1..]].concat()),
        Shape::Node(..) => None,
        Shape::Any => Some([&vec![Shape::Any; parts.len()], &row[1..]].concat()),
    });
    let specialised: Vec<Vec<Shape>> = specialised.collect();
    let types = [part_types(head, ty).as_slice(), other_types].concat();
    let mut witness = missed(&specialised, &[parts, rest].concat(), &types)?;
    let others = witness.split_off(parts.len().min(witness.len()));
    Some(std::iter::once(Shape::Node(head.clone(), witness)).chain(others).collect())
}

/// All heads that values of the type have, when they are few.
fn all_heads(ty: &Type) -> Option<Vec<Head>> {
    match ty.without_unique() {
        Type::Record(fields) => Some(vec![Head::Record(fields.iter().map(|(name, _)| *name).collect())]),
        Type::Sum(constructors) => {
            Some(constructors.iter().map(|(name, _)| Head::Constructor(*name)).collect())
        }
        Type::Prim(PrimType::Bool) => {
            Some([true, false].map(|value| Head::Literal(PrimValue::Bool(value))).to_vec())
        }
        _ => None,
    }
}

fn part_types<'t>(head: &Head, ty: &'t Type) -> Vec<&'t Type> {
    match (head, ty.without_unique()) {
        (Head::Record(_), Type::Record(fields)) => fields.iter().map(|(_, t)| t).collect(),
        (Head::Constructor(name), ty) => {
            ty.payload(*name).map(|payload| payload.iter().collect()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn text_of(witness: &[Shape]) -> String {
    witness.first().map(|shape| text(shape, false)).unwrap_or_default()
}

fn text(shape: &Shape, nested: bool) -> String {
    match shape {
        Shape::Any => "_".to_owned(),
        Shape::Node(Head::Literal(value), _) => value.to_string(),
        Shape::Node(Head::Constructor(name), parts) => {
            let parts: Vec<String> = parts.iter().map(|part| format!(" {}", text(part, true))).collect();
            let whole = format!("#{name}{}", parts.concat());
            if nested && !parts.is_empty() { format!("({whole})") } else { whole }
        }
        Shape::Node(Head::Record(names), parts) => {
            let tuple =
                names.len() != 1 && names.iter().enumerate().all(|(k, name)| name.as_str() == k.to_string());
            let fields = names.iter().zip(parts).map(|(name, part)| match tuple {
                true => text(part, false),
                false => format!("{name} = {}", text(part, false)),
            });
            let fields = fields.collect::<Vec<_>>().join(", ");
            if tuple { format!("({fields})") } else { format!("{{{fields}}}") }
        }
    }
}
