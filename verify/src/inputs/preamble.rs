//! What an entry point asserts of its sizes and scalars before it does anything with arrays, and how to make that true.
//!
//! Only statements at the top level of the entry (and of the functions that it calls there) are looked at, and of those only scalar
//! ones. Whatever depends on elements of arrays, on branches or loops is unknown, and left to chance.

use super::Key;
use fun::ir::{Atom, Exp, Function, Rep};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_un};
use fun_base::rng::Rng;
use std::collections::BTreeMap;

/// Statements looked at, callees included.
const MOST_STATEMENTS: usize = 2000;

/// Assertions that one repair may make true.
const ROUNDS: usize = 24;

/// How a scalar is computed.
#[derive(Clone, Copy, Debug)]
enum Def {
    Same(Atom),
    Bin(BinOp, PrimType, Atom, Atom),
    Un(UnOp, Atom),
    Convert(PrimType, PrimType, Atom),
}

/// Scalar definitions and assertions in the order of evaluation.
#[derive(Default)]
pub(crate) struct Preamble {
    steps: Vec<Step>,
    defs: BTreeMap<Key, Def>,
}

enum Step {
    Define(Key, Def),
    Assert(Atom),
}

type Values = BTreeMap<Key, PrimValue>;

fn value_of(atom: Atom, values: &Values) -> Option<PrimValue> {
    match atom {
        Atom::Const(value) => Some(value),
        Atom::Var(var) => values.get(&Key::from(var.tag)).copied(),
    }
}

impl Preamble {
    /// That of an entry point.
    pub(super) fn of<R: Rep>(functions: &[Function<R>], entry: &Function<R>) -> Preamble {
        let mut preamble = Preamble::default();
        preamble.collect(functions, entry, &mut Vec::new());
        preamble
    }

    fn define(&mut self, key: Key, def: Def) {
        self.steps.push(Step::Define(key, def));
        self.defs.insert(key, def);
    }

    fn collect<'f, R: Rep>(
        &mut self,
        functions: &'f [Function<R>],
        function: &'f Function<R>,
        seen: &mut Vec<&'f str>,
    ) {
        seen.push(function.name.as_str());
        for statement in &function.body.statements {
            if self.steps.len() > MOST_STATEMENTS {
                return;
            }
            let def = match &statement.exp {
                Exp::Atom(atom) => Def::Same(*atom),
                Exp::Bin(op, ty, a, b) => Def::Bin(*op, *ty, *a, *b),
                Exp::Un(op, _, a) => Def::Un(*op, *a),
                Exp::Convert { to, from, value } => Def::Convert(*to, *from, *value),
                Exp::Assert { condition, .. } => {
                    self.steps.push(Step::Assert(*condition));
                    continue;
                }
                // Variables of a function have one value here, so each function is looked at once.
                Exp::Call { function, args } if !seen.contains(&function.as_str()) => {
                    let Some(callee) = functions.iter().find(|f| f.name == *function) else { continue };
                    for (param, arg) in callee.params.iter().zip(args) {
                        self.define(Key::from(param.binder.var.tag), Def::Same(*arg));
                    }
                    self.collect(functions, callee, seen);
                    for (binder, result) in statement.pattern.iter().zip(&callee.body.results) {
                        self.define(Key::from(binder.var.tag), Def::Same(*result));
                    }
                    continue;
                }
                _ => continue,
            };
            if let [binder] = statement.pattern.as_slice() {
                self.define(Key::from(binder.var.tag), def);
            }
        }
    }

    /// Adds what follows from the values of the parameters; the condition of the first assertion that is false, if any.
    fn evaluate(&self, values: &mut Values) -> Option<Atom> {
        for step in &self.steps {
            match step {
                Step::Define(key, def) => {
                    let value = match *def {
                        Def::Same(a) => value_of(a, values),
                        Def::Bin(op, _, a, b) => match (value_of(a, values), value_of(b, values)) {
                            (Some(a), Some(b)) => eval_bin(op, a, b).ok(),
                            _ => None,
                        },
                        Def::Un(op, a) => value_of(a, values).and_then(|a| eval_un(op, a).ok()),
                        Def::Convert(to, _, a) => value_of(a, values).map(|a| eval_conv(to, a)),
                    };
                    if let Some(value) = value {
                        values.insert(*key, value);
                    }
                }
                Step::Assert(condition) => {
                    if value_of(*condition, values) == Some(PrimValue::Bool(false)) {
                        return Some(*condition);
                    }
                }
            }
        }
        None
    }

    /// Whether an assertion fails whatever the parameters without a value are.
    pub(crate) fn refuses(&self, values: &Values) -> bool {
        self.evaluate(&mut values.clone()).is_some()
    }

    /// Changes values of parameters until no assertion is known to fail, as far as that is easy. Those in `sizes` stay between 0
    /// and `most`.
    pub(super) fn repair(&self, values: &mut Values, sizes: &[Key], most: i64, rng: &mut Rng) {
        for _ in 0..ROUNDS {
            let mut known = values.clone();
            let Some(condition) = self.evaluate(&mut known) else { return };
            let mut repair = Repair { preamble: self, values, known: &known, sizes, most, rng };
            if !repair.make(condition, true) {
                return;
            }
        }
    }
}

