//! Running the entry points of a loaded library on values.

use crate::CompileError;
use crate::compile::{Compiled, EntryPoint};
use fun_base::run::RunError;
use fun_base::value::Value;
use fun_runtime::context::Failure;
use fun_runtime::control::{RunControl, StopFlag, Usage};
use fun_runtime::data;
use fun_runtime::site::run_error;
use imp::call;
use libloading::Library;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// The most numbers that a message has, as in `runtime/head.c`.
const MAX_NUMBERS: usize = 16;

/// Why a run stopped, as C writes it down.
#[repr(C)]
struct RawFailure {
    reason: u32,
    site: u32,
    count: u32,
    numbers: [i64; MAX_NUMBERS],
    bytes_low: u64,
    bytes_high: u64,
    told: *const c_char,
}

/// A run's state, which only C looks into.
type RawContext = *mut c_void;
type Entry = unsafe extern "C" fn(context: RawContext, arguments: *const u64, results: *mut u64) -> u32;

/// Hears that a size was compared with the number of a parameter.
type Compared = extern "C" fn(to: *mut Vec<(usize, i64)>, param: u32, size: i64);

extern "C" fn compared(to: *mut Vec<(usize, i64)>, param: u32, size: i64) {
    // SAFETY: it is the list of the run, which the host's code of kernels alone has meanwhile
    unsafe { (*to).push((param as usize, size)) };
}

/// The functions of a library.
pub(crate) struct Functions {
    entries: BTreeMap<String, Entry>,
    new: unsafe extern "C" fn(cap: u64, stop: *const StopFlag) -> RawContext,
    reset: unsafe extern "C" fn(RawContext, cap: u64, stop: *const StopFlag),
    free: unsafe extern "C" fn(RawContext),
    stack: unsafe extern "C" fn(RawContext, low: u64, high: u64),
    argument: unsafe extern "C" fn(RawContext, bytes: u64) -> *mut u8,
    room: unsafe extern "C" fn(*mut u8) -> u64,
    failure: unsafe extern "C" fn(RawContext, *mut RawFailure),
    usage: unsafe extern "C" fn(RawContext, *mut u64),
    /// Of a program with numbers that choose between versions.
    tune: Option<unsafe extern "C" fn(RawContext, *const i64, Compared, *mut Vec<(usize, i64)>)>,
    /// Of a program for an accelerator: finds the device and compiles the kernels, or says why not.
    open_device: Option<unsafe extern "C" fn() -> *const c_char>,
    /// The context of an earlier run, with its memory: fresh pages are dear.
    spare: Mutex<Option<Spare>>,
    /// Unloaded last; the threads in its code end with their contexts.
    _library: Library,
}

/// A context that no run has.
struct Spare(RawContext);
// SAFETY: nothing in a context belongs to a thread, and nobody else has this one
unsafe impl Send for Spare {}

impl Drop for Functions {
    fn drop(&mut self) {
        if let Some(Spare(context)) = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            // SAFETY: no run has the context
            unsafe { (self.free)(context) };
        }
    }
}

impl Functions {
    /// Loads a library with entry points of these symbols.
    pub(crate) fn load<'s>(
        library: &Path,
        symbols: impl Iterator<Item = &'s str>,
    ) -> Result<Functions, CompileError> {
        let path = library.display();
        let failed = |error| CompileError::of_machine(format!("can't load {path}: {error}"));
        // SAFETY: the library was made from our text, which has no initialisers
        let library = unsafe { Library::new(library) }.map_err(failed)?;
        let mut entries = BTreeMap::new();
        for symbol in symbols {
            // SAFETY: the text defines it with this signature
            let entry = unsafe { library.get::<Entry>(symbol.as_bytes()) };
            entries.insert(symbol.to_owned(), *entry.map_err(failed)?);
        }
        // SAFETY: `runtime/tail.c` defines these functions with these signatures
        unsafe {
            Ok(Functions {
                entries,
                new: *library.get(b"fun_context_new").map_err(failed)?,
                reset: *library.get(b"fun_context_reset").map_err(failed)?,
                free: *library.get(b"fun_context_free").map_err(failed)?,
                stack: *library.get(b"fun_context_stack").map_err(failed)?,
                argument: *library.get(b"fun_argument").map_err(failed)?,
                room: *library.get(b"fun_room").map_err(failed)?,
                failure: *library.get(b"fun_context_failure").map_err(failed)?,
                usage: *library.get(b"fun_context_usage").map_err(failed)?,
                tune: library.get(b"fun_context_tune").ok().map(|tune| *tune),
                open_device: library.get(b"fun_device_open").ok().map(|open| *open),
                spare: Mutex::new(None),
                _library: library,
            })
        }
    }
}

