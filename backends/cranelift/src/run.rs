//! Running compiled entry points on values.

use crate::compile::{Compiled, EntryPoint};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::{RunError, RunErrorKind, fill_message, too_deep};
use fun_base::value::{ArrayData, ArrayValue, Value, shape_len};
use fun_runtime::block;
use fun_runtime::context::{Context, Failure, Shared};
use fun_runtime::control::{RunControl, Usage};
use imp::ir::{InterfaceSize, InterfaceValue};
use std::sync::Arc;

/// How Rust calls an entry point.
type Entry = unsafe extern "C" fn(context: *mut Context, args: *const u64, results: *mut u64) -> u32;

impl Compiled {
    /// Runs an entry point. Arguments are copied in, so consumed ones may be used again.
    pub fn run(&self, entry: &str, args: &[Value], control: &RunControl) -> Result<Vec<Value>, RunError> {
        let mut run = self.prepare(entry, args, control)?;
        run.call()?;
        run.results()
    }

    /// Converts the arguments of a run.
    pub fn prepare(&self, entry: &str, args: &[Value], control: &RunControl) -> Result<Run<'_>, RunError> {
        let Some(point) = self.entries.get(entry) else {
            let names: Vec<&str> = self.entry_names().collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(RunError::input(format!("there is no entry point {entry}; there are: {known}")));
        };
        let mut run = Run {
            compiled: self,
            point,
            context: Context::new(Arc::new(Shared::new(control))),
            args: Vec::new(),
            results: vec![0; point.results],
            called: false,
        };
        run.convert_args(entry, args)?;
        Ok(run)
    }

    fn error(&self, failure: Failure) -> RunError {
        let (site, kind, message) = match failure {
            Failure::Cancelled => return RunError::limit("interrupted"),
            Failure::Site { site, numbers } => {
                let message = self.sites.get(site as usize).map(|site| fill_message(&site.message, &numbers));
                (site, RunErrorKind::Assert, message)
            }
            Failure::Stack { site } => (site, RunErrorKind::Limit, Some(too_deep().message)),
            Failure::NegativeSize { site, size } => {
                (site, RunErrorKind::Assert, Some(format!("allocation of negative size {size}")))
            }
            Failure::Memory { site, bytes, cap: Some(cap) } => (
                site,
                RunErrorKind::Limit,
                Some(format!("allocation of {bytes} bytes failed: more than the limit of {cap} bytes")),
            ),
            Failure::Memory { site, bytes, cap: None } => (
                site,
                RunErrorKind::Assert,
                Some(format!("allocation of {bytes} bytes failed: more than the machine has")),
            ),
        };
        match self.sites.get(site as usize) {
            Some(site) => RunError::new(kind, message.unwrap_or_else(|| site.message.clone()))
                .at(site.loc)
                .in_function(site.function),
            None => RunError::fault("the run stopped at an unknown place"),
        }
    }
}

/// One run of an entry point: [`Run::call`] once, then [`Run::results`].
pub struct Run<'c> {
    compiled: &'c Compiled,
    point: &'c EntryPoint,
    context: Context,
    args: Vec<u64>,
    results: Vec<u64>,
    called: bool,
}

