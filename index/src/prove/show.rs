//! Derivations as text, one line a step.

use super::Why;
use super::derivation::{Block, Claim, Derivation, Goal, Line, Rule, Term};
use super::exact::Exact;
use fun_base::name::Var;
use std::fmt::{self, Display, Formatter};

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Nonneg(poly) => write!(f, "{poly} ≥ 0"),
            Claim::Zero(poly) => write!(f, "{poly} = 0"),
            Claim::Nonzero(poly) => write!(f, "{poly} ≠ 0"),
        }
    }
}

/// The goal on one line, then the lines, then those that show it.
impl Display for Derivation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.goal)?;
        lines(f, &self.lines, 0, 0)?;
        writeln!(f, "so {}", list(&self.shows))
    }
}

impl Display for Goal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Nonneg(poly) => write!(f, "{poly} ≥ 0"),
            Goal::Zero(poly) => write!(f, "{poly} = 0"),
            Goal::Disjoint { left, right, left_point, right_point } => {
                write!(
                    f,
                    "{left} at {} and {right} at {} are disjoint",
                    point(left_point),
                    point(right_point)
                )
            }
            Goal::Contained { inner, outer, point: indices, image } => {
                write!(f, "{inner} at {} is in {outer} at ({})", point(indices), list(image))
            }
            Goal::Injective { lmad, first, second } => {
                write!(f, "{lmad} at {} and {} is injective", point(first), point(second))
            }
            Goal::Within { lmad, size, point: indices } => {
                write!(f, "{lmad} at {} is within {size}", point(indices))
            }
        }
    }
}

/// In words, for those who read of a fact in the program.
impl Display for Why {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Why::Size(var) => write!(f, "size {var}"),
            Why::Bound(var) => write!(f, "bound of {var}"),
            Why::Slice(var) => write!(f, "slice {var}"),
            Why::Index(var) => write!(f, "index of {var}"),
            Why::Definition(var) => write!(f, "definition of {var}"),
            Why::Branch(var) => write!(f, "branch on {var}"),
            Why::Assert(var) => write!(f, "assertion {var}"),
            Why::Extent(var) => write!(f, "extent of {var}"),
            Why::Invariant(var) => write!(f, "invariant of the loop of {var}"),
            Why::Nonempty(var) => write!(f, "{var} is not empty"),
            Why::Assumed => f.write_str("granted"),
        }
    }
}

fn lines(f: &mut Formatter<'_>, all: &[Line], from: usize, depth: usize) -> fmt::Result {
    for (k, Line { claim, rule }) in all.iter().enumerate() {
        let number = from + k;
        let indent = "  ".repeat(depth);
        match rule {
            Rule::Cases { on, first, second } => {
                writeln!(f, "{indent}{number}: {claim} by cases on {on}")?;
                for Block { lines: inner, shows } in [first, second] {
                    writeln!(f, "{indent}{{")?;
                    lines(f, inner, number, depth + 1)?;
                    writeln!(f, "{indent}}} so {shows}")?;
                }
            }
            _ => writeln!(f, "{indent}{number}: {claim} by {}", Short(rule))?,
        }
    }
    Ok(())
}

/// A rule without blocks.
struct Short<'r>(&'r Rule);

impl Display for Short<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Rule::Given(why) => write!(f, "fact {why}"),
            Rule::Range(var) => write!(f, "range {var}"),
            Rule::Premise => f.write_str("premise"),
            Rule::Assumed => f.write_str("assumed"),
            Rule::Definition { var, poly, low, high } => {
                write!(f, "definition {var} = {poly} ({low} {high})")
            }
            Rule::Division { division, shown } => {
                let down = if division.floors { " down" } else { "" };
                write!(
                    f,
                    "division{down} {} = {} / {}",
                    division.quotient, division.dividend, division.divisor
                )?;
                if let Some(remainder) = division.remainder {
                    write!(f, " remainder {remainder}")?;
                }
                write!(f, " ({})", list(shown))
            }
            Rule::Sum { scale, terms } => {
                write!(f, "sum {scale}")?;
                terms.iter().try_for_each(|Term { multiplier, factors }| {
                    write!(
                        f,
                        " ({})",
                        list(
                            &[vec![factor(multiplier)], factors.iter().map(usize::to_string).collect()]
                                .concat()
                        )
                    )
                })
            }
            Rule::Cases { .. } => f.write_str("cases"),
            Rule::Apart { nonzero, nonneg } => write!(f, "apart {nonzero} {nonneg}"),
            Rule::Both { low, high } => write!(f, "both {low} {high}"),
        }
    }
}

fn factor(poly: &Exact) -> String {
    if poly.terms().count() > 1 { format!("({poly})") } else { poly.to_string() }
}

fn point(indices: &[Var]) -> String {
    format!("({})", list(indices))
}

fn list<T: Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    texts.join(" ")
}
