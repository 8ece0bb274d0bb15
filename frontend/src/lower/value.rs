//! What lowering evaluates to: values whose scalars and arrays are FUN atoms and whose functions are closures that exist
//! at compile time only.
//!
//! A value has the nesting of its source type, but arrays of records are kept as records of arrays: [`Value::leaves`] lists
//! the atoms in the order of the type's leaves, each an array over all the dimensions above it. So `zip`, `unzip` and
//! projections cost nothing, all components of an array of records share their outer sizes, and an array of `()` keeps its
//! length although nothing represents it.

use super::local::Local;
use super::sum::{Constructor, slots_of};
use crate::typed::{DefId, Exp, Instance, Intrinsic, Pattern};
use crate::types::{ACCUMULATOR, Scheme, Type};
use fun::ir::{self, Atom};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use imbl::OrdMap;
use std::rc::Rc;

/// A type whose dimensions are `D`: atoms for the type of a value, `Option<Atom>` where some sizes are not known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ty<D> {
    Prim(PrimType),
    Array(D, Rc<Ty<D>>),
    Record(Rc<[(Symbol, Ty<D>)]>),
    /// Constructors with the types of their payloads; see [`super::sum`].
    Sum(Rc<[Constructor<D>]>),
    /// Functions are closures; their type is of no use here.
    Function,
}

/// The type of a value.
pub(super) type ValueTy = Ty<Atom>;
/// The type that the source gives; sizes that cannot be evaluated are `None`.
pub(super) type PartialTy = Ty<Option<Atom>>;

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Value<'t> {
    pub(super) ty: ValueTy,
    pub(super) leaves: Vec<Leaf<'t>>,
}

/// One component of a value.
#[derive(Clone, Debug)]
pub(super) enum Leaf<'t> {
    Atom(Atom),
    Function(Rc<Closure<'t>>),
}

/// A function with the arguments applied so far.
#[derive(Clone, Debug)]
pub(super) struct Closure<'t> {
    pub(super) head: Head<'t>,
    pub(super) args: Vec<Value<'t>>,
}

/// What is applied.
#[derive(Clone, Debug)]
pub(super) enum Head<'t> {
    /// A lambda in the environment of its definition; `instance` when it is the body of a local polymorphic function.
    Lambda { params: &'t [Pattern], body: &'t Exp, env: Env<'t>, instance: Option<InstanceOf<'t>> },
    /// A lambda that is called; `instance` as above.
    Local(Local<'t>, Option<InstanceOf<'t>>),
    /// A top-level definition.
    Def(DefId, InstanceOf<'t>),
    /// A built-in function.
    Intrinsic(Intrinsic, InstanceOf<'t>),
    /// A hole of a function type; each application fails.
    Hole { result: &'t Type, env: Env<'t> },
    /// In the payload of a constructor that the value does not have.
    Absent,
}

/// The instance of a polymorphic reference and the environment that its sizes and types refer to.
#[derive(Clone, Debug)]
pub(super) struct InstanceOf<'t> {
    pub(super) instance: &'t Instance,
    pub(super) scheme: Option<&'t Scheme>,
    pub(super) env: Env<'t>,
}

/// What names stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Env<'t> {
    /// Local variables, size parameters and existentials.
    pub(super) values: OrdMap<Var, Value<'t>>,
    /// Type parameters.
    pub(super) types: OrdMap<Var, PartialTy>,
    /// Local polymorphic functions.
    pub(super) functions: OrdMap<Var, Rc<LocalFunction<'t>>>,
    /// The recursive function whose body this is in.
    pub(super) recursion: Option<Rc<super::recursion::Recursion>>,
}

/// A local polymorphic function: evaluated anew at each use.
#[derive(Debug)]
pub(super) struct LocalFunction<'t> {
    pub(super) scheme: &'t Scheme,
    pub(super) value: &'t Exp,
    pub(super) env: Env<'t>,
    /// The same where it is called.
    pub(super) local: Option<Local<'t>>,
}

/// The type that an expression has in the source, and where its names have their meaning.
#[derive(Clone, Copy)]
pub(super) struct Expected<'a, 't> {
    pub(super) ty: &'t Type,
    pub(super) env: &'a Env<'t>,
}

impl<'a, 't> Expected<'a, 't> {
    /// The type of the elements, when it is plain to see.
    pub(super) fn element(self) -> Option<Expected<'a, 't>> {
        match self.ty.without_unique() {
            Type::Array(_, element) => Some(Expected { ty: element, env: self.env }),
            _ => None,
        }
    }
}

