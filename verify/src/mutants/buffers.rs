//! Buffers of loops: arrays that each iteration makes anew get their blocks once, before the loop.

use super::memory::{Alloc, allocs, is_passed_on, place};
use super::rewrite::{Site, bodies, bound};
use fun::ir::{Atom, LoopParam};
use fun::visit::names::{Subst, subst_body};
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Mem, MemOp, MemType, Program, Space, Statement};
use std::collections::BTreeSet;

/// An array that a loop carries along with its block, and the allocation in the body for its next value.
struct Carried {
    /// Which parameter the block is; the array is another one.
    block: usize,
    array: usize,
    next: Alloc,
}

/// The carried arrays of a loop whose next value is made in the body in a block of its own, of a size known outside.
fn carried(params: &[LoopParam<Mem>], body: &Body) -> Vec<Carried> {
    let inner: BTreeSet<Var> =
        body.statements.iter().flat_map(bound).chain(params.iter().map(|param| param.binder.var)).collect();
    let mut found = Vec::new();
    for next in allocs(body) {
        let outside = |atom: &Atom| atom.as_var().is_none_or(|var| !inner.contains(&var));
        let results: Vec<usize> =
            (0..params.len()).filter(|k| body.results[*k] == Atom::Var(next.block)).collect();
        let statements = Body { statements: body.statements.clone(), results: Vec::new() };
        let ([block], true) =
            (&results[..], next.shape.iter().all(outside) && !is_passed_on(&statements, next.block))
        else {
            continue;
        };
        let var = params[*block].binder.var;
        let array =
            params.iter().position(|param| place(&param.binder.ty).is_some_and(|(mem, _)| mem == var));
        if let Some(array) = array {
            found.push(Carried { block: *block, array, next });
        }
    }
    found
}

/// One block for the array of every iteration: the next value overwrites the one that it is made of, which lies there under the name of
/// the loop's parameter (the shape of Futhark's #2084).
pub(super) fn one_buffer_for_all_iterations(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for mut statement in std::mem::take(&mut body.statements) {
            if let Exp::Loop { params, body: inner, .. } = &mut statement.exp {
                let allocs: Vec<usize> =
                    carried(params, inner).iter().map(|carried| carried.next.at).collect();
                for at in allocs.into_iter().rev() {
                    body.statements.push(inner.statements.remove(at));
                }
            }
            body.statements.push(statement);
        }
    });
    program
}

/// The next value is made in the block of the present one.
pub(super) fn next_value_in_place_of_present(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::Loop { params, body: inner, .. } = &mut statement.exp else { continue };
            if let Some(carried) = carried(params, inner).first() {
                let into = params[carried.block].binder.var;
                super::memory::rename_block(inner, carried.next.at, carried.next.block, into);
            }
        }
    });
    program
}

/// Two buffers, but the next iteration is not told which one is free.
pub(super) fn buffers_not_swapped(program: Program) -> Program {
    double(program, true, false)
}

/// Two buffers that are swapped, one of them being the block of the initial value.
pub(super) fn initial_value_is_a_buffer(program: Program) -> Program {
    double(program, false, true)
}

fn double(mut program: Program, copied: bool, swapped: bool) -> Program {
    let mut site = Site::new(&program);
    bodies(&mut program, &mut |body| {
        for mut statement in std::mem::take(&mut body.statements) {
            let mut before = Vec::new();
            if let Exp::Loop { params, body: inner, .. } = &mut statement.exp
                && let Some(one) = carried(params, inner).into_iter().next()
            {
                let spare = buffer(&mut site, &mut before, &one.next);
                if copied {
                    copy_initial(&mut site, &mut before, params, &one);
                }
                let inside = site.names.fresh("spare_mem");
                let present = params[one.block].binder.var;
                inner.statements.remove(one.next.at);
                *inner = subst_body::<Mem>(&Subst::from([(one.next.block, Atom::Var(inside))]), inner);
                let ty = MemType::Mem(Space::Default);
                params.push(LoopParam {
                    binder: Binder { var: inside, ty: ty.clone() },
                    init: Atom::Var(spare),
                });
                inner.results.push(Atom::Var(if swapped { present } else { inside }));
                statement.pattern.push(Binder { var: site.names.fresh("spare_mem"), ty });
            }
            body.statements.append(&mut before);
            body.statements.push(statement);
        }
    });
    program
}

fn buffer(site: &mut Site<Mem>, before: &mut Vec<Statement>, like: &Alloc) -> Var {
    let var = site.names.fresh("buffer_mem");
    let pattern = vec![Binder { var, ty: MemType::Mem(Space::Default) }];
    let exp = Exp::Op(MemOp::Alloc { space: Space::Default, shape: like.shape.clone(), elem: like.elem });
    before.push(Statement { pattern, exp, loc: None });
    var
}