impl Functions {
    /// Finds the device of a program for an accelerator.
    pub(crate) fn open_device(&self) -> Result<(), CompileError> {
        let Some(open) = self.open_device else {
            return Err(CompileError::new("the program has no kernels"));
        };
        // SAFETY: `runtime/opencl.c` defines the function with this signature
        let message = unsafe { open() };
        if message.is_null() {
            return Ok(());
        }
        // SAFETY: it gives NULL or a text that stays
        let message = unsafe { CStr::from_ptr(message) };
        Err(CompileError::of_machine(message.to_string_lossy()))
    }
}

impl Compiled {
    /// Runs an entry point. Arguments are copied in, so consumed ones may be used again.
    pub fn run(&self, entry: &str, args: &[Value], control: &RunControl) -> Result<Vec<Value>, RunError> {
        let mut run = self.prepare(entry, args, control)?;
        run.call()?;
        run.results()
    }

    /// Converts the arguments of a run.
    pub fn prepare(&self, entry: &str, args: &[Value], control: &RunControl) -> Result<Run<'_>, RunError> {
        let point = self.entries.get(entry);
        let code = point.and_then(|point| self.functions.entries.get(&point.symbol));
        let (Some(point), Some(code)) = (point, code) else {
            let names: Vec<&str> = self.entry_names().collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(RunError::input(format!("there is no entry point {entry}; there are: {known}")));
        };
        let stop = control.start();
        let cap = control.memory_cap().unwrap_or(u64::MAX);
        let spare = self.functions.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let context = match spare {
            Some(Spare(context)) => {
                // SAFETY: no run has the context, and the flag outlives its use by this one
                unsafe { (self.functions.reset)(context, cap, &raw const *stop) };
                context
            }
            // SAFETY: the flag outlives the use of the context by the run
            None => unsafe { (self.functions.new)(cap, &raw const *stop) },
        };
        if context.is_null() {
            return Err(no_memory());
        }
        let (words, results) = (Vec::new(), vec![0; point.results]);
        let mut run = Run {
            compiled: self,
            point,
            code: *code,
            context,
            stop,
            cap,
            words,
            results,
            called: false,
            tuning: None,
        };
        run.convert_arguments(entry, args)?;
        Ok(run)
    }
}

fn no_memory() -> RunError {
    RunError::limit("there is no memory for the arguments")
}

/// One run of an entry point: [`Run::call`] once, then [`Run::results`].
pub struct Run<'c> {
    compiled: &'c Compiled,
    point: &'c EntryPoint,
    code: Entry,
    context: RawContext,
    /// The context reads it.
    stop: Arc<StopFlag>,
    /// The bound on memory.
    cap: u64,
    words: Vec<u64>,
    results: Vec<u64>,
    called: bool,
    /// The context reads the numbers, and what it compares is added to the list.
    tuning: Option<Box<Tuning>>,
}

/// Numbers that choose between versions, and the sizes that were compared with them.
struct Tuning {
    params: Vec<i64>,
    compared: Vec<(usize, i64)>,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let functions = &self.compiled.functions;
        let mut spare = functions.spare.lock().unwrap_or_else(PoisonError::into_inner);
        match &*spare {
            None => *spare = Some(Spare(self.context)),
            // SAFETY: the context is this run's, and nothing uses it or its blocks any more
            Some(_) => unsafe { (functions.free)(self.context) },
        }
    }
}