impl<D: Clone> Ty<D> {
    pub(super) fn array(size: D, element: Ty<D>) -> Ty<D> {
        Ty::Array(size, Rc::new(element))
    }

    pub(super) fn tuple(components: Vec<Ty<D>>) -> Ty<D> {
        Ty::Record(
            components.into_iter().enumerate().map(|(i, ty)| (Symbol::new(&i.to_string()), ty)).collect(),
        )
    }

    /// How many leaves a value of the type has.
    pub(super) fn count(&self) -> usize {
        match self {
            Ty::Prim(_) | Ty::Function => 1,
            Ty::Array(_, element) => element.count(),
            Ty::Record(fields) => fields.iter().map(|(_, ty)| ty.count()).sum(),
            Ty::Sum(constructors) => 1 + slots_of(constructors).slots.len(),
        }
    }

    /// Whether functions occur in it.
    pub(super) fn has_functions(&self) -> bool {
        match self {
            Ty::Prim(_) => false,
            Ty::Function => true,
            Ty::Array(_, element) => element.has_functions(),
            Ty::Record(fields) => fields.iter().any(|(_, ty)| ty.has_functions()),
            Ty::Sum(constructors) => constructors.iter().any(|(_, tys)| tys.iter().any(Ty::has_functions)),
        }
    }

    /// Its text with `{}` for each leaf.
    pub(super) fn template(&self) -> String {
        let Ty::Record(fields) = self else {
            return match self {
                Ty::Array(_, element) => element.template(),
                _ => vec!["{}"; self.count()].join(" "),
            };
        };
        let is_tuple = fields.iter().enumerate().all(|(i, (name, _))| name.as_str() == i.to_string());
        let field = |(name, ty): &(Symbol, Ty<D>)| match is_tuple {
            true => ty.template(),
            false => format!("{name} = {}", ty.template()),
        };
        let fields: Vec<String> = fields.iter().map(field).collect();
        // Braces are what stands for a value.
        format!("({})", fields.join(", "))
    }

    /// Whether accumulators occur in it.
    pub(super) fn has_accumulators(&self) -> bool {
        match self {
            Ty::Prim(_) | Ty::Function => false,
            Ty::Array(_, element) => element.has_accumulators(),
            Ty::Record(fields) => {
                fields.iter().any(|(name, ty)| name.as_str() == ACCUMULATOR || ty.has_accumulators())
            }
            Ty::Sum(constructors) => constructors.iter().any(|(_, tys)| tys.iter().any(Ty::has_accumulators)),
        }
    }

    /// The same type with each dimension replaced, outermost and leftmost first.
    pub(super) fn map_sizes<E>(&self, f: &mut dyn FnMut(&D) -> E) -> Ty<E> {
        match self {
            Ty::Prim(prim) => Ty::Prim(*prim),
            Ty::Function => Ty::Function,
            Ty::Array(size, element) => {
                let size = f(size);
                Ty::Array(size, Rc::new(element.map_sizes(f)))
            }
            Ty::Record(fields) => {
                Ty::Record(fields.iter().map(|(name, ty)| (*name, ty.map_sizes(f))).collect())
            }
            Ty::Sum(constructors) => {
                let mapped = constructors.iter().map(|(name, payload)| {
                    let payload: Rc<[Ty<E>]> = payload.iter().map(|ty| ty.map_sizes(f)).collect();
                    (*name, payload)
                });
                Ty::Sum(mapped.collect())
            }
        }
    }

    /// The type as text, with `{}` for each dimension.
    pub(super) fn pattern(&self) -> String {
        match self {
            Ty::Prim(prim) => prim.name().to_owned(),
            Ty::Function => "function".to_owned(),
            Ty::Array(_, element) => format!("[{{}}]{}", element.pattern()),
            Ty::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|(_, ty)| ty.pattern()).collect();
                format!("({})", fields.join(", "))
            }
            Ty::Sum(constructors) => {
                let constructors: Vec<String> = constructors
                    .iter()
                    .map(|(name, payload)| {
                        let payload: Vec<String> =
                            payload.iter().map(|ty| format!(" ({})", ty.pattern())).collect();
                        format!("#{name}{}", payload.concat())
                    })
                    .collect();
                constructors.join(" | ")
            }
        }
    }

    /// The dimensions in the order of [`Ty::map_sizes`].
    pub(super) fn sizes(&self) -> Vec<D> {
        let mut sizes = Vec::new();
        self.map_sizes(&mut |size| sizes.push(size.clone()));
        sizes
    }
}

