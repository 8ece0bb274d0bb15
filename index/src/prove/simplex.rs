//! Linear programs over the rationals, solved exactly: which multiples of given polynomials add up to a goal.
//!
//! The simplex method in two phases on a tableau of integers with a common denominator (each pivot divides by the pivot before
//! it, without remainder). Numbers that leave i128, and programs that take long, give `None`.

use super::exact::Exact;
use crate::poly::Monomial;
use std::collections::{BTreeMap, BTreeSet};

/// A goal as a combination: `scale · goal - Σ multiples[k] · columns[k]` is a constant greater than `-scale`.
#[derive(Debug)]
pub(super) struct Combination {
    /// At least 1.
    pub(super) scale: i128,
    /// Number of a column and its multiple, which is positive.
    pub(super) multiples: Vec<(usize, i128)>,
}

/// After so many pivots the choice of the column changes to one that cannot cycle.
const GREEDY_PIVOTS: usize = 40;
/// And after so many it ends.
const PIVOTS: usize = 160;

/// Nor may it compute more cells than these.
const CELLS: usize = 2_000_000;

/// Finds a combination. `work` grows by the number of tableau cells that were computed.
pub(super) fn combine(goal: &Exact, columns: &[Exact], work: &mut u64) -> Option<Combination> {
    let useful = presolve(goal, columns)?;
    let mut rows: BTreeSet<&Monomial> = BTreeSet::new();
    for poly in useful.iter().map(|k| &columns[*k]).chain([goal]) {
        rows.extend(poly.terms().map(|(monomial, _)| monomial).filter(|monomial| !monomial.is_empty()));
    }
    let mut tableau = Tableau::new(goal, columns, &useful, &rows);
    let most = CELLS / (tableau.cells() + 1);
    for pivot in 0..PIVOTS.min(most) {
        *work += tableau.cells() as u64;
        match tableau.step(pivot < GREEDY_PIVOTS)? {
            Step::Again => {}
            Step::Done => return tableau.combination(&useful),
        }
    }
    None
}

/// The columns that can have a positive multiple: a monomial that the goal lacks must come with both signs.
fn presolve(goal: &Exact, columns: &[Exact]) -> Option<Vec<usize>> {
    let mut useful: Vec<usize> = (0..columns.len()).collect();
    loop {
        // Whether a monomial comes with positive and with negative coefficients.
        let mut signs: BTreeMap<&Monomial, (bool, bool)> = BTreeMap::new();
        for k in &useful {
            for (monomial, c) in columns[*k].terms() {
                let entry = signs.entry(monomial).or_default();
                *entry = (entry.0 || c > 0, entry.1 || c < 0);
            }
        }
        for (monomial, c) in goal.terms().filter(|(monomial, _)| !monomial.is_empty()) {
            let (positive, negative) = signs.get(monomial).copied().unwrap_or_default();
            if (c > 0 && !positive) || (c < 0 && !negative) {
                return None;
            }
        }
        let fits = |monomial: &Monomial, c: i128| {
            let (positive, negative) = signs.get(monomial).copied().unwrap_or_default();
            let wanted = goal.coefficient(monomial);
            monomial.is_empty() || (positive && negative) || (c > 0 && wanted > 0) || (c < 0 && wanted < 0)
        };
        let before = useful.len();
        let kept =
            useful.iter().copied().filter(|k| columns[*k].terms().all(|(monomial, c)| fits(monomial, c)));
        useful = kept.collect();
        if useful.len() == before {
            return Some(useful);
        }
    }
}

enum Step {
    Again,
    Done,
}

/// Row by row the equation of one monomial, then the sum of those with no column yet (phase 1), then the gain in the constant
/// (phase 2). The last column is the right side. Every entry is to be divided by `denominator`.
struct Tableau {
    cells: Vec<Vec<i128>>,
    /// Which column a row has been solved for.
    basis: Vec<Option<usize>>,
    denominator: i128,
    constant: i128,
    /// A column that may grow without end, and how far it does.
    beyond: Option<(usize, i128)>,
}

impl Tableau {
    fn new(goal: &Exact, columns: &[Exact], useful: &[usize], rows: &BTreeSet<&Monomial>) -> Tableau {
        let mut cells: Vec<Vec<i128>> = Vec::with_capacity(rows.len() + 2);
        for monomial in rows {
            let right = goal.coefficient(monomial);
            let sign = if right < 0 { -1 } else { 1 };
            let mut row: Vec<i128> =
                useful.iter().map(|k| columns[*k].coefficient(monomial).saturating_mul(sign)).collect();
            row.push(right.saturating_mul(sign));
            cells.push(row);
        }
        let width = useful.len() + 1;
        let sum = |k: usize| cells.iter().fold(0i128, |sum, row| sum.saturating_add(row[k]));
        let phase_1: Vec<i128> = (0..width).map(sum).collect();
        let mut phase_2: Vec<i128> =
            useful.iter().map(|k| columns[*k].constant_term().saturating_neg()).collect();
        phase_2.push(0);
        let basis = vec![None; cells.len()];
        cells.push(phase_1);
        cells.push(phase_2);
        Tableau { cells, basis, denominator: 1, constant: goal.constant_term(), beyond: None }
    }

