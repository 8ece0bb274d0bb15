//! In place of the generator, on processors that it does not know: nothing is compiled.

use cranelift_codegen::Context;
use cranelift_codegen::ir::Value;
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilder;
use std::fmt;

/// Why a function is not compiled here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(String);

impl Unsupported {
    pub(crate) fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A function as bytes.
pub(crate) struct Code {
    pub(crate) bytes: Vec<u8>,
}

/// The text of a function.
pub(crate) fn text(_: &Code) -> String {
    String::new()
}

/// The alignment of functions.
pub(crate) const ALIGNMENT: u64 = 16;

/// Refuses every function.
pub(crate) fn compile(_: &mut Context, _: &dyn TargetIsa) -> Result<Code, Unsupported> {
    Err(Unsupported::new("no generator for this processor"))
}

/// Vectors are as Cranelift knows them.
pub(crate) fn hidden(_: &mut FunctionBuilder<'_>, x: Value) -> Value {
    x
}

/// The same for two operands.
pub(crate) fn hidden_pair(_: &mut FunctionBuilder<'_>, x: Value, y: Value) -> (Value, Value) {
    (x, y)
}
