//! The text form of sets: printing, and a parser for what is printed and a little more (`or`, `not`, `exists`, `mod`, `floor`).

use super::affine::{Affine, Exact, Refusal, Work};
use super::{Condition, Set, Space};
use std::fmt;
use std::sync::Arc;

/// How deep a formula may nest.
const NESTING_LIMIT: usize = 100;

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.space.params.is_empty() {
            write!(f, "[{}] -> ", self.space.params.join(", "))?;
        }
        if self.pieces.is_empty() {
            return write!(f, "{{ [{}] : false }}", self.space.dims.join(", "));
        }
        let names: Vec<&str> = self.space.dims.iter().chain(&self.space.params).map(String::as_str).collect();
        f.write_str("{ ")?;
        for (k, piece) in self.pieces.iter().enumerate() {
            let separator = if k == 0 { "" } else { "; " };
            write!(f, "{separator}[{}]", self.space.dims.join(", "))?;
            for (k, condition) in piece.conditions().iter().enumerate() {
                f.write_str(if k == 0 { " : " } else { " and " })?;
                write_condition(f, condition, &names)?;
            }
        }
        f.write_str(" }")
    }
}

/// With what is subtracted on the other side: `j + 1 <= i`.
fn write_condition(f: &mut fmt::Formatter<'_>, condition: &Condition, names: &[&str]) -> fmt::Result {
    let of = condition.affine();
    if let Condition::Residue { modulus, most, .. } = condition {
        f.write_str("(")?;
        write_sum(f, of, names, 1)?;
        let relation = if *most == 0 { "=" } else { "<=" };
        return write!(f, ") mod {modulus} {relation} {most}");
    }
    let equation = matches!(condition, Condition::Zero(_));
    if equation {
        write_sum(f, of, names, 1)?;
        f.write_str(" = ")?;
        return write_sum(f, of, names, -1);
    }
    // of >= 0 is negative part <= positive part; a constant of -1 makes that strict.
    let (relation, constant) = if of.constant == -1 { (" < ", 0) } else { (" <= ", of.constant) };
    let sides = Affine { coefficients: of.coefficients.clone(), constant };
    write_sum(f, &sides, names, -1)?;
    f.write_str(relation)?;
    write_sum(f, &sides, names, 1)
}

/// The terms of one sign, made positive; 0 if there are none.
fn write_sum(f: &mut fmt::Formatter<'_>, of: &Affine, names: &[&str], sign: i128) -> fmt::Result {
    let mut first = true;
    let terms = of.coefficients.iter().zip(names.iter().map(|name| Some(*name)));
    for (coefficient, name) in terms.chain([(&of.constant, None)]) {
        if coefficient.signum() != sign {
            continue;
        }
        f.write_str(if first { "" } else { " + " })?;
        first = false;
        match (coefficient.unsigned_abs(), name) {
            (1, Some(name)) => f.write_str(name)?,
            (size, name) => write!(f, "{size}{}", name.unwrap_or(""))?,
        }
    }
    if first { f.write_str("0") } else { Ok(()) }
}

/// Reads a set; the error says what is wrong and at which byte.
pub fn parse_set(text: &str, work: &mut Work) -> Result<Set, String> {
    let mut parser = Parser { text, at: 0, names: Vec::new(), depth: 0, work };
    let set = parser.set().map_err(|error| format!("{error} (at byte {})", parser.at))?;
    Ok(set)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// Names of columns in scope: dimensions, parameters, bound variables.
    names: Vec<String>,
    depth: usize,
    work: &'t mut Work,
}

type Parse<T> = Result<T, String>;

/// Divisions in an atom: the columns after those in scope are their quotients, bounded by these conditions.
#[derive(Default)]
struct Divisions {
    count: usize,
    conditions: Vec<Condition>,
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> String {
        refusal.to_string()
    }
}

