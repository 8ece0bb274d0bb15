//! Short branches that data decide, in loops of independent iterations, become choices (if-conversion: Allen, Kennedy, Porterfield and Warren, 1983).
//!
//! ```text
//! for i < n par {
//!   let class = A[i]
//!   let rank = B[i]
//!   var place : i64
//!   if eq.i8(class, 0) { place := rank } else { let t = add.i64(rank, lows)   place := sub.i64(t, 1) }
//!   C[i] := place
//! }
//! ```
//! becomes
//! ```text
//! for i < n par {
//!   let class = A[i]
//!   let rank = B[i]
//!   var place : i64
//!   let holds = eq.i8(class, 0)
//!   let t = add.i64(rank, lows)
//!   place := select(holds, rank, sub.i64(t, 1))
//!   C[i] := place
//! }
//! ```
//! A processor guesses which way a branch goes, and where data decide that it is wrong often, which costs as much as a few dozen operators. Choices wait for
//! their operands instead, which other iterations do not wait for.
//!
//! Legal where both ways do nothing but compute scalars, without reads and operators that may fail, and assign each variable from outside once, after
//! its last use: then both are computed, and what was not assigned keeps its value. Done where the condition comes from what the iteration read, in the iterations of `par` and `simd`
//! loops (in sequential ones the next iteration may wait for the choice, which a guess would spare it), for at most [`MOST_OPERATORS`] cheap operators in both ways together. Inner branches come first. In `simd` loops
//! a branch that gives a truth value may divide floats, too: compilers make masks of choices between numbers by themselves, but not of these.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program.

use super::copy::{can_fail, declared_in};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::build::Builder;
use imp::ir::{Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeSet;

/// The most operators that are computed whichever way a branch would have gone: fewer than are lost by a wrong guess.
const MOST_OPERATORS: usize = 12;

/// Converts the branches of a program.
pub fn run(mut program: Program) -> Program {
    let mut converting =
        Converting { data: BTreeSet::new(), truths: BTreeSet::new(), b: Builder::new(names_after(&program)) };
    for procedure in &mut program.procedures {
        converting.statements(&mut procedure.body, None);
    }
    program
}

/// Whether [`convert_in_lanes`] makes choices of a branch with these two ways.
pub(super) fn can_be_choices(then: &[Statement], otherwise: &[Statement]) -> bool {
    Ways::of(then, otherwise, Cheap::InVectors).is_some()
}

/// Converts the branches of a loop over lanes, whatever decides them: without branches it runs in vectors.
pub(super) fn convert_in_lanes(body: Vec<Statement>, b: &mut Builder) -> Vec<Statement> {
    let (outer, loc) = (b.begin(), b.loc);
    for statement in body {
        b.loc = statement.loc;
        match &statement.kind {
            StatementKind::If { condition, then, otherwise } => {
                match Ways::of(then, otherwise, Cheap::InVectors) {
                    Some(ways) => ways.choose(condition, b),
                    None => b.push_all(vec![statement]),
                }
            }
            _ => b.push_all(vec![statement]),
        }
    }
    b.loc = loc;
    b.end(outer)
}

struct Converting {
    /// What comes from cells that were read.
    data: BTreeSet<Var>,
    /// Truth values that are assigned.
    truths: BTreeSet<Var>,
    b: Builder,
}

impl Converting {
    /// Converts in a list, in the iterations of a loop of this kind if these are independent.
    fn statements(&mut self, list: &mut Vec<Statement>, independent: Option<LoopKind>) {
        let mut done = Vec::with_capacity(list.len());
        for mut statement in std::mem::take(list) {
            match &statement.kind {
                StatementKind::Let { var, value, .. }
                | StatementKind::Declare { var, value: Some(value), .. }
                | StatementKind::Assign { var, value }
                    if self.comes_from_data(value) =>
                {
                    self.data.insert(*var);
                }
                _ => {}
            }
            if let StatementKind::Declare { var, ty: ImpType::Prim(PrimType::Bool), .. } = &statement.kind {
                self.truths.insert(*var);
            }
            let inside = match &statement.kind {
                StatementKind::For { kind, .. } => {
                    Some(*kind).filter(|kind| matches!(kind, LoopKind::Par | LoopKind::Simd))
                }
                StatementKind::While { .. } => None,
                _ => independent,
            };
            statement.kind.for_each_body_mut(&mut |body| self.statements(body, inside));
            match &statement.kind {
                StatementKind::If { condition, then, otherwise } if self.comes_from_data(condition) => {
                    for arm in [then, otherwise] {
                        for_each_statement(arm, &mut |inner| {
                            if let StatementKind::Assign { var, .. } = &inner.kind {
                                self.data.insert(*var);
                            }
                        });
                    }
                    let ways = independent.and_then(|kind| self.ways(then, otherwise, kind));
                    if let Some(ways) = ways {
                        let outer = self.b.begin();
                        self.b.loc = statement.loc;
                        ways.choose(condition, &mut self.b);
                        done.extend(self.b.end(outer));
                        continue;
                    }
                }
                _ => {}
            }
            done.push(statement);
        }
        *list = done;
    }

    /// The ways of a branch in an iteration of a loop of this kind.
    fn ways<'s>(
        &self,
        then: &'s [Statement],
        otherwise: &'s [Statement],
        kind: LoopKind,
    ) -> Option<Ways<'s>> {
        Ways::of(then, otherwise, Cheap::Usual).or_else(|| {
            let ways = Ways::of(then, otherwise, Cheap::Quotients).filter(|_| kind == LoopKind::Simd)?;
            ways.assigned.iter().all(|(var, _)| self.truths.contains(var)).then_some(ways)
        })
    }

    fn comes_from_data(&self, exp: &Exp) -> bool {
        let mut found = match exp {
            Exp::Read { .. } => true,
            Exp::Var(var) => self.data.contains(var),
            _ => false,
        };
        exp.for_each_child(&mut |child| found |= self.comes_from_data(child));
        found
    }
}

