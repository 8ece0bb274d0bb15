//! What a value may share memory with, component by component.

use crate::types::{Arrow, Type, payloads};
use fun_base::name::{Symbol, Var};
use imbl::{OrdMap, OrdSet};
use std::sync::Arc;

/// A component of a variable (or of an unnamed intermediate result, which has a variable of its own here).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Name {
    /// The variable.
    pub(super) var: Var,
    /// The fields that lead to the component.
    pub(super) path: Vec<Symbol>,
}

/// Names that may share memory. Sets share what they have in common: in a chain of loops or branches each has the names of the one before
/// and a few more.
pub(super) type Names = OrdSet<Name>;

/// Adds names.
pub(super) fn take_in(names: &mut Names, more: Names) {
    *names = std::mem::take(names).union(more);
}

/// The names that are no keys of the map.
pub(super) fn without<V: Clone>(mut names: Names, taken: &OrdMap<Name, V>) -> Names {
    if taken.len() > names.len() {
        return names.into_iter().filter(|name| !taken.contains_key(name)).collect();
    }
    taken.keys().for_each(|name| {
        names.remove(name);
    });
    names
}

/// The first of the names that is a key of the map, with its value.
pub(super) fn first_of<'m, V: Clone>(names: &Names, map: &'m OrdMap<Name, V>) -> Option<(Var, &'m V)> {
    if map.len() < names.len() {
        return map.iter().find(|(name, _)| names.contains(*name)).map(|(name, value)| (name.var, value));
    }
    names.iter().find_map(|name| Some((name.var, map.get(name)?)))
}

/// The aliases of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Aliases {
    /// Of a scalar, an array or a value of a type parameter.
    Leaf(Names),
    /// Of each field; a sum counts as the record of the payloads of all its constructors. Shared: every use of a record has them.
    Record(Arc<[(Symbol, Aliases)]>),
    /// Of a function: what it captured, and its type with `*` where results are fresh.
    Function(Names, Arrow),
}

impl Aliases {
    /// Of a scalar.
    pub(super) fn none() -> Aliases {
        Aliases::Leaf(Names::new())
    }

    /// Of a value of this type all of whose components may share memory with these names.
    pub(super) fn of_type(ty: &Type, names: &Names) -> Aliases {
        match ty {
            Type::Prim(_) => Aliases::none(),
            Type::Array(..) | Type::Param(_) | Type::Named(..) | Type::Meta(_) => {
                Aliases::Leaf(names.clone())
            }
            Type::Record(fields) => {
                Aliases::Record(fields.iter().map(|(f, t)| (*f, Aliases::of_type(t, names))).collect())
            }
            Type::Sum(_) => Aliases::Record(
                parts_of(ty).into_iter().map(|(f, t)| (f, Aliases::of_type(t, names))).collect(),
            ),
            Type::Arrow(arrow) => Aliases::Function(names.clone(), (**arrow).clone()),
            Type::Unique(inner) => Aliases::of_type(inner, names),
        }
    }

    /// Of a fresh value of this type.
    pub(super) fn fresh(ty: &Type) -> Aliases {
        Aliases::of_type(ty, &Names::new())
    }

    /// Of the result of a function with this result type, whose observed arguments and captured values are `names`;
    /// `shape` is the type at this use.
    pub(super) fn of_result(shape: &Type, result: &Type, names: &Names) -> Aliases {
        match (shape, result) {
            (_, Type::Unique(_)) => Aliases::fresh(shape),
            (Type::Record(shapes), Type::Record(results)) if shapes.len() == results.len() => {
                let fields = shapes.iter().zip(results.iter());
                Aliases::Record(
                    fields.map(|((f, s), (_, r))| (*f, Aliases::of_result(s, r, names))).collect(),
                )
            }
            (Type::Arrow(_), Type::Arrow(result)) => Aliases::Function(names.clone(), (**result).clone()),
            _ => Aliases::of_type(shape, names),
        }
    }

    /// All names.
    pub(super) fn all(&self) -> Names {
        let mut names = Names::new();
        self.collect(&mut names, true);
        names
    }

    /// All names of data: without what functions captured.
    pub(super) fn of_data(&self) -> Names {
        let mut names = Names::new();
        self.collect(&mut names, false);
        names
    }

    fn collect(&self, into: &mut Names, functions: bool) {
        match self {
            Aliases::Leaf(names) if names.is_empty() => {}
            Aliases::Leaf(names) => take_in(into, names.clone()),
            Aliases::Record(fields) => fields.iter().for_each(|(_, inner)| inner.collect(into, functions)),
            Aliases::Function(names, _) if functions => take_in(into, names.clone()),
            Aliases::Function(..) => {}
        }
    }

