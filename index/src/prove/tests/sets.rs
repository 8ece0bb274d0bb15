//! Containment, injectivity, bounds, unions.

use super::check::check;
use super::*;

#[track_caller]
fn expect(facts: &Facts, found: &Answer, answer: &str, what: &str) {
    assert_eq!(word(found), answer, "{what} where {facts:?}: {found:?}");
    if let Answer::Proved(derivation) = found {
        check(facts, derivation).unwrap();
    }
}

#[test]
fn containment() {
    for (known, inner, outer, answer) in [
        ("0 <= i < n", "i*m, m:1", "0, n:m, m:1", "proved"),
        ("0 <= i < n", "i*m, m:1", "0, n*m:1", "proved"),
        ("0 <= i <= n", "i*m, m:1", "0, n:m, m:1", "refuted"),
        ("0 <= j < m", "j, n:m", "0, n:m, m:1", "proved"),
        ("1 <= n", "n-1, n:-1", "0, n:1", "proved"),
        ("", "0, n:1", "n-1, n:-1", "proved"),
        ("0 <= n", "0, n:2", "0, 2*n:1", "proved"),
        ("0 <= n", "0, 2*n:1", "0, n:2", "refuted"),
        ("n = 0", "7, n:1", "0, m:1", "proved"),
        ("2 <= n", "m+1, n-2:m, m-2:1", "0, n:m, m:1", "proved"),
        ("n = m", "0, n:m, m:1", "0, m:n, n:1", "proved"),
        ("1 <= k", "3", "3, k:0", "proved"),
        ("0 <= k", "3", "3, k:0", "refuted"),
    ] {
        let facts = facts(known);
        let found = contained(&facts, &lmad(inner), &lmad(outer));
        expect(&facts, &found, answer, &format!("{inner} in {outer}"));
    }
}

#[test]
fn injectivity() {
    for (known, set, answer) in [
        ("", "i, n:m, m:1", "proved"),
        ("", "i, n:-m, m:1", "proved"),
        ("", "i, m:1, n:m", "proved"),
        ("m <= k", "0, n:k, m:1", "proved"),
        ("", "0, n:k, m:1", "refuted"),
        ("2 <= n", "0, n:0", "refuted"),
        ("n <= 1", "0, n:0", "proved"),
        ("1 <= m", "0, n:m+1, m:1", "proved"),
        ("1 <= m", "0, n:2*m, m:2", "proved"),
        ("1 <= b, n = q*b+1, 2 <= q, 0 <= i < q", "0, i+1:n*b-b, b:n, b:1", "proved"),
        ("1 <= n", "0, n:n+1", "proved"),
        ("", "0, 2:3, 2:2", "proved"),
        ("", "0, 3:2, 2:4", "refuted"),
    ] {
        let facts = facts(known);
        let found = injective(&facts, &lmad(set));
        expect(&facts, &found, answer, set);
    }
}

#[test]
fn bounds() {
    for (known, set, size, answer) in [
        ("0 <= i < n", "i*m, m:1", "n*m", "proved"),
        ("", "0, n:m, m:1", "n*m", "proved"),
        ("", "0, n:m, m:1", "n*m-1", "refuted"),
        ("", "n-1, n:-1", "n", "proved"),
        ("0 <= i, i+k <= n", "i, k:1", "n", "proved"),
        ("0 <= i, i+k <= n+1", "i, k:1", "n", "refuted"),
        ("n = 0", "7, n:1", "0", "proved"),
        ("n = q*b+1, 2 <= q, 1 <= b, 0 <= i < q", "i*b+n+1, i+1:n*b-b, b:n, b:1", "n*n", "proved"),
    ] {
        let facts = facts(known);
        let found = within(&facts, &lmad(set), &poly(size));
        expect(&facts, &found, answer, &format!("{set} within {size}"));
    }
}

#[test]
fn unions_over_a_counter() {
    for (known, set, bound, union) in [
        ("", "i*m, m:1", "n", "0, n:m, m:1"),
        ("", "i+j*m", "n", "j*m, n:1"),
        ("0 <= n", "j*n, i:1", "n", "j*n, n-1:1"),
        ("0 <= n", "j*n+i, n-i:1", "n", "j*n, n:1"),
        ("", "n-1-i", "n", "n-1, n:-1"),
        ("0 <= n", "0, n:i", "n", "0, n*n-2*n+2:1"),
        ("0 <= m", "i*i, 3:m", "n", ""),
        ("", "j, m:1", "n", "j, m:1"),
    ] {
        let mut facts = facts(known);
        let found = aggregate(&mut facts, &lmad(set), var('i'), &poly(bound));
        let expected = (!union.is_empty()).then(|| lmad(union));
        assert_eq!(found, expected, "{set} over i < {bound} where {known}");
    }
    // All rows after row i.
    let mut facts = facts("0 <= i < n");
    let later = aggregate_from(&mut facts, &lmad("j*m, m:1"), var('j'), &poly("i+1"), &poly("n")).unwrap();
    assert_eq!(later, lmad("i*m+m, n-i-1:m, m:1"));
    assert!(disjoint(&facts, &lmad("i*m, m:1"), &later).is_proved());
}

#[test]
fn unions_as_lists() {
    let facts = facts("0 <= i < n, 0 <= m");
    let mut sets = Vec::new();
    for set in ["i*m, m:1", "n*m", "i*m, m:1", "0, n:m, m:1", "0, i*m:1"] {
        unite(&facts, &mut sets, lmad(set));
    }
    assert_eq!(sets, [lmad("n*m"), lmad("0, n:m, m:1"), lmad("0, i*m:1")]);
}

/// Where no numbers were found either, the answer says which inequality was missing, without the indices of points.
#[test]
fn what_was_lacking() {
    let mut known = facts("0 <= i, 0 <= k");
    // Nothing is known of w, which may wrap.
    known.define(var('w'), poly("k*k*k*1000000007"));
    let wanted = |answer: &Answer| match answer {
        Answer::Unknown(lacking) => lacking.iter().map(Poly::to_string).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let found = within(&known, &lmad("w, k:1"), &poly("w+k+i"));
    assert_eq!(wanted(&found), ["w_14"]);
}