impl<'t> Parser<'t> {
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest();
        let word = token.starts_with(char::is_alphabetic);
        let ends =
            |rest: &str| !word || !rest[token.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let found = rest.starts_with(token) && ends(rest);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) -> Parse<()> {
        if self.eat(token) { Ok(()) } else { Err(format!("expected `{token}`")) }
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len());
        let name = &rest[..end];
        let keyword = ["and", "or", "not", "exists", "mod", "floor", "true", "false"].contains(&name);
        if keyword || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        self.at += end;
        Some(name.to_owned())
    }

    fn number(&mut self) -> Parse<Option<i128>> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        match &rest[..end] {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| "a number that is too large".to_owned()),
        }
    }

    fn names(&mut self) -> Parse<Vec<String>> {
        self.expect("[")?;
        let mut names = Vec::new();
        while !self.eat("]") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            names.push(self.name().ok_or("expected a name")?);
        }
        Ok(names)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == NESTING_LIMIT {
            return Err(format!("nested deeper than {NESTING_LIMIT} levels"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn set(&mut self) -> Parse<Set> {
        let mut params = Vec::new();
        if self.rest().starts_with('[') {
            params = self.names()?;
            self.expect("->")?;
        }
        self.expect("{")?;
        let mut result: Option<Set> = None;
        while !self.eat("}") {
            if result.is_some() {
                self.expect(";")?;
            }
            let dims = self.names()?;
            self.names = dims.iter().chain(&params).cloned().collect();
            let mut piece = if self.eat(":") { self.formula()? } else { self.universe() };
            piece.space = Arc::new(Space { dims, params: params.clone() });
            result = Some(match result {
                None => piece,
                Some(result) => result.union(&piece, self.work)?,
            });
        }
        if self.rest().is_empty() {
            result.ok_or_else(|| "no tuple".to_owned())
        } else {
            Err("more text".to_owned())
        }
    }

    /// All columns in scope as dimensions.
    fn universe(&self) -> Set {
        Set::universe(Arc::new(Space { dims: self.names.clone(), params: Vec::new() }))
    }

    fn formula(&mut self) -> Parse<Set> {
        let mut sum = self.conjunction()?;
        while self.eat("or") {
            let next = self.conjunction()?;
            sum = sum.union(&next, self.work)?;
        }
        Ok(sum)
    }

    fn conjunction(&mut self) -> Parse<Set> {
        let mut product = self.unit()?;
        while self.eat("and") {
            let next = self.unit()?;
            product = product.intersect(&next, self.work)?;
        }
        Ok(product)
    }

    fn unit(&mut self) -> Parse<Set> {
        if self.eat("not") {
            let inner = self.nested(Self::unit)?;
            return Ok(inner.complement(self.work)?);
        }
        if self.eat("true") {
            return Ok(self.universe());
        }
        if self.eat("false") {
            return Ok(Set::empty(self.universe().space));
        }
        if self.eat("exists") {
            return self.nested(Self::exists);
        }
        let start = self.at;
        match self.chain() {
            Ok(set) => Ok(set),
            Err(error) => {
                let reached = self.at;
                self.at = start;
                if !self.eat("(") {
                    self.at = reached;
                    return Err(error);
                }
                let inner = self.nested(Self::formula)?;
                self.expect(")")?;
                Ok(inner)
            }
        }
    }

    fn exists(&mut self) -> Parse<Set> {
        let outer = self.names.len();
        loop {
            let name = self.name().ok_or("expected a name")?;
            self.names.push(name);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(":")?;
        let inner = self.formula();
        let width = self.names.len();
        self.names.truncate(outer);
        Ok(inner?.project_out(outer..width, self.work)?)
    }

    /// `expression relation expression relation …`
    fn chain(&mut self) -> Parse<Set> {
        let mut divisions = Divisions::default();
        let mut left = self.expression(&mut divisions)?;
        let (mut conditions, mut unequal) = (Vec::new(), Vec::new());
        loop {
            let relations = ["<=", ">=", "!=", "<", ">", "="];
            let Some(relation) = relations.into_iter().find(|relation| self.eat(relation)) else { break };
            let right = self.expression(&mut divisions)?;
            let (up, down) = (right.sub(&left)?, left.sub(&right)?);
            conditions.push(match relation {
                "<=" => Condition::Nonneg(up),
                ">=" => Condition::Nonneg(down),
                "<" => Condition::Nonneg(up.plus(-1)?),
                ">" => Condition::Nonneg(down.plus(-1)?),
                "=" => Condition::Zero(up),
                _ => {
                    unequal.push(up);
                    left = right;
                    continue;
                }
            });
            left = right;
        }
        if conditions.is_empty() && unequal.is_empty() {
            return Err("expected a relation".to_owned());
        }
        let outer = self.names.len();
        let width = outer + divisions.count;
        let dims = (0..width).map(|k| self.names.get(k).cloned().unwrap_or_default()).collect();
        let space = Arc::new(Space { dims, params: Vec::new() });
        let widen = |condition: &Condition| condition.map(|of| of.add(&Affine::constant(width, 0)));
        let all = conditions.iter().chain(&divisions.conditions).map(widen).collect::<Exact<Vec<_>>>()?;
        let mut set = Set::new(space.clone(), all)?;
        for difference in unequal {
            let zero = widen(&Condition::Zero(difference))?;
            set = set.subtract(&Set::new(space.clone(), [zero])?, self.work)?;
        }
        Ok(set.project_out(outer..width, self.work)?)
    }

    fn expression(&mut self, divisions: &mut Divisions) -> Parse<Affine> {
        let mut sum = Affine::constant(0, 0);
        let mut sign = if self.eat("-") { -1 } else { 1 };
        loop {
            let term = self.term(divisions)?;
            sum = sum.combine(1, &term, sign)?;
            sign = match () {
                () if self.eat("+") => 1,
                () if !self.rest().starts_with("->") && self.eat("-") => -1,
                () => return Ok(sum),
            };
        }
    }

    fn term(&mut self, divisions: &mut Divisions) -> Parse<Affine> {
        let mut product = self.factor(divisions)?.ok_or("expected an expression")?;
        loop {
            if self.eat("mod") {
                let modulus = self.modulus()?;
                let quotient = self.quotient(&product, modulus, divisions)?;
                product = product.combine(1, &quotient, -modulus)?;
                continue;
            }
            let star = self.eat("*");
            let factor = match (self.factor(divisions)?, star) {
                (Some(factor), _) => factor,
                (None, false) => return Ok(product),
                (None, true) => return Err("expected a factor".to_owned()),
            };
            product = match (product.is_constant(), factor.is_constant()) {
                (true, _) => factor.scale(product.constant)?,
                (false, true) => product.scale(factor.constant)?,
                (false, false) => return Err("a product of two variables is not affine".to_owned()),
            };
        }
    }

    fn factor(&mut self, divisions: &mut Divisions) -> Parse<Option<Affine>> {
        if let Some(number) = self.number()? {
            return Ok(Some(Affine::constant(0, number)));
        }
        if self.eat("floor") {
            self.expect("(")?;
            let of = self.nested(|parser| parser.expression(divisions))?;
            self.expect("/")?;
            let modulus = self.modulus()?;
            self.expect(")")?;
            return Ok(Some(self.quotient(&of, modulus, divisions)?));
        }
        if self.eat("(") {
            let inner = self.nested(|parser| parser.expression(divisions))?;
            self.expect(")")?;
            return Ok(Some(inner));
        }
        let Some(name) = self.name() else { return Ok(None) };
        let column = self.names.iter().rposition(|known| *known == name);
        let column = column.ok_or_else(|| format!("`{name}` is not in scope"))?;
        Ok(Some(Affine::column(column + 1, column)))
    }

    fn modulus(&mut self) -> Parse<i128> {
        match self.number()? {
            Some(modulus) if modulus > 0 => Ok(modulus),
            _ => Err("expected a positive number".to_owned()),
        }
    }

    /// A new column: the quotient of an expression rounded down.
    fn quotient(&mut self, of: &Affine, modulus: i128, divisions: &mut Divisions) -> Parse<Affine> {
        let column = self.names.len() + divisions.count;
        divisions.count += 1;
        let quotient = Affine::column(column + 1, column);
        let remainder = of.combine(1, &quotient, -modulus)?;
        divisions.conditions.push(Condition::Nonneg(remainder.scale(-1)?.plus(modulus - 1)?));
        divisions.conditions.push(Condition::Nonneg(remainder));
        Ok(quotient)
    }
}