    /// The name sets of the components. Of a sum those of its constructors one upon the other: a value has only one of them.
    pub(super) fn parts(&self) -> Vec<Names> {
        match self {
            Aliases::Leaf(names) | Aliases::Function(names, _) => vec![names.clone()],
            Aliases::Record(fields) => {
                let mut parts: Vec<Names> = Vec::new();
                let mut constructor = None;
                let mut at = 0;
                for (field, inner) in fields.iter() {
                    let current = constructor_of(*field);
                    if current.is_none() {
                        at = parts.len();
                    } else if current != constructor {
                        (constructor, at) = (current, 0);
                    }
                    for names in inner.parts() {
                        match parts.get_mut(at) {
                            Some(part) => take_in(part, names),
                            None => parts.push(names),
                        }
                        at += 1;
                    }
                }
                parts
            }
        }
    }

    /// The same with the components of `var` added, which is being bound to the value of this type.
    pub(super) fn bound_to(self, var: Var, ty: &Type) -> Aliases {
        self.bound_at(var, ty, &mut Vec::new())
    }

    fn bound_at(self, var: Var, ty: &Type, path: &mut Vec<Symbol>) -> Aliases {
        let with_name = |mut names: Names| {
            names.insert(Name { var, path: path.clone() });
            names
        };
        match (self, ty) {
            (inner, Type::Unique(ty)) => inner.bound_at(var, ty, path),
            (inner, Type::Prim(_)) => inner,
            (Aliases::Leaf(names), _) => Aliases::Leaf(with_name(names)),
            (Aliases::Function(names, arrow), _) => Aliases::Function(with_name(names), arrow),
            (Aliases::Record(fields), ty) => {
                let types = parts_of(ty);
                if types.iter().all(|(_, t)| matches!(t, Type::Prim(_))) {
                    return Aliases::Record(fields);
                }
                let below = |(at, (field, inner)): (usize, &(Symbol, Aliases))| {
                    // Most often both have the fields in the same order.
                    let named = |(f, _): &&(Symbol, _)| f == field;
                    let ty = types.get(at).filter(named).or_else(|| types.iter().find(named));
                    path.push(*field);
                    let inner = match ty {
                        Some((_, ty)) => inner.clone().bound_at(var, ty, path),
                        None => inner.clone(),
                    };
                    path.pop();
                    (*field, inner)
                };
                Aliases::Record(fields.iter().enumerate().map(below).collect())
            }
        }
    }

    /// The aliases of either value.
    pub(super) fn or(self, other: Aliases) -> Aliases {
        match (self, other) {
            (Aliases::Record(a), Aliases::Record(b)) if a.len() == b.len() => {
                let fields = a.iter().zip(b.iter());
                Aliases::Record(fields.map(|((f, a), (_, b))| (*f, a.clone().or(b.clone()))).collect())
            }
            (Aliases::Function(mut a, arrow), other) => {
                take_in(&mut a, other.all());
                Aliases::Function(a, arrow)
            }
            (Aliases::Leaf(mut a), other) => {
                take_in(&mut a, other.all());
                Aliases::Leaf(a)
            }
            (record @ Aliases::Record(_), other) => {
                let names = other.all();
                record.map_names(&|mine| mine.union(names.clone()))
            }
        }
    }

    /// The same with each set of names changed.
    pub(super) fn map_names(self, change: &impl Fn(Names) -> Names) -> Aliases {
        match self {
            Aliases::Leaf(names) => Aliases::Leaf(change(names)),
            Aliases::Function(names, arrow) => Aliases::Function(change(names), arrow),
            Aliases::Record(fields) => Aliases::Record(
                fields.iter().map(|(f, inner)| (*f, inner.clone().map_names(change))).collect(),
            ),
        }
    }

    /// The aliases of a field.
    pub(super) fn field(&self, field: Symbol) -> Aliases {
        match self {
            Aliases::Record(fields) => fields
                .iter()
                .find(|(f, _)| *f == field)
                .map_or_else(Aliases::none, |(_, inner)| inner.clone()),
            Aliases::Leaf(names) | Aliases::Function(names, _) => Aliases::Leaf(names.clone()),
        }
    }

    /// The same with the component at this path replaced; where that is as it was, the fields stay shared.
    pub(super) fn with_field(self, path: &[Symbol], value: Aliases) -> Aliases {
        let Some((first, rest)) = path.split_first() else { return value };
        match self {
            Aliases::Record(fields) => {
                let Some(at) = fields.iter().position(|(f, _)| f == first) else {
                    return Aliases::Record(fields);
                };
                let changed = fields[at].1.clone().with_field(rest, value);
                if changed == fields[at].1 {
                    return Aliases::Record(fields);
                }
                let mut changed = Some(changed);
                let field = |(i, (f, inner)): (usize, &(Symbol, Aliases))| {
                    (*f, changed.take_if(|_| i == at).unwrap_or_else(|| inner.clone()))
                };
                Aliases::Record(fields.iter().enumerate().map(field).collect())
            }
            other => other.or(value),
        }
    }
}

