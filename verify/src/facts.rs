//! What the prover takes for given of a FUNMEM program must hold in its runs.
//!
//! A certificate says that a goal follows from hypotheses; its checker does not ask whether the program satisfies these. So what
//! [`PointFacts`] tells the prover, at every point of a program, is written into the program as remarks with the values of the
//! variables that it is about, and looked at while the value semantics runs: claims, what variables are defined as, divisions, and that
//! the addresses of arrays do not wrap. What
//! a pass assumes on top (an array that is not empty, say) is not covered.

use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::run::Limits;
use fun_base::value::Value;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::derivation::Claim;
use fun_index::prove::exact::Exact;
use fun_index::prove::{Division, Why};
use fun_passes::funmem::facts::PointFacts;
use funmem::erase::erase;
use funmem::ir::{Binder, Body, Exp, MemType, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How remarks with values begin.
const MARK: &str = "fact";

/// Something that is told to the prover.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A claim about integers, and why it should hold.
    Claim(Claim, Why),
    /// A variable is this polynomial modulo 2^64.
    Definition(Var, Poly),
    /// A quotient, and perhaps a remainder.
    Division(Division),
    /// The addresses of this array are those of its index function over the integers: none wraps.
    Addresses(Var, Lmad),
}

/// A fact that does not hold in a run.
#[derive(Clone, Debug)]
pub struct FalseFact {
    /// What the prover is told.
    pub fact: Fact,
    /// The values of its variables.
    pub values: Vec<(Var, i64)>,
}

impl fmt::Display for FalseFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the prover is told {:?}, which is false where", self.fact)?;
        self.values.iter().try_for_each(|(var, value)| write!(f, " {var} = {value}"))
    }
}

impl Fact {
    fn vars(&self) -> BTreeSet<Var> {
        let mut vars = BTreeSet::new();
        let mut add = |poly: &Poly| poly.for_each_var(&mut |var| vars.extend([var]));
        match self {
            Fact::Claim(claim, _) => vars.extend(claim.poly().terms().flat_map(|(monomial, _)| monomial)),
            Fact::Definition(var, poly) => {
                add(poly);
                vars.insert(*var);
            }
            Fact::Division(Division { quotient, remainder, dividend, divisor, floors: _ }) => {
                add(dividend);
                add(divisor);
                vars.extend([Some(*quotient), *remainder].into_iter().flatten());
            }
            Fact::Addresses(_, lmad) => lmad.for_each_var(&mut |var| vars.extend([var])),
        }
        vars
    }

    /// Whether it holds for these values; `None` where i128 does not reach, or where it says nothing.
    fn holds(&self, values: &BTreeMap<Var, i64>) -> Option<bool> {
        let exact = |poly: &Exact| poly.eval(&|var| values.get(&var).copied().map(i128::from));
        match self {
            Fact::Claim(Claim::Nonneg(poly), _) => Some(exact(poly)? >= 0),
            Fact::Claim(Claim::Zero(poly), _) => Some(exact(poly)? == 0),
            Fact::Claim(Claim::Nonzero(poly), _) => Some(exact(poly)? != 0),
            Fact::Definition(var, poly) => {
                Some(poly.eval(&mut |var| values.get(&var).copied())? == *values.get(var)?)
            }
            Fact::Division(Division { quotient, remainder, dividend, divisor, floors }) => {
                let [dividend, divisor] = [dividend, divisor].map(|poly| exact(&Exact::from(poly)));
                let most = i128::from(i64::MAX);
                let least = if *floors { i128::from(i64::MIN) } else { 0 };
                let (dividend, divisor) = (
                    dividend.filter(|n| (least..=most).contains(n))?,
                    divisor.filter(|n| (1..=most).contains(n))?,
                );
                let is = |var: &Var, value: i128| values.get(var).map(|known| i128::from(*known) == value);
                let quotient = is(quotient, dividend.div_euclid(divisor))?;
                Some(
                    quotient
                        && remainder.is_none_or(|var| is(&var, dividend.rem_euclid(divisor)) == Some(true)),
                )
            }
            Fact::Addresses(_, lmad) => {
                let (mut least, mut most) = (exact(&Exact::from(&lmad.offset))?, 0);
                for dim in &lmad.dims {
                    let last = exact(&Exact::from(&dim.size))? - 1;
                    if last < 0 {
                        return None;
                    }
                    let reach =
                        if last == 0 { 0 } else { exact(&Exact::from(&dim.stride))?.checked_mul(last)? };
                    least += reach.min(0);
                    most += reach.max(0) - reach.min(0);
                }
                Some(least >= 0 && least + most <= i128::from(i64::MAX))
            }
        }
    }
}

/// Runs an entry point of the erasure, and looks at every fact as often as a run comes by; gives how often that was. That the run
/// fails is no failure here.
pub fn check_facts(
    program: &Program,
    entry: &str,
    args: &[Value],
    limits: Limits,
) -> Result<u64, Box<FalseFact>> {
    let mut remarks = Remarks::default();
    let watched = remarks.program(program);
    remarks.watch(&watched, entry, args, limits)
}

