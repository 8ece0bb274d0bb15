//! What a library has beside the code of its program: tables of constants, and functions that callers see, each of which passes its
//! parameters and constants on to one function of the runtime. One backend writes them as C, the other as data and machine code.

use fun_base::name::Symbol;
use fun_base::prim::PrimType;

/// A table of constants: an array of structures as C lays them out, or of scalars where rows have one cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The type of a row in C.
    pub ty: &'static str,
    /// Its name.
    pub name: String,
    /// The rows, of cells of the same sizes; at least one.
    pub rows: Vec<Vec<Cell>>,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// 32 bits.
    Number(u32),
    /// A constant of an enumeration in C, with its number: 32 bits.
    Named(String, u32),
    /// 64 bits.
    Long(i64),
    /// One byte.
    Bool(bool),
    /// The address of a text that ends in zero.
    Text(String),
    /// The address of a table's first row.
    Table(String),
    /// The address of a row of a table.
    Row(String, usize),
    /// The address of the code of an entry point, as it takes and gives words.
    Entry(Symbol),
    /// No address.
    Null,
}

/// A function that callers see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrapper {
    /// Its name.
    pub name: String,
    /// What it gives: what the function of the runtime does.
    pub result: WrapperResult,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The function of the runtime.
    pub calls: &'static str,
    /// What that is passed.
    pub arguments: Vec<Argument>,
}

/// A result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrapperResult {
    /// None.
    Nothing,
    /// A `bool`.
    Bool,
    /// An `int`.
    Int,
    /// An address, of this type in C.
    Address(String),
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its declaration in C, in which `$` stands for the name.
    pub declaration: String,
    /// Its type; `None` for addresses.
    pub scalar: Option<PrimType>,
}

/// What a wrapper passes on. Parameters are meant by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A parameter, which C converts to this type where one is named.
    Param(String, Option<&'static str>),
    /// A constant of an enumeration or a number as C writes it, with its value.
    Constant(String, u32),
    /// The address of a row of a table.
    Row(&'static str, usize),
    /// The address of a list of 64-bit numbers.
    Numbers(Vec<String>),
    /// The address of a list of addresses of values, a null address at its end: those of scalars, and addresses as they are.
    Values(Vec<String>),
    /// The same of addresses that are written to.
    Places(Vec<String>),
}
