//! Passes on FUN, FUNMEM and IMP, the lowerings between them, registry and pipelines