/// Makes conditions true by changing parameters.
struct Repair<'a> {
    preamble: &'a Preamble,
    /// Parameters only.
    values: &'a mut Values,
    /// Everything that is known.
    known: &'a Values,
    sizes: &'a [Key],
    most: i64,
    rng: &'a mut Rng,
}

impl Repair<'_> {
    fn def(&self, atom: Atom) -> Option<Def> {
        self.preamble.defs.get(&Key::from(atom.as_var()?.tag)).copied()
    }

    /// Makes a condition hold, or not; false when that is not easy.
    fn make(&mut self, condition: Atom, wanted: bool) -> bool {
        if value_of(condition, self.known) == Some(PrimValue::Bool(wanted)) {
            return true;
        }
        let Some(def) = self.def(condition) else {
            return self.set(condition, PrimValue::Bool(wanted));
        };
        match def {
            Def::Same(a) => self.make(a, wanted),
            Def::Un(UnOp::Not, a) => self.make(a, !wanted),
            Def::Bin(op @ (BinOp::And | BinOp::Or), PrimType::Bool, a, b) => {
                if (op == BinOp::And) == wanted {
                    self.make(a, wanted) && self.make(b, wanted)
                } else {
                    let (first, second) = if self.rng.chance(50) { (a, b) } else { (b, a) };
                    self.make(first, wanted) || self.make(second, wanted)
                }
            }
            Def::Bin(op, ty, a, b) if ty.is_int() => match (op, wanted) {
                (BinOp::Eq, true) | (BinOp::Ne, false) => self.relate(ty, a, b, 0, 0),
                (BinOp::Eq, false) | (BinOp::Ne, true) => self.relate(ty, a, b, 1, 3),
                (BinOp::Lt, true) | (BinOp::Ge, false) => self.relate(ty, a, b, 1, i64::MAX),
                (BinOp::Le, true) | (BinOp::Gt, false) => self.relate(ty, a, b, 0, i64::MAX),
                (BinOp::Gt, true) | (BinOp::Le, false) => self.relate(ty, b, a, 1, i64::MAX),
                (BinOp::Ge, true) | (BinOp::Lt, false) => self.relate(ty, b, a, 0, i64::MAX),
                _ => false,
            },
            Def::Bin(..) | Def::Un(..) | Def::Convert(..) => false,
        }
    }

    /// Makes `b - a` at least `least` and at most `most`.
    fn relate(&mut self, ty: PrimType, a: Atom, b: Atom, least: i64, most: i64) -> bool {
        let int = |atom: Atom| {
            let value = value_of(atom, self.known).and_then(PrimValue::as_int);
            value.and_then(|value| i64::try_from(value).ok())
        };
        let (low, high) = (int(a), int(b));
        let slack = self.rng.below(4) as i64;
        let distance = least.saturating_add(slack).min(most);
        // `a` below `b`: between 0 and `b` where there is room, since an index or a count is what is often asked for
        let below = |high: i64, rng: &mut Rng| match high.checked_sub(least) {
            Some(top) if top >= 0 && most == i64::MAX => rng.below(top.min(1 << 20) as usize + 1) as i64,
            _ => high.saturating_sub(distance),
        };
        let lower = high.map(|high| below(high, self.rng));
        let raised = low.and_then(|low| low.checked_add(distance));
        let mut ways = [(b, raised), (a, lower)];
        // Mostly a parameter rather than what another one is computed from, so that what held before still holds.
        let prefer_a = match (self.def(a), self.def(b)) {
            (None, Some(_)) => 75,
            (Some(_), None) => 25,
            (None, None) | (Some(_), Some(_)) => 50,
        };
        if self.rng.chance(prefer_a) {
            ways.reverse();
        }
        ways.into_iter().any(|(atom, value)| value.is_some_and(|value| self.set_int(ty, atom, value)))
    }

    fn set_int(&mut self, ty: PrimType, atom: Atom, value: i64) -> bool {
        let wanted = ty.of_i64(value);
        wanted.as_int() == Some(value.into()) && self.set(atom, wanted)
    }

    /// Gives an expression a value by changing the parameter that it is made of.
    fn set(&mut self, atom: Atom, value: PrimValue) -> bool {
        let Atom::Var(var) = atom else { return false };
        let key = Key::from(var.tag);
        let Some(def) = self.def(atom) else {
            let fits = match value.as_i64() {
                Some(size) if self.sizes.contains(&key) => (0..=self.most).contains(&size),
                _ => true,
            };
            // what is not a parameter was computed from arrays
            return match self.values.get_mut(&key) {
                Some(known) if fits && known.prim_type() == value.prim_type() => {
                    *known = value;
                    true
                }
                Some(_) | None => false,
            };
        };
        match def {
            Def::Same(a) => self.set(a, value),
            Def::Un(UnOp::Neg, a) => eval_un(UnOp::Neg, value).is_ok_and(|value| self.set(a, value)),
            Def::Convert(to, from, a) if to.is_int() && from.is_int() => {
                let back = eval_conv(from, value);
                eval_conv(to, back) == value && self.set(a, back)
            }
            Def::Bin(op, ty, a, b) if ty.is_int() => {
                let undo = |op, x: PrimValue, y: Option<PrimValue>| y.and_then(|y| eval_bin(op, x, y).ok());
                let (known_a, known_b) = (value_of(a, self.known), value_of(b, self.known));
                let (for_a, for_b) = match op {
                    BinOp::Add => (undo(BinOp::Sub, value, known_b), undo(BinOp::Sub, value, known_a)),
                    BinOp::Sub => (
                        undo(BinOp::Add, value, known_b),
                        known_a.and_then(|a| eval_bin(BinOp::Sub, a, value).ok()),
                    ),
                    BinOp::Mul => {
                        let exact = |factor: Option<PrimValue>| {
                            let quotient = eval_bin(BinOp::Quot, value, factor?).ok()?;
                            (eval_bin(BinOp::Mul, quotient, factor?).ok()? == value).then_some(quotient)
                        };
                        (exact(known_b), exact(known_a))
                    }
                    _ => (None, None),
                };
                for_a.is_some_and(|value| self.set(a, value)) || for_b.is_some_and(|value| self.set(b, value))
            }
            Def::Bin(..) | Def::Un(..) | Def::Convert(..) => false,
        }
    }
}