/// Copies the initial value to a buffer, from which the loop starts.
fn copy_initial(
    site: &mut Site<Mem>,
    before: &mut Vec<Statement>,
    params: &mut [LoopParam<Mem>],
    one: &Carried,
) {
    let (Some(init), MemType::Array { shape, elem, .. }) =
        (params[one.array].init.as_var(), params[one.array].binder.ty.clone())
    else {
        return;
    };
    let mem = buffer(site, before, &one.next);
    let sizes: Vec<Poly> = shape.iter().map(|atom| funmem::ir::atom_poly(*atom)).collect();
    let ty = MemType::Array { shape, elem, mem, lmad: Lmad::row_major(Poly::constant(0), &sizes) };
    let var = site.names.fresh("first");
    before.push(Statement { pattern: vec![Binder { var, ty }], exp: Exp::Copy(init), loc: None });
    params[one.block].init = Atom::Var(mem);
    params[one.array].init = Atom::Var(var);
}

/// What comes after a loop goes into the block of its value instead of the one that it leaves free.
pub(super) fn spare_holds_the_value(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        let mut changed = Subst::new();
        for statement in &body.statements {
            if !matches!(statement.exp, Exp::Loop { .. }) {
                continue;
            }
            let filled: BTreeSet<Var> =
                statement.pattern.iter().filter_map(|binder| place(&binder.ty)).map(|(mem, _)| mem).collect();
            let blocks = statement.pattern.iter().filter(|binder| matches!(binder.ty, MemType::Mem(_)));
            let (filled, spare): (Vec<Var>, Vec<Var>) =
                blocks.map(|binder| binder.var).partition(|block| filled.contains(block));
            if let Some(value) = filled.first() {
                changed.extend(spare.into_iter().map(|spare| (spare, Atom::Var(*value))));
            }
        }
        *body = subst_body::<Mem>(&changed, body);
    });
    program
}

/// Where a branch keeps the present value, its block is given on as the one that is free.
pub(super) fn kept_is_spare(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::If { then, otherwise, .. } = &mut statement.exp else { continue };
            let blocks: Vec<usize> = (0..statement.pattern.len())
                .filter(|k| matches!(statement.pattern[*k].ty, MemType::Mem(_)))
                .collect();
            for (k, one) in blocks.iter().enumerate() {
                for other in &blocks[k + 1..] {
                    let (left, right) = (&then.results, &mut otherwise.results);
                    let change = left[*one] == right[*other] && left[*other] == right[*one];
                    if change && left[*one] != left[*other] {
                        right[*other] = right[*one];
                    }
                }
            }
        }
    });
    program
}

/// What fills the hole that the moving parts of a concatenation leave is put there before these have moved.
pub(super) fn hole_filled_early(mut program: Program) -> Program {
    let mut site = Site::new(&program);
    bodies(&mut program, &mut |body| {
        let made: Vec<BTreeSet<Var>> = body.statements.iter().map(bound).collect();
        for at in 0..body.statements.len() {
            let (Exp::Concat { .. }, [moved]) = (&body.statements[at].exp, &body.statements[at].pattern[..])
            else {
                continue;
            };
            let MemType::Array { mem, lmad, .. } = moved.ty.clone() else { continue };
            let filled =
                body.statements[at + 1..].iter().enumerate().find_map(|(k, later)| match &later.exp {
                    Exp::Update { array, dims, value: Atom::Var(value) } if *array == moved.var => {
                        Some((at + 1 + k, dims.clone(), *value))
                    }
                    _ => None,
                });
            let Some((update, dims, value)) = filled else { continue };
            let maker = (0..at).find(|k| made[*k].contains(&value)).map(|k| &body.statements[k].pattern);
            let ty = maker
                .and_then(|pattern| pattern.iter().find(|binder| binder.var == value))
                .map(|binder| &binder.ty);
            let Some(MemType::Array { shape, elem, .. }) = ty else { continue };
            let place = lmad.slice(&funmem::ir::slices(&dims));
            let ty = MemType::Array { shape: shape.clone(), elem: *elem, mem, lmad: place };
            let early = site.names.fresh("early");
            let copy =
                Statement { pattern: vec![Binder { var: early, ty }], exp: Exp::Copy(value), loc: None };
            if let Exp::Update { value, .. } = &mut body.statements[update].exp {
                *value = Atom::Var(early);
            }
            body.statements.insert(at, copy);
            return;
        }
    });
    program
}
