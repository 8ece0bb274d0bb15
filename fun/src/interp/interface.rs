//! Between the values of a user and the parameters and results of an entry point.

use super::{Env, Machine, Remark, Val};
use crate::ir::{Atom, Function};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;
use fun_base::value::{ArrayData, ArrayValue, Value, ValueType};

impl<'p> Machine<'p> {
    /// Runs an entry point on values for its explicit parameters; gives those of its explicit results.
    pub(super) fn run_entry(
        &mut self,
        function: &'p Function,
        args: &[Value],
    ) -> Result<Vec<Value>, RunError> {
        let wanted = function.params.iter().filter(|param| !param.implicit).count();
        if wanted != args.len() {
            let (name, given) = (function.name, args.len());
            return Err(RunError::input(format!("`{name}` takes {wanted} values and is given {given}")));
        }
        let explicit = || function.params.iter().filter(|param| !param.implicit).zip(args).enumerate();
        // Scalars first, so that a size that is also an array's is compared with it.
        let mut env = Env::new();
        for (i, (param, value)) in explicit() {
            let ty = &param.binder.ty;
            let (needed, given) = (ValueType { elem: ty.elem(), rank: ty.rank() }, value.value_type());
            if needed != given {
                return Err(RunError::input(format!(
                    "argument {i} must have type {needed} and has type {given}"
                )));
            }
            if let Value::Prim(value) = value {
                env.insert(param.binder.var, Val::Prim(*value));
            }
        }
        for (i, (param, value)) in explicit() {
            for (dim, (wanted, size)) in param.binder.ty.shape().iter().zip(value.shape()).enumerate() {
                let known = match wanted {
                    Atom::Const(value) => value.as_i64(),
                    Atom::Var(var) => match env.get(var) {
                        Some(Val::Prim(value)) => value.as_i64(),
                        Some(Val::Array(_)) | None => None,
                    },
                };
                match (known, wanted) {
                    (Some(known), _) if known != *size => {
                        return Err(RunError::input(format!(
                            "entry point arguments have invalid sizes: dimension {dim} of argument {i} has size {size} where {known} is needed"
                        )));
                    }
                    (None, Atom::Var(var)) => {
                        env.insert(*var, Val::Prim(PrimValue::I64(*size)));
                    }
                    _ => {}
                }
            }
            if let Value::Array(array) = value {
                let cells = array.iter().map(Some);
                let array = self.array(array.shape.clone(), array.elem_type(), cells)?;
                env.insert(param.binder.var, Val::Array(array));
            }
        }
        // What no shape decides means nothing: only erased memory blocks are like that.
        let value = |var| env.get(var).cloned().unwrap_or(Val::Prim(PrimType::I64.zero()));
        let args: Vec<Val> = function.params.iter().map(|param| value(&param.binder.var)).collect();
        drop(env);
        let results = self.call(function, &args)?;
        let explicit = function.results.iter().zip(results).filter(|(param, _)| !param.implicit);
        explicit.map(|(_, value)| give(value)).collect()
    }
}

impl Machine<'_> {
    /// `trace` and `break`.
    #[inline(never)]
    pub(super) fn trace(
        &mut self,
        env: &Env,
        text: &str,
        args: &[Atom],
        pause: bool,
    ) -> Result<(), RunError> {
        let mut filled = String::new();
        let mut parts = text.split("{}");
        filled.push_str(parts.next().unwrap_or_default());
        for (part, arg) in parts.zip(args) {
            let value = self.value(env, *arg)?;
            filled.push_str(&give(value).map_or_else(|_| "?".to_owned(), |value| value.to_string()));
            filled.push_str(part);
        }
        (self.watcher)(&Remark { text: filled, pause });
        Ok(())
    }
}

/// A value for the user; every cell must have been written.
fn give(value: Val) -> Result<Value, RunError> {
    let array = match value {
        Val::Prim(value) => return Ok(Value::Prim(value)),
        Val::Array(array) => array,
    };
    let cells: Option<Vec<PrimValue>> = array.cells.iter().copied().collect();
    let cells = cells.ok_or_else(|| RunError::fault("a result has cells that were never written"))?;
    let data = ArrayData::from_prims(array.elem, cells);
    let data = data.ok_or_else(|| RunError::fault("F2: an array of cells of several types"))?;
    Ok(Value::from(ArrayValue::new(array.shape, data).map_err(|error| RunError::fault(error.to_string()))?))
}
