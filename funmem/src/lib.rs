//! FUNMEM: FUN with memory blocks and LMADs on array binders.

pub mod check;
pub mod copies;
pub mod erase;
pub mod r#gen;
pub mod interp;
pub mod ir;
pub mod text;
pub mod trace;
