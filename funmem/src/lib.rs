//! FUNMEM: FUN with non-semantic memory annotations (paper section 3).

pub mod ir;