impl Run<'_> {
    /// Runs the code: what is to be timed. A second call is an error.
    pub fn call(&mut self) -> Result<(), RunError> {
        if std::mem::replace(&mut self.called, true) {
            return Err(RunError::fault("a prepared run is called twice"));
        }
        if self.context.shared.stopped() {
            return Err(self.compiled.error(Failure::Cancelled));
        }
        // SAFETY: the code was made with this signature, and `compiled` keeps it alive
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.point.code) };
        // SAFETY: `args` and `results` have a place for each parameter and result, and the context is this run's
        let status = unsafe { entry(&raw mut self.context, self.args.as_ptr(), self.results.as_mut_ptr()) };
        if status == 0 { Ok(()) } else { Err(self.compiled.error(self.context.shared.failure())) }
    }

    /// What the run used so far.
    pub fn usage(&mut self) -> Usage {
        self.context.usage()
    }

    /// Blocks alive, arguments included.
    pub fn live_blocks(&self) -> usize {
        block::live(&self.context)
    }

    /// The results of a run that succeeded.
    pub fn results(&self) -> Result<Vec<Value>, RunError> {
        self.point.interface.gives.iter().map(|gives| self.result(gives)).collect()
    }

    fn result(&self, gives: &InterfaceValue) -> Result<Value, RunError> {
        match gives {
            InterfaceValue::Scalar { at, ty } => {
                Ok(Value::Prim(PrimValue::from_bits(*ty, self.result_bits(*at)?)))
            }
            InterfaceValue::Array { mem, elem, shape, consumed: _ } => {
                let mut sizes = Vec::with_capacity(shape.len());
                for size in shape {
                    sizes.push(match size {
                        InterfaceSize::Const(n) => *n,
                        InterfaceSize::At(at) => self.result_bits(*at)? as i64,
                    });
                }
                let block = self.result_bits(*mem)? as *mut u8;
                let len = shape_len(&sizes)
                    .ok_or_else(|| RunError::fault(format!("a result has the impossible shape {sizes:?}")))?;
                let bytes = len * elem.bytes() as usize;
                // SAFETY: a result that is not null is a live block
                let room = if block.is_null() { 0 } else { unsafe { block::room(block) } };
                if bytes > room {
                    let message = format!("a result of {bytes} bytes is in a block of {room} bytes");
                    return Err(RunError::fault(message));
                }
                let data = read_data(*elem, block, len)?;
                let array =
                    ArrayValue::new(sizes, data).map_err(|error| RunError::fault(error.to_string()))?;
                Ok(Value::from(array))
            }
        }
    }

    fn result_bits(&self, at: usize) -> Result<u64, RunError> {
        let bits = self.results.get(at).copied();
        bits.ok_or_else(|| RunError::fault("the interface names a result that does not exist"))
    }

    fn convert_args(&mut self, name: &str, values: &[Value]) -> Result<(), RunError> {
        let takes = &self.point.interface.takes;
        if takes.len() != values.len() {
            let (wanted, given) = (takes.len(), values.len());
            return Err(RunError::input(format!("`{name}` takes {wanted} values and is given {given}")));
        }
        let mut bits = vec![None; self.point.params.len()];
        // scalars first, so that a size that is also an array's is compared with it
        for (i, (wanted, value)) in takes.iter().zip(values).enumerate() {
            let (needed, found) = (wanted.value_type(), value.value_type());
            if needed != found {
                let message = format!("argument {i} must have type {needed} and has type {found}");
                return Err(RunError::input(message));
            }
            if let (InterfaceValue::Scalar { at, ty: _ }, Value::Prim(x)) = (wanted, value) {
                *place(&mut bits, *at)? = Some(x.bits());
            }
        }
        for (i, (wanted, value)) in takes.iter().zip(values).enumerate() {
            if let (InterfaceValue::Array { mem, elem: _, shape, consumed: _ }, Value::Array(array)) =
                (wanted, value)
            {
                for (dim, (wanted, size)) in shape.iter().zip(&array.shape).enumerate() {
                    let known = match wanted {
                        InterfaceSize::Const(known) => *known,
                        InterfaceSize::At(at) => *place(&mut bits, *at)?.get_or_insert(*size as u64) as i64,
                    };
                    if known != *size {
                        return Err(RunError::input(format!(
                            "size mismatch: dimension {dim} of argument {i} has size {size} where {known} is needed"
                        )));
                    }
                }
                *place(&mut bits, *mem)? = Some(self.argument_block(&array.data)? as u64);
            }
        }
        let missing = || RunError::fault("the interface does not give every parameter");
        self.args = bits.into_iter().map(|bits| bits.ok_or_else(missing)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn argument_block(&mut self, data: &ArrayData) -> Result<*mut u8, RunError> {
        let elem = data.elem_type();
        let failed = || RunError::limit("there is no memory for the arguments");
        let bytes = data.len().checked_mul(elem.bytes() as usize).ok_or_else(failed)?;
        let block = block::make_argument(&mut self.context, bytes).ok_or_else(failed)?;
        write_data(data, block);
        Ok(block)
    }
}

/// The place of a parameter.
fn place(bits: &mut [Option<u64>], at: usize) -> Result<&mut Option<u64>, RunError> {
    bits.get_mut(at).ok_or_else(|| RunError::fault("the interface names a parameter that does not exist"))
}

/// Writes elements into a block that has room for them.
fn write_data(data: &ArrayData, block: *mut u8) {
    fn put<T: Copy>(elements: &[T], block: *mut u8) {
        // SAFETY: the block is fresh, aligned, and has room for the elements, which are plain data
        unsafe { std::ptr::copy_nonoverlapping(elements.as_ptr(), block.cast::<T>(), elements.len()) };
    }
    match data {
        ArrayData::I8(v) => put(v, block),
        ArrayData::I16(v) => put(v, block),
        ArrayData::I32(v) => put(v, block),
        ArrayData::I64(v) => put(v, block),
        ArrayData::U8(v) => put(v, block),
        ArrayData::U16(v) => put(v, block),
        ArrayData::U32(v) => put(v, block),
        ArrayData::U64(v) => put(v, block),
        ArrayData::F16(v) => put(v, block),
        ArrayData::F32(v) => put(v, block),
        ArrayData::F64(v) => put(v, block),
        ArrayData::Bool(v) => put(v, block),
        ArrayData::Unit(_) => {}
    }
}

/// The first `len` elements of a block, which has room for them.
fn read_data(elem: PrimType, block: *const u8, len: usize) -> Result<ArrayData, RunError> {
    fn get<T: Copy>(block: *const u8, len: usize) -> Result<Vec<T>, RunError> {
        let mut elements = Vec::new();
        if len == 0 {
            return Ok(elements);
        }
        let failed = |_| RunError::limit("there is no memory for the results");
        elements.try_reserve_exact(len).map_err(failed)?;
        // SAFETY: the block is aligned and has `len` elements; every representation is a value of these types
        unsafe {
            std::ptr::copy_nonoverlapping(block.cast::<T>(), elements.as_mut_ptr(), len);
            elements.set_len(len);
        }
        Ok(elements)
    }
    Ok(match elem {
        PrimType::I8 => ArrayData::I8(get(block, len)?),
        PrimType::I16 => ArrayData::I16(get(block, len)?),
        PrimType::I32 => ArrayData::I32(get(block, len)?),
        PrimType::I64 => ArrayData::I64(get(block, len)?),
        PrimType::U8 => ArrayData::U8(get(block, len)?),
        PrimType::U16 => ArrayData::U16(get(block, len)?),
        PrimType::U32 => ArrayData::U32(get(block, len)?),
        PrimType::U64 => ArrayData::U64(get(block, len)?),
        PrimType::F16 => ArrayData::F16(get(block, len)?),
        PrimType::F32 => ArrayData::F32(get(block, len)?),
        PrimType::F64 => ArrayData::F64(get(block, len)?),
        PrimType::Bool => {
            // through bytes: not every byte is a bool
            ArrayData::Bool(get::<u8>(block, len)?.into_iter().map(|byte| byte != 0).collect())
        }
        PrimType::Unit => ArrayData::Unit(len),
    })
}
