//! The rules: whether a line follows from those before it.

use crate::Refused;
use crate::goal::{Demands, Fact};
use crate::sum::Sum;
use fun_base::name::Var;
use fun_index::certificate::Hypotheses;
use fun_index::poly::Poly;
use fun_index::prove::Division;
use fun_index::prove::derivation::{Block, Line, Rule, Term};

/// How deep cases may nest.
const NESTING_LIMIT: usize = 200;
const LEAST: i128 = i64::MIN as i128;
const MOST: i128 = i64::MAX as i128;
/// What i64 arithmetic is modulo.
const WRAPS: i128 = 1 << 64;

/// The claims so far, by number.
pub(crate) struct Lines<'h> {
    hypotheses: &'h Hypotheses,
    goal: &'h Demands,
    facts: Vec<Fact>,
    depth: usize,
}

/// What a rule says: nothing, or why it does not apply.
type Follows = Result<(), String>;

const TOO_LARGE: &str = "a number is too large";

fn large<T>(value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| TOO_LARGE.to_owned())
}

fn demand(holds: bool, otherwise: &str) -> Follows {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

impl<'h> Lines<'h> {
    pub(crate) fn new(hypotheses: &'h Hypotheses, goal: &'h Demands) -> Lines<'h> {
        Lines { hypotheses, goal, facts: Vec::new(), depth: 0 }
    }

    /// Adds a line that follows from those before.
    pub(crate) fn add(&mut self, line: &Line) -> Result<(), Refused> {
        let number = self.facts.len();
        let refused = |reason| Refused { line: Some(number), reason };
        let claim = large(Fact::of(&line.claim)).map_err(refused)?;
        if let Rule::Cases { on, first, second } = &line.rule {
            let on = large(Sum::exact(on)).map_err(refused)?;
            let negative = large(on.subtracted_from(-1)).map_err(refused)?;
            self.block(first, &Fact::Nonneg(on), &claim)?;
            self.block(second, &Fact::Nonneg(negative), &claim)?;
        } else {
            self.follows(&claim, line)
                .map_err(|reason| refused(format!("{claim} does not follow: {reason}")))?;
        }
        self.facts.push(claim);
        Ok(())
    }

    /// Whether a line says this, or what this follows from as anything does.
    pub(crate) fn shows(&self, line: usize, wanted: &Fact) -> bool {
        self.facts.get(line).is_some_and(|fact| fact == wanted || fact.is_absurd())
    }

    fn block(&mut self, block: &Block, assumed: &Fact, claim: &Fact) -> Result<(), Refused> {
        let start = self.facts.len();
        let refused = |reason: &str| Refused { line: Some(start), reason: reason.to_owned() };
        let Some((first, rest)) = block.lines.split_first() else { return Err(refused("an empty block")) };
        if first.rule != Rule::Assumed || Fact::of(&first.claim).as_ref() != Some(assumed) {
            return Err(refused("a block assumes something other than its case"));
        }
        if self.depth == NESTING_LIMIT {
            return Err(refused("cases nest too deep"));
        }
        self.depth += 1;
        self.facts.push(assumed.clone());
        for line in rest {
            self.add(line)?;
        }
        let shown = self.shows(block.shows, claim);
        self.facts.truncate(start);
        self.depth -= 1;
        if shown { Ok(()) } else { Err(refused("a block does not show the claim of its cases")) }
    }

    fn follows(&self, claim: &Fact, line: &Line) -> Follows {
        match &line.rule {
            Rule::Given(_) => {
                let given = self.hypotheses.claims.iter().any(|(given, _)| *given == line.claim);
                demand(given, "it is no hypothesis")
            }
            Rule::Range(var) => self.range(claim, *var),
            Rule::Premise => demand(self.goal.premises.contains(claim), "the goal does not grant it"),
            Rule::Assumed => Err("only the first line of a block is assumed".to_owned()),
            Rule::Definition { var, poly, low, high } => self.definition(claim, *var, poly, [*low, *high]),
            Rule::Division { division, shown } => self.division(claim, division, shown),
            Rule::Sum { scale, terms } => self.sum(claim, *scale, terms),
            Rule::Cases { .. } => Err("cases are blocks".to_owned()),
            Rule::Apart { nonzero, nonneg } => {
                let Fact::Nonzero(apart) = self.at(*nonzero)? else { return Err("no inequation".to_owned()) };
                let side = self.nonneg(*nonneg)?;
                let opposite = large(apart.subtracted_from(0))?;
                demand(side == apart || *side == opposite, "the lines are about different numbers")?;
                let positive = large(side.plus(&Sum::number(-1), 1))?;
                demand(*claim == Fact::Nonneg(positive), "the lines say something else")
            }
            Rule::Both { low, high } => {
                let (low, high) = (self.nonneg(*low)?, self.nonneg(*high)?);
                demand(large(low.subtracted_from(0))? == *high, "the lines are not opposite")?;
                demand(*claim == Fact::Zero(low.clone()), "the lines say something else")
            }
        }
    }

    fn at(&self, line: usize) -> Result<&Fact, String> {
        self.facts.get(line).ok_or_else(|| format!("there is no line {line} before it"))
    }

    fn nonneg(&self, line: usize) -> Result<&Sum, String> {
        match self.at(line)? {
            Fact::Nonneg(sum) => Ok(sum),
            Fact::Zero(_) | Fact::Nonzero(_) => Err(format!("line {line} is no inequality")),
        }
    }

    /// A variable of the program is an i64.
    fn range(&self, claim: &Fact, var: Var) -> Follows {
        demand(!self.goal.points.contains(&var.tag), "an index of a point is no variable of the program")?;
        let sum = Sum::var(var);
        let (low, high) = (large(sum.plus(&Sum::number(LEAST), -1))?, large(sum.subtracted_from(MOST))?);
        demand(*claim == Fact::Nonneg(low) || *claim == Fact::Nonneg(high), "it is no bound of i64")
    }

    /// A definition modulo 2^64 of what is an i64.
    /// The value is an i64, as the variable is, or less than 2^64 away from the variable: on each side one of the two. So they are less
    /// than 2^64 away from each other, and as they are equal modulo 2^64, they are equal.
    fn definition(&self, claim: &Fact, var: Var, poly: &Poly, bounds: [usize; 2]) -> Follows {
        let known = self.hypotheses.definitions.iter().any(|(other, value)| *other == var && value == poly);
        demand(known, "the program does not define it so")?;
        let value = large(Sum::poly(poly))?;
        let difference = large(Sum::var(var).plus(&value, -1))?;
        let low = large(value.plus(&Sum::number(LEAST), -1))?;
        let high = large(value.subtracted_from(MOST))?;
        let less = large(difference.subtracted_from(WRAPS - 1))?;
        let more = large(difference.plus(&Sum::number(WRAPS - 1), 1))?;
        let shown = self.nonneg(bounds[0])?;
        demand(
            *shown == low || *shown == less,
            "it is not shown to be at least -2^63, or close to the variable",
        )?;
        let shown = self.nonneg(bounds[1])?;
        demand(
            *shown == high || *shown == more,
            "it is not shown to be at most 2^63 - 1, or close to the variable",
        )?;
        demand(*claim == Fact::Zero(difference), "the definition is another")
    }

    /// What a quotient and a remainder of i64 satisfy, where the divisor is at least 1 and the dividend at least 0, or where quotients
    /// are rounded down: only the quotient may be negative then, and not further below 0 than the dividend.
    fn division(&self, claim: &Fact, division: &Division, shown: &[usize; 4]) -> Follows {
        demand(self.hypotheses.divisions.contains(division), "the program does not divide so")?;
        let (dividend, divisor) =
            (large(Sum::poly(&division.dividend))?, large(Sum::poly(&division.divisor))?);
        let less = large(divisor.plus(&Sum::number(-1), 1))?;
        // How far the dividend is shown to be below 0 at most: the quotient is not farther.
        let below = large(self.nonneg(shown[0])?.plus(&dividend, -1))?.as_number();
        let below = below.filter(|below| *below == 0 || division.floors && *below > 0);
        let below = Sum::number(below.ok_or("the dividend is not shown to be large enough")?);
        let needed = [
            large(dividend.plus(&below, 1))?,
            large(dividend.subtracted_from(MOST))?,
            less.clone(),
            large(divisor.subtracted_from(MOST))?,
        ];
        for (line, needed) in shown.iter().zip(&needed) {
            demand(self.nonneg(*line)? == needed, "a bound of its operands is not shown")?;
        }
        let quotient = Sum::var(division.quotient);
        let rest = large(quotient.times(&divisor).and_then(|product| dividend.plus(&product, -1)))?;
        let remainder = division.remainder.map_or(rest.clone(), Sum::var);
        let equation = Fact::Zero(large(rest.plus(&remainder, -1))?);
        let less = Fact::Nonneg(large(less.plus(&remainder, -1))?);
        let least = Fact::Nonneg(large(quotient.plus(&below, 1))?);
        let facts = [least, Fact::Nonneg(remainder), less, equation];
        demand(facts.contains(claim), "division says nothing of the kind")
    }

    /// `scale · claim` is a sum of what is not negative, or zero, and a constant greater than `-scale`, or zero.
    fn sum(&self, claim: &Fact, scale: i128, terms: &[Term]) -> Follows {
        demand(scale >= 1, "the scale is not positive")?;
        let mut rest = large(Sum::default().plus(claim.sum(), scale))?;
        let mut all_zero = true;
        for Term { multiplier, factors } in terms {
            let mut product = large(Sum::exact(multiplier))?;
            let (mut zero, mut nonneg) = (false, product.as_number().is_some_and(|n| n >= 0));
            for line in factors {
                let fact = self.at(*line)?;
                zero |= matches!(fact, Fact::Zero(_));
                nonneg &= matches!(fact, Fact::Nonneg(_));
                product = large(product.times(fact.sum()))?;
            }
            demand(zero || nonneg, "a term may be negative")?;
            all_zero &= zero;
            rest = large(rest.plus(&product, -1))?;
        }
        let rest = rest.as_number().ok_or_else(|| format!("{rest} is left of the sum"))?;
        match claim {
            Fact::Nonneg(_) => demand(rest > -scale, "the sum falls short"),
            Fact::Zero(_) => demand(all_zero && rest == 0, "the sum is not known to be zero"),
            Fact::Nonzero(_) => Err("a sum never shows that".to_owned()),
        }
    }
}
