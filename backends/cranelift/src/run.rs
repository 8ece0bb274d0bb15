//! Running compiled entry points on values.

use crate::compile::{Compiled, EntryPoint};
use fun_base::run::RunError;
use fun_base::value::Value;
use fun_runtime::context::{Context, Failure, Shared};
use fun_runtime::control::{RunControl, Usage};
use fun_runtime::site::run_error;
use fun_runtime::{block, data};
use imp::call;
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
            context: Context::new(Arc::new(Shared::new(control, self.spares.clone()))),
            args: Vec::new(),
            results: vec![0; point.results],
            called: false,
        };
        run.convert_args(entry, args)?;
        Ok(run)
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
            return Err(run_error(&self.compiled.sites, Failure::Cancelled));
        }
        // SAFETY: the code was made with this signature, and `compiled` keeps it alive
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.point.code) };
        // SAFETY: `args` and `results` have a place for each parameter and result, and the context is this run's
        let status = unsafe { entry(&raw mut self.context, self.args.as_ptr(), self.results.as_mut_ptr()) };
        if status == 0 { Ok(()) } else { Err(run_error(&self.compiled.sites, self.context.shared.failure())) }
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
        call::results(&self.point.interface, &self.results, &|word, elem, count| {
            let block = word as *const u8;
            // SAFETY: a result that is not null is a live block
            let room = if block.is_null() { 0 } else { unsafe { block::room(block.cast_mut()) } };
            // SAFETY: as above, and `room` is what it has
            unsafe { data::read(elem, block, count, room) }
        })
    }

    fn convert_args(&mut self, name: &str, values: &[Value]) -> Result<(), RunError> {
        let (interface, params) = (&self.point.interface, self.point.params);
        let context = &mut self.context;
        self.args = call::arguments(interface, params, name, values, &mut |array| {
            let failed = || RunError::limit("there is no memory for the arguments");
            let bytes = array.len().checked_mul(array.elem_type().bytes() as usize).ok_or_else(failed)?;
            let block = block::make_argument(context, bytes).ok_or_else(failed)?;
            // SAFETY: the block is fresh and has room for the elements
            unsafe { data::write(array, block) };
            Ok(block as u64)
        })?;
        Ok(())
    }
}
