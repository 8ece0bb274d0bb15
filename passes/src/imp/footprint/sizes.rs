//! Sizes as polynomials over *atoms*: variables of the program, and what stands for a quotient, a maximum or a number that is only
//! known to be within bounds.

use fun_base::name::{NameSource, Var};
use fun_base::prim::BinOp;
use fun_base::source::Loc;
use fun_index::poly::{Monomial, Poly};
use std::collections::{BTreeMap, BTreeSet};

/// What an atom is.
#[derive(Clone, PartialEq, Debug)]
pub enum Atom {
    /// A parameter of the entry point.
    Param,
    /// A variable that the program computes; where it is bound.
    Computed(Option<Loc>),
    /// The largest value that a variable has.
    Largest(Var),
    /// A counter, from 0 to this.
    Counter(Poly),
    /// 0 or 1.
    Bit,
    /// One of two.
    Either(Poly, Poly),
    /// An operation other than sums and products.
    Op(BinOp, Poly, Poly),
    /// The largest of these.
    Most(Vec<Poly>),
    /// How many strands run a parallel loop at once.
    Strands,
}

/// The atoms of a program.
pub struct Sizes {
    names: NameSource,
    atoms: BTreeMap<Var, Atom>,
    /// Atoms that are not negative where they matter: sizes of arrays.
    sizes: BTreeSet<Var>,
    strands: Var,
}

/// Nested counters are replaced by their bounds at most so many times.
const DEPTH: usize = 24;
/// Polynomials with more terms are computed anew: they are variables of their own.
const MOST_TERMS: usize = 40;

impl Sizes {
    /// No atoms but the number of strands. Names for further ones come from here.
    pub fn new(mut names: NameSource) -> Sizes {
        let strands = names.fresh("strands");
        let atoms = BTreeMap::from([(strands, Atom::Strands)]);
        Sizes { names, atoms, sizes: BTreeSet::from([strands]), strands }
    }

    /// What an atom is.
    pub fn atom(&self, var: Var) -> Option<&Atom> {
        self.atoms.get(&var)
    }

    /// The number of strands.
    pub fn strands(&self) -> Poly {
        Poly::var(self.strands)
    }

    /// A variable of the program as an atom.
    pub(super) fn variable(&mut self, var: Var, atom: Atom) -> Poly {
        self.atoms.insert(var, atom);
        Poly::var(var)
    }

    /// The variable is a size.
    pub(super) fn is_size(&mut self, poly: &Poly) {
        self.sizes.extend(poly.as_var());
    }

    /// An atom that is no variable of the program; the same one for the same content.
    pub(super) fn made(&mut self, atom: Atom) -> Poly {
        if let Some((var, _)) = self.atoms.iter().find(|(_, known)| **known == atom) {
            return Poly::var(*var);
        }
        let var = self.names.fresh("size");
        if let Atom::Largest(of) = &atom
            && self.sizes.contains(of)
        {
            self.sizes.insert(var);
        }
        self.variable(var, atom)
    }

    /// The result of an operator on i64; `None` where it is none of those that sizes are made with.
    pub(super) fn op(&mut self, op: BinOp, left: &Poly, right: &Poly) -> Option<Poly> {
        let result = match (op, left.as_constant(), right.as_constant()) {
            (BinOp::Add, _, _) => left.add(right),
            (BinOp::Sub, _, _) => left.sub(right),
            (BinOp::Mul, _, _) => left.mul(right),
            (BinOp::Max, _, _) => self.most(vec![left.clone(), right.clone()]),
            (BinOp::Min, Some(x), Some(y)) => Poly::constant(x.min(y)),
            (BinOp::Quot | BinOp::Div, _, Some(1)) => left.clone(),
            (BinOp::Quot | BinOp::Div, Some(x), Some(y)) if x >= 0 && y > 0 => Poly::constant(x / y),
            (BinOp::Mod | BinOp::Rem, Some(x), Some(y)) if x >= 0 && y > 0 => Poly::constant(x % y),
            (BinOp::Min | BinOp::Quot | BinOp::Div | BinOp::Mod | BinOp::Rem, _, _) => {
                if op == BinOp::Min && left == right {
                    return Some(left.clone());
                }
                self.made(Atom::Op(op, left.clone(), right.clone()))
            }
            _ => return None,
        };
        (result.terms().count() <= MOST_TERMS).then_some(result)
    }

    /// The largest of some polynomials.
    pub(super) fn most(&mut self, polys: Vec<Poly>) -> Poly {
        let mut all = Vec::new();
        for poly in polys {
            match poly.as_var().and_then(|var| self.atoms.get(&var)) {
                Some(Atom::Most(inner)) => all.extend(inner.clone()),
                _ => all.push(poly),
            }
        }
        let mut kept: Vec<Poly> = Vec::new();
        for poly in all {
            self.add_candidate(&mut kept, poly);
        }
        kept.sort();
        match kept.as_slice() {
            [only] => only.clone(),
            _ => self.made(Atom::Most(kept)),
        }
    }

