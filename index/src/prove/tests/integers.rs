//! Inequalities; definitions, divisions and products that may wrap; numbers at the ends of i64.

use super::check::check;
use super::*;

#[track_caller]
fn expect(facts: &Facts, goal: &str, answer: &str) {
    let found = nonneg(facts, &poly(goal));
    assert_eq!(word(&found), answer, "{goal} ≥ 0 where {facts:?}: {found:?}");
    if let Answer::Proved(derivation) = found {
        check(facts, &derivation).unwrap();
    }
}

#[test]
fn inequalities() {
    let known = facts("0 <= i < n, 0 <= j < m, 1 <= b, 3 <= q");
    for (goal, answer) in [
        ("0", "proved"),
        ("3*n*m + i*j + 2", "proved"),
        ("n*m - 1 - i*m - j", "proved"),
        ("(i+1)*m - 1 - i*m - j", "proved"),
        ("n*m - i*m - j - 2", "refuted"),
        ("q*b - 3*b", "proved"),
        ("q*b - 3", "proved"),
        ("q*b - 3*b - 1", "refuted"),
        ("q*q*b*b - q - b", "proved"),
        ("q*q*b*b - q - b - 5", "proved"),
        ("q*q*b*b - q - b - 6", "refuted"),
        ("q*q*b - 3*q*b", "proved"),
        ("q*q*b - 4*q*b", "refuted"),
        ("n*m*b - 1 - i*m*b - j*b", "proved"),
        ("n - i - j", "refuted"),
        ("n + m - i - j - 2", "proved"),
        ("n*n - i*i - 1", "proved"),
        ("-1", "refuted"),
        ("w", "refuted"),
    ] {
        expect(&known, goal, answer);
    }
    // Between integers there is nothing: 2·i ≤ 2·n - 1 is i ≤ n - 1.
    expect(&facts("2*i <= 2*n-1"), "n - 1 - i", "proved");
    expect(&facts("3*i + 3*j <= 7".replace(" + ", "+").as_str()), "2 - i - j", "proved");
    expect(&facts("0 <= i, i != 0"), "i - 1", "proved");
    expect(&facts("i <= 0, i != 0"), "-1 - i", "proved");
    // What contradicts itself implies anything.
    expect(&facts("i < j, j < i"), "0 - 1 - k*k - i", "proved");
    expect(&facts("2*i = 2*j+1"), "i - 5", "proved");
    expect(&facts("1 <= 0"), "i - 5", "proved");
}

#[test]
fn equations() {
    let known = facts("n = q*b+r, m = n-r, i < j, j < i+2");
    for (goal, answer) in
        [("m - q*b", "proved"), ("j - i - 1", "proved"), ("n*n - m*n - r*n", "proved"), ("m - q", "refuted")]
    {
        let found = zero(&known, &poly(goal));
        assert_eq!(word(&found), answer, "{goal} = 0: {found:?}");
        if let Answer::Proved(derivation) = found {
            check(&known, &derivation).unwrap();
        }
    }
}

#[test]
fn definitions_that_may_wrap_are_no_equations() {
    // w = i*m modulo 2^64 with i < n says nothing of w, unless an array of n*m elements exists.
    let mut known = facts("0 <= i < n, 0 <= m");
    let before = known.mark();
    known.define(var('w'), poly("i*m"));
    expect(&known, "w", "unknown");
    assert!(!known.exact(&poly("i*m")));
    assert_eq!(known.expand(&poly("w + i")), poly("i*m + i"));
    known.reset(before);
    assert_eq!(known.expand(&poly("w")), poly("w"));
    known.assume_nonneg(Poly::constant(i64::MAX).sub(&poly("n*m")), Why::Extent(var('a')));
    known.define(var('w'), poly("i*m"));
    expect(&known, "w", "proved");
    expect(&known, "n*m - m - w", "proved");
    // One more than a bounded number is a number; one more than any number is not.
    known.define(var('u'), poly("i+1"));
    expect(&known, "u - 1", "proved");
    known.define(var('v'), poly("m+1"));
    expect(&known, "v", "unknown");
    // But if it is not negative, it did not wrap.
    known.assume_nonneg(poly("v"), Why::Assumed);
    expect(&known, "v - 1", "proved");
    expect(&known, "v - m - 1", "proved");
    // A product of square roots is a number; so is one of what is at most such a root.
    let mut known = facts("1 <= b, 0 <= i, i*b+b+1 <= n, j = i*b+1");
    known.assume_nonneg(Poly::constant(3_037_000_499).sub(&poly("n")), Why::Assumed);
    known.define(var('w'), poly("n*j"));
    let product = zero(&known, &poly("w - n*j"));
    let Answer::Proved(derivation) = product else { panic!("{product:?}") };
    check(&known, &derivation).unwrap();
    // A definition by itself would be no definition.
    known.define(var('t'), poly("t+1"));
    expect(&known, "0 - 1", "refuted");
}

