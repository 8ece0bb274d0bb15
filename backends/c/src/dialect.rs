//! The languages of kernels: what OpenCL C and CUDA C call things, and the declarations before the kernels.

/// A language of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// OpenCL C 1.2, compiled when the program runs.
    OpenCl,
    /// CUDA C.
    Cuda,
}

impl Dialect {
    /// What a kernel begins with.
    pub(crate) fn kernel(self) -> &'static str {
        match self {
            Dialect::OpenCl => "__kernel void",
            Dialect::Cuda => "extern \"C\" __global__ void",
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

    /// The number of the block.
    pub(crate) fn block_index(self) -> &'static str {
        match self {
            Dialect::OpenCl => "get_group_id(0)",
            Dialect::Cuda => "blockIdx.x",
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

    /// The helpers that the declarations have already.
    pub(crate) fn has(self, helper: &str) -> bool {
        matches!(
            helper,
            "f32_bits" | "f64_bits" | "f32_of_bits" | "f64_of_bits" | "mul_hi_i64" | "mul_hi_u64"
        )
    }
}