/// The names in the components of a value that a parameter (or loop parameter) of type `param` consumes.
pub(super) fn consumed_part(param: &Type, value: &Aliases) -> Names {
    match (param, value) {
        (Type::Unique(_), value) => value.all(),
        (Type::Record(params), Aliases::Record(values)) => {
            Names::unions(params.iter().zip(values.iter()).map(|((_, p), (_, v))| consumed_part(p, v)))
        }
        _ => Names::new(),
    }
}

/// The names in the other components.
pub(super) fn observed_part(param: &Type, value: &Aliases) -> Names {
    match (param, value) {
        (Type::Unique(_), _) => Names::new(),
        (Type::Record(params), Aliases::Record(values)) => {
            Names::unions(params.iter().zip(values.iter()).map(|((_, p), (_, v))| observed_part(p, v)))
        }
        (_, value) => value.all(),
    }
}

/// Whether anything in this type is consumed.
pub(super) fn consumes(param: &Type) -> bool {
    match param {
        Type::Unique(_) => true,
        Type::Record(fields) => fields.iter().any(|(_, t)| consumes(t)),
        Type::Sum(_)
        | Type::Prim(_)
        | Type::Array(..)
        | Type::Arrow(_)
        | Type::Param(_)
        | Type::Named(..)
        | Type::Meta(_) => false,
    }
}

/// Whether a value of this type may contain a function. Type parameters are judged at their instances.
pub(super) fn has_function(ty: &Type) -> bool {
    match ty {
        Type::Arrow(_) => true,
        Type::Record(fields) => fields.iter().any(|(_, t)| has_function(t)),
        Type::Sum(constructors) => payloads(constructors).any(has_function),
        Type::Unique(inner) => has_function(inner),
        Type::Prim(_) | Type::Array(..) | Type::Param(_) | Type::Named(..) | Type::Meta(_) => false,
    }
}

/// The type with `*` wherever `marks` has it too.
pub(super) fn with_marks(ty: &Type, marks: &Type) -> Type {
    match (ty, marks) {
        (Type::Unique(inner), marks) => Type::Unique(Box::new(with_marks(inner, marks.without_unique()))),
        (ty, Type::Unique(marks)) => Type::Unique(Box::new(with_marks(ty, marks))),
        (Type::Record(fields), Type::Record(marks)) if fields.len() == marks.len() => Type::Record(
            fields.iter().zip(marks.iter()).map(|((f, t), (_, m))| (*f, with_marks(t, m))).collect(),
        ),
        (Type::Arrow(arrow), Type::Arrow(marks)) => Type::Arrow(Arc::new(Arrow {
            param: with_marks(&arrow.param, &marks.param),
            result: with_marks(&arrow.result, &marks.result),
            ..(**arrow).clone()
        })),
        _ => ty.clone(),
    }
}

/// Whether a function of type `actual` can stand for one of type `expected`: it consumes no more and promises no less.
pub(crate) fn stands_for(actual: &Type, expected: &Type) -> bool {
    match (actual, expected) {
        (Type::Arrow(a), Type::Arrow(e)) => {
            (consumes(&e.param) || !consumes(&a.param))
                && stands_for(&e.param, &a.param)
                && fresh_enough(&a.result, &e.result)
                && stands_for(a.result.without_unique(), e.result.without_unique())
        }
        (Type::Record(a), Type::Record(e)) => a.iter().zip(e.iter()).all(|((_, a), (_, e))| stands_for(a, e)),
        _ => true,
    }
}

/// Whether a result of type `actual` is fresh wherever `expected` wants it.
fn fresh_enough(actual: &Type, expected: &Type) -> bool {
    match (actual, expected) {
        (_, Type::Prim(_)) | (Type::Unique(_), _) => true,
        (actual, Type::Unique(inner)) => matches!(**inner, Type::Prim(_)) || matches!(actual, Type::Prim(_)),
        (Type::Record(a), Type::Record(e)) => {
            a.iter().zip(e.iter()).all(|((_, a), (_, e))| fresh_enough(a, e))
        }
        _ => true,
    }
}

/// The component of a constructor's payload as a field.
pub(super) fn payload_field(constructor: Symbol, component: usize) -> Symbol {
    Symbol::new(&format!("#{constructor}.{component}"))
}

/// The constructor that a field made by [`payload_field`] belongs to.
fn constructor_of(field: Symbol) -> Option<&'static str> {
    field.as_str().strip_prefix('#')?.rsplit_once('.').map(|(constructor, _)| constructor)
}

/// The fields of a record, or what a sum has in their place.
fn parts_of(ty: &Type) -> Vec<(Symbol, &Type)> {
    match ty {
        Type::Record(fields) => fields.iter().map(|(f, t)| (*f, t)).collect(),
        Type::Sum(constructors) => {
            let part = |name: Symbol| move |(k, t)| (payload_field(name, k), t);
            constructors
                .iter()
                .flat_map(|(name, payload)| payload.iter().enumerate().map(part(*name)))
                .collect()
        }
        _ => Vec::new(),
    }
}