    fn cells(&self) -> usize {
        self.cells.len() * self.cells[0].len()
    }

    fn step(&mut self, greedy: bool) -> Option<Step> {
        let height = self.basis.len();
        let width = self.cells[0].len() - 1;
        let feasible = self.cells[height][width] == 0;
        if feasible {
            let gained =
                self.constant.checked_mul(self.denominator)?.checked_sub(self.cells[height + 1][width])?;
            if gained > self.denominator.checked_neg()? {
                return Some(Step::Done);
            }
        }
        let objective = &self.cells[if feasible { height + 1 } else { height }];
        let gains = (0..width).filter(|k| objective[*k] > 0);
        let column = if greedy {
            gains.max_by_key(|k| (objective[*k], std::cmp::Reverse(*k)))?
        } else {
            gains.min()?
        };
        // Rows that are 0 and have no column must stay so.
        let degenerate = (0..height)
            .find(|r| self.basis[*r].is_none() && self.cells[*r][width] == 0 && self.cells[*r][column] != 0);
        let row = match degenerate {
            Some(row) => row,
            None => match self.tightest(column)? {
                Some(row) => row,
                None if feasible => return self.grow(column).map(|()| Step::Done),
                None => return None,
            },
        };
        self.pivot(row, column)?;
        Some(Step::Again)
    }

    /// The row that bounds the growth of a column most.
    fn tightest(&self, column: usize) -> Option<Option<usize>> {
        let width = self.cells[0].len() - 1;
        let mut best: Option<usize> = None;
        for row in 0..self.basis.len() {
            let (cell, right) = (self.cells[row][column], self.cells[row][width]);
            if cell <= 0 {
                continue;
            }
            let better = match best {
                None => true,
                Some(other) => {
                    let here = right.checked_mul(self.cells[other][column])?;
                    let there = self.cells[other][width].checked_mul(cell)?;
                    here < there || (here == there && self.basis[row] < self.basis[other])
                }
            };
            if better {
                best = Some(row);
            }
        }
        Some(best)
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        if self.cells[row][column] < 0 {
            for cell in &mut self.cells[row] {
                *cell = cell.checked_neg()?;
            }
        }
        let pivot_row = self.cells[row].clone();
        let pivot = pivot_row[column];
        for (r, cells) in self.cells.iter_mut().enumerate() {
            let factor = cells[column];
            if r == row || (factor == 0 && pivot == self.denominator) {
                continue;
            }
            for (cell, above) in cells.iter_mut().zip(&pivot_row) {
                if *cell != 0 || *above != 0 {
                    let difference = cell.checked_mul(pivot)?.checked_sub(factor.checked_mul(*above)?)?;
                    *cell = difference.checked_div(self.denominator)?;
                }
            }
        }
        self.denominator = pivot;
        self.basis[row] = Some(column);
        Some(())
    }

    /// Lets a column that nothing bounds grow until the constant is large enough.
    fn grow(&mut self, column: usize) -> Option<()> {
        let (height, width) = (self.basis.len(), self.cells[0].len() - 1);
        let gain = self.cells[height + 1][column];
        let gained =
            self.constant.checked_mul(self.denominator)?.checked_sub(self.cells[height + 1][width])?;
        let by = gained.checked_neg()?.checked_div(gain)?.checked_add(1)?;
        self.beyond = Some((column, by));
        Some(())
    }

    fn combination(&self, useful: &[usize]) -> Option<Combination> {
        let width = self.cells[0].len() - 1;
        let mut multiples = Vec::new();
        for (row, column) in self.basis.iter().enumerate() {
            let Some(column) = column else { continue };
            let mut multiple = self.cells[row][width];
            if let Some((grown, by)) = self.beyond {
                multiple = multiple.checked_sub(by.checked_mul(self.cells[row][grown])?)?;
            }
            if multiple != 0 {
                multiples.push((useful[*column], multiple));
            }
        }
        if let Some((grown, by)) = self.beyond {
            multiples.push((useful[grown], by.checked_mul(self.denominator)?));
        }
        multiples.sort_unstable();
        let divisor = multiples.iter().fold(self.denominator, |d, (_, c)| super::exact::gcd(d, *c)).max(1);
        multiples.iter_mut().for_each(|(_, c)| *c /= divisor);
        Some(Combination { scale: self.denominator / divisor, multiples })
    }
}
