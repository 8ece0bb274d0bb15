//! What all Rust modules of libraries have.

use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::Arc;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// 1 where the device is missing or fails, 2 where the program stopped or an argument does not fit, 3 where memory is missing.
    pub code: i32,
    /// What is wrong, with the line of the source.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

const OUT_OF_MEMORY: c_int = 3;

struct Shared {
    raw: *mut c_void,
    config: *mut c_void,
}

// calls on one context may be made from several threads at once
unsafe impl Send for Shared {}
unsafe impl Sync for Shared {}

impl Drop for Shared {
    fn drop(&mut self) {
        unsafe {
            ffi::futhark_context_free(self.raw);
            ffi::futhark_context_config_free(self.config);
        }
    }
}

/// What all values live in. Clones are the same context.
#[derive(Clone)]
pub struct Context(Arc<Shared>);

impl Context {
    /// A context; an error where there is no memory for it, or no device for the program.
    pub fn new() -> Result<Context, Error> {
        let config = unsafe { ffi::futhark_context_config_new() };
        let raw = if config.is_null() { null_mut() } else { unsafe { ffi::futhark_context_new(config) } };
        if raw.is_null() {
            return Err(Error { code: OUT_OF_MEMORY, message: "no memory for a context".to_owned() });
        }
        let context = Context(Arc::new(Shared { raw, config }));
        match context.told() {
            Some(message) => Err(Error { code: 1, message }),
            None => Ok(context),
        }
    }

    /// How many threads parallel loops take; as many as there are processors for 0.
    pub fn set_threads(&self, count: u32) {
        unsafe { ffi::futhark_context_config_set_num_threads(self.0.config, count.try_into().unwrap_or(c_int::MAX)) };
    }

    /// How many bytes arrays and a call may use together; no limit for 0.
    pub fn set_memory_limit(&self, bytes: u64) {
        unsafe { ffi::fun_context_config_set_memory_limit(self.0.config, bytes) };
    }

    /// Bytes that were copied between the caller's memory and that of the context.
    pub fn copied_bytes(&self) -> u64 {
        unsafe { ffi::fun_context_copied_bytes(self.0.raw) }
    }

    /// Bytes in arrays and calls at most.
    pub fn peak_bytes(&self) -> u64 {
        unsafe { ffi::fun_context_peak_bytes(self.0.raw) }
    }

    /// A copy of an array, for parameters that are consumed.
    pub fn array<'a, T: Element<R> + 'a, const R: usize>(
        &self,
        view: impl Into<View<'a, T, R>>,
    ) -> Result<Array<T, R>, Error> {
        let lent = self.lend(view.into())?;
        unsafe { Array::of_held(lent.held) }.copied()
    }

    /// What calls get of a view, where it lies. It must not outlive that memory.
    fn lend<T: Element<R>, const R: usize>(&self, view: View<'_, T, R>) -> Result<Lent<T, R>, Error> {
        let raw = unsafe { T::view(self.0.raw, view.first.cast_mut().cast(), view.strides, view.shape) };
        Ok(Lent { held: Held { raw: self.there(raw)?, context: self.clone(), elements: PhantomData } })
    }

    fn there(&self, raw: *mut c_void) -> Result<*mut c_void, Error> {
        if raw.is_null() { Err(self.error(OUT_OF_MEMORY)) } else { Ok(raw) }
    }

    fn done(&self, code: c_int) -> Result<(), Error> {
        if code == 0 { Ok(()) } else { Err(self.error(code)) }
    }

    fn error(&self, code: c_int) -> Error {
        Error { code, message: self.told().unwrap_or_else(|| format!("code {code}")) }
    }

    /// What the library says of its last error, if there was one since it was asked.
    fn told(&self) -> Option<String> {
        let text = unsafe { ffi::futhark_context_get_error(self.0.raw) };
        if text.is_null() {
            return None;
        }
        let told = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        let message = told.strip_prefix("Error: ").unwrap_or(&told).to_owned();
        unsafe { ffi::free(text.cast()) };
        Some(message)
    }
}

/// Elements of an array of `R` dimensions that lie somewhere in memory, at equal steps in each dimension.
#[derive(Clone, Copy)]
pub struct View<'a, T, const R: usize> {
    first: *const T,
    strides: [i64; R],
    shape: [i64; R],
    memory: PhantomData<&'a [T]>,
}

impl<'a, T, const R: usize> View<'a, T, R> {
    /// Elements in row order; `None` where there are not as many as the shape says.
    pub fn new(elements: &'a [T], shape: [usize; R]) -> Option<View<'a, T, R>> {
        let mut strides = [1_isize; R];
        for d in (1..R).rev() {
            strides[d - 1] = strides[d].checked_mul(isize::try_from(shape[d]).ok()?)?;
        }
        let count = shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))?;
        (count == elements.len()).then(|| View::strided(elements, 0, strides, shape))?
    }

    /// The elements from the one at `offset` on, so many from one to the next in each dimension; `None` where some lie outside.
    pub fn strided(elements: &'a [T], offset: usize, strides: [isize; R], shape: [usize; R]) -> Option<View<'a, T, R>> {
        let (mut low, mut high) = (offset as i128, offset as i128);
        for (stride, size) in strides.iter().zip(shape) {
            let reach = *stride as i128 * (size.max(1) - 1) as i128;
            (low, high) = (low + reach.min(0), high + reach.max(0));
        }
        let inside = shape.contains(&0) || low >= 0 && high < elements.len() as i128;
        let first = if shape.contains(&0) { elements.as_ptr() } else { elements.as_ptr().wrapping_add(offset) };
        inside.then(|| unsafe { View::from_parts(first, strides, shape) })
    }

    /// The same for memory that is not at hand as a slice.
    ///
    /// # Safety
    /// All elements exist for as long as the view, and nobody writes them.
    pub unsafe fn from_parts(first: *const T, strides: [isize; R], shape: [usize; R]) -> View<'a, T, R> {
        View { first, strides: strides.map(|n| n as i64), shape: shape.map(|n| n as i64), memory: PhantomData }
    }
}

