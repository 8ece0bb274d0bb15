//! Values of sum types: a tag, the position of the constructor, and slots for the payloads.
//!
//! What a constructor does not use is blank: zero. [`Slots`] says which there are.

use super::sizes::Effort;
use super::value::{Closure, Env, Head, Leaf, Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use crate::typed::Exp;
use crate::types::{Slot, Slots, TAG};
use fun::ir::{self, Atom};
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use std::rc::Rc;

/// A constructor with the types of its payload.
pub(super) type Constructor<D> = (Symbol, Rc<[Ty<D>]>);

/// The slots of a sum with these constructors.
pub(super) fn slots_of<D: Clone>(constructors: &[Constructor<D>]) -> Slots {
    let leaves = |(_, payload): &Constructor<D>| {
        let mut leaves = Vec::new();
        payload.iter().for_each(|ty| leaf_slots(ty, &mut leaves));
        leaves
    };
    Slots::of(constructors.iter().map(leaves))
}

fn leaf_slots<D: Clone>(ty: &Ty<D>, out: &mut Vec<Slot>) {
    match ty {
        Ty::Prim(prim) => out.push(Slot::Scalar(*prim)),
        Ty::Function => out.push(Slot::Own),
        Ty::Array(_, element) => out.extend(std::iter::repeat_n(Slot::Own, element.count())),
        Ty::Record(fields) => fields.iter().for_each(|(_, ty)| leaf_slots(ty, out)),
        Ty::Sum(constructors) => {
            out.push(Slot::Scalar(TAG));
            out.extend(slots_of(constructors).slots);
        }
    }
}

/// The tag of constructor `k`.
pub(super) fn tag(k: usize) -> Atom {
    Atom::Const(PrimValue::from_bits(TAG, k as u64))
}

impl<'t> Value<'t> {
    /// The constructors of a value of sum type.
    pub(super) fn constructors(&self) -> Option<&Rc<[Constructor<Atom>]>> {
        match &self.ty {
            Ty::Sum(constructors) => Some(constructors),
            Ty::Prim(_) | Ty::Array(..) | Ty::Record(_) | Ty::Function => None,
        }
    }

    /// The payload that the value has if it is of constructor `k`.
    pub(super) fn payload(&self, k: usize) -> Vec<Value<'t>> {
        let Some(constructors) = self.constructors() else { return Vec::new() };
        let slots = slots_of(constructors);
        let mut places = slots.places[k].iter();
        let part = |ty: &ValueTy| {
            let leaves = places.by_ref().take(ty.count()).map(|slot| self.leaves[1 + slot].clone()).collect();
            Value { ty: ty.clone(), leaves }
        };
        constructors[k].1.iter().map(part).collect()
    }
}

