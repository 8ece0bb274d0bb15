//! The source language: syntax, types, sizes, uniqueness; lowering to FUN