/// The program in which facts are remarks.
#[derive(Default)]
struct Remarks {
    point: PointFacts,
    /// By the number in the remark.
    facts: Vec<(Fact, Vec<Var>)>,
    /// Arrays that have come into scope since the last remarks.
    bound: Vec<(Var, Lmad)>,
    /// How many claims, definitions and divisions there are remarks of at this point.
    told: [usize; 3],
}

impl Remarks {
    fn program(&mut self, program: &Program) -> Program {
        let mut watched = program.clone();
        for function in &mut watched.functions {
            self.point = PointFacts::default();
            self.told = [0; 3];
            function.params.iter().for_each(|param| self.bind(&param.binder));
            self.body(&mut function.body);
        }
        watched
    }

    fn body(&mut self, body: &mut Body) {
        let (start, told) = (self.point.mark(), self.told);
        let mut statements = Vec::new();
        self.tell(&mut statements);
        for mut statement in std::mem::take(&mut body.statements) {
            if matches!(statement.exp, Exp::Trace { .. }) {
                continue;
            }
            self.inner_bodies(&mut statement);
            self.point.statement(&statement);
            statement.pattern.iter().for_each(|binder| self.array(binder));
            statements.push(statement);
            self.tell(&mut statements);
        }
        body.statements = statements;
        self.point.reset(start);
        self.told = told;
    }

    fn bind(&mut self, binder: &Binder) {
        self.point.bind(binder);
        self.array(binder);
    }

    fn array(&mut self, binder: &Binder) {
        if let MemType::Array { lmad, .. } = &binder.ty {
            self.bound.push((binder.var, lmad.clone()));
        }
    }

    /// As the passes go through a program.
    fn inner_bodies(&mut self, statement: &mut Statement) {
        let mark = self.point.mark();
        match &mut statement.exp {
            Exp::If { condition, then, otherwise } => {
                for (arm, taken) in [(then, true), (otherwise, false)] {
                    self.point.branch(*condition, taken);
                    self.body(arm);
                    self.point.reset(mark);
                }
            }
            Exp::Loop { params, form, body } => {
                params.iter().for_each(|param| self.array(&param.binder));
                self.point.enter_loop(params, form, body);
                self.body(body);
            }
            Exp::Kernel { space, combine, body } => {
                space.iter().for_each(|(counter, bound)| self.point.counter(*counter, *bound));
                self.body(body);
                self.point.reset(mark);
                if let Some(operator) = combine.lambda_mut() {
                    self.body(&mut operator.body);
                }
            }
            _ => {}
        }
        self.point.reset(mark);
    }

    /// Adds remarks of what has become known since the last ones.
    fn tell(&mut self, statements: &mut Vec<Statement>) {
        let [claims, definitions, divisions] = self.told;
        let known = self.point.known();
        let mut new: Vec<Fact> =
            known.assumed().skip(claims).map(|(claim, why)| Fact::Claim(claim.clone(), why)).collect();
        let many = new.len();
        new.extend(
            known.definitions().skip(definitions).map(|(var, poly)| Fact::Definition(*var, poly.clone())),
        );
        let more = new.len() - many;
        new.extend(known.divisions().skip(divisions).map(|division| Fact::Division(division.clone())));
        self.told = [claims + many, definitions + more, divisions + new.len() - many - more];
        new.extend(self.bound.drain(..).map(|(var, lmad)| Fact::Addresses(var, lmad)));
        for fact in new {
            let vars: Vec<Var> = fact.vars().into_iter().collect();
            let text = format!("{MARK} {}{}", self.facts.len(), " {}".repeat(vars.len()));
            let args = vars.iter().map(|var| Atom::Var(*var)).collect();
            self.facts.push((fact, vars));
            statements.push(Statement {
                pattern: Vec::new(),
                exp: Exp::Trace { text, args, pause: false },
                loc: None,
            });
        }
    }

    fn watch(
        &self,
        watched: &Program,
        entry: &str,
        args: &[Value],
        limits: Limits,
    ) -> Result<u64, Box<FalseFact>> {
        let (mut looked, mut found) = (0, None);
        let mut look = |remark: &fun::interp::Remark| {
            let Some((fact, values)) = self.read(&remark.text) else { return };
            match fact.holds(&values) {
                Some(false) if found.is_none() => {
                    let values = values.into_iter().collect();
                    found = Some(Box::new(FalseFact { fact: fact.clone(), values }));
                }
                Some(_) => looked += 1,
                None => {}
            }
        };
        // What else goes wrong is for other laws.
        drop(fun::interp::run_watched(&erase(watched), entry, args, limits, &mut look));
        found.map_or(Ok(looked), Err)
    }

    /// The fact that a remark is about, and the values of its variables.
    fn read(&self, text: &str) -> Option<(&Fact, BTreeMap<Var, i64>)> {
        let mut words = text.split(' ');
        words.next().filter(|word| *word == MARK)?;
        let (fact, vars) = self.facts.get(words.next()?.parse::<usize>().ok()?)?;
        let value = |word| PrimValue::parse(word)?.as_i64();
        let values =
            vars.iter().zip(words).map(|(var, word)| Some((*var, value(word)?))).collect::<Option<_>>()?;
        Some((fact, values))
    }
}

#[cfg(test)]
mod tests;
