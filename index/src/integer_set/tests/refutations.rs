//! Refutations hold step by step, and there is one where enumeration finds no point.

use super::{BOX, check, points};
use crate::integer_set::{Affine, End, Refutation, Row, Step, Work, refute};
use quickcheck::{Arbitrary, Gen};

/// Follows the steps by their rules alone.
fn assert_right(refutation: &Refutation, rows: &mut Vec<Row>) {
    let start = rows.len();
    for step in &refutation.steps {
        match step {
            Step::Sum { row, scale, terms } => {
                let mut rest = row.of.scale(*scale).unwrap();
                for (multiple, number) in terms {
                    assert!(*multiple >= 0 || rows[*number].equation);
                    assert!(!row.equation || rows[*number].equation);
                    rest = rest.combine(1, &rows[*number].of, -multiple).unwrap();
                }
                assert!(rest.is_constant() && *scale >= 1 && rest.constant > -scale, "{step:?}");
                assert!(!row.equation || rest.constant == 0, "{step:?}");
                rows.push(row.clone());
            }
            Step::Both { row, rows: [low, high] } => {
                assert_eq!((&row.of, row.equation), (&rows[*low].of, true));
                assert_eq!(rows[*high].of, row.of.scale(-1).unwrap());
                rows.push(row.clone());
            }
        }
    }
    match &refutation.end {
        End::Absurd(number) => assert_eq!(rows[*number].of, Affine::constant(rows[*number].of.width(), -1)),
        End::Cases { on, first, second } => {
            let negative = on.scale(-1).unwrap().plus(-1).unwrap();
            for (of, refutation) in [(on.clone(), first), (negative, second)] {
                let inside = rows.len();
                rows.push(Row { of, equation: false });
                assert_right(refutation, rows);
                rows.truncate(inside);
            }
        }
    }
    rows.truncate(start);
}

#[derive(Clone, Debug)]
struct Rows(Vec<Row>);

impl Arbitrary for Rows {
    fn arbitrary(g: &mut Gen) -> Rows {
        let mut number = |most: i128| i128::from(i8::arbitrary(g)) % (most + 1);
        let count = 1 + number(3).unsigned_abs() as usize;
        let row = |number: &mut dyn FnMut(i128) -> i128| {
            let of = Affine { coefficients: (0..3).map(|_| number(7)).collect(), constant: number(12) };
            Row { of, equation: number(2) == 0 }
        };
        Rows((0..count).map(|_| row(&mut number)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Rows>> {
        let this = self.clone();
        Box::new((0..self.0.len()).map(move |k| {
            let mut fewer = this.clone();
            fewer.0.remove(k);
            fewer
        }))
    }
}

#[test]
fn refutations_are_right_and_found() {
    fn property(Rows(rows): Rows, bounded: bool) -> bool {
        let mut rows = rows;
        if bounded {
            let within = super::within_box(3).into_iter();
            rows.extend(within.map(|condition| Row { of: condition.affine().clone(), equation: false }));
        }
        let holds = |point: &Vec<i128>| {
            rows.iter().all(|row| {
                let value = row.of.eval(point).unwrap();
                value == 0 || value > 0 && !row.equation
            })
        };
        let found = points(3).iter().any(holds);
        match refute(&rows, &mut Work::default()).unwrap() {
            Some(refutation) => {
                assert!(!found);
                assert_right(&refutation, &mut rows);
            }
            None => assert!(found || !bounded, "no point within {BOX}, and no refutation"),
        }
        true
    }
    check(400, property as fn(Rows, bool) -> bool);
}

#[test]
fn the_classic_ones_are_refuted() {
    let row = |coefficients: &[i128], constant: i128, equation: bool| Row {
        of: Affine { coefficients: coefficients.to_vec(), constant },
        equation,
    };
    let omega = [
        row(&[11, 13], -27, false),
        row(&[-11, -13], 45, false),
        row(&[7, -9], 10, false),
        row(&[-7, 9], 4, false),
    ];
    let even_odd = [row(&[2, -2], -1, true)];
    let mut work = Work::default();
    for rows in [omega.as_slice(), &even_odd] {
        let refutation = refute(rows, &mut work).unwrap().expect("no point");
        assert_right(&refutation, &mut rows.to_vec());
    }
    assert_eq!(refute(&[row(&[6, 10, 15], -1, true)], &mut work), Ok(None));
    assert!(refute(&omega, &mut Work::new(5)).is_err());
}
