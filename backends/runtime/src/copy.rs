//! Copies between views.

use crate::context::Context;

/// One dimension of a copy; strides in bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyDim {
    /// Number of indices.
    pub size: i64,
    /// Distance of neighbours in the destination.
    pub dest: i64,
    /// Distance of neighbours in the source.
    pub source: i64,
}

/// Copies every element of `source` to the same index of `dest`.
///
/// # Safety
/// `context` is the one that the calling compiled code was given; `dims` points to `rank` dimensions; all addresses they reach are valid for elements of `element` bytes; cells of the
/// two do not overlap, or are moved along the first dimension (I7 of IMP).
pub unsafe extern "C" fn copy(
    context: *mut Context,
    dest: *mut u8,
    source: *const u8,
    element: i64,
    rank: i64,
    dims: *const CopyDim,
) {
    // SAFETY: by contract
    let dims = unsafe { std::slice::from_raw_parts(dims, rank as usize) };
    if element == 0 || dims.iter().any(|dim| dim.size <= 0) {
        return;
    }
    let cells = dims.iter().fold(1i64, |cells, dim| cells.wrapping_mul(dim.size));
    // SAFETY: by contract the pointer is valid and not otherwise used during the call
    unsafe { (*context).copied_bytes += cells.wrapping_mul(element) as u64 };
    let mut row = element;
    let mut dims = simplify(dims, &mut row);
    let (mut dest, mut source) = (dest, source);
    // What moves to where later elements are starts with the last one.
    if let Some(first) = dims.first_mut()
        && first.dest == first.source
        && (dest.cast_const() > source) == (first.dest > 0)
    {
        let last = ((first.size - 1) * first.dest) as isize;
        // SAFETY: by contract these are the addresses of elements
        (dest, source) = unsafe { (dest.offset(last), source.offset(last)) };
        *first = CopyDim { size: first.size, dest: -first.dest, source: -first.source };
    }
    // SAFETY: by contract; `simplify` keeps the set of cells
    unsafe {
        match row {
            1 => strided::<1>(dest, source, &dims),
            2 => strided::<2>(dest, source, &dims),
            4 => strided::<4>(dest, source, &dims),
            8 => strided::<8>(dest, source, &dims),
            row => rows(dest, source, row as usize, &dims),
        }
    }
}

/// Merges dimensions that step alike; `row` grows by the inner dimensions that both sides hold without gaps.
fn simplify(dims: &[CopyDim], row: &mut i64) -> Vec<CopyDim> {
    let mut merged: Vec<CopyDim> = Vec::with_capacity(dims.len());
    for dim in dims.iter().filter(|dim| dim.size != 1) {
        match merged.last_mut() {
            Some(outer) if outer.dest == dim.size * dim.dest && outer.source == dim.size * dim.source => {
                *outer = CopyDim { size: outer.size * dim.size, ..*dim };
            }
            _ => merged.push(*dim),
        }
    }
    if merged.last().is_some_and(|dim| dim.dest == *row && dim.source == *row) {
        *row *= merged.pop().map_or(1, |dim| dim.size);
    }
    merged
}

/// # Safety
/// As for [`copy`], with elements of `N` bytes.
unsafe fn strided<const N: usize>(dest: *mut u8, source: *const u8, dims: &[CopyDim]) {
    match dims {
        // SAFETY: by contract
        [] => unsafe { element::<N>(dest, source) },
        [dim] => {
            for i in 0..dim.size {
                // SAFETY: by contract
                unsafe {
                    element::<N>(
                        dest.offset((i * dim.dest) as isize),
                        source.offset((i * dim.source) as isize),
                    );
                }
            }
        }
        [row, column] if is_turned(row, column) => {
            // SAFETY: by contract
            unsafe { turned::<N>(dest, source, row, column) };
        }
        [dim, inner @ ..] => {
            for i in 0..dim.size {
                // SAFETY: by contract
                unsafe {
                    strided::<N>(
                        dest.offset((i * dim.dest) as isize),
                        source.offset((i * dim.source) as isize),
                        inner,
                    );
                }
            }
        }
    }
}

/// Whether one side goes on in one dimension and the other in the other. (What overlaps has the same strides on both sides.)
fn is_turned(row: &CopyDim, column: &CopyDim) -> bool {
    let order = |x: i64, y: i64| x.unsigned_abs().cmp(&y.unsigned_abs());
    let (dest, source) = (order(row.dest, column.dest), order(row.source, column.source));
    dest.is_ne() && dest == source.reverse()
}

/// Squares of 8 times 8 cells, so that what is loaded of a cache line is used before it is gone.
///
/// # Safety
/// As for [`copy`], with elements of `N` bytes.
unsafe fn turned<const N: usize>(dest: *mut u8, source: *const u8, row: &CopyDim, column: &CopyDim) {
    const SIDE: i64 = 8;
    let at = |i: i64, j: i64| {
        let (to, from) = (i * row.dest + j * column.dest, i * row.source + j * column.source);
        // SAFETY: by contract
        unsafe { (dest.offset(to as isize), source.offset(from as isize)) }
    };
    for j in (0..column.size).step_by(SIDE as usize) {
        for i in (0..row.size).step_by(SIDE as usize) {
            let (dest, source) = at(i, j);
            // SAFETY: by contract
            unsafe {
                match (row.size - i, column.size - j) {
                    // numbers that are known
                    (SIDE.., SIDE..) => square::<N>(dest, source, (row, column), (SIDE, SIDE)),
                    (rows, columns) => {
                        square::<N>(dest, source, (row, column), (rows.min(SIDE), columns.min(SIDE)));
                    }
                }
            }
        }
    }
}

/// # Safety
/// As for [`copy`], with elements of `N` bytes.
#[inline(always)]
unsafe fn square<const N: usize>(
    dest: *mut u8,
    source: *const u8,
    (row, column): (&CopyDim, &CopyDim),
    (rows, columns): (i64, i64),
) {
    for a in 0..rows {
        for b in 0..columns {
            // SAFETY: by contract
            unsafe {
                element::<N>(
                    dest.offset((a * row.dest + b * column.dest) as isize),
                    source.offset((a * row.source + b * column.source) as isize),
                );
            }
        }
    }
}

/// # Safety
/// Both are valid for `N` bytes.
#[inline(always)]
unsafe fn element<const N: usize>(dest: *mut u8, source: *const u8) {
    // SAFETY: by contract
    unsafe {
        let cell = source.cast::<[u8; N]>().read_unaligned();
        dest.cast::<[u8; N]>().write_unaligned(cell);
    }
}

/// # Safety
/// As for [`copy`], with elements of `row` bytes.
unsafe fn rows(dest: *mut u8, source: *const u8, row: usize, dims: &[CopyDim]) {
    match dims {
        // SAFETY: by contract; rows may overlap
        [] => unsafe { std::ptr::copy(source, dest, row) },
        [dim, inner @ ..] => {
            for i in 0..dim.size {
                // SAFETY: by contract
                unsafe {
                    rows(
                        dest.offset((i * dim.dest) as isize),
                        source.offset((i * dim.source) as isize),
                        row,
                        inner,
                    );
                }
            }
        }
    }
}
