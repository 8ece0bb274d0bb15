//! The text form of IMP: [`print_program`] and [`parse_program`] are inverse to each other (law 1). The grammar stands at the
//! head of [`crate::ir`].

mod parse;
mod print;

pub use parse::parse_program;
pub use print::{print_exp, print_procedure, print_program};
