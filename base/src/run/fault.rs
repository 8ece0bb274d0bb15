//! What is known of a fault: the accesses that break a rule together, and the block that they meet in.

use crate::name::Symbol;
use crate::source::Loc;
use std::fmt;

/// The rule that a fault breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum FaultRule {
    /// Two iterations of a kernel use a cell, and one of them writes it.
    Race,
    /// A cell is read through an array although a write through another array changed it meanwhile.
    Clobber,
    /// A cell is read that nothing has been written to, or nothing but what was undefined itself.
    Uninitialised,
    /// A cell outside of its block.
    Outside,
    /// A block that has ended.
    Ended,
    /// An argument is overwritten that the entry point does not consume.
    Kept,
}

/// A fault in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// What is broken.
    pub rule: FaultRule,
    /// The access that broke the rule; then the earlier one that it conflicts with, if the rule is about two.
    pub accesses: Vec<Access>,
    /// The block, where known.
    pub block: Option<Block>,
}

/// One access to memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// What it does: `reads`, `writes`, `combines into`, …
    pub verb: &'static str,
    /// The array through which it goes.
    pub array: String,
    /// The index in this array; `None` where the cell is none of the array's.
    pub index: Option<Vec<i64>>,
    /// The iterations around it, innermost first.
    pub iterations: Vec<Iteration>,
    /// The statement that does it.
    pub statement: Statement,
}

/// An iteration of a loop or kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Iteration {
    /// Of a sequential loop, from 0.
    Loop(u64),
    /// A point of a kernel.
    Point(Vec<i64>),
    /// The operator of a reduction as it takes in a point.
    Operator(Vec<i64>),
    /// The result of a reduction at an outer index.
    Result(Vec<i64>),
}

/// A statement as a fault shows it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statement {
    /// Its text, or as much as fits a line; empty for what no statement does (arguments and results of entry points).
    pub text: String,
    /// The first variable that it binds, which finds it in a text.
    pub binder: Option<String>,
    /// Its place in the source.
    pub loc: Option<Loc>,
    /// The function that it is in.
    pub function: Option<Symbol>,
}

/// A block as a fault shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Its name.
    pub name: String,
    /// How large it is.
    pub bytes: u64,
    /// The cell in question: element type and address, counted in elements.
    pub cell: String,
    /// What allocated it.
    pub allocated: Statement,
    /// The statement with whose body it ended.
    pub ended: Option<Statement>,
}

impl fmt::Display for Iteration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Iteration::Loop(number) => write!(f, "iteration {number} of a loop"),
            Iteration::Point(index) => write!(f, "iteration ({}) of a kernel", list(index)),
            Iteration::Operator(index) => write!(f, "the operator of a kernel at ({})", list(index)),
            Iteration::Result(index) if index.is_empty() => f.write_str("the result of a kernel"),
            Iteration::Result(index) => write!(f, "the result of a kernel at ({})", list(index)),
        }
    }
}

fn list(index: &[i64]) -> String {
    index.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text)?;
        match self.loc {
            Some(loc) => write!(f, " ({loc})"),
            None => Ok(()),
        }
    }
}

impl Access {
    /// The element, as `a_1[2, 0]`.
    pub fn element(&self) -> String {
        match &self.index {
            Some(index) if !index.is_empty() => format!("{}[{}]", self.array, list(index)),
            _ => self.array.clone(),
        }
    }

    /// What is accessed and in which iterations, without the statement.
    pub fn what(&self) -> String {
        let mut text = format!("{} {}", self.verb, self.element());
        if self.statement.text.is_empty() {
            text += " as a result";
        }
        for (k, iteration) in self.iterations.iter().enumerate() {
            text += &format!("{} {iteration}", if k == 0 { "," } else { " in" });
        }
        text
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        if self.statement.text.is_empty() { Ok(()) } else { write!(f, ": {}", self.statement) }
    }
}

impl Block {
    /// Where the block comes from, and where it went.
    pub fn history(&self) -> String {
        let (name, bytes) = (&self.name, self.bytes);
        let mut text = if self.allocated.text.is_empty() {
            format!("`{name}`, {bytes} bytes, holds an argument")
        } else {
            format!("`{name}`, {bytes} bytes, is allocated: {}", self.allocated)
        };
        if let Some(ended) = &self.ended {
            text += &match (ended.text.is_empty(), ended.function) {
                (false, _) => format!("\n  and ends with a body of {ended}"),
                (true, Some(function)) => format!("\n  and ends with function `{function}`"),
                (true, None) => String::new(),
            };
        }
        text
    }
}

impl Fault {
    /// The rule and what breaks it, in one line.
    pub fn headline(&self) -> String {
        let element = self.accesses.first().map(Access::element).unwrap_or_default();
        let (cell, block) = match &self.block {
            Some(block) => (block.cell.as_str(), block.name.as_str()),
            None => ("", ""),
        };
        match self.rule {
            FaultRule::Race => format!("M8: race on {cell} of `{block}`"),
            FaultRule::Clobber => {
                format!("M8: {element} was overwritten through another array ({cell} of `{block}`)")
            }
            FaultRule::Uninitialised => {
                format!("M8: {element} is read before it is written ({cell} of `{block}`)")
            }
            FaultRule::Outside => format!("M8: {element} is outside of its block ({cell} of `{block}`)"),
            FaultRule::Ended => format!("M8: {element} is used after its block `{block}` has ended"),
            FaultRule::Kept => {
                format!("F5: `{block}`, an argument that is not consumed, is overwritten")
            }
        }
    }
}

/// The accesses and the block, one a line, each line indented.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for access in &self.accesses {
            write!(f, "\n  {access}")?;
        }
        match &self.block {
            Some(block) => write!(f, "\n  {}", block.history()),
            None => Ok(()),
        }
    }
}
