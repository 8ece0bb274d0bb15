//! Between the values of a user and the arguments and results of an entry point.

use super::{Machine, Slot};
use crate::ir::{ImpType, Interface, InterfaceSize, InterfaceValue, Procedure};
use fun_base::prim::PrimValue;
use fun_base::run::RunError;
use fun_base::value::{ArrayData, ArrayValue, Scattered, Value, ValueType, shape_len};

impl InterfaceValue {
    /// The type of the value, without sizes.
    pub fn value_type(&self) -> ValueType {
        match self {
            InterfaceValue::Scalar { ty, .. } => ValueType::scalar(*ty),
            InterfaceValue::Array { elem, shape, .. } => ValueType::array(*elem, shape.len()),
        }
    }
}

/// Puts a size in its position; what is there already must agree.
fn agree(slots: &mut [Option<Slot>], wanted: InterfaceSize, size: i64, what: &str) -> Result<(), RunError> {
    let known = match wanted {
        InterfaceSize::Const(known) => known,
        InterfaceSize::At(position) => match slots.get_mut(position) {
            Some(Some(Slot::Scalar(PrimValue::I64(known)))) => *known,
            Some(slot) => {
                *slot = Some(Slot::Scalar(PrimValue::I64(size)));
                size
            }
            None => return Err(RunError::fault("I2: the interface does not fit the procedure")),
        },
    };
    if known == size {
        Ok(())
    } else {
        Err(RunError::input(format!(
            "entry point arguments have invalid sizes: {what} has size {size} where {known} is needed"
        )))
    }
}

impl Machine<'_> {
    /// The arguments: blocks for arrays (one owner, the caller), and sizes found from shapes.
    pub(super) fn take(
        &mut self,
        procedure: &Procedure,
        interface: &Interface,
        values: &[Value],
    ) -> Result<Vec<Slot>, RunError> {
        if values.len() != interface.takes.len() {
            let (wanted, given) = (interface.takes.len(), values.len());
            return Err(RunError::input(format!(
                "`{}` takes {wanted} values and is given {given}",
                procedure.name
            )));
        }
        let mut slots: Vec<Option<Slot>> = vec![None; procedure.params.len()];
        // Scalars first, so that a size that is also an array's is compared with it.
        for (i, (wanted, value)) in interface.takes.iter().zip(values).enumerate() {
            let (needed, found) = (wanted.value_type(), value.value_type());
            if needed != found {
                return Err(RunError::input(format!(
                    "argument {i} must have type {needed} and has type {found}"
                )));
            }
            if let (InterfaceValue::Scalar { at, .. }, Value::Prim(value)) = (wanted, value) {
                slots[*at] = Some(Slot::Scalar(*value));
            }
        }
        for (i, (wanted, value)) in interface.takes.iter().zip(values).enumerate() {
            if let (InterfaceValue::Array { mem, shape, consumed, place, .. }, Value::Array(array)) =
                (wanted, value)
            {
                for (dim, (wanted, size)) in shape.iter().zip(&array.shape).enumerate() {
                    agree(&mut slots, *wanted, *size, &format!("dimension {dim} of argument {i}"))?;
                }
                let scattered = place.as_ref().map(|_| Scattered::place(&array.shape));
                for (position, word) in place.iter().zip(&scattered).flat_map(|(place, at)| place.words(at)) {
                    slots[position] = Some(Slot::Scalar(PrimValue::I64(word)));
                }
                slots[*mem] = Some(self.argument(array, *consumed, scattered)?);
            }
        }
        let known = slots.into_iter().zip(&procedure.params).map(|(slot, (var, ty))| match (slot, ty) {
            (Some(slot), _) => Ok(slot),
            (None, ImpType::Prim(_) | ImpType::Mem(_)) => {
                Err(RunError::input(format!("no argument says what `{var}` of `{}` is", procedure.name)))
            }
        });
        known.collect()
    }

    /// A block with the elements of an array, in row-major order where no place is given.
    fn argument(
        &mut self,
        array: &ArrayValue,
        consumed: bool,
        place: Option<Scattered>,
    ) -> Result<Slot, RunError> {
        let len = array.len() as i64;
        let block = self.heap.alloc(array.elem_type(), &[place.as_ref().map_or(len, |place| place.cells)])?;
        let addresses = place.map_or_else(|| (0..len).collect(), |place| place.addresses(&array.shape));
        for (address, value) in addresses.into_iter().zip(array.iter()) {
            self.heap.write(block, address, value)?;
        }
        if !consumed {
            self.heap.protect(block)?;
        }
        Ok(Slot::Block(Some(block)))
    }

    /// The values that the results are.
    pub(super) fn give(&mut self, interface: &Interface, results: &[Slot]) -> Result<Vec<Value>, RunError> {
        interface.gives.iter().map(|value| self.result(value, results)).collect()
    }

    fn result(&mut self, wanted: &InterfaceValue, results: &[Slot]) -> Result<Value, RunError> {
        let misfit = || RunError::fault("I2: the interface does not fit the procedure");
        match wanted {
            InterfaceValue::Scalar { at, .. } => match results.get(*at) {
                Some(Slot::Scalar(value)) => Ok(Value::Prim(*value)),
                _ => Err(misfit()),
            },
            InterfaceValue::Array { mem, elem, shape, .. } => {
                let sizes = shape.iter().map(|size| match size {
                    InterfaceSize::Const(size) => Ok(*size),
                    InterfaceSize::At(at) => match results.get(*at) {
                        Some(Slot::Scalar(PrimValue::I64(size))) => Ok(*size),
                        _ => Err(misfit()),
                    },
                });
                let sizes = sizes.collect::<Result<Vec<i64>, RunError>>()?;
                let Some(Slot::Block(Some(block))) = results.get(*mem) else { return Err(misfit()) };
                let count = shape_len(&sizes)
                    .ok_or_else(|| RunError::fault(format!("a result of shape {sizes:?}")))?;
                self.charge(count as u64)?;
                let mut data = ArrayData::new(*elem);
                for address in 0..count {
                    let element = self.heap.read(*block, *elem, address as i64)?;
                    data.push(element).ok_or_else(misfit)?;
                }
                let array =
                    ArrayValue::new(sizes, data).map_err(|error| RunError::fault(error.to_string()))?;
                Ok(Value::from(array))
            }
        }
    }
}
