//! Parsing of polynomials and LMADs, the inverse of their `Display`.

use crate::lmad::{Lmad, LmadDim};
use crate::poly::{Monomial, Poly};
use fun_base::text::{Cursor, Parse, Token};

/// `poly "+" "{" ("(" poly ":" poly ")")* "}"`, size and stride of each dimension.
pub fn parse_lmad(c: &mut Cursor) -> Parse<Lmad> {
    let offset = parse_poly(c)?;
    c.expect_punct("+")?;
    c.expect_punct("{")?;
    let mut dims = Vec::new();
    while !c.eat_punct("}") {
        c.expect_punct("(")?;
        let size = parse_poly(c)?;
        c.expect_punct(":")?;
        let stride = parse_poly(c)?;
        c.expect_punct(")")?;
        dims.push(LmadDim { size, stride });
    }
    Ok(Lmad { offset, dims })
}

/// `term ("+" term)*` where a term is `[int "*"] var ("*" var)*` or an integer.
pub fn parse_poly(c: &mut Cursor) -> Parse<Poly> {
    let mut sum = parse_term(c)?;
    while c.is_punct("+") && *c.peek_second() != Token::Punct("{") {
        c.advance();
        sum = sum.add(&parse_term(c)?);
    }
    Ok(sum)
}

fn parse_term(c: &mut Cursor) -> Parse<Poly> {
    let coefficient = if c.is_var() { 1 } else { c.int()? };
    let mut factors = Monomial::new();
    if c.is_var() {
        factors.push(c.var()?);
    }
    while c.eat_punct("*") {
        factors.push(c.var()?);
    }
    Ok(Poly::term(factors, coefficient))
}