impl<'a, T> From<&'a [T]> for View<'a, T, 1> {
    fn from(elements: &'a [T]) -> Self {
        unsafe { View::from_parts(elements.as_ptr(), [1], [elements.len()]) }
    }
}

impl<'a, T> From<&'a Vec<T>> for View<'a, T, 1> {
    fn from(elements: &'a Vec<T>) -> Self {
        elements.as_slice().into()
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for View<'a, T, 1> {
    fn from(elements: &'a [T; N]) -> Self {
        elements.as_slice().into()
    }
}

impl<'a, T: Element<R>, const R: usize> From<&'a Array<T, R>> for View<'a, T, R> {
    fn from(array: &'a Array<T, R>) -> Self {
        let shape = array.shape();
        let mut strides = [1_isize; R];
        for d in (1..R).rev() {
            strides[d - 1] = strides[d] * shape[d] as isize;
        }
        unsafe { View::from_parts(array.as_ptr(), strides, shape) }
    }
}

/// What arrays of `R` dimensions can hold here.
pub trait Element<const R: usize>: Copy {
    #[doc(hidden)]
    unsafe fn view(ctx: *mut c_void, data: *mut c_void, strides: [i64; R], shape: [i64; R]) -> *mut c_void;
    #[doc(hidden)]
    unsafe fn copied(ctx: *mut c_void, data: *const c_void, shape: [i64; R]) -> *mut c_void;
    #[doc(hidden)]
    unsafe fn describe(ctx: *mut c_void, array: *mut c_void, description: *mut i64);
    #[doc(hidden)]
    unsafe fn is_shared(ctx: *mut c_void, array: *mut c_void) -> bool;
    #[doc(hidden)]
    unsafe fn free(ctx: *mut c_void, array: *mut c_void) -> c_int;
}

/// An array in row order, in the memory of a context. As a slice it is its elements.
pub struct Array<T: Element<R>, const R: usize> {
    held: Held<T, R>,
    first: *const T,
    shape: [usize; R],
}

struct Lent<T: Element<R>, const R: usize> {
    held: Held<T, R>,
}

struct Held<T: Element<R>, const R: usize> {
    raw: *mut c_void,
    context: Context,
    elements: PhantomData<T>,
}

unsafe impl<T: Element<R>, const R: usize> Send for Array<T, R> {}
unsafe impl<T: Element<R>, const R: usize> Sync for Array<T, R> {}

impl<T: Element<R>, const R: usize> Drop for Held<T, R> {
    fn drop(&mut self) {
        unsafe { T::free(self.context.0.raw, self.raw) };
    }
}

impl<T: Element<R>, const R: usize> Array<T, R> {
    unsafe fn of(context: &Context, raw: *mut c_void) -> Array<T, R> {
        unsafe { Array::of_held(Held { raw, context: context.clone(), elements: PhantomData }) }
    }

    unsafe fn of_held(held: Held<T, R>) -> Array<T, R> {
        let (mut description, mut shape) = (vec![0_i64; R + 1], [0_usize; R]);
        unsafe { T::describe(held.context.0.raw, held.raw, description.as_mut_ptr()) };
        for (size, told) in shape.iter_mut().zip(&description[1..]) {
            *size = *told as usize;
        }
        Array { held, first: description[0] as usize as *const T, shape }
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// A copy of it.
    pub fn copied(&self) -> Result<Array<T, R>, Error> {
        let (context, shape) = (&self.held.context, self.shape.map(|n| n as i64));
        let raw = unsafe { T::copied(context.0.raw, self.first.cast(), shape) };
        Ok(unsafe { Array::of(context, context.there(raw)?) })
    }

    /// The same array on memory that no other one uses, so that it can be written over.
    fn alone(self) -> Result<Array<T, R>, Error> {
        let shared = unsafe { T::is_shared(self.held.context.0.raw, self.held.raw) };
        if shared { self.copied() } else { Ok(self) }
    }
}

impl<T: Element<R>, const R: usize> Deref for Array<T, R> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let count = self.shape.iter().product();
        if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.first, count) } }
    }
}

impl<T: Element<R> + std::fmt::Debug, const R: usize> std::fmt::Debug for Array<T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Array").field("shape", &self.shape).field("elements", &&**self).finish()
    }
}

/// A record, a sum or an array of them.
struct Opaque {
    raw: *mut c_void,
    context: Context,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
}

unsafe impl Send for Opaque {}
unsafe impl Sync for Opaque {}

impl Drop for Opaque {
    fn drop(&mut self) {
        unsafe { (self.free)(self.context.0.raw, self.raw) };
    }
}
