//! Every operation against enumeration of a small box, which the random sets are cut down to.

mod isl;
mod refutations;

use super::*;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};
use std::collections::BTreeSet;

const BOX: i128 = 5;

/// A set of two dimensions and a parameter within the box.
#[derive(Clone, Debug)]
struct Small(Vec<Vec<Condition>>);

impl Arbitrary for Small {
    fn arbitrary(g: &mut Gen) -> Small {
        let pieces = 1 + usize::arbitrary(g) % 2;
        Small((0..pieces).map(|_| (0..1 + usize::arbitrary(g) % 3).map(|_| condition(g)).collect()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Small>> {
        let mut smaller = Vec::new();
        for piece in 0..self.0.len() {
            let mut less = self.clone();
            less.0.remove(piece);
            smaller.push(less);
            for at in 0..self.0[piece].len() {
                let mut less = self.clone();
                less.0[piece].remove(at);
                smaller.push(less);
                for k in 0..4 {
                    let mut less = self.clone();
                    let (Condition::Zero(of) | Condition::Nonneg(of) | Condition::Residue { of, .. }) =
                        &mut less.0[piece][at];
                    let number = if k < 3 { &mut of.coefficients[k] } else { &mut of.constant };
                    if *number != 0 {
                        *number -= number.signum();
                        smaller.push(less);
                    }
                }
            }
        }
        Box::new(smaller.into_iter())
    }
}

fn condition(g: &mut Gen) -> Condition {
    let mut number = |most: i128| i128::from(i8::arbitrary(g)) % (most + 1);
    let of = Affine { coefficients: (0..3).map(|_| number(4)).collect(), constant: number(9) };
    let modulus = 2 + number(3).abs();
    let most = number(2).abs().min(modulus - 1);
    match number(2) {
        0 => Condition::Zero(of),
        1 | -1 => Condition::Nonneg(of),
        _ => Condition::Residue { of, modulus, most },
    }
}

fn space() -> Arc<Space> {
    Arc::new(Space::new(&["i", "j"], &["n"]))
}

/// `-BOX ≤ column ≤ BOX` for all columns.
fn within_box(width: usize) -> Vec<Condition> {
    let sides = |k| {
        let column = Affine::column(width, k);
        [column.plus(BOX), column.scale(-1).unwrap().plus(BOX)].map(|of| Condition::Nonneg(of.unwrap()))
    };
    (0..width).flat_map(sides).collect()
}

fn points(width: usize) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..width {
        all = all.iter().flat_map(|p| (-BOX..=BOX).map(|x| [p.as_slice(), &[x]].concat())).collect();
    }
    all
}

impl Small {
    fn set(&self) -> Set {
        let mut set = Set::empty(space());
        for piece in &self.0 {
            let conditions = piece.iter().cloned().chain(within_box(3));
            let piece = Set::new(space(), conditions).unwrap();
            set = set.union(&piece, &mut Work::default()).unwrap();
        }
        set
    }

    /// Its points by the conditions as they were drawn.
    fn points(&self) -> BTreeSet<Vec<i128>> {
        let holds = |p: &Vec<i128>| self.0.iter().any(|piece| piece.iter().all(|c| c.holds(p).unwrap()));
        points(3).into_iter().filter(holds).collect()
    }
}

fn members(set: &Set) -> BTreeSet<Vec<i128>> {
    points(set.space().width()).into_iter().filter(|point| set.contains(point).unwrap()).collect()
}

/// So many cases hold; those that are discarded do not count.
fn check<A: quickcheck::Testable>(tests: u64, property: A) {
    QuickCheck::new().tests(tests).min_tests_passed(tests).quickcheck(property);
}

#[test]
fn operations_are_those_of_sets_of_points() {
    fn property(a: Small, b: Small) -> bool {
        let mut work = Work::default();
        let (left, right) = (a.set(), b.set());
        let (p, q) = (a.points(), b.points());
        assert_eq!(members(&left), p);
        assert_eq!(members(&left.union(&right, &mut work).unwrap()), &p | &q);
        assert_eq!(members(&left.intersect(&right, &mut work).unwrap()), &p & &q);
        assert_eq!(members(&left.subtract(&right, &mut work).unwrap()), &p - &q);
        let all: BTreeSet<_> = points(3).into_iter().collect();
        assert_eq!(members(&left.complement(&mut work).unwrap()), &all - &p);
        assert_eq!(left.is_empty(&mut work), Ok(p.is_empty()));
        assert_eq!(left.is_subset(&right, &mut work), Ok(p.is_subset(&q)));
        assert_eq!(left.equals(&right, &mut work), Ok(p == q));
        assert_eq!(left.is_disjoint(&right, &mut work), Ok(p.is_disjoint(&q)));
        true
    }
    check(40, property as fn(Small, Small) -> bool);
}

#[test]
fn projections_are_shadows_of_points() {
    fn property(a: Small, first: bool, both: bool) -> bool {
        let mut work = Work::default();
        let dims = if both {
            0..2
        } else if first {
            0..1
        } else {
            1..2
        };
        let without = |p: &Vec<i128>| [&p[..dims.start], &p[dims.end..]].concat();
        let expected: BTreeSet<Vec<i128>> = a.points().iter().map(without).collect();
        members(&a.set().project_out(dims.clone(), &mut work).unwrap()) == expected
    }
    check(60, property as fn(Small, bool, bool) -> bool);
}

#[test]
fn images_and_preimages_are_those_of_points() {
    fn property(a: Small, map: Vec<(i8, i8, i8, i8)>) -> TestResult {
        if map.len() < 2 {
            return TestResult::discard();
        }
        let mut work = Work::default();
        let number = |n: i8| i128::from(n % 3);
        let of = |(i, j, n, c): &(i8, i8, i8, i8)| Affine {
            coefficients: vec![number(*i), number(*j), number(*n)],
            constant: number(*c),
        };
        let map: Vec<Affine> = map[..2].iter().map(of).collect();
        let put =
            |p: &Vec<i128>| -> Vec<i128> { map.iter().map(|of| of.eval(p).unwrap()).chain([p[2]]).collect() };
        let all: BTreeSet<Vec<i128>> = points(3).into_iter().collect();
        let inside = a.points();
        let image: BTreeSet<_> = inside.iter().map(put).filter(|p| all.contains(p)).collect();
        assert_eq!(members(&a.set().image(space(), &map, &mut work).unwrap()), image);
        let preimage: BTreeSet<_> = all.iter().filter(|p| inside.contains(&put(p))).cloned().collect();
        assert_eq!(members(&a.set().preimage(space(), &map, &mut work).unwrap()), preimage);
        TestResult::passed()
    }
    check(20, property as fn(Small, Vec<(i8, i8, i8, i8)>) -> TestResult);
}

#[test]
fn least_and_greatest_points_are_those_of_enumeration() {
    fn compare(a: &Small) -> Exact<()> {
        let mut work = Work::default();
        let (set, points) = (a.set(), a.points());
        let at = |point: Option<&Vec<i128>>| point.map_or(Extreme::Empty, |p| Extreme::At(p.clone()));
        assert_eq!(set.least(&mut work)?, at(points.first()));
        assert_eq!(set.greatest(&mut work)?, at(points.last()));
        assert_eq!(set.sample(&mut work)?.is_none(), points.is_empty());
        assert!(set.sample(&mut work)?.is_none_or(|point| points.contains(&point)));
        let of = |n: i128| points.iter().filter(move |p| p[2] == n);
        let least: BTreeSet<_> = (-BOX..=BOX).filter_map(|n| of(n).next().cloned()).collect();
        let greatest: BTreeSet<_> = (-BOX..=BOX).filter_map(|n| of(n).next_back().cloned()).collect();
        assert_eq!(members(&set.least_points(&mut work)?), least);
        assert_eq!(members(&set.greatest_points(&mut work)?), greatest);
        for n in [-1, 0, 3] {
            let fixed = set.at_params(&[n], &mut work)?;
            assert_eq!(fixed.least(&mut work)?, at(of(n).next().map(|p| p[..2].to_vec()).as_ref()));
        }
        Ok(())
    }
    // (of some ten thousand sets, one has a union of so many remainders that the work runs out)
    fn property(a: Small) -> TestResult {
        match compare(&a) {
            Err(Refusal::Work) => TestResult::discard(),
            answer => TestResult::from_bool(answer == Ok(())),
        }
    }
    check(15, property as fn(Small) -> TestResult);
}

#[test]
fn text_comes_back() {
    fn property(a: Small) -> bool {
        let mut work = Work::default();
        let text = a.set().to_string();
        let back = parse_set(&text, &mut work).unwrap_or_else(|error| panic!("{text}: {error}"));
        back.equals(&a.set(), &mut work).unwrap()
    }
    check(40, property as fn(Small) -> bool);
}

/// With little work to spend or huge numbers there is the same answer or none.
#[test]
fn limits_give_no_answer_rather_than_a_wrong_one() {
    fn property(a: Small, steps: u16, shift: u8) -> bool {
        let factor = 1i128 << (shift % 120);
        let scaled =
            a.0.iter()
                .map(|piece| piece.iter().map(|c| c.map(|of| of.scale(factor))).collect::<Exact<Vec<_>>>());
        let Ok(pieces) = scaled.collect::<Exact<Vec<_>>>() else { return true };
        // Equations and inequalities mean the same at any scale; remainders do not.
        let remainders = pieces.iter().flatten().any(|c| matches!(c, Condition::Residue { .. }));
        let expected = if remainders { a.points() } else { Small(pieces.clone()).points() };
        let set = if remainders { a.set() } else { Small(pieces).set() };
        let answer = set.is_empty(&mut Work::new(u64::from(steps % 200)));
        answer == Ok(expected.is_empty()) || matches!(answer, Err(Refusal::Work | Refusal::Overflow))
    }
    check(300, property as fn(Small, u16, u8) -> bool);
}

fn parse(text: &str) -> Set {
    parse_set(text, &mut Work::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn empty(text: &str) -> bool {
    parse(text).is_empty(&mut Work::default()).unwrap()
}

#[test]
fn sets_that_only_the_integers_make_empty() {
    // Pugh's example: real points, no integer ones, neither the real nor the dark shadow tells.
    assert!(empty("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 }"));
    assert!(empty("{ [x, y] : 4x + 6y = 7 }"));
    assert!(empty("{ [x, y, z] : 6x + 10y + 15z = 1 and 0 <= x <= 4 and 0 <= y <= 2 and z = 0 }"));
    assert!(!empty("{ [x, y, z] : 6x + 10y + 15z = 1 }"));
    assert!(empty("[n] -> { [x] : 3n + 1 <= 3x <= 3n + 2 }"));
    assert!(empty("{ [x] : x mod 2 = 0 and x mod 4 = 3 }"));
    assert!(empty("{ [x] : 1000000 x = 1 }"));
    assert!(!empty("{ [x, y] : 1000003 x - 1000033 y = 1 }"));
}

#[test]
fn projections_with_gaps() {
    let same = |text: &str, expected: &str| {
        assert!(
            parse(text).equals(&parse(expected), &mut Work::default()).unwrap(),
            "{text}: {}",
            parse(text)
        );
    };
    same("{ [x] : exists y : 2x = 3y + 1 }", "{ [x] : x mod 3 = 2 }");
    same("{ [z] : exists x, y : z = 6x + 9y }", "{ [z] : z mod 3 = 0 }");
    same(
        "{ [z] : exists x, y : z = 3x + 5y and x >= 0 and y >= 0 }",
        "{ [z] : z >= 8 or z = 0 or z = 3 or z = 5 or z = 6 }",
    );
    same("{ [x] : exists y : 5x <= 3y <= 5x + 1 }", "{ [x] : x mod 3 <= 1 and x mod 3 >= 0 }");
    same("{ [x] : not (x mod 5 = 2) }", "{ [x] : (x + 2) mod 5 <= 3 }");
    same("{ [x] : floor(x / 4) = 2 }", "{ [x] : 8 <= x <= 11 }");
    same("[n] -> { [x] : exists i : 0 <= i < n and x = 2i }", "[n] -> { [x] : 0 <= x < 2n and x mod 2 = 0 }");
}

/// All pairs of bounds `l ≤ a·x - b·y ≤ l + w` and `0 ≤ c·x + d·y ≤ 20` with small numbers: emptiness against a search.
#[test]
fn emptiness_of_all_small_pairs_of_bounds() {
    for (a, b) in [(2, 3), (3, 5), (4, 6), (5, 7), (6, 4)] {
        for (c, d) in [(1, 2), (3, 2), (5, 4), (7, 3)] {
            for (low, width) in (-3..4).flat_map(|low| (0..3).map(move |width| (low, width))) {
                let text = format!(
                    "{{ [x, y] : {low} <= {a}x - {b}y <= {} and 11 <= {c}x + {d}y <= 13 }}",
                    low + width
                );
                let text = text.replace("{ [x, y] : -", "{ [x, y] : 0 - ");
                let holds = |x: i128, y: i128| {
                    let (p, q) = (a * x - b * y, c * x + d * y);
                    low <= p && p <= low + width && (11..=13).contains(&q)
                };
                let found = (-30..=30).any(|x| (-30..=30).any(|y| holds(x, y)));
                assert_eq!(empty(&text), !found, "{text}");
            }
        }
    }
}

/// A remainder says nothing about where a variable lies, also where only one side of it is bounded, or none.
#[test]
fn remainders_are_no_bounds() {
    for (modulus, most, shift) in [(3, 1, 1), (5, 1, 0), (5, 3, 4), (7, 2, 6)] {
        for bound in
            ["i <= 0 - 10", "i >= 20", "2i + j <= 0 - 30 and 0 <= j <= 1", "i = 3j + 2 and j <= 0 - 9"]
        {
            let text = format!("{{ [i, j] : (i + {shift}) mod {modulus} <= {most} and {bound} }}");
            assert!(!empty(&text), "{text}");
        }
    }
    assert!(empty("{ [i] : i mod 5 <= 1 and 0 - 8 <= i <= 0 - 6 }"));
    assert_eq!(
        parse("{ [i] : (i + 1) mod 3 <= 1 and i <= 0 - 12 }").greatest(&mut Work::default()),
        Ok(Extreme::At(vec![-12]))
    );
}

#[test]
fn what_is_no_set_is_refused() {
    for text in [
        "",
        "{",
        "{ [i] : j = 0 }",
        "{ [i] : i * i = 0 }",
        "{ [i] : i mod 0 = 0 }",
        "{ [i] } x",
        "{ [i] : 99999999999999999999999999999999999999999 = i }",
    ] {
        assert!(parse_set(text, &mut Work::default()).is_err(), "{text}");
    }
    let deep = format!("{{ [i] : {}i = 0{} }}", "(".repeat(9999), ")".repeat(9999));
    assert!(parse_set(&deep, &mut Work::default()).is_err());
    let (one, two) = (parse("{ [i] : i = 0 }"), parse("{ [i, j] : i = 0 }"));
    assert_eq!(one.intersect(&two, &mut Work::default()), Err(Refusal::Space));
    assert_eq!(one.contains(&[]), Err(Refusal::Space));
}

#[test]
fn unbounded_sets_have_no_least_point() {
    let mut work = Work::default();
    assert_eq!(parse("{ [i] : i mod 3 = 1 }").least(&mut work), Ok(Extreme::Unbounded));
    assert_eq!(parse("{ [i] : i mod 3 = 1 and i > 1 }").least(&mut work), Ok(Extreme::At(vec![4])));
    assert_eq!(parse("{ [i, j] : i = 2j and j <= 7 }").greatest(&mut work), Ok(Extreme::At(vec![14, 7])));
    assert_eq!(parse("{ [i] : i mod 1000 = 999 and i mod 999 = 5 }").sample(&mut work), Ok(Some(vec![5999])));
}
