//! IMP to machine code with Cranelift
