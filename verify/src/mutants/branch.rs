//! Short-circuiting through branches: what an `if` gives is built in both arms where it is going to be copied to, or copied there by an arm.
//! Each mutant forgets a condition, or the copy.

use super::circuit::{hoist_allocs, operands};
use super::memory::{Sees, in_scope_before, is_fresh, move_to, place, residents, vars_of};
use super::rewrite::{Site, bodies};
use fun::ir::Atom;
use fun_base::name::{NameSource, Var};
use fun_index::lmad::Lmad;
use funmem::ir::{Binder, Body, Exp, Mem, MemType, Program, Statement, slices};
use std::collections::BTreeSet;

/// What is forgotten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgotten {
    /// An arm reads the destination after it began to build its result there.
    Arm,
    /// The destination is read between the branch and the copy.
    After,
    /// An arm that does not build its result in place must copy it.
    Copy,
    /// Of two arrays made before the branch, one of which it gives, only one can be in the place.
    Both,
}

/// An arm builds its result in the destination although it reads that.
pub(super) fn arm_reads_destination(program: Program) -> Program {
    updates(program, Forgotten::Arm)
}

/// The arms build their results in the destination although that is read behind the branch.
pub(super) fn destination_read_behind(program: Program) -> Program {
    updates(program, Forgotten::After)
}

/// An arm that cannot build its result in the destination claims the place, and copies nothing.
pub(super) fn arm_does_not_copy(program: Program) -> Program {
    updates(program, Forgotten::Copy)
}

/// What the two arms give was made before the branch, each in the destination.
pub(super) fn both_made_before(program: Program) -> Program {
    updates(program, Forgotten::Both)
}

fn updates(mut program: Program, forgotten: Forgotten) -> Program {
    let site = Site::new(&program);
    let mut names = fun::visit::names::name_source(&program);
    bodies(&mut program, &mut |whole| {
        let (mut body, mut moved) = (whole.clone(), false);
        hoist_allocs(&mut body);
        for at in 0..body.statements.len() {
            let statement = &body.statements[at];
            let (Exp::Update { dims, value: Atom::Var(value), .. }, [binder]) =
                (&statement.exp, statement.pattern.as_slice())
            else {
                continue;
            };
            let Some((mem, lmad)) = place(&binder.ty) else { continue };
            let (value, target) = (*value, (mem, lmad.slice(&slices(dims))));
            moved |= through_if(&site, &mut names, &mut body, (value, at), target, forgotten);
        }
        if moved {
            *whole = body;
        }
    });
    program
}

/// Has the arms of an `if` put its result, which is copied at statement `at`, at another place.
fn through_if(
    site: &Site<Mem>,
    names: &mut NameSource,
    body: &mut Body,
    (value, at): (Var, usize),
    (mem, part): (Var, Lmad),
    forgotten: Forgotten,
) -> bool {
    let binds = |statement: &Statement| statement.pattern.iter().position(|binder| binder.var == value);
    let found = body.statements[..at].iter().enumerate().find_map(|(j, made)| Some((j, binds(made)?)));
    let Some((branch, array)) = found else { return false };
    let statement = &body.statements[branch];
    let Exp::If { then, otherwise, .. } = &statement.exp else { return false };
    let own = place(&statement.pattern[array].ty).map(|(own, _)| own);
    let Some(block) = statement.pattern.iter().position(|binder| Some(binder.var) == own) else {
        return false;
    };
    let between = &body.statements[branch + 1..at];
    let there = residents(body, mem, Sees::ALL);
    let reads = |statement: &Statement| !operands(&statement.exp).is_disjoint(&there);
    let sharing = statement.pattern.iter().filter(|binder| place(&binder.ty).map(|(mem, _)| mem) == own);
    let unfit = site.uses(value) != 1
        || own.is_none_or(|own| site.uses(own) != 1)
        || sharing.count() != 1
        || !in_scope_before(&body.statements[branch..at], &vars_of(mem, &part))
        || between.iter().any(|statement| matches!(statement.exp, Exp::Assert { .. }))
        || forgotten != Forgotten::After && between.iter().any(reads);
    if unfit {
        return false;
    }
    let results = [then, otherwise].map(|arm| arm.results[array].as_var());
    if forgotten == Forgotten::Both {
        let [Some(left), Some(right)] = results else { return false };
        let made = |var: Var| {
            let bound = |s: &Statement| is_fresh(&s.exp) && s.pattern.len() == 1 && s.pattern[0].var == var;
            body.statements[..branch].iter().position(bound).filter(|_| site.uses(var) == 1)
        };
        let (Some(left), Some(right)) = (made(left), made(right)) else { return false };
        let first = left.min(right);
        let window = &body.statements[first..branch];
        if left == right
            || window.iter().any(reads)
            || !in_scope_before(window, &vars_of(mem, &part))
            || window.iter().any(|statement| matches!(statement.exp, Exp::Assert { .. }))
        {
            return false;
        }
        for made in [left, right] {
            move_to(&mut body.statements[made].pattern[0], mem, part.clone());
        }
    }
    let shape = body.statements[branch].pattern[array].clone();
    let statement = &mut body.statements[branch];
    let Exp::If { then, otherwise, .. } = &mut statement.exp else { return false };
    let mut arms = [then, otherwise];
    let mut built: Vec<bool> = Vec::new();
    for arm in &mut arms {
        built.push(forgotten == Forgotten::Both || build(site, arm, array, (mem, &part), &there, forgotten));
    }
    if built == [false, false] {
        return false;
    }
    for (arm, built) in arms.into_iter().zip(built) {
        arm.results.remove(block);
        let array = array - usize::from(block < array);
        let (false, Some(value)) = (built, arm.results[array].as_var()) else { continue };
        let MemType::Array { shape, elem, .. } = &shape.ty else { continue };
        let exp = match forgotten {
            Forgotten::Copy => Exp::Scratch { shape: shape.clone(), elem: *elem },
            Forgotten::Arm | Forgotten::After | Forgotten::Both => Exp::Copy(value),
        };
        let var = names.fresh_like(value);
        let ty = MemType::Array { shape: shape.clone(), elem: *elem, mem, lmad: part.clone() };
        arm.statements.push(Statement { pattern: vec![Binder { var, ty }], exp, loc: None });
        arm.results[array] = Atom::Var(var);
    }
    move_to(&mut statement.pattern[array], mem, part);
    statement.pattern.remove(block);
    true
}

/// Builds what an arm gives in the destination, if it is made in the arm and nothing that counts forbids it.
fn build(
    site: &Site<Mem>,
    arm: &mut Body,
    array: usize,
    (mem, part): (Var, &Lmad),
    there: &BTreeSet<Var>,
    forgotten: Forgotten,
) -> bool {
    let Some(value) = arm.results[array].as_var() else { return false };
    let bound = |s: &Statement| is_fresh(&s.exp) && s.pattern.len() == 1 && s.pattern[0].var == value;
    let Some(made) = arm.statements.iter().position(bound) else { return false };
    let reads = |statement: &Statement| !operands(&statement.exp).is_disjoint(there);
    let stops = |statement: &Statement| matches!(statement.exp, Exp::Assert { .. });
    let forbidden = site.uses(value) != 1
        || arm.statements[made..].iter().any(stops)
        || forgotten != Forgotten::Arm && arm.statements[made..].iter().any(reads);
    if !forbidden {
        move_to(&mut arm.statements[made].pattern[0], mem, part.clone());
    }
    !forbidden
}
