//! Derivations of the prover are accepted; changed ones are refused, unless what they then say is true for all small numbers.

mod changes;
mod enumeration;

use crate::{check, check_all, check_evidence};
use fun_base::name::Symbol;
use fun_base::rng::Rng;
use fun_base::source::Source;
use fun_base::text::{Cursor, Parse};
use fun_index::certificate::{Certificate, Decision, Evidence};
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use fun_index::prove::{self, Answer, Facts, Why};
use fun_index::text::{parse_lmad, parse_poly};

fn read<T>(text: &str, parse: impl Fn(&mut Cursor) -> Parse<T>) -> T {
    let source = Source { name: Symbol::new("t"), text: text.into() };
    let mut cursor = Cursor::new(&source, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
    let value = parse(&mut cursor).unwrap_or_else(|error| panic!("{text}: {error}"));
    cursor.end().unwrap_or_else(|error| panic!("{text}: {error}"));
    value
}

fn poly(text: &str) -> Poly {
    read(text, parse_poly)
}

fn lmad(text: &str) -> Lmad {
    read(text, parse_lmad)
}

/// `poly >= 0` for each text; `= ` before it for an equation, `!` for an inequation.
fn facts(texts: &[&str]) -> Facts {
    let mut facts = Facts::new();
    for text in texts {
        if let Some(text) = text.strip_prefix("= ") {
            facts.assume_zero(poly(text), Why::Assumed);
        } else if let Some(text) = text.strip_prefix("! ") {
            facts.assume_nonzero(poly(text), Why::Assumed);
        } else {
            facts.assume_nonneg(poly(text), Why::Assumed);
        }
    }
    facts
}

/// Facts, and two sets that they make disjoint. (Variables: i_1 j_2 m_3 n_4 b_5 q_6 k_7.)
const DISJOINT: &[(&[&str], &str, &str)] = &[
    (&["m_3 + -1"], "i_1*m_3 + {(m_3 : 1)}", "i_1*m_3 + m_3 + {(m_3 : 1)}"),
    (&["j_2 + -1*i_1 + -1", "m_3"], "i_1*m_3 + {(m_3 : 1)}", "j_2*m_3 + {(m_3 : 1)}"),
    (&["i_1", "j_2 + -1*i_1 + -1", "m_3 + -1*j_2 + -1"], "i_1 + {(n_4 : m_3)}", "j_2 + {(n_4 : m_3)}"),
    (&[], "0 + {(n_4 : 2)}", "1 + {(n_4 : 2)}"),
    (&["n_4 + -1"], "n_4 + -1 + {(n_4 : -1)}", "n_4 + {(n_4 : 1)}"),
    (&["= n_4"], "0 + {(n_4 : 1)}", "0 + {(5 : 1)}"),
    (
        &["i_1", "j_2 + -1*i_1 + -1", "n_4 + -1*j_2 + -1"],
        "i_1*n_4 + {(i_1 : 1)}",
        "j_2*n_4 + i_1 + {(n_4 + -1*i_1 : 1)}",
    ),
    (
        &["q_6 + -2", "b_5 + -1", "i_1", "q_6 + -1*i_1 + -1", "= q_6*b_5 + 1 + -1*n_4"],
        "i_1*b_5 + n_4 + 1 + {(i_1 + 1 : n_4*b_5 + -1*b_5)(b_5 : n_4)(b_5 : 1)}",
        "i_1*b_5 + {(i_1 + 1 : n_4*b_5 + -1*b_5)(b_5 + 1 : n_4)}",
    ),
    (
        &["q_6 + -2", "b_5 + -1", "i_1", "q_6 + -1*i_1 + -1", "= q_6*b_5 + 1 + -1*n_4"],
        "i_1*b_5 + n_4 + 1 + {(i_1 + 1 : n_4*b_5 + -1*b_5)(b_5 : n_4)(b_5 : 1)}",
        "i_1*b_5 + 1 + {(i_1 + 1 : n_4*b_5 + -1*b_5)(b_5 : 1)}",
    ),
];

/// What the prover shows of the obligations, each with its facts.
fn obligations() -> Vec<Evidence> {
    let mut all = Vec::new();
    let mut add = |what: &str, facts: &Facts, answer: Answer| match answer {
        Answer::Proved(derivation) => all.push(Evidence::new(facts, derivation)),
        other => panic!("{what}: {other:?}"),
    };
    for (assumed, left, right) in DISJOINT {
        let facts = facts(assumed);
        add(left, &facts, prove::disjoint(&facts, &lmad(left), &lmad(right)));
    }
    let sizes = facts(&["m_3", "n_4", "i_1", "n_4 + -1*i_1 + -1", "9000 + -1*n_4", "9000 + -1*m_3"]);
    let (row, whole) = (lmad("i_1*m_3 + {(m_3 : 1)}"), lmad("0 + {(n_4 : m_3)(m_3 : 1)}"));
    add("contained", &sizes, prove::contained(&sizes, &row, &whole));
    add("injective", &sizes, prove::injective(&sizes, &whole));
    add("within", &sizes, prove::within(&sizes, &row, &poly("n_4*m_3")));
    add("nonneg", &sizes, prove::nonneg(&sizes, &poly("n_4*m_3 + -1*i_1*m_3 + -1*m_3")));
    let mut defined = facts(&["n_4", "1000 + -1*n_4"]);
    defined.define(lmad("k_7 + {}").offset.as_var().unwrap(), poly("2*n_4 + 3"));
    add("definition", &defined, prove::zero(&defined, &poly("k_7 + -2*n_4 + -3")));
    let [quotient, remainder] = ["q_6", "b_5"].map(|name| poly(name).as_var().unwrap());
    defined.divide(quotient, Some(remainder), poly("n_4 + 1"), poly("7"));
    add("division", &defined, prove::nonneg(&defined, &poly("n_4 + 1 + -7*q_6")));
    let mut down = facts(&["m_3 + -1"]);
    down.divide_down(quotient, Some(remainder), poly("n_4"), poly("m_3"));
    add("division down", &down, prove::nonneg(&down, &poly("n_4 + -1*q_6*m_3")));
    down.assume_nonneg(poly("k_7"), Why::Assumed);
    down.define(lmad("k_7 + {}").offset.as_var().unwrap(), poly("m_3 + 1"));
    add("no wrap", &down, prove::nonneg(&down, &poly("k_7 + -2")));
    // Only the integers make these so.
    let omega =
        ["11*i_1 + 13*j_2 + -27", "-11*i_1 + -13*j_2 + 45", "7*i_1 + -9*j_2 + 10", "-7*i_1 + 9*j_2 + 4"];
    let omega = facts(&omega);
    add("omega", &omega, prove::nonneg(&omega, &poly("i_1 + -100")));
    let gap =
        facts(&["5*i_1 + -3*j_2", "3*j_2 + -5*i_1 + 1", "k_7 + -1", "2 + -1*k_7", "= j_2 + -5*q_6 + -1*k_7"]);
    add("gap", &gap, prove::nonneg(&gap, &poly("k_7 + -9")));
    let nothing = Facts::new();
    let (left, right) = (lmad("3 + {(n_4 : 15)}"), lmad("0 + {(m_3 : 10)(3 : 1)}"));
    add("residues", &nothing, prove::disjoint(&nothing, &left, &right));
    all
}

#[test]
fn what_the_prover_shows_is_accepted() {
    for evidence in obligations() {
        check_evidence(&evidence).unwrap_or_else(|refused| panic!("{refused} in {evidence:?}"));
    }
}

#[test]
fn hypotheses_are_those_that_a_derivation_names() {
    let facts = facts(&["n_4 + -1", "m_3", "k_7 + -5"]);
    let Answer::Proved(derivation) = prove::nonneg(&facts, &poly("2*n_4")) else { panic!("no proof") };
    let evidence = Evidence::new(&facts, derivation);
    assert_eq!(evidence.hypotheses.claims.len(), 1);
    // Without the fact that it was proved from it is refused.
    let without = Evidence::new(&Facts::new(), evidence.derivation);
    let refused = check(&without.hypotheses, &without.derivation).expect_err("nothing is known");
    assert!(refused.line.is_some() && refused.reason.contains("no hypothesis"), "{refused}");
}

/// Facts that have a solution, and sets and polynomials about their variables.
fn random_questions(rng: &mut Rng) -> (Facts, Answer) {
    let small = |rng: &mut Rng| rng.below(7) as i64 - 3;
    let names = ["i_1", "j_2", "m_3", "n_4"].map(poly);
    let linear = |rng: &mut Rng| {
        let mut sum = Poly::constant(small(rng));
        for name in &names {
            sum = sum.add(&if rng.chance(40) { name.scale(small(rng)) } else { Poly::default() });
        }
        sum
    };
    let mut facts = Facts::new();
    for name in &names {
        facts.assume_nonneg(name.sub(&Poly::constant(rng.below(2) as i64)), Why::Assumed);
    }
    for _ in 0..rng.below(4) {
        let fact = linear(rng);
        if rng.chance(20) {
            facts.assume_zero(fact, Why::Assumed)
        } else {
            facts.assume_nonneg(fact, Why::Assumed)
        }
    }
    let set = |rng: &mut Rng| {
        let mut dims = Vec::new();
        for _ in 0..rng.below(3) {
            let size = names[rng.below(4)].add(&Poly::constant(rng.below(2) as i64));
            let stride =
                if rng.chance(60) { Poly::constant(small(rng)) } else { names[rng.below(4)].clone() };
            dims.push(LmadDim { size, stride });
        }
        let mut offset = linear(rng);
        if rng.chance(50) {
            offset = offset.add(&names[rng.below(4)].mul(&names[rng.below(4)]));
        }
        Lmad { offset, dims }
    };
    let answer = match rng.below(6) {
        0 => {
            let goal = linear(rng).add(&names[rng.below(4)].mul(&names[rng.below(4)]));
            prove::nonneg(&facts, &goal)
        }
        1 => prove::zero(&facts, &linear(rng)),
        2 => prove::contained(&facts, &set(rng), &set(rng)),
        3 => prove::injective(&facts, &set(rng)),
        4 => prove::within(&facts, &set(rng), &linear(rng)),
        _ => prove::disjoint(&facts, &set(rng), &set(rng)),
    };
    (facts, answer)
}

/// What the prover shows of random questions.
fn random_evidence(seed: u64, questions: usize) -> Vec<Evidence> {
    let mut rng = Rng::new(seed);
    let mut proved = Vec::new();
    for _ in 0..questions {
        if let (facts, Answer::Proved(derivation)) = random_questions(&mut rng) {
            proved.push(Evidence::new(&facts, derivation));
        }
    }
    proved
}

#[test]
fn what_the_prover_shows_of_random_questions_is_accepted_and_true() {
    let proved = random_evidence(1, 400);
    assert!(proved.len() > 40, "only {} proofs", proved.len());
    for evidence in proved {
        check_evidence(&evidence).unwrap_or_else(|refused| panic!("{refused} in {evidence:?}"));
        enumeration::assert_true(&evidence);
    }
}

/// A pass that gives three certificates, one of them with a derivation that its hypotheses do not support.
#[test]
fn certificates_are_counted_and_broken_ones_named() {
    let all = obligations();
    let at = poly("xs_9").as_var().unwrap();
    let certificate = |decision, evidence: &[Evidence]| {
        ("a-pass", Certificate { decision, at, loc: None, evidence: evidence.to_vec() })
    };
    let mut certificates = vec![
        certificate(Decision::ElidedCopy, &all[..2]),
        certificate(Decision::ElidedCopy, &[]),
        certificate(Decision::SharedBlock, &all[2..4]),
    ];
    let tally = check_all(&certificates);
    assert_eq!(tally.broken, []);
    assert_eq!(
        tally.counts[..3],
        [(Decision::ElidedCopy, 2, 2), (Decision::SharedBlock, 1, 2), (Decision::InPlaceKernel, 0, 0),]
    );
    certificates[2].1.evidence[0].hypotheses.claims.clear();
    let text = check_all(&certificates).to_string();
    assert!(
        text.contains("pass `a-pass` at xs_9: shared blocks: obligation 0 is not proved: line "),
        "{text}"
    );
    assert!(text.contains("not proved                    1"), "{text}");
}
