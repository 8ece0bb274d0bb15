//! Polynomials are a ring, and mean what their evaluation says.

use super::Poly;
use crate::lmad::Lmad;
use crate::text::{parse_lmad, parse_poly};
use fun_base::name::{Symbol, Var};
use fun_base::source::Source;
use fun_base::text::Cursor;
use quickcheck::{Arbitrary, Gen, quickcheck};

impl Arbitrary for Poly {
    fn arbitrary(g: &mut Gen) -> Poly {
        let coefficients = [0, 1, -1, 2, -3, 7, i64::MAX, i64::MIN];
        (0..usize::arbitrary(g) % 5).fold(Poly::default(), |sum, _| {
            let monomial = (0..usize::arbitrary(g) % 4).map(|_| variable(u32::arbitrary(g) % 3)).collect();
            sum.add(&Poly::term(monomial, *g.choose(&coefficients).unwrap()))
        })
    }
}

fn variable(tag: u32) -> Var {
    Var::new(["n", "size_of_x", "k1"][tag as usize % 3], tag)
}

fn eval(poly: &Poly, at: &[i64; 3]) -> i64 {
    poly.eval(&mut |var| at.get(var.tag as usize).copied()).unwrap()
}

fn read<T>(text: &str, parse: impl Fn(&mut Cursor) -> fun_base::text::Parse<T>) -> T {
    let source = Source { name: Symbol::new("t"), text: text.into() };
    let mut cursor = Cursor::new(&source, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
    let value = parse(&mut cursor).unwrap_or_else(|error| panic!("{text}: {error}"));
    cursor.end().unwrap();
    value
}

quickcheck! {
    fn operations_are_those_of_wrapping_integers(a: Poly, b: Poly, x: i64, y: i64, z: i64) -> bool {
        let at = [x, y, z];
        let (p, q) = (eval(&a, &at), eval(&b, &at));
        eval(&a.add(&b), &at) == p.wrapping_add(q)
            && eval(&a.sub(&b), &at) == p.wrapping_sub(q)
            && eval(&a.mul(&b), &at) == p.wrapping_mul(q)
            && eval(&a.scale(x), &at) == p.wrapping_mul(x)
    }

    fn equal_by_algebra_is_equal_by_text(a: Poly, b: Poly, c: Poly) -> bool {
        a.add(&b) == b.add(&a)
            && a.mul(&b) == b.mul(&a)
            && a.mul(&b.add(&c)) == a.mul(&b).add(&a.mul(&c))
            && a.mul(&b.mul(&c)) == a.mul(&b).mul(&c)
            && a.sub(&a) == Poly::default()
    }

    fn substitution_then_evaluation(a: Poly, b: Poly, x: i64, y: i64, z: i64) -> bool {
        let put = a.subst(&mut |var| if var.tag == 0 { b.clone() } else { Poly::var(var) });
        eval(&put, &[x, y, z]) == eval(&a, &[eval(&b, &[x, y, z]), y, z])
    }

    fn constants_and_variables_are_recognised(a: Poly) -> bool {
        let constant = a.as_constant().is_none_or(|n| a == Poly::constant(n));
        constant && a.as_var().is_none_or(|var| a == Poly::var(var))
    }

    fn text_comes_back(a: Poly) -> bool {
        read(&a.to_string(), parse_poly) == a
    }

    fn text_of_lmads_comes_back(offset: Poly, sizes: Vec<Poly>, stride: Poly) -> bool {
        let mut lmad = Lmad::row_major(offset, &sizes[..sizes.len().min(3)]);
        if let Some(dim) = lmad.dims.last_mut() {
            dim.stride = stride;
        }
        read(&lmad.to_string(), parse_lmad) == lmad
    }
}

#[test]
fn text_is_canonical() {
    let (n, m) = (Poly::var(variable(0)), Poly::var(variable(1)));
    let poly = Poly::constant(5).sub(&m.scale(2)).add(&n.mul(&n)).add(&n.mul(&m).scale(3));
    assert_eq!(poly.to_string(), "n_0*n_0 + 3*n_0*size_of_x_1 + -2*size_of_x_1 + 5");
    assert_eq!(Poly::default().to_string(), "0");
}