#[test]
fn divisions() {
    let mut known = facts("0 <= n, 1 <= b");
    known.divide(var('q'), Some(var('r')), poly("n"), poly("b"));
    expect(&known, "n - q*b", "proved");
    expect(&known, "q*b + b - 1 - n", "proved");
    expect(&known, "b - 1 - r", "proved");
    let mut known = facts("0 <= n");
    known.divide(var('q'), None, poly("n"), poly("2"));
    expect(&known, "n - 2*q", "proved");
    expect(&known, "2*q + 1 - n", "proved");
    expect(&known, "n - q", "proved");
    // Rounded down, the remainder is not negative for a negative dividend either; a quotient of at least 1 says that it is not.
    let mut known = facts("1 <= b, 0 <= i");
    known.divide_down(var('q'), None, poly("n"), poly("b"));
    expect(&known, "n - q*b", "proved");
    expect(&known, "q*b + b - 1 - n", "proved");
    expect(&known, "q", "unknown");
    known.assume_nonneg(poly("q - i - 1"), Why::Assumed);
    expect(&known, "n - i*b - b", "proved");
    let mut known = facts("1 <= b");
    known.assume_nonneg(poly("n + 1"), Why::Assumed);
    known.divide_down(var('q'), None, poly("n"), poly("b"));
    expect(&known, "q + 1", "proved");
    expect(&known, "q", "unknown");
    // Nothing is known of the quotient where the divisor may be 0 or the dividend negative, or wraps.
    for (facts_, dividend, divisor) in
        [("0 <= n", "n", "b"), ("1 <= b", "n", "b"), ("0 <= n, 1 <= b", "2*n", "b")]
    {
        let mut known = facts(facts_);
        known.divide(var('q'), Some(var('r')), poly(dividend), poly(divisor));
        expect(&known, "q", "unknown");
    }
}

/// Of a multiple of the divisor and a little more the quotient is known, and no other is taken for it.
#[test]
fn quotients_of_multiples() {
    let (i, b) = (var('i'), var('b'));
    let found = |dividend: &Poly, quotient: &Poly| {
        let mut known = facts("0 <= i, 4 <= b, 4*i*b+9*b <= 1000000");
        known.divide(var('q'), None, dividend.clone(), Poly::var(b));
        let answer = zero(&known, &Poly::var(var('q')).sub(quotient));
        if let Answer::Proved(derivation) = &answer {
            check(&known, derivation).unwrap();
        }
        answer.is_proved()
    };
    let multiple = |times: i64, more: i64| Poly::var(i).scale(times).add(&Poly::constant(more));
    for (times, more, rest) in (0..3).flat_map(|t| (1..3).flat_map(move |m| (-5..6).map(move |r| (t, m, r))))
    {
        let dividend = multiple(times, more).mul(&Poly::var(b)).add(&Poly::constant(rest));
        for beside in -2..=2 {
            let quotient = multiple(times, more + beside);
            let value = |poly: &Poly, x, y| poly.eval(&mut |var| Some(if var == i { x } else { y })).unwrap();
            let holds = (0..4)
                .flat_map(|x| (4..9).map(move |y| (x, y)))
                .all(|(x, y)| value(&dividend, x, y).div_euclid(y) == value(&quotient, x, y));
            let proved = found(&dividend, &quotient);
            assert!(holds || !proved, "({dividend}) / b is not {quotient}");
            let expected = beside == 0 && (0..4).contains(&rest) || beside == -1 && (-4..0).contains(&rest);
            assert!(proved || !expected, "({dividend}) / b is {quotient}");
        }
    }
}

