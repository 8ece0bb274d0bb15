//! The functions that compiled code may call, with their machine types.

use crate::{block, context, copy, par, scalar};

/// A machine type of a parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// An address.
    Pointer,
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
    /// A single.
    F32,
    /// A double.
    F64,
}

/// A function of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Function {
    /// [`context::fail`].
    Fail,
    /// [`context::enter`].
    Enter,
    /// [`block::allocate`].
    Allocate,
    /// [`block::allocate_shape`].
    AllocateShape,
    /// [`block::share`].
    Share,
    /// [`block::free`].
    Free,
    /// [`par::parallel_for`].
    ParallelFor,
    /// [`par::threads`].
    Threads,
    /// [`copy::copy`].
    Copy,
    /// [`scalar::unary`].
    Unary,
    /// [`scalar::binary`].
    Binary,
    /// [`scalar::convert`].
    Convert,
    /// [`scalar::fma_f16`].
    FmaF16,
    /// [`scalar::fma_f32`].
    FmaF32,
    /// [`scalar::fma_f64`].
    FmaF64,
    /// [`scalar::unary_f32`].
    UnaryF32,
    /// [`scalar::unary_f64`].
    UnaryF64,
    /// [`scalar::binary_f32`].
    BinaryF32,
    /// [`scalar::binary_f64`].
    BinaryF64,
}

/// How to reach and call a function.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its name in object code and disassembly.
    pub name: &'static str,
    /// Where it is in this process.
    pub address: *const u8,
    /// Its parameters.
    pub params: &'static [Machine],
    /// Its result.
    pub result: Option<Machine>,
}

impl Function {
    /// Every function.
    pub const ALL: [Function; 19] = [
        Function::Fail,
        Function::Enter,
        Function::Allocate,
        Function::AllocateShape,
        Function::Share,
        Function::Free,
        Function::ParallelFor,
        Function::Threads,
        Function::Copy,
        Function::Unary,
        Function::Binary,
        Function::Convert,
        Function::FmaF16,
        Function::FmaF32,
        Function::FmaF64,
        Function::UnaryF32,
        Function::UnaryF64,
        Function::BinaryF32,
        Function::BinaryF64,
    ];

    /// How to reach and call it.
    pub fn symbol(self) -> Symbol {
        use Machine::{F32, F64, I32, I64, Pointer};
        let (name, address, params, result): (_, _, &'static [Machine], _) = match self {
            Function::Fail => ("fun_fail", context::fail as *const u8, &[Pointer, I32, Pointer, I64], None),
            Function::Enter => ("fun_enter", context::enter as *const u8, &[Pointer, I32], Some(I32)),
            Function::Allocate => {
                ("fun_allocate", block::allocate as *const u8, &[Pointer, I32, I64, I64], Some(Pointer))
            }
            Function::AllocateShape => (
                "fun_allocate_shape",
                block::allocate_shape as *const u8,
                &[Pointer, I32, I64, I64, Pointer],
                Some(Pointer),
            ),
            Function::Share => ("fun_share", block::share as *const u8, &[Pointer, Pointer], None),
            Function::Free => ("fun_free", block::free as *const u8, &[Pointer, Pointer], None),
            Function::ParallelFor => (
                "fun_parallel_for",
                par::parallel_for as *const u8,
                &[Pointer, Pointer, Pointer, I64, F64],
                Some(I32),
            ),
            Function::Threads => ("fun_threads", par::threads as *const u8, &[Pointer], Some(I64)),
            Function::Copy => {
                ("fun_copy", copy::copy as *const u8, &[Pointer, Pointer, Pointer, I64, I64, Pointer], None)
            }
            Function::Unary => ("fun_unary", scalar::unary as *const u8, &[I32, I32, I64], Some(I64)),
            Function::Binary => ("fun_binary", scalar::binary as *const u8, &[I32, I32, I64, I64], Some(I64)),
            Function::Convert => ("fun_convert", scalar::convert as *const u8, &[I32, I32, I64], Some(I64)),
            Function::FmaF16 => ("fun_fma_f16", scalar::fma_f16 as *const u8, &[I64, I64, I64], Some(I64)),
            Function::FmaF32 => ("fun_fma_f32", scalar::fma_f32 as *const u8, &[F32, F32, F32], Some(F32)),
            Function::FmaF64 => ("fun_fma_f64", scalar::fma_f64 as *const u8, &[F64, F64, F64], Some(F64)),
            Function::UnaryF32 => ("fun_unary_f32", scalar::unary_f32 as *const u8, &[I32, F32], Some(F32)),
            Function::UnaryF64 => ("fun_unary_f64", scalar::unary_f64 as *const u8, &[I32, F64], Some(F64)),
            Function::BinaryF32 => {
                ("fun_binary_f32", scalar::binary_f32 as *const u8, &[I32, F32, F32], Some(F32))
            }
            Function::BinaryF64 => {
                ("fun_binary_f64", scalar::binary_f64 as *const u8, &[I32, F64, F64], Some(F64))
            }
        };
        Symbol { name, address, params, result }
    }
}
