//! Arrays of values into blocks and out of them.

use fun_base::prim::PrimType;
use fun_base::run::RunError;
use fun_base::value::ArrayData;

/// Writes elements into a block.
///
/// # Safety
/// The block is aligned, nothing else uses it, and it has room for the elements.
pub unsafe fn write(data: &ArrayData, block: *mut u8) {
    /// # Safety
    /// As for [`write`].
    unsafe fn put<T: Copy>(elements: &[T], block: *mut u8) {
        // SAFETY: by contract; the elements are plain data
        unsafe { std::ptr::copy_nonoverlapping(elements.as_ptr(), block.cast::<T>(), elements.len()) };
    }
    // SAFETY: by contract
    unsafe {
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
}

/// The first `count` elements of a block of `room` bytes; an error when it has not as many.
///
/// # Safety
/// The block is aligned and has `room` bytes that may be read.
pub unsafe fn read(
    elem: PrimType,
    block: *const u8,
    count: usize,
    room: usize,
) -> Result<ArrayData, RunError> {
    let bytes = count.checked_mul(elem.bytes() as usize).filter(|bytes| *bytes <= room);
    if bytes.is_none() {
        let size = elem.bytes();
        let message = format!("a result of {count} elements of {size} bytes is in a block of {room} bytes");
        return Err(RunError::fault(message));
    }
    /// # Safety
    /// The block is aligned and has `count` elements; every representation is a value of the type.
    unsafe fn get<T: Copy>(block: *const u8, count: usize) -> Result<Vec<T>, RunError> {
        let mut elements = Vec::new();
        if count == 0 {
            return Ok(elements);
        }
        let failed = |_| RunError::limit("there is no memory for the results");
        elements.try_reserve_exact(count).map_err(failed)?;
        // SAFETY: by contract
        unsafe {
            std::ptr::copy_nonoverlapping(block.cast::<T>(), elements.as_mut_ptr(), count);
            elements.set_len(count);
        }
        Ok(elements)
    }
    // SAFETY: by contract, and the room was compared; every representation is a value of these types
    unsafe {
        Ok(match elem {
            PrimType::I8 => ArrayData::I8(get(block, count)?),
            PrimType::I16 => ArrayData::I16(get(block, count)?),
            PrimType::I32 => ArrayData::I32(get(block, count)?),
            PrimType::I64 => ArrayData::I64(get(block, count)?),
            PrimType::U8 => ArrayData::U8(get(block, count)?),
            PrimType::U16 => ArrayData::U16(get(block, count)?),
            PrimType::U32 => ArrayData::U32(get(block, count)?),
            PrimType::U64 => ArrayData::U64(get(block, count)?),
            PrimType::F16 => ArrayData::F16(get(block, count)?),
            PrimType::F32 => ArrayData::F32(get(block, count)?),
            PrimType::F64 => ArrayData::F64(get(block, count)?),
            PrimType::Bool => {
                // through bytes: not every byte is a bool
                ArrayData::Bool(get::<u8>(block, count)?.into_iter().map(|byte| byte != 0).collect())
            }
            PrimType::Unit => ArrayData::Unit(count),
        })
    }
}