    /// Adds a polynomial to a list of which the largest counts, unless it is never the largest.
    pub(super) fn add_candidate(&self, list: &mut Vec<Poly>, poly: Poly) {
        if list.iter().any(|known| self.at_least_as_large(known, &poly)) {
            return;
        }
        list.retain(|known| !self.at_least_as_large(&poly, known));
        list.push(poly);
    }

    /// Whether the first is never smaller than the second, as far as signs show.
    pub(super) fn at_least_as_large(&self, left: &Poly, right: &Poly) -> bool {
        self.not_negative(&left.sub(right))
    }

    fn not_negative(&self, poly: &Poly) -> bool {
        poly.terms().all(|(monomial, coefficient)| {
            coefficient > 0 && monomial.iter().all(|var| self.atom_not_negative(*var))
        })
    }

    fn atom_not_negative(&self, var: Var) -> bool {
        self.sizes.contains(&var)
            || match self.atoms.get(&var) {
                Some(Atom::Counter(_) | Atom::Bit | Atom::Strands) => true,
                Some(Atom::Most(list)) => list.iter().any(|poly| self.not_negative(poly)),
                Some(Atom::Op(op, left, right)) => {
                    let both = || self.not_negative(left) && self.not_negative(right);
                    matches!(op, BinOp::Min | BinOp::Quot | BinOp::Div | BinOp::Mod | BinOp::Rem) && both()
                }
                Some(Atom::Either(left, right)) => self.not_negative(left) && self.not_negative(right),
                Some(Atom::Param | Atom::Computed(_) | Atom::Largest(_)) | None => false,
            }
    }

    /// The polynomial with the bounds of counters and choices in their place, so that it is no smaller; what can't be replaced stays.
    pub(super) fn at_most(&mut self, poly: &Poly) -> Poly {
        let mut poly = poly.clone();
        for _ in 0..DEPTH {
            let mut changed = false;
            let mut next = Poly::default();
            for (monomial, coefficient) in poly.terms() {
                let bounded = monomial.iter().position(|var| self.is_bounded(*var));
                let rest_is_size = |at: usize| {
                    let others = monomial.iter().enumerate().filter(|(k, _)| *k != at);
                    others.fold(true, |all, (_, var)| all && self.atom_not_negative(*var))
                };
                let term = match bounded {
                    Some(at) if rest_is_size(at) => {
                        let mut rest = monomial.clone();
                        let var = rest.remove(at);
                        changed = true;
                        self.bound(var, coefficient > 0).mul(&Poly::term(rest, coefficient))
                    }
                    _ => Poly::term(monomial.clone(), coefficient),
                };
                next = next.add(&term);
            }
            poly = next;
            if !changed || poly.terms().count() > MOST_TERMS {
                break;
            }
        }
        poly
    }

    /// The same for what is no larger.
    fn at_least(&mut self, poly: &Poly) -> Poly {
        self.at_most(&poly.scale(-1)).scale(-1)
    }

    /// Whether an atom has bounds to put in its place.
    fn is_bounded(&self, var: Var) -> bool {
        let inside = |poly: &Poly| {
            let mut found = false;
            poly.for_each_var(&mut |var| found |= self.is_bounded(var));
            found
        };
        match self.atoms.get(&var) {
            Some(Atom::Counter(_) | Atom::Bit | Atom::Either(..)) => true,
            Some(Atom::Most(list)) => list.iter().any(inside),
            Some(Atom::Op(BinOp::Min, left, right)) => inside(left) || inside(right),
            Some(Atom::Op(BinOp::Quot | BinOp::Div, left, right)) => {
                inside(left) && !inside(right) && self.not_negative(right)
            }
            Some(Atom::Op(..) | Atom::Param | Atom::Computed(_) | Atom::Largest(_) | Atom::Strands)
            | None => false,
        }
    }

    /// The upper or lower bound of an atom.
    fn bound(&mut self, var: Var, upper: bool) -> Poly {
        let atom = self.atoms.get(&var).cloned();
        let mut side = |poly: &Poly| if upper { self.at_most(poly) } else { self.at_least(poly) };
        match (atom, upper) {
            (Some(Atom::Counter(last)), true) => last,
            (Some(Atom::Counter(_) | Atom::Bit), false) => Poly::constant(0),
            (Some(Atom::Bit), true) => Poly::constant(1),
            (Some(Atom::Either(left, right)), _) => {
                let both = [side(&left), side(&right)];
                if upper { self.most(both.to_vec()) } else { self.smaller(both) }
            }
            (Some(Atom::Most(list)), _) => {
                let list = list.iter().map(side).collect();
                self.most(list)
            }
            (Some(Atom::Op(BinOp::Min, left, right)), _) => {
                let both = [side(&left), side(&right)];
                self.smaller(both)
            }
            (Some(Atom::Op(op, left, right)), _) => {
                let left = side(&left);
                self.op(op, &left, &right).unwrap_or(Poly::var(var))
            }
            _ => Poly::var(var),
        }
    }

    fn smaller(&mut self, [left, right]: [Poly; 2]) -> Poly {
        if self.at_least_as_large(&left, &right) {
            return right;
        }
        if self.at_least_as_large(&right, &left) {
            return left;
        }
        self.made(Atom::Op(BinOp::Min, left, right))
    }