/// What is at most the number of elements of an array is an i64; what is only nearly so may not be.
#[test]
fn below_the_size_of_an_array() {
    let most = i64::MAX;
    let known = facts(&format!("1 <= b, 3 <= q, 0 <= t < q, 0 <= k <= t, q*q*b*b <= {most}"));
    for goal in ["q*q", "q + 1", "k*q + t + 1", "b*b*(k*q + t + 1)", "q*b*t + b"] {
        expect(&known, &format!("{most} - ({goal})"), "proved");
        assert!(known.exact(&poly(goal)));
    }
    for goal in ["2*q*q", "q*q*b*b + 1", "b*b*(k*q + t + 2)*q"] {
        assert!(!nonneg(&known, &poly(&format!("{most} - ({goal})"))).is_proved(), "{goal}");
        assert!(!known.exact(&poly(goal)));
    }
}

#[test]
fn scopes() {
    let mut known = facts("0 <= n");
    let mark = known.mark();
    expect(&known, "n - 1", "refuted");
    known.assume_nonzero(poly("n"), Why::Assumed);
    expect(&known, "n - 1", "proved");
    known.reset(mark);
    expect(&known, "n - 1", "refuted");
    known.assume_nonneg(poly("n - 5"), Why::Assumed);
    expect(&known, "n - 1", "proved");
}

#[test]
fn ends_of_the_integers() {
    let most = Poly::constant(i64::MAX);
    let known = Facts::new();
    // Every variable is an i64.
    let fits = |goal: Poly| nonneg(&known, &goal).is_proved();
    assert!(fits(most.sub(&poly("i"))));
    assert!(!fits(most.sub(&poly("i")).sub(&Poly::constant(1))));
    // The bounds are -2^63 and 2^63 - 1, and 2^63 is not an i64: nothing wraps to a wrong fact.
    assert!(!fits(poly("i").add(&Poly::constant(i64::MAX))));
    assert!(!fits(poly("i").add(&Poly::constant(i64::MIN))));
    let huge = Poly::constant(i64::MAX);
    let mut known = facts("0 <= i < n");
    known.assume_nonneg(huge.mul(&poly("i")).sub(&poly("n")), Why::Assumed);
    let (big, product) = (huge.mul(&poly("i*i*n")), huge.mul(&poly("n*n")));
    for goal in [big.sub(&product), product.sub(&big), big.mul(&poly("i")).sub(&poly("n"))] {
        if let Answer::Proved(derivation) = nonneg(&known, &goal) {
            check(&known, &derivation).unwrap();
        }
    }
    let lmad = |offset: i64, size: i64, stride: i64| {
        crate::lmad::ConcreteLmad { offset, dims: vec![(size, stride)] }.symbolic()
    };
    let far = lmad(i64::MAX, i64::MAX, i64::MAX);
    assert_eq!(word(&disjoint(&known, &far, &lmad(0, 10, 1))), "proved");
    assert_eq!(word(&disjoint(&known, &far, &lmad(i64::MIN, i64::MAX, 1))), "proved");
    assert_eq!(word(&within(&known, &lmad(0, i64::MAX, 1), &Poly::constant(i64::MAX))), "proved");
    // 2^62 · 4 is 2^64 and not 0.
    let wide = lmad(0, 5, 1 << 62);
    assert_eq!(word(&injective(&known, &wide)), "proved");
    assert_ne!(word(&within(&known, &wide, &Poly::constant(i64::MAX))), "proved");
}

/// The same question has the same answer, and one that is too hard ends.
#[test]
fn hard_questions_end() {
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut known = Facts::new();
    for pair in letters.windows(3) {
        let [a, b, c] = [pair[0], pair[1], pair[2]].map(|letter| Poly::var(var(letter)));
        known.assume_nonneg(a.mul(&b).sub(&c.mul(&c)).add(&a), Why::Assumed);
        known.assume_nonneg(a.mul(&c).sub(&b), Why::Assumed);
        known.assume_nonzero(a.sub(&b), Why::Assumed);
    }
    let (left, right) =
        (lmad("a*b, c:d, e:f".replace(['c', 'd', 'e', 'f'], "k").as_str()), lmad("i*j*m, n:p, q:r, s:t"));
    let answers = [known.clone(), known].map(|known| disjoint(&known, &left, &right));
    assert_eq!(answers[0], answers[1]);
    assert_eq!(word(&answers[0]), "unknown");
}

