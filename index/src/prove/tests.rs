//! The prover against what is known, and against enumeration.

mod check;
mod enumeration;
mod integers;
mod obligations;
mod sets;

use super::*;

/// Variables by letter: `n_0` and so on would be hard to read in the tables below.
const LETTERS: &str = "abijkmnpqrstuvw";

fn var(letter: char) -> Var {
    let tag = LETTERS.find(letter).expect("a letter of the tests");
    Var::new(letter.to_string().as_str(), tag as u32)
}

/// Letters become variables; `-` may be written between terms, and products in parentheses.
fn poly(text: &str) -> Poly {
    let mut parser = Parser { text: text.chars().filter(|c| !c.is_whitespace()).collect(), at: 0 };
    let result = parser.sum();
    assert_eq!(parser.at, parser.text.len(), "{text}");
    result
}

struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn sum(&mut self) -> Poly {
        let mut sum = if self.peek() == Some('-') { Poly::default() } else { self.product() };
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.at += 1;
            sum = sum.add(&self.product().scale(if sign == '-' { -1 } else { 1 }));
        }
        sum
    }

    fn product(&mut self) -> Poly {
        let mut product = self.factor();
        while self.peek().is_some_and(|c| !"+-)".contains(c)) {
            if self.peek() == Some('*') {
                self.at += 1;
            }
            product = product.mul(&self.factor());
        }
        product
    }

    fn factor(&mut self) -> Poly {
        let c = self.peek().expect("a factor");
        if c == '(' {
            self.at += 1;
            let sum = self.sum();
            self.at += 1;
            return sum;
        }
        if c.is_ascii_digit() {
            let digits: String = self.text[self.at..].iter().take_while(|c| c.is_ascii_digit()).collect();
            self.at += digits.len();
            return Poly::constant(digits.parse().expect("a number"));
        }
        self.at += 1;
        Poly::var(var(c))
    }
}

/// `offset, size:stride, size:stride …`
fn lmad(text: &str) -> Lmad {
    let mut parts = text.split(',');
    let offset = poly(parts.next().expect("an offset"));
    let dims = parts.map(|dim| {
        let (size, stride) = dim.split_once(':').expect("size:stride");
        crate::lmad::LmadDim { size: poly(size), stride: poly(stride) }
    });
    Lmad { offset, dims: dims.collect() }
}

/// `a < b`, `a <= b`, `a = b`, `a != b`, separated by commas.
fn facts(text: &str) -> Facts {
    let mut facts = Facts::new();
    for fact in text.split(',').filter(|fact| !fact.trim().is_empty()) {
        let parts: Vec<&str> = fact.split_whitespace().collect();
        let at = |k: usize| poly(parts[k]);
        // Chains such as 0 <= i < n.
        for k in (1..parts.len()).step_by(2) {
            let (left, right) = (at(k - 1), at(k + 1));
            match parts[k] {
                "<" => facts.assume_nonneg(right.sub(&left).sub(&Poly::constant(1)), Why::Assumed),
                "<=" => facts.assume_nonneg(right.sub(&left), Why::Assumed),
                "=" => facts.assume_zero(left.sub(&right), Why::Assumed),
                "!=" => facts.assume_nonzero(left.sub(&right), Why::Assumed),
                other => panic!("{other}"),
            }
        }
    }
    facts
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Proved(_) => "proved",
        Answer::Refuted(_) => "refuted",
        Answer::Unknown(_) => "unknown",
    }
}