impl Run<'_> {
    /// Gives the run other numbers for [`Compiled::params`], as many as there are, of a program whose versions the host chooses in order. What
    /// is compared with them, [`Run::compared`] tells.
    pub fn tune(&mut self, params: &[i64]) -> Result<(), RunError> {
        if params.len() != self.compiled.params.len() {
            return Err(RunError::fault("a run is given more or fewer numbers than there are parameters"));
        }
        let Some(tune) = self.compiled.functions.tune else { return Ok(()) };
        let tuning = self.tuning.insert(Box::new(Tuning { params: params.to_vec(), compared: Vec::new() }));
        // SAFETY: the context is this run's, which keeps what it points to
        unsafe { tune(self.context, tuning.params.as_ptr(), compared, &raw mut tuning.compared) };
        Ok(())
    }

    /// The sizes that were compared so far with parameters, by their places in [`Compiled::params`]; of a run that was given numbers.
    pub fn compared(&self) -> &[(usize, i64)] {
        self.tuning.as_ref().map_or(&[], |tuning| &tuning.compared)
    }

    /// Runs the code: what is to be timed. A second call is an error.
    pub fn call(&mut self) -> Result<(), RunError> {
        if std::mem::replace(&mut self.called, true) {
            return Err(RunError::fault("a prepared run is called twice"));
        }
        if self.stop.load(Ordering::Relaxed) != 0 {
            return Err(run_error(&self.compiled.sites, Failure::Cancelled));
        }
        let frame = 0u8;
        let here = &raw const frame as u64;
        let low = stacker::remaining_stack().map_or(here, |bytes| here.saturating_sub(bytes as u64));
        // SAFETY: the context is this run's
        unsafe { (self.compiled.functions.stack)(self.context, low, here) };
        // SAFETY: the code has this signature; there is a word for each parameter and result
        let status = unsafe { (self.code)(self.context, self.words.as_ptr(), self.results.as_mut_ptr()) };
        if status == 0 {
            return Ok(());
        }
        Err(match self.failure() {
            Ok(failure) => run_error(&self.compiled.sites, failure),
            Err(refused) => RunError::limit(refused),
        })
    }

    /// Why the run stopped; or what the driver of an accelerator refused.
    fn failure(&self) -> Result<Failure, String> {
        let mut raw = RawFailure {
            reason: 0,
            site: 0,
            count: 0,
            numbers: [0; MAX_NUMBERS],
            bytes_low: 0,
            bytes_high: 0,
            told: std::ptr::null(),
        };
        // SAFETY: the context is this run's, and C writes a failure of this layout
        unsafe { (self.compiled.functions.failure)(self.context, &raw mut raw) };
        let RawFailure { reason, site, count, numbers, bytes_low, bytes_high, told } = raw;
        let bytes = u128::from(bytes_low) | u128::from(bytes_high) << 64;
        Ok(match reason {
            1 => Failure::Site { site, numbers: numbers.iter().take(count as usize).copied().collect() },
            2 => Failure::NegativeSize { site, size: numbers[0] },
            3 => Failure::Memory { site, bytes, cap: None },
            4 => Failure::Memory { site, bytes, cap: Some(self.cap) },
            5 => Failure::Stack { site },
            // SAFETY: it is a text that stays
            6 if !told.is_null() => {
                return Err(unsafe { CStr::from_ptr(told) }.to_string_lossy().into_owned());
            }
            _ => Failure::Cancelled,
        })
    }

    fn raw_usage(&self) -> [u64; 7] {
        let mut usage = [0; 7];
        // SAFETY: the context is this run's, and C writes seven numbers
        unsafe { (self.compiled.functions.usage)(self.context, usage.as_mut_ptr()) };
        usage
    }

    /// What the run used so far.
    pub fn usage(&self) -> Usage {
        let [allocations, loop_allocations, allocated_bytes, copied_bytes, bytes, peak_bytes, _] =
            self.raw_usage();
        Usage { allocations, loop_allocations, allocated_bytes, copied_bytes, bytes, peak_bytes }
    }

    /// Blocks alive, arguments included.
    pub fn live_blocks(&self) -> u64 {
        self.raw_usage()[6]
    }

    /// The results of a run that succeeded.
    pub fn results(&self) -> Result<Vec<Value>, RunError> {
        call::results(&self.point.interface, &self.results, &|word, elem, count| {
            let block = word as *mut u8;
            // SAFETY: a result that is not null is a live block
            let room = unsafe { (self.compiled.functions.room)(block) };
            // SAFETY: as above, and `room` is what it has
            unsafe { data::read(elem, block, count, room as usize) }
        })
    }

    fn convert_arguments(&mut self, name: &str, values: &[Value]) -> Result<(), RunError> {
        let (interface, params) = (&self.point.interface, self.point.params);
        self.words = call::arguments(interface, params, name, values, &mut |array| {
            let bytes = array.len().checked_mul(array.elem_type().bytes() as usize).ok_or_else(no_memory)?;
            // SAFETY: the context is this run's
            let block = unsafe { (self.compiled.functions.argument)(self.context, bytes as u64) };
            if block.is_null() {
                return Err(no_memory());
            }
            // SAFETY: the block is fresh, aligned and has room for the elements
            unsafe { data::write(array, block) };
            Ok(block as u64)
        })?;
        Ok(())
    }
}