impl<'t> Lowerer<'t> {
    /// `#c a b`.
    pub(super) fn lower_construct(
        &mut self,
        env: &mut Env<'t>,
        exp: &'t Exp,
        name: Symbol,
        args: &'t [Exp],
    ) -> Outcome<Value<'t>> {
        let mut payload = Vec::with_capacity(args.len());
        for arg in args {
            payload.push(self.lower_exp(env, arg)?);
        }
        let Ty::Sum(constructors) = self.eval_type(env, &exp.ty, Effort::Full) else {
            return Err(self.inconsistent("a constructor of what is not a sum"));
        };
        let Some(k) = constructors.iter().position(|(other, _)| *other == name) else {
            return Err(self.inconsistent(format!("no constructor {name}")));
        };
        // The sizes of the other constructors may be open: then no value has them.
        let types = constructors.iter().enumerate().map(|(other, (name, types))| {
            let types: Rc<[ValueTy]> = match other == k {
                true => payload.iter().map(|value| value.ty.clone()).collect(),
                false => {
                    types.iter().map(|ty| ty.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0)))).collect()
                }
            };
            (*name, types)
        });
        let constructors: Rc<[Constructor<Atom>]> = types.collect();
        let slots = slots_of(&constructors);
        let mut leaves: Vec<Option<Leaf<'t>>> = vec![None; slots.slots.len()];
        for (place, leaf) in slots.places[k].iter().zip(payload.into_iter().flat_map(|value| value.leaves)) {
            leaves[*place] = Some(leaf);
        }
        let ty = Ty::Sum(constructors);
        let types = ty.typed_leaves();
        let mut all = vec![Leaf::Atom(tag(k))];
        for (leaf, ty) in leaves.into_iter().zip(&types[1..]) {
            all.push(match leaf {
                Some(leaf) => leaf,
                None => self.blank(ty.as_ref()),
            });
        }
        Ok(Value { ty, leaves: all })
    }

    /// A leaf that stands for nothing.
    fn blank(&mut self, ty: Option<&ir::Type>) -> Leaf<'t> {
        let Some(ty) = ty else {
            return Leaf::Function(Rc::new(Closure { head: Head::Absent, args: Vec::new() }));
        };
        let zero = Atom::Const(ty.elem().zero());
        if ty.rank() == 0 {
            return Leaf::Atom(zero);
        }
        let exp = ir::Exp::Replicate { shape: ty.shape().to_vec(), value: zero };
        Leaf::Atom(self.emit("blank", ty.clone(), exp).into())
    }

    /// A value of the type that stands for nothing.
    pub(super) fn blank_value(&mut self, ty: ValueTy) -> Value<'t> {
        let leaves = ty.typed_leaves().iter().map(|leaf| self.blank(leaf.as_ref())).collect();
        Value { ty, leaves }
    }

    /// Whether two sums are equal: the same constructor with equal payloads.
    pub(super) fn equal_sums(&mut self, a: &Value<'t>, b: &Value<'t>) -> Outcome<Atom> {
        let Some(constructors) = a.constructors().cloned() else {
            return Err(self.inconsistent("a sum was expected"));
        };
        let (Some(Leaf::Atom(tag_a)), Some(Leaf::Atom(tag_b))) = (a.leaves.first(), b.leaves.first()) else {
            return Err(self.inconsistent("a sum without a tag"));
        };
        let (tag_a, tag_b) = (*tag_a, *tag_b);
        let same = self.bin(BinOp::Eq, TAG, tag_a, tag_b);
        self.and_then(same, |this| {
            let mut all = Atom::Const(PrimValue::Bool(true));
            for (k, (_, payload)) in constructors.iter().enumerate() {
                if payload.is_empty() {
                    continue;
                }
                let this_one = this.bin(BinOp::Eq, TAG, tag_a, tag(k));
                let other = this.un(fun_base::prim::UnOp::Not, PrimType::Bool, this_one);
                let differ = this.and_then(this_one, |this| {
                    let mut equal = Atom::Const(PrimValue::Bool(true));
                    for (a, b) in a.payload(k).iter().zip(&b.payload(k)) {
                        let part = this.equal(a, b)?;
                        equal = this.and(equal, part);
                    }
                    Ok(equal)
                })?;
                let fine = this.or(other, differ);
                all = this.and(all, fine);
            }
            Ok(all)
        })
    }

    /// `condition && rest`, where `rest` is evaluated only when the condition holds if that takes more than a few operations.
    fn and_then(&mut self, condition: Atom, rest: impl FnOnce(&mut Self) -> Outcome<Atom>) -> Outcome<Atom> {
        match condition {
            Atom::Const(PrimValue::Bool(true)) => return rest(self),
            Atom::Const(_) => return Ok(condition),
            Atom::Var(_) => {}
        }
        self.open();
        self.assume(condition);
        let rest = rest(self)?;
        let scope = self.close();
        if super::control::harmless(&scope) {
            self.splice(scope);
            return Ok(self.and(condition, rest));
        }
        self.reopen(scope);
        let then = self.close_body(vec![rest]);
        let no = Atom::Const(PrimValue::Bool(false));
        let otherwise = ir::Body { statements: Vec::new(), results: vec![no] };
        let exp = ir::Exp::If { condition, then, otherwise };
        Ok(self.emit("eq", ir::Type::Prim(PrimType::Bool), exp).into())
    }
}
