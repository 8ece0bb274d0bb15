//! FUNMEM: FUN with non-semantic memory annotations
