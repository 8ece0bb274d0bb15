//! Inputs for an entry point that satisfy its size types.
//!
//! [`Signature`] is what inputs must fit: the types of the parameters, the sizes that they share, and what the entry asserts of sizes and
//! scalars before anything else. Random inputs are drawn in one of several [`Manner`]s: values that break programs, or values
//! that common preconditions let through. The same seed gives the same inputs.

mod draw;
mod preamble;
mod scalar;
#[cfg(test)]
mod tests;

pub use draw::Manner;
pub(crate) use draw::shape_of;
pub(crate) use scalar::small_domain;

use draw::SIZES;
use fun::ir::{Atom, BinderType, Function, Rep};
use fun_base::prim::PrimType;
use fun_base::value::Value;
use fun_passes::program::Program;
use imp::ir::{InterfaceSize, InterfaceValue};
use preamble::Preamble;

/// No argument has more elements than this, unless its type says so.
const MOST_ELEMENTS: i64 = 4096;

/// What stands for a parameter or an implicit size in a [`Signature`]; parameters that are sizes have the key of the size.
pub(crate) type Key = u64;

/// A parameter as inputs are made for it.
pub(crate) enum Parameter {
    Scalar { ty: PrimType, key: Key },
    Array { elem: PrimType, shape: Vec<Size> },
}

/// A size in the type of a parameter.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    Key(Key),
    Const(i64),
}

/// What the inputs of an entry point must fit.
pub struct Signature {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) preamble: Preamble,
}

impl Signature {
    /// That of an entry point; without parameters when there is no such entry.
    pub fn of(program: &Program, entry: &str) -> Signature {
        match program {
            Program::Fun(program) => of_function(&program.functions, entry),
            Program::FunMem(program) => of_function(&program.functions, entry),
            Program::Imp(program) => {
                Signature { parameters: of_procedure(program, entry), preamble: Preamble::default() }
            }
        }
    }

    /// Whether there are no parameters, so that there is one input.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    /// The sizes that the types mention, each once, in order.
    pub(crate) fn sizes(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        for parameter in &self.parameters {
            let Parameter::Array { shape, .. } = parameter else { continue };
            for size in shape {
                if let Size::Key(key) = size
                    && !keys.contains(key)
                {
                    keys.push(*key);
                }
            }
        }
        keys
    }
}

/// Random inputs for the entry point; empty when there is no such entry.
pub fn random_inputs(program: &Program, entry: &str, seed: u64) -> Vec<Value> {
    random_inputs_up_to(program, entry, seed, SIZES.into_iter().max().unwrap_or_default())
}

/// The same with sizes up to `largest`.
pub fn random_inputs_up_to(program: &Program, entry: &str, seed: u64, largest: i64) -> Vec<Value> {
    Signature::of(program, entry).draw_up_to(seed, Manner::Any, largest).unwrap_or_default()
}

fn of_function<R: Rep>(functions: &[Function<R>], entry: &str) -> Signature {
    let function = functions.iter().find(|function| function.entry && function.name.as_str() == entry);
    let Some(function) = function else {
        return Signature { parameters: Vec::new(), preamble: Preamble::default() };
    };
    let explicit = function.params.iter().filter(|param| !param.implicit);
    let parameters = explicit.map(|param| {
        let ty = param.binder.ty.erased();
        if ty.rank() == 0 {
            return Parameter::Scalar { ty: ty.elem(), key: Key::from(param.binder.var.tag) };
        }
        let shape = ty.shape().iter().map(|size| match size {
            Atom::Var(var) => Size::Key(Key::from(var.tag)),
            Atom::Const(value) => Size::Const(value.as_i64().unwrap_or(0)),
        });
        Parameter::Array { elem: ty.elem(), shape: shape.collect() }
    });
    Signature { parameters: parameters.collect(), preamble: Preamble::of(functions, function) }
}

fn of_procedure(program: &imp::ir::Program, entry: &str) -> Vec<Parameter> {
    let procedure = program.procedures.iter().find(|procedure| procedure.name.as_str() == entry);
    let takes = procedure.and_then(|procedure| procedure.interface.as_ref()).map_or(&[][..], |i| &i.takes);
    let parameter = takes.iter().map(|value| match value {
        InterfaceValue::Scalar { at, ty } => Parameter::Scalar { ty: *ty, key: *at as Key },
        InterfaceValue::Array { elem, shape, .. } => {
            let shape = shape.iter().map(|size| match size {
                InterfaceSize::At(at) => Size::Key(*at as Key),
                InterfaceSize::Const(n) => Size::Const(*n),
            });
            Parameter::Array { elem: *elem, shape: shape.collect() }
        }
    });
    parameter.collect()
}
