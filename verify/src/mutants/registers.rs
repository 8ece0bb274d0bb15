//! Wrong simplifications of IMP: what is known of scalars, forgotten across writes and iterations.

use super::lowered::{each, lists};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// How often each variable is used in some statements.
fn uses(statements: &[Statement]) -> BTreeMap<Var, usize> {
    let mut uses = BTreeMap::new();
    imp::visit::for_each_statement(statements, &mut |statement| {
        statement.kind.for_each_use(&mut |var| *uses.entry(var).or_default() += 1);
    });
    uses
}

/// Puts an expression in place of a variable in some statements.
fn replace(statements: &mut [Statement], var: Var, value: &Exp) {
    fn exp(target: &mut Exp, var: Var, value: &Exp) {
        if *target == Exp::Var(var) {
            *target = value.clone();
        } else {
            target.for_each_child_mut(&mut |child| exp(child, var, value));
        }
    }
    for statement in statements {
        statement.kind.for_each_exp_mut(&mut |target| exp(target, var, value));
        statement.kind.for_each_body_mut(&mut |body| replace(body, var, value));
    }
}

/// Whether a variable stands in an index function or as an argument, where only variables can.
fn needs_name(statements: &[Statement], var: Var) -> bool {
    let mut found = false;
    imp::visit::for_each_statement(statements, &mut |statement| {
        if let StatementKind::View { lmad, .. } = &statement.kind {
            lmad.for_each_var(&mut |used| found |= used == var);
        }
    });
    found
}

/// What is read once later is read there, though it may have been overwritten.
pub(super) fn read_moves_past_write(mut program: Program) -> Program {
    forward(&mut program, |value| matches!(value, Exp::Read { .. }));
    program
}

fn forward(program: &mut Program, fits: fn(&Exp) -> bool) {
    for procedure in &mut program.procedures {
        let mut kept: BTreeSet<Var> = BTreeSet::new();
        for (result, _) in &procedure.results {
            result.for_each_var(&mut |var| {
                kept.insert(var);
            });
        }
        list(&mut procedure.body, &kept, fits);
    }
    fn list(statements: &mut Vec<Statement>, kept: &BTreeSet<Var>, fits: fn(&Exp) -> bool) {
        for statement in statements.iter_mut() {
            statement.kind.for_each_body_mut(&mut |body| list(body, kept, fits));
        }
        let mut at = 0;
        while at < statements.len() {
            let (before, rest) = statements.split_at_mut(at + 1);
            if let Some(Statement { kind: StatementKind::Let { var, value, .. }, .. }) = before.last()
                && fits(value)
                && !kept.contains(var)
                && uses(rest).get(var) == Some(&1)
                && !needs_name(rest, *var)
            {
                let (var, value) = (*var, value.clone());
                replace(rest, var, &value);
                statements.remove(at);
                continue;
            }
            at += 1;
        }
    }
}

/// A copy of a variable that changes later is taken to be the variable.
pub(super) fn saved_value_is_variable(mut program: Program) -> Program {
    let mut mutable = BTreeSet::new();
    for procedure in &program.procedures {
        imp::visit::for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Assign { var, .. } = &statement.kind {
                mutable.insert(*var);
            }
        });
    }
    lists(&mut program, &mut |statements| {
        for at in 0..statements.len() {
            let (before, rest) = statements.split_at_mut(at + 1);
            if let Some(Statement {
                kind: StatementKind::Let { var, value: value @ Exp::Var(source), .. },
                ..
            }) = before.last()
                && mutable.contains(source)
                && !needs_name(rest, *var)
            {
                replace(rest, *var, value);
            }
        }
    });
    program
}

/// What a loop reads at one place is read once before the loop, though the loop may write there.
pub(super) fn read_hoisted_out_of_loop(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let mut hoisted = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            if let StatementKind::For { var, body, kind: LoopKind::Seq, .. } = &mut statement.kind {
                let mut inner: BTreeSet<Var> = BTreeSet::from([*var]);
                imp::visit::for_each_statement(body, &mut |statement| {
                    inner.extend(statement.kind.declares())
                });
                let invariant = |statement: &Statement| {
                    let StatementKind::Let { value: value @ Exp::Read { .. }, .. } = &statement.kind else {
                        return false;
                    };
                    let mut outside = true;
                    value.for_each_var(&mut |used| outside &= !inner.contains(&used));
                    outside
                };
                let at = body.iter().position(invariant);
                hoisted.extend(at.map(|at| body.remove(at)));
            }
            hoisted.push(statement);
        }
        *statements = hoisted;
    });
    program
}