/// Steps of different sizes in one set lead to bounds of indices by each other: what is lacking is then said without going in circles.
#[test]
fn indices_that_bound_each_other() {
    let dims = vec![(4, 4), (2, 2), (2, 32), (1, 1)];
    let set = crate::lmad::ConcreteLmad { offset: 5, dims }.symbolic();
    assert_ne!(word(&injective(&Facts::new(), &set)), "refuted");
}

/// What a stencil computes: each definition rests on the one before, and only the bound of the loop says that there is a cell.
#[test]
fn definitions_of_definitions() {
    let mut known = facts("0 <= n, 0 <= i < m");
    known.define(var('m'), poly("n-2"));
    known.define(var('j'), poly("i+1"));
    known.define(var('k'), poly("j+1"));
    known.define(var('p'), poly("j-1"));
    // (that m does not wrap is too far from k to be looked for there)
    for text in ["m", "j", "k", "p", "n-1-j", "n-1-k", "n-1-p"] {
        assert_eq!(word(&super::super::nonneg(&known, &poly(text))), "proved", "{text}");
    }
    // Over what was made longer by one twice.
    let mut known = facts("0 <= n, 0 <= m");
    known.define(var('m'), poly("n-2"));
    known.define(var('p'), poly("m+1"));
    known.define(var('q'), poly("p+1"));
    assert_eq!(word(&zero(&known, &poly("n-q"))), "proved");
    assert_eq!(word(&zero(&known, &poly("n-p-1"))), "proved");
}

/// What a computation says is looked for once, however often it is forgotten and comes again, and whatever else comes before it then.
#[test]
fn what_was_found_out_is_kept() {
    let mut known = facts("0 <= m < 1000");
    let before = known.mark();
    let walk = |known: &mut Facts, goal: &str| {
        known.assume_nonneg(poly("i"), Why::Assumed);
        known.assume_nonneg(poly("m - i - 1"), Why::Assumed);
        known.define(var('w'), poly("i*m + m"));
        expect(known, goal, "proved");
        let looked_for = known.memory.borrow().tried(known.computed[0].number, &known.path);
        known.reset(before);
        looked_for.is_some()
    };
    assert!(walk(&mut known, "w"));
    assert!(walk(&mut known, "w + 1"));
    known.assume_nonneg(poly("k"), Why::Assumed);
    let before = known.mark();
    known.assume_nonneg(poly("i"), Why::Assumed);
    known.assume_nonneg(poly("m - i - 1"), Why::Assumed);
    known.define(var('w'), poly("i*m + m"));
    expect(&known, "w + 2", "proved");
    assert!(known.memory.borrow().tried(known.computed[0].number, &known.path).is_none());
    // What it rests on must be there.
    known.reset(before);
    known.assume_nonneg(poly("i"), Why::Assumed);
    known.define(var('w'), poly("i*m + m"));
    expect(&known, "w + 2", "unknown");
}

/// The degree doubles with each: the thirtieth would have a billion factors.
#[test]
fn chains_of_squares_end() {
    for as_definitions in [false, true] {
        let mut facts = facts("1 <= n");
        let mut last = var('n');
        for k in 0..40 {
            let next = Var::new("square", 100 + k);
            let square = Poly::var(last).mul(&Poly::var(last));
            facts.assume_nonneg(Poly::var(next), Why::Assumed);
            if as_definitions {
                facts.define(next, square);
            } else {
                facts.assume_zero(Poly::var(next).sub(&square), Why::Assumed);
            }
            last = next;
        }
        assert!(facts.expand(&Poly::var(last)).degree() <= 32);
        assert_eq!(word(&nonneg(&facts, &Poly::var(last))), "proved", "known as it is");
        assert_eq!(
            word(&nonneg(&facts, &Poly::var(last).scale(-1))),
            "unknown",
            "not so: its values are not tried"
        );
    }
}
