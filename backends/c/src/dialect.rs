//! The languages of kernels: what OpenCL C and CUDA C call things, and the declarations before the kernels.

use fun_base::prim::{BinOp, PrimType};

/// A language of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// OpenCL C 1.2, compiled when the program runs.
    OpenCl,
    /// CUDA C++17, compiled when the program runs.
    Cuda,
}

impl Dialect {
    /// The name of the backend.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Dialect::OpenCl => "opencl",
            Dialect::Cuda => "cuda",
        }
    }

    /// The type in C of memory on the device, as the driver's own header declares it (`cl_mem`, `CUdeviceptr`), which callers need not have.
    pub(crate) fn raw_type(self) -> &'static str {
        match self {
            Dialect::OpenCl => "struct _cl_mem *",
            Dialect::Cuda => "unsigned long long ",
        }
    }

    /// What stands before functions that mention it; memory of OpenCL is made in the context of the queue.
    pub(crate) fn raw_declaration(self) -> &'static str {
        match self {
            Dialect::OpenCl => {
                "struct _cl_mem;\nstruct _cl_command_queue;\n\
                 struct _cl_command_queue *futhark_context_get_command_queue(struct futhark_context *ctx);\n"
            }
            Dialect::Cuda => "",
        }
    }

    /// What a kernel begins with; `resident` is how many threads a block has, and how many blocks a multiprocessor shall have room for. Left alone, CUDA's
    /// compiler takes so many registers for large arrays in them that one block runs at a time.
    pub(crate) fn kernel(self, resident: Option<(i64, i64)>) -> String {
        match (self, resident) {
            (Dialect::OpenCl, _) => "__kernel void".to_owned(),
            (Dialect::Cuda, None) => "extern \"C\" __global__ void".to_owned(),
            (Dialect::Cuda, Some((threads, blocks))) => {
                format!("extern \"C\" __global__ void __launch_bounds__({threads}, {blocks})")
            }
        }
    }

    /// What stands before the type of cells in the device's memory.
    pub(crate) fn global(self) -> &'static str {
        match self {
            Dialect::OpenCl => "__global ",
            Dialect::Cuda => "",
        }
    }

    /// What stands before the type of cells that a block shares, behind a pointer.
    pub(crate) fn local(self) -> &'static str {
        match self {
            Dialect::OpenCl => "__local ",
            Dialect::Cuda => "",
        }
    }

    /// What stands before the declaration of memory that a block shares.
    pub(crate) fn shared(self) -> &'static str {
        match self {
            Dialect::OpenCl => "__local ",
            Dialect::Cuda => "__shared__ ",
        }
    }

    /// What threads of a block wait at for one another; behind it they see what the others wrote.
    pub(crate) fn barrier(self) -> &'static str {
        match self {
            Dialect::OpenCl => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
            Dialect::Cuda => "__syncthreads();",
        }
    }

    /// Whether a barrier is part of what exchanges values of threads.
    pub(crate) fn shuffles_wait(self) -> bool {
        self == Dialect::OpenCl
    }

    /// What stands between accesses to memory that other threads may not see in another order.
    pub(crate) fn fence(self) -> &'static str {
        match self {
            Dialect::OpenCl => "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
            Dialect::Cuda => "__threadfence();",
        }
    }

    /// What puts a value into a word at once.
    pub(crate) fn exchange(self) -> &'static str {
        match self {
            Dialect::OpenCl => "atomic_xchg",
            Dialect::Cuda => "fun_put",
        }
    }

    /// What stands before the cell and the value of an indivisible operation on cells in this kind of memory; none where the language has none.
    pub(crate) fn atomic(self, op: BinOp, elem: PrimType, qualifier: &str) -> Option<String> {
        let name = match op {
            BinOp::Add => "add",
            BinOp::Min => "min",
            BinOp::Max => "max",
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            _ => return None,
        };
        let ordered = matches!(op, BinOp::Min | BinOp::Max);
        Some(match (self, elem) {
            (Dialect::OpenCl, PrimType::I32) => format!("atomic_{name}((volatile {qualifier}int *)"),
            (Dialect::OpenCl, PrimType::U32) => format!("atomic_{name}((volatile {qualifier}uint *)"),
            (Dialect::OpenCl, PrimType::I64) => format!("atom_{name}((volatile {qualifier}long *)"),
            (Dialect::OpenCl, PrimType::U64) => format!("atom_{name}((volatile {qualifier}ulong *)"),
            (Dialect::Cuda, PrimType::I32) => format!("atomic{}((int *)", capital(name)),
            (Dialect::Cuda, PrimType::U32) => format!("atomic{}((unsigned int *)", capital(name)),
            (Dialect::Cuda, PrimType::I64) if ordered => format!("atomic{}((long long *)", capital(name)),
            (Dialect::Cuda, PrimType::I64 | PrimType::U64) => {
                format!("atomic{}((unsigned long long *)", capital(name))
            }
            _ => return None,
        })
    }

    /// The type of a word of so many bytes, and what compares one with a second and puts a third there if they are the same; gives what was there.
    pub(crate) fn swap(self, bytes: u32) -> Option<(&'static str, &'static str)> {
        match (self, bytes) {
            (Dialect::OpenCl, 4) => Some(("uint", "atomic_cmpxchg")),
            (Dialect::OpenCl, 8) => Some(("ulong", "atom_cmpxchg")),
            (Dialect::Cuda, 4) => Some(("unsigned int", "fun_swap")),
            (Dialect::Cuda, 8) => Some(("unsigned long long", "fun_swap")),
            _ => None,
        }
    }

    /// The number of the block.
    pub(crate) fn block_index(self) -> &'static str {
        match self {
            Dialect::OpenCl => "get_group_id(0)",
            Dialect::Cuda => "blockIdx.x",
        }
    }

    /// The number of blocks.
    pub(crate) fn blocks(self) -> &'static str {
        match self {
            Dialect::OpenCl => "get_num_groups(0)",
            Dialect::Cuda => "gridDim.x",
        }
    }

    /// The number of the thread in its block.
    pub(crate) fn thread_index(self) -> &'static str {
        match self {
            Dialect::OpenCl => "get_local_id(0)",
            Dialect::Cuda => "threadIdx.x",
        }
    }

    /// What stands before all kernels.
    pub(crate) fn head(self) -> &'static str {
        match self {
            Dialect::OpenCl => include_str!("../runtime/kernels.cl"),
            Dialect::Cuda => include_str!("../runtime/kernels.cu"),
        }
    }

    /// The type of cells of so many bytes.
    pub(crate) fn cell(self, bytes: u64) -> &'static str {
        match (self, bytes) {
            (Dialect::OpenCl, 1) => "uchar",
            (Dialect::OpenCl, 2) => "ushort",
            (Dialect::OpenCl, 4) => "uint",
            (Dialect::OpenCl, _) => "ulong",
            (Dialect::Cuda, 1) => "uint8_t",
            (Dialect::Cuda, 2) => "uint16_t",
            (Dialect::Cuda, 4) => "uint32_t",
            (Dialect::Cuda, _) => "uint64_t",
        }
    }

    /// How the host has kernels compiled and launched: C that stands between what is known of the device and what programs call.
    pub(crate) fn driver(self) -> &'static str {
        match self {
            Dialect::OpenCl => include_str!("../runtime/opencl.c"),
            Dialect::Cuda => include_str!("../runtime/cuda.c"),
        }
    }

    /// The helpers that the declarations have already.
    pub(crate) fn has(self, helper: &str) -> bool {
        matches!(
            helper,
            "f32_bits" | "f64_bits" | "f32_of_bits" | "f64_of_bits" | "mul_hi_i64" | "mul_hi_u64"
        )
    }
}

/// The name with a capital letter first.
fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}