/// A variable that each iteration of a loop begins with anew gets its first value once, before the loop.
pub(super) fn first_value_set_once(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let mut hoisted = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            if let StatementKind::For { body, kind: LoopKind::Seq, .. } = &mut statement.kind {
                let constant = |statement: &Statement| {
                    matches!(&statement.kind, StatementKind::Declare { value: Some(Exp::Const(_)), .. })
                };
                while let Some(at) = body.iter().position(constant) {
                    hoisted.push(body.remove(at));
                }
            }
            hoisted.push(statement);
        }
        *statements = hoisted;
    });
    program
}

/// A number that was made smaller by a minimum is taken as it was.
pub(super) fn minimum_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { value, .. } = kind
            && let Exp::Bin(BinOp::Min, PrimType::I64, left, right) = value
            && let Exp::Const(limit) = **right
            && limit.as_i64().is_some_and(|limit| limit > 2)
        {
            *value = (**left).clone();
        }
    });
    program
}

/// The arms of a selection by a negation change places without the negation being taken away.
pub(super) fn selection_swapped(mut program: Program) -> Program {
    let mut negations = BTreeSet::new();
    for procedure in &program.procedures {
        imp::visit::for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Let {
                var, value: Exp::Un(UnOp::Not, ..) | Exp::Bin(BinOp::Ne, ..), ..
            } = &statement.kind
            {
                negations.insert(*var);
            }
        });
    }
    each(&mut program, &mut |kind| {
        kind.for_each_exp_mut(&mut |exp| {
            if let Exp::Select(condition, yes, no) = exp
                && matches!(**condition, Exp::Var(var) if negations.contains(&var))
            {
                std::mem::swap(yes, no);
            }
        });
    });
    program
}

/// A store goes because a later one is to the same array, at whatever index.
pub(super) fn store_before_store_dropped(mut program: Program) -> Program {
    let mut places = BTreeMap::new();
    for procedure in &program.procedures {
        imp::visit::for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { var, mem, lmad, .. } = &statement.kind {
                places.insert(*var, (*mem, lmad.clone()));
            }
        });
    }
    lists(&mut program, &mut |statements| {
        let mut at = 0;
        while at < statements.len() {
            if let StatementKind::Write { view, indices, .. } = &statements[at].kind {
                let later = statements[at + 1..].iter().any(|statement| {
                    matches!(&statement.kind, StatementKind::Write { view: other, indices: i, .. }
                        if other != view && i != indices && places.get(other) == places.get(view))
                });
                if later {
                    statements.remove(at);
                    continue;
                }
            }
            at += 1;
        }
    });
    program
}

/// The body of a loop with one iteration stands for a loop of two as well.
pub(super) fn loop_of_two_runs_once(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { bound: Exp::Const(bound), kind: LoopKind::Seq, ty, .. } = kind
            && bound.as_int() == Some(2)
        {
            *bound = ty.of_i64(1);
        }
    });
    program
}

/// A branch whose second arm gives constants only is taken to be there for safety, and not to be needed.
pub(super) fn guard_dropped(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, then, otherwise } = kind
            && then.len() > otherwise.len()
            && !otherwise.is_empty()
            && otherwise.iter().all(|s| matches!(s.kind, StatementKind::Assign { value: Exp::Const(_), .. }))
        {
            *condition = Exp::Const(fun_base::prim::PrimValue::Bool(true));
        }
    });
    program
}

/// The sum with a negative constant becomes the difference to it: the sign is turned twice.
pub(super) fn negative_constant_subtracted(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { value: Exp::Bin(op @ BinOp::Add, ty, _, right), .. } = kind
            && ty.is_signed()
            && matches!(**right, Exp::Const(constant) if constant.as_int().is_some_and(|n| n < 0))
        {
            *op = BinOp::Sub;
        }
    });
    program
}
