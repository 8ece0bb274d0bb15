//! Consumption: no array is used after an update or a `*` parameter has taken it, under any of its names.
//!
//! Contract: [`check_consumption`] takes a checked program and gives the errors `E04xx`, in order of definition. When it gives
//! none, every consumption in the program consumes a value that nothing reads afterwards, so an update may happen in place.
//!
//! Each expression gets [`alias::Aliases`]: for every array in its value the names it may share memory with. The rules are
//! Futhark's:
//! - binding, projection, indexing and slicing pass aliases on; literals, ranges and updates are fresh;
//! - the result of a function aliases the arguments that it does not consume and what it captured, except where its type
//!   says `*`, or where its definition turns out to give something fresh;
//! - parameters can be consumed where their type says `*`, the results of `let` always, everything that a function or a loop
//!   body finds outside never: it may run again;
//! - a loop parameter that the body consumes takes its initial value with it, and its new values must be as free.
//!
//! Arguments are evaluated from left to right and consumed after all of them have been evaluated.

mod alias;
mod apply;
mod check;
mod errors;
mod loops;
#[cfg(test)]
mod tests;

use crate::typed::{DefId, Definition, Program};
use crate::types::Type;
pub(crate) use alias::stands_for;
use check::Checker;
use fun_base::diag::Diagnostic;
use std::sync::Arc;

/// Checks the definitions from index `from` on. The earlier ones are taken to be right.
pub fn check_consumption(program: &Program, from: usize) -> Vec<Diagnostic> {
    let mut checker = Checker::new(program);
    let mut diagnostics = Vec::new();
    for (index, definition) in program.definitions.iter().enumerate() {
        let id = DefId(u32::try_from(index).unwrap_or(u32::MAX));
        let errors = checker.definition(id, definition);
        if index >= from {
            // A loop's body is gone through more than once.
            for error in errors {
                if !diagnostics.contains(&error) {
                    diagnostics.push(error);
                }
            }
        }
    }
    diagnostics
}

/// The type of a definition with `*` at what its body makes fresh.
fn with_result(definition: &Definition, result: Type) -> Type {
    fn replace(ty: &Type, params: usize, result: Type) -> Type {
        match ty {
            Type::Arrow(arrow) if params > 0 => {
                let inner = replace(&arrow.result, params - 1, result);
                Type::Arrow(Arc::new(crate::types::Arrow { result: inner, ..(**arrow).clone() }))
            }
            _ => result,
        }
    }
    replace(&definition.scheme.ty.revealed(), definition.params.len(), result)
}
