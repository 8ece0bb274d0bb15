//! The native part of the Python package `funarray`: compiles a source text into memory and gives the addresses of its functions, which
//! the package calls by way of ctypes.

use fun_base::source::Source;
use fun_frontend::files::Sources;
use fun_library::{InMemory, Refused};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

create_exception!(
    funarray,
    CompileError,
    PyValueError,
    "A program that is not compiled: a text with the lines of the source."
);

/// Stack for the compiler's recursive passes.
const STACK_BYTES: usize = 512 << 20;

/// What the library's `futhark_context_free` and `futhark_context_config_free` are.
type Free = unsafe extern "C" fn(*mut u8);

/// A compiled program. Its code and its context live as long as it does.
#[pyclass(frozen, module = "funarray._native")]
struct Program {
    library: Option<InMemory>,
    /// Addresses of the context and its configuration, once they are there.
    context: Mutex<Option<(usize, usize)>>,
}

impl Program {
    fn library(&self) -> PyResult<&InMemory> {
        self.library.as_ref().ok_or_else(|| PyRuntimeError::new_err("the program has been freed"))
    }
}

/// Runs the compiler with enough stack; a panic is a bug of ours, and an exception here.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread =
            thread.map_err(|error| PyRuntimeError::new_err(format!("no thread to compile: {error}")))?;
        thread.join().map_err(|_| PyRuntimeError::new_err("bug in FUN: the compiler panicked"))
    })
}

fn refused(py: Python<'_>, error: &Refused) -> PyErr {
    let raised = CompileError::new_err(error.message.clone());
    let value = raised.value(py);
    let (file, line, column) = match error.loc {
        Some(loc) => (Some(loc.file.to_string()), Some(loc.line), Some(loc.column)),
        None => (None, None, None),
    };
    let set = value.setattr("file", file).and_then(|()| value.setattr("line", line));
    match set.and_then(|()| value.setattr("column", column)) {
        Ok(()) => raised,
        Err(other) => other,
    }
}

/// Compiles a source text. `name` is what messages call it; imports are relative to `directory`, and there are none without it.
#[pyfunction]
fn compile(py: Python<'_>, source: String, name: String, directory: Option<String>) -> PyResult<Program> {
    let made = py.detach(|| {
        with_stack(|| {
            let source = Source { name: name.as_str().into(), text: source.into() };
            let read = |path: &str| {
                let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
                Ok(Source { name: path.into(), text: text.into() })
            };
            let sources = match &directory {
                Some(directory) => Sources::importing(source, directory, &read),
                None => Sources::alone(source),
            };
            InMemory::compile(sources)
        })
    })?;
    let library = made.map_err(|error| refused(py, &error))?;
    Ok(Program { library: Some(library), context: Mutex::new(None) })
}

#[pymethods]
impl Program {
    /// The address of a function of the library.
    fn address(&self, name: &str) -> PyResult<Option<usize>> {
        Ok(self.library()?.function(name))
    }

    /// The declarations of the Python module.
    fn python(&self) -> PyResult<&str> {
        Ok(self.library()?.python())
    }

    /// The entry points with their types.
    fn entries(&self) -> PyResult<BTreeMap<String, String>> {
        Ok(self.library()?.entries().iter().cloned().collect())
    }

    /// Where the memory of an entry point goes.
    fn explain(&self, py: Python<'_>, entry: &str) -> PyResult<String> {
        let library = self.library()?;
        py.detach(|| with_stack(|| library.explain(entry)))?.map_err(|error| refused(py, &error))
    }

    /// Hands over a context and its configuration, by their addresses: they are freed with the program.
    fn own(&self, context: usize, configuration: usize) -> PyResult<()> {
        let mut own =
            self.context.lock().map_err(|_| PyRuntimeError::new_err("the program is in disorder"))?;
        *own = Some((context, configuration));
        Ok(())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let Some(library) = self.library.take() else { return };
        let own = self.context.get_mut().ok().and_then(Option::take);
        let free = |name: &str, address: usize| {
            let Some(function) = library.function(name) else { return };
            // SAFETY: that is the function's type
            let function = unsafe { std::mem::transmute::<usize, Free>(function) };
            // SAFETY: every function and array of the program keeps it, so that none is left that uses the context
            unsafe { function(address as *mut u8) };
        };
        if let Some((context, configuration)) = own {
            free("futhark_context_free", context);
            free("futhark_context_config_free", configuration);
        }
        // SAFETY: as above: nobody is in the code or can call it
        unsafe { library.free() };
    }
}

/// The module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CompileError", module.py().get_type::<CompileError>())?;
    module.add_class::<Program>()?;
    module.add_function(wrap_pyfunction!(compile, module)?)
}