    /// Whether only parameters and constants are in it.
    pub fn is_known(&self, poly: &Poly) -> bool {
        let mut known = true;
        poly.for_each_var(&mut |var| {
            known &= match self.atoms.get(&var) {
                Some(Atom::Param | Atom::Strands) => true,
                Some(Atom::Most(list)) => list.iter().all(|poly| self.is_known(poly)),
                Some(Atom::Op(_, left, right) | Atom::Either(left, right)) => {
                    self.is_known(left) && self.is_known(right)
                }
                Some(Atom::Computed(_) | Atom::Largest(_) | Atom::Counter(_) | Atom::Bit) | None => false,
            };
        });
        known
    }

    /// Calls `f` on the variables of the program in a polynomial, also inside of other atoms.
    pub fn for_each_variable(&self, poly: &Poly, f: &mut dyn FnMut(Var)) {
        poly.for_each_var(&mut |var| match self.atoms.get(&var) {
            Some(Atom::Most(list)) => list.iter().for_each(|poly| self.for_each_variable(poly, f)),
            Some(Atom::Op(_, left, right) | Atom::Either(left, right)) => {
                self.for_each_variable(left, f);
                self.for_each_variable(right, f);
            }
            Some(Atom::Largest(of)) => f(*of),
            Some(Atom::Param | Atom::Computed(_) | Atom::Counter(_) | Atom::Bit | Atom::Strands) | None => {
                f(var)
            }
        });
    }

    /// The value of a polynomial, where `value` gives those of parameters and of the number of strands.
    pub fn eval(&self, poly: &Poly, value: &dyn Fn(Var) -> Option<i64>) -> Option<i128> {
        let mut sum = 0i128;
        for (monomial, coefficient) in poly.terms() {
            let mut product = i128::from(coefficient);
            for var in monomial {
                product = product.saturating_mul(self.eval_atom(*var, value)?);
            }
            sum = sum.saturating_add(product);
        }
        Some(sum)
    }

    fn eval_atom(&self, var: Var, value: &dyn Fn(Var) -> Option<i64>) -> Option<i128> {
        match self.atoms.get(&var)? {
            Atom::Most(list) => {
                let values: Option<Vec<i128>> = list.iter().map(|poly| self.eval(poly, value)).collect();
                values?.into_iter().max()
            }
            Atom::Op(op, left, right) => {
                let (left, right) = (self.eval(left, value)?, self.eval(right, value)?);
                match op {
                    BinOp::Min => Some(left.min(right)),
                    BinOp::Quot => left.checked_div(right),
                    BinOp::Rem => left.checked_rem(right),
                    BinOp::Div => left.checked_div_euclid(right),
                    BinOp::Mod => left.checked_rem_euclid(right),
                    _ => None,
                }
            }
            Atom::Param | Atom::Strands => value(var).map(i128::from),
            Atom::Computed(_) | Atom::Largest(_) | Atom::Counter(_) | Atom::Bit | Atom::Either(..) => None,
        }
    }

    /// The text of a polynomial. `name` gives the names of the program's variables.
    pub fn show(&self, poly: &Poly, name: &dyn Fn(Var) -> String) -> String {
        let mut terms: Vec<(&Monomial, i64)> = poly.terms().collect();
        terms.sort_by_key(|(monomial, coefficient)| (*coefficient < 0, std::cmp::Reverse(monomial.len())));
        let mut out = String::new();
        for (k, (monomial, coefficient)) in terms.iter().enumerate() {
            let size = coefficient.unsigned_abs();
            let factors: Vec<String> = monomial.iter().map(|var| self.show_atom(*var, name)).collect();
            let sign = match (k, *coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            out += sign;
            let number = (size != 1 || factors.is_empty()).then(|| size.to_string());
            out += &number.into_iter().chain(factors).collect::<Vec<_>>().join("*");
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }

    fn show_atom(&self, var: Var, name: &dyn Fn(Var) -> String) -> String {
        let show = |poly: &Poly| self.show(poly, name);
        let list = |what: &str, polys: &[Poly]| {
            format!("{what}({})", polys.iter().map(show).collect::<Vec<_>>().join(", "))
        };
        let tight = |poly: &Poly| {
            let text = show(poly);
            if text.contains(' ') || text.contains('*') { format!("({text})") } else { text }
        };
        match self.atoms.get(&var) {
            Some(Atom::Most(polys)) => list("max", polys),
            Some(Atom::Op(BinOp::Min, left, right)) => list("min", &[left.clone(), right.clone()]),
            Some(Atom::Op(BinOp::Quot | BinOp::Div, left, right)) => {
                format!("({} / {})", tight(left), tight(right))
            }
            Some(Atom::Op(_, left, right)) => format!("({} % {})", tight(left), tight(right)),
            Some(Atom::Either(left, right)) => list("either", &[left.clone(), right.clone()]),
            Some(Atom::Largest(of)) => format!("max {}", name(*of)),
            Some(Atom::Strands) => "strands".to_owned(),
            Some(Atom::Param | Atom::Computed(_) | Atom::Counter(_) | Atom::Bit) | None => name(var),
        }
    }
}
