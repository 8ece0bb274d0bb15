//! Between the values of a user and the parameters and results of an entry point.

use super::heap::Access;
use super::{Machine, Placed, Slot};
use crate::ir::{Function, MemType, place_variables};
use fun::ir::{Atom, BinderType};
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::run::RunError;
use fun_base::value::{ArrayData, ArrayValue, Scattered, Value, ValueType};

impl<'p> Machine<'p> {
    /// Runs an entry point on values for its explicit parameters; gives those of its explicit results.
    pub(super) fn run_entry(
        &mut self,
        function: &'p Function,
        args: &[Value],
    ) -> Result<Vec<Value>, RunError> {
        let wanted = function.params.iter().filter(|param| !param.implicit).count();
        if wanted != args.len() {
            return Err(RunError::input(format!(
                "`{}` takes {wanted} values and is given {}",
                function.name,
                args.len()
            )));
        }
        let explicit = || function.params.iter().filter(|param| !param.implicit).zip(args).enumerate();
        // Scalars first, so that a size that is also an array's is compared with it.
        for (i, (param, value)) in explicit() {
            let ty = param.binder.ty.erased();
            let (needed, found) = (ValueType { elem: ty.elem(), rank: ty.rank() }, value.value_type());
            if needed != found {
                return Err(RunError::input(format!(
                    "argument {i} must have type {needed} and has type {found}"
                )));
            }
            if let Value::Prim(value) = value {
                self.set(param.binder.var, Slot::Scalar(*value))?;
            }
        }
        for (i, (param, value)) in explicit() {
            let MemType::Array { shape, elem, mem, lmad } = &param.binder.ty else { continue };
            for (dim, (wanted, size)) in shape.iter().zip(value.shape()).enumerate() {
                self.agree(*wanted, *size, &format!("dimension {dim} of argument {i}"))?;
            }
            // row-major places have a constant for an offset
            let block = match place_variables(lmad) {
                None => self.alloc(*mem, *elem, value.shape())?,
                Some((offset, strides)) => {
                    let place = Scattered::place(value.shape());
                    self.set(offset, Slot::Scalar(PrimValue::I64(place.offset)))?;
                    for (var, stride) in strides.into_iter().zip(place.strides) {
                        self.set(var, Slot::Scalar(PrimValue::I64(stride)))?;
                    }
                    self.alloc(*mem, *elem, &[place.cells])?
                }
            };
            self.set(*mem, Slot::Block(block))?;
        }
        for (_, (param, value)) in explicit() {
            if let (Some(place), Value::Array(array)) = (self.place_of(&param.binder)?, value) {
                let lineage = self.heap.lineages(1);
                let place = Placed { lineage, ..place };
                self.set(param.binder.var, Slot::Array(place.clone().into()))?;
                self.fill(&place, array)?;
                if !param.unique {
                    self.heap.protect(place.block);
                }
            }
        }
        let params: Vec<Slot> = function
            .params
            .iter()
            .map(|param| self.known(param.binder.var, function))
            .collect::<Result<_, _>>()?;
        let results = self.call(function, params)?;
        // Results are read after all else, and the run ends after that.
        self.heap.tick();
        let mut values = Vec::new();
        for (result, slot) in function.results.iter().zip(results) {
            if !result.implicit {
                values.push(self.give(slot)?);
            }
        }
        self.heap.tick();
        Ok(values)
    }

    fn known(&self, var: Var, function: &Function) -> Result<Slot, RunError> {
        let missing = || RunError::input(format!("no argument says what `{var}` of `{}` is", function.name));
        self.slot(var).cloned().map_err(|_| missing())
    }

    /// A size of an argument is what the type says.
    fn agree(&mut self, wanted: Atom, size: i64, what: &str) -> Result<(), RunError> {
        let known = match wanted {
            Atom::Const(value) => value.as_i64(),
            Atom::Var(var) => match self.slot(var) {
                Ok(Slot::Scalar(value)) => value.as_i64(),
                Ok(Slot::Nothing | Slot::Block(_) | Slot::Array(_)) | Err(_) => {
                    self.set(var, Slot::Scalar(PrimValue::I64(size)))?;
                    Some(size)
                }
            },
        };
        match known {
            Some(known) if known != size => Err(RunError::input(format!(
                "entry point arguments have invalid sizes: {what} has size {size} where {known} is needed"
            ))),
            _ => Ok(()),
        }
    }

    fn fill(&mut self, place: &Placed, array: &ArrayValue) -> Result<(), RunError> {
        for (address, value) in place.lmad.addresses().zip(array.iter()) {
            self.write(place, address, value, Access::Write)?;
        }
        Ok(())
    }

    fn give(&mut self, slot: Slot) -> Result<Value, RunError> {
        match slot {
            Slot::Scalar(value) => Ok(Value::Prim(value)),
            Slot::Array(array) => {
                self.charge(array.lmad.len())?;
                self.in_bounds(&array, "gives")?;
                let mut data = ArrayData::new(array.elem);
                for address in array.lmad.addresses() {
                    let value = self.read(&array, address, Access::Read)?;
                    data.push(value).ok_or_else(|| RunError::fault("F2: elements of one type"))?;
                }
                let array = ArrayValue::new(array.lmad.sizes().collect(), data);
                Ok(Value::from(array.map_err(|error| RunError::fault(error.to_string()))?))
            }
            Slot::Nothing | Slot::Block(_) => Err(RunError::fault("M6: a block is no result for a user")),
        }
    }
}
