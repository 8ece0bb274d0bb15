//! Calls of compiled entry points: the values of an interface as machine words, one for each parameter and result. Scalars are
//! their bits; what a block's word is, the backend knows. Arrays that may lie anywhere are given in no row order, so that it is tried.

use crate::ir::{Interface, InterfaceSize, InterfaceValue};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;
use fun_base::value::{ArrayData, ArrayValue, Value, shape_len};

/// The words for the arguments of entry point `name`, which has `params` parameters. `block` puts an array into a fresh block and
/// gives its word.
pub fn arguments(
    interface: &Interface,
    params: usize,
    name: &str,
    values: &[Value],
    block: &mut dyn FnMut(&ArrayData) -> Result<u64, RunError>,
) -> Result<Vec<u64>, RunError> {
    let takes = &interface.takes;
    if takes.len() != values.len() {
        let (wanted, given) = (takes.len(), values.len());
        return Err(RunError::input(format!("`{name}` takes {wanted} values and is given {given}")));
    }
    let mut words = vec![None; params];
    // scalars first, so that a size that is also an array's is compared with it
    for (i, (wanted, value)) in takes.iter().zip(values).enumerate() {
        let (needed, found) = (wanted.value_type(), value.value_type());
        if needed != found {
            let message = format!("argument {i} must have type {needed} and has type {found}");
            return Err(RunError::input(message));
        }
        if let (InterfaceValue::Scalar { at, ty: _ }, Value::Prim(x)) = (wanted, value) {
            *place(&mut words, *at)? = Some(x.bits());
        }
    }
    for (i, (wanted, value)) in takes.iter().zip(values).enumerate() {
        if let (InterfaceValue::Array { mem, elem: _, shape, consumed: _, place: at }, Value::Array(array)) =
            (wanted, value)
        {
            for (dim, (wanted, size)) in shape.iter().zip(&array.shape).enumerate() {
                let known = match wanted {
                    InterfaceSize::Const(known) => *known,
                    InterfaceSize::At(at) => *place(&mut words, *at)?.get_or_insert(*size as u64) as i64,
                };
                if known != *size {
                    return Err(RunError::input(format!(
                        "entry point arguments have invalid sizes: dimension {dim} of argument {i} has size {size} where {known} is needed"
                    )));
                }
            }
            *place(&mut words, *mem)? = Some(match at {
                None => block(&array.data)?,
                Some(at) => {
                    let (scattered, data) = array.scattered();
                    for (position, word) in at.words(&scattered) {
                        *place(&mut words, position)? = Some(word as u64);
                    }
                    block(&data)?
                }
            });
        }
    }
    let missing = || RunError::fault("the interface does not give every parameter");
    words.into_iter().map(|word| word.ok_or_else(missing)).collect()
}

/// The place of a parameter.
fn place(words: &mut [Option<u64>], at: usize) -> Result<&mut Option<u64>, RunError> {
    words.get_mut(at).ok_or_else(|| RunError::fault("the interface names a parameter that does not exist"))
}

/// The values that the words of the results mean. `read` gives the first elements, as many as asked for, of the block of a word.
pub fn results(
    interface: &Interface,
    words: &[u64],
    read: &dyn Fn(u64, PrimType, usize) -> Result<ArrayData, RunError>,
) -> Result<Vec<Value>, RunError> {
    let word = |at: usize| {
        let word = words.get(at).copied();
        word.ok_or_else(|| RunError::fault("the interface names a result that does not exist"))
    };
    let value = |gives: &InterfaceValue| match gives {
        InterfaceValue::Scalar { at, ty } => Ok(Value::Prim(PrimValue::from_bits(*ty, word(*at)?))),
        InterfaceValue::Array { mem, elem, shape, consumed: _, place: _ } => {
            let mut sizes = Vec::with_capacity(shape.len());
            for size in shape {
                sizes.push(match size {
                    InterfaceSize::Const(n) => *n,
                    InterfaceSize::At(at) => word(*at)? as i64,
                });
            }
            let count = shape_len(&sizes)
                .ok_or_else(|| RunError::fault(format!("a result has the impossible shape {sizes:?}")))?;
            let data = read(word(*mem)?, *elem, count)?;
            let array = ArrayValue::new(sizes, data).map_err(|error| RunError::fault(error.to_string()))?;
            Ok(Value::from(array))
        }
    };
    interface.gives.iter().map(value).collect()
}