impl ValueTy {
    /// The FUN types of the leaves that are no functions.
    pub(super) fn leaf_types(&self) -> Vec<ir::Type> {
        self.typed_leaves().into_iter().flatten().collect()
    }

    /// The FUN types of the leaves; none for functions.
    pub(super) fn typed_leaves(&self) -> Vec<Option<ir::Type>> {
        fn walk(ty: &ValueTy, shape: &mut Vec<Atom>, leaves: &mut Vec<Option<ir::Type>>) {
            match ty {
                Ty::Prim(prim) => leaves.push(Some(ir::Type::array_of(shape, &ir::Type::Prim(*prim)))),
                Ty::Function => leaves.push(None),
                Ty::Array(size, element) => {
                    shape.push(*size);
                    walk(element, shape, leaves);
                    shape.pop();
                }
                Ty::Record(fields) => fields.iter().for_each(|(_, ty)| walk(ty, shape, leaves)),
                Ty::Sum(constructors) => {
                    walk(&Ty::Prim(crate::types::TAG), shape, leaves);
                    let layout = slots_of(constructors);
                    let mut slots = vec![None; layout.slots.len()];
                    for ((_, payload), places) in constructors.iter().zip(&layout.places) {
                        let mut parts = Vec::new();
                        payload.iter().for_each(|ty| walk(ty, shape, &mut parts));
                        for (place, part) in places.iter().zip(parts) {
                            slots[*place] = part;
                        }
                    }
                    leaves.extend(slots);
                }
            }
        }
        let mut leaves = Vec::new();
        walk(self, &mut Vec::new(), &mut leaves);
        leaves
    }

    /// With every size known.
    pub(super) fn partial(&self) -> PartialTy {
        self.map_sizes(&mut |size| Some(*size))
    }
}

impl<'t> Value<'t> {
    pub(super) fn scalar(atom: impl Into<Atom>, prim: PrimType) -> Value<'t> {
        Value { ty: Ty::Prim(prim), leaves: vec![Leaf::Atom(atom.into())] }
    }

    pub(super) fn function(head: Head<'t>) -> Value<'t> {
        Value::closure(Closure { head, args: Vec::new() })
    }

    pub(super) fn closure(closure: Closure<'t>) -> Value<'t> {
        Value { ty: Ty::Function, leaves: vec![Leaf::Function(Rc::new(closure))] }
    }

    /// A first-order value of the type with these leaves.
    pub(super) fn of_atoms(ty: ValueTy, atoms: impl IntoIterator<Item = Atom>) -> Value<'t> {
        Value { ty, leaves: atoms.into_iter().map(Leaf::Atom).collect() }
    }

    /// A record of values.
    pub(super) fn record(fields: Vec<(Symbol, Value<'t>)>) -> Value<'t> {
        let mut leaves = Vec::new();
        let types = fields.into_iter().map(|(name, value)| {
            leaves.extend(value.leaves);
            (name, value.ty)
        });
        let ty = Ty::Record(types.collect());
        Value { ty, leaves }
    }

    /// The fields of a record.
    pub(super) fn fields(&self) -> Option<Vec<(Symbol, Value<'t>)>> {
        let Ty::Record(types) = &self.ty else { return None };
        let mut from = 0;
        let fields = types.iter().map(|(name, ty)| {
            let leaves = self.leaves[from..from + ty.count()].to_vec();
            from += ty.count();
            (*name, Value { ty: ty.clone(), leaves })
        });
        Some(fields.collect())
    }

    /// A field of a record.
    pub(super) fn field(&self, field: Symbol) -> Option<Value<'t>> {
        let Ty::Record(types) = &self.ty else { return None };
        let mut from = 0;
        for (name, ty) in types.iter() {
            if *name == field {
                return Some(Value { ty: ty.clone(), leaves: self.leaves[from..from + ty.count()].to_vec() });
            }
            from += ty.count();
        }
        None
    }

    /// The atoms of a first-order value.
    pub(super) fn atoms(&self) -> Vec<Atom> {
        self.leaves
            .iter()
            .filter_map(|leaf| if let Leaf::Atom(atom) = leaf { Some(*atom) } else { None })
            .collect()
    }
}
