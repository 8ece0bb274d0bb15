//! The prover against enumeration: sets of numbers, and sets with variables at many values of these.

use super::check::check;
use super::*;
use crate::lmad::{ConcreteLmad, LmadDim};
use quickcheck::{Gen, QuickCheck};
use std::collections::{BTreeMap, BTreeSet};

/// A supply of numbers that is the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }
}

fn set(lmad: &ConcreteLmad) -> BTreeSet<i64> {
    lmad.addresses().collect()
}

fn evidence(facts: &Facts, answer: &Answer) {
    if let Answer::Proved(derivation) = answer {
        check(facts, derivation).unwrap_or_else(|error| panic!("{error} of {derivation:?}"));
    }
}

/// How often to draw: `FUN_PROGRAMS` times, or what is quick.
fn rounds(otherwise: usize) -> usize {
    std::env::var("FUN_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// All pairs of sets of one dimension with small sizes, strides and distances: nothing is left unknown.
#[test]
fn small_sets_exhaustively() {
    let dims: Vec<(i64, i64)> =
        (0..=3).flat_map(|size| [-3, -1, 0, 1, 2, 3].map(|stride| (size, stride))).collect();
    let facts = Facts::new();
    for (k, left) in dims.iter().enumerate() {
        for right in &dims[..=k] {
            for offset in [-4, -1, 0, 1, 2] {
                let left = ConcreteLmad { offset: 0, dims: vec![*left] };
                let right = ConcreteLmad { offset, dims: vec![*right] };
                let expected = if set(&left).is_disjoint(&set(&right)) { "proved" } else { "refuted" };
                let answer = disjoint(&facts, &left.symbolic(), &right.symbolic());
                evidence(&facts, &answer);
                assert_eq!(word(&answer), expected, "{left:?} {right:?}: {answer:?}");
            }
        }
    }
}

/// Constants of any size, with what is known of one set.
#[test]
fn sets_of_numbers() {
    fn property(left: ConcreteLmad, right: ConcreteLmad) -> bool {
        let facts = Facts::new();
        let (a, b) = (left.symbolic(), right.symbolic());
        let size = Poly::constant(9);
        let answers = [
            (disjoint(&facts, &a, &b), set(&left).is_disjoint(&set(&right))),
            (contained(&facts, &a, &b), set(&left).is_subset(&set(&right))),
            (injective(&facts, &a), left.len() == set(&left).len() as u64),
            (within(&facts, &a, &size), set(&left).iter().all(|at| (0..9).contains(at))),
        ];
        answers.iter().all(|(answer, expected)| {
            evidence(&facts, answer);
            match answer {
                Answer::Proved(_) => *expected,
                Answer::Refuted(_) => !*expected,
                Answer::Unknown(_) => *expected,
            }
        })
    }
    QuickCheck::new()
        .rng(Gen::new(30))
        .tests(rounds(40) as u64)
        .quickcheck(property as fn(ConcreteLmad, ConcreteLmad) -> bool);
}

/// Values of the variables that satisfy all facts.
fn models(facts: &Facts, vars: &[Var], random: &mut Random) -> Vec<BTreeMap<Var, i64>> {
    let mut found = Vec::new();
    for _ in 0..400 {
        let values: BTreeMap<Var, i64> = vars.iter().map(|var| (*var, random.below(7) as i64 - 1)).collect();
        let at =
            |claim: &derivation::Claim| claim.poly().eval(&|var| values.get(&var).map(|v| i128::from(*v)));
        let holds = facts.claims().all(|claim| match claim {
            derivation::Claim::Nonneg(_) => at(claim).is_some_and(|value| value >= 0),
            derivation::Claim::Zero(_) => at(claim) == Some(0),
            derivation::Claim::Nonzero(_) => at(claim).is_some_and(|value| value != 0),
        });
        if holds {
            found.push(values);
        }
    }
    found
}

/// Facts and sets over five variables, at the values that satisfy the facts.
#[test]
fn sets_with_variables() {
    let letters = ['i', 'j', 'm', 'n', 'b'];
    let vars: Vec<Var> = letters.iter().map(|c| var(*c)).collect();
    let known = [
        "0 <= i < n, 0 <= j < n",
        "i < j",
        "1 <= m",
        "0 <= i < m",
        "n = m",
        "n = i*b+1",
        "0 <= b",
        "2 <= n",
        "i != j",
        "n = m*b",
        "j = i+1",
        "1 <= b, 0 <= i, i*b < n",
        "0 <= m <= n",
        "b = 2",
        "i <= j < i+b",
    ];
    let offsets = [
        "0", "i", "j", "i*m", "j*m", "i*n", "j*n", "i*n+j", "n-1", "i*b", "(i+1)*b", "j*n+i", "i*(n+1)",
        "m*n",
    ];
    let sizes = ["n", "m", "b", "i", "n-i", "2", "n-j", "3", "1"];
    let strides = ["1", "m", "n", "b", "-1", "n-1", "2", "n*b-b", "n+1", "0", "-m"];
    let rounds = rounds(80);
    let seed = std::env::var("FUN_SEED").ok().and_then(|text| text.parse().ok());
    let mut random = Random(seed.unwrap_or(7));
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for _ in 0..rounds {
        let text: Vec<&str> = (0..=random.below(4)).map(|_| random.choose(&known)).collect();
        let mut facts = facts(&text.join(","));
        let mut draw = || {
            let dims = (0..random.below(3)).map(|_| LmadDim {
                size: poly(random.choose(&sizes)),
                stride: poly(random.choose(&strides)),
            });
            let dims = dims.collect();
            Lmad { offset: poly(random.choose(&offsets)), dims }
        };
        let (left, mut right) = (draw(), draw());
        if random.below(3) == 0 {
            // Sets that have to do with each other.
            right = Lmad { offset: left.offset.clone(), dims: [left.dims.as_slice(), &right.dims].concat() };
        }
        let size = poly(random.choose(&["n*m", "n*n", "n", "m*n*b", "5"]));
        let goal = right.offset.sub(&left.offset);
        let union = aggregate(&mut facts, &left, var('i'), &Poly::var(var('n')));
        let answers = [
            ("disjoint", disjoint(&facts, &left, &right)),
            ("contained", contained(&facts, &left, &right)),
            ("injective", injective(&facts, &left)),
            ("within", within(&facts, &left, &size)),
            ("nonneg", super::nonneg(&facts, &goal)),
            ("zero", zero(&facts, &goal)),
        ];
        let models = models(&facts, &vars, &mut random);
        for (name, answer) in &answers {
            evidence(&facts, answer);
            let holds = |values: &BTreeMap<Var, i64>| {
                let number = |lmad: &Lmad| lmad.eval(&mut |var| values.get(&var).copied()).unwrap();
                let value = |poly: &Poly| poly.eval(&mut |var| values.get(&var).copied()).unwrap();
                let (left, right) = (number(&left), number(&right));
                match *name {
                    "disjoint" => set(&left).is_disjoint(&set(&right)),
                    "contained" => set(&left).is_subset(&set(&right)),
                    "injective" => left.len() == set(&left).len() as u64,
                    "within" => set(&left).iter().all(|at| (0..value(&size)).contains(at)),
                    "nonneg" => value(&goal) >= 0,
                    _ => value(&goal) == 0,
                }
            };
            let entry = counts.entry(name).or_default();
            match answer {
                Answer::Proved(_) => {
                    entry[0] += 1;
                    let wrong = models.iter().find(|values| !holds(values));
                    assert!(wrong.is_none(), "{name} {left} {right} where {text:?} at {wrong:?}");
                }
                Answer::Refuted(witness) => {
                    entry[1] += 1;
                    let mut values: BTreeMap<Var, i64> = witness.values.iter().copied().collect();
                    vars.iter().for_each(|var| _ = values.entry(*var).or_insert(0));
                    assert!(!holds(&values), "{name} {left} {right} where {text:?}: {witness:?}");
                }
                Answer::Unknown(_) => entry[2] += 1,
            }
        }
        if let Some(union) = union {
            for values in &models {
                let all = union.eval(&mut |var| values.get(&var).copied()).unwrap();
                for i in 0..values[&var('n')] {
                    let one =
                        left.eval(&mut |v| if v == var('i') { Some(i) } else { values.get(&v).copied() });
                    assert!(
                        set(&one.unwrap()).is_subset(&set(&all)),
                        "{left} over i < n in {union} at {values:?}"
                    );
                }
            }
        }
    }
    // Enough of each kind for the test to mean something.
    for (name, [proved, refuted, _]) in &counts {
        assert!(*proved * 40 > rounds && *refuted * 40 > rounds, "{name}: {counts:?}");
    }
}