/// The two ways of a branch that can both be computed.
struct Ways<'s> {
    /// What stands in them but for the assignments to variables from outside.
    computed: Vec<&'s Statement>,
    /// Those variables in order, with what they are assigned on either way.
    assigned: Vec<(Var, [Option<&'s Exp>; 2])>,
}

impl<'s> Ways<'s> {
    /// The ways of a branch that can both be computed, where these operators are cheap.
    fn of(then: &'s [Statement], otherwise: &'s [Statement], cheap: Cheap) -> Option<Ways<'s>> {
        let (mut ways, mut operators) = (Ways { computed: Vec::new(), assigned: Vec::new() }, 0);
        for (way, body) in [then, otherwise].into_iter().enumerate() {
            let own = declared_in(body);
            // what was assigned on this way: nothing may use it any more; and what that was made of, which must stay what it is
            let (mut gone, mut needed) = (BTreeSet::new(), BTreeSet::new());
            for statement in body {
                let value = match &statement.kind {
                    StatementKind::Let { value, .. } | StatementKind::Assign { value, .. } => Some(value),
                    StatementKind::Declare { ty: ImpType::Prim(_), value, .. } => value.as_ref(),
                    _ => return None,
                };
                if let Some(value) = value {
                    operators += cheap_operators(value, cheap)?;
                    let mut late = value.reads() || can_fail(value);
                    value.for_each_var(&mut |var| late |= gone.contains(&var));
                    (!late).then_some(())?;
                }
                match &statement.kind {
                    StatementKind::Assign { var, .. } if needed.contains(var) => return None,
                    StatementKind::Assign { var, value } if !own.contains(var) => {
                        gone.insert(*var).then_some(())?;
                        value.for_each_var(&mut |used| _ = needed.insert(used));
                        ways.assign(*var, way, value);
                    }
                    _ => ways.computed.push(statement),
                }
            }
        }
        // what is chosen last must not see what was chosen before
        let vars: BTreeSet<Var> = ways.assigned.iter().map(|(var, _)| *var).collect();
        let apart = ways.assigned.iter().all(|(own, values)| {
            let mut apart = true;
            for value in values.iter().flatten() {
                value.for_each_var(&mut |var| apart &= var == *own || !vars.contains(&var));
            }
            apart
        });
        (operators <= MOST_OPERATORS && apart && !vars.is_empty()).then_some(ways)
    }

    fn assign(&mut self, var: Var, way: usize, value: &'s Exp) {
        let at = self.assigned.iter().position(|(other, _)| *other == var).unwrap_or_else(|| {
            self.assigned.push((var, [None, None]));
            self.assigned.len() - 1
        });
        if let Some((_, values)) = self.assigned.get_mut(at)
            && let Some(place) = values.get_mut(way)
        {
            *place = Some(value);
        }
    }

    /// Computes both ways, and chooses.
    fn choose(&self, condition: &Exp, b: &mut Builder) {
        let condition = b.let_("holds", PrimType::Bool, condition.clone());
        for statement in &self.computed {
            b.push(statement.kind.clone());
        }
        for (var, [then, otherwise]) in &self.assigned {
            let [then, otherwise] =
                [then, otherwise].map(|value| Box::new(value.cloned().unwrap_or(Exp::Var(*var))));
            let value = Exp::Select(Box::new(condition.into()), then, otherwise);
            b.push(StatementKind::Assign { var: *var, value });
        }
    }
}

/// Which operators take a cycle or a few, or may be computed in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cheap {
    Usual,
    /// The loop runs in vectors if it has no branch, so that the extremes of floats are cheap, too.
    InVectors,
    /// Quotients of floats, too, where a branch would keep a loop out of vectors.
    Quotients,
}

/// A quotient of floats takes as long as so many other operators.
const QUOTIENT: usize = 4;

/// How many operators an expression has, if all of them are cheap.
fn cheap_operators(exp: &Exp, cheap: Cheap) -> Option<usize> {
    let own = match exp {
        Exp::Const(_) | Exp::Var(_) => 0,
        Exp::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul, ty, ..) if *ty != PrimType::F16 => 1,
        Exp::Bin(op, ty, ..) => match op {
            BinOp::Div if cheap == Cheap::Quotients && matches!(ty, PrimType::F32 | PrimType::F64) => {
                QUOTIENT
            }
            BinOp::Min | BinOp::Max if cheap == Cheap::InVectors && *ty != PrimType::F16 => 1,
            BinOp::Min | BinOp::Max | BinOp::Shl | BinOp::Shr | BinOp::ShrLogical if !ty.is_float() => 1,
            BinOp::And | BinOp::Or | BinOp::Xor => 1,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 1,
            _ => return None,
        },
        Exp::Un(UnOp::Neg | UnOp::Not | UnOp::Abs, ty, _) if *ty != PrimType::F16 => 1,
        Exp::Convert { to, from, .. } if !to.is_float() && !from.is_float() => 1,
        Exp::Select(..) => 1,
        _ => return None,
    };
    let mut total = Some(own);
    exp.for_each_child(&mut |child| total = total.and_then(|sum| Some(sum + cheap_operators(child, cheap)?)));
    total
}
