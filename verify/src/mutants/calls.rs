//! Calls that are told where to make their results, and are told wrong.

use super::memory::{Alloc, allocs, in_scope_before, place, rename_block};
use super::rewrite::{Site, bodies};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_index::poly::Poly;
use fun_passes::funmem::interfaces::{Destination, Interfaces};
use funmem::ir::{Binder, Body, Exp, Mem, MemType, Program, Statement};
use std::collections::BTreeSet;

/// What a statement makes at places that it tells a call: binders and destinations.
fn told<'s>(
    statement: &'s Statement,
    interfaces: &'s Interfaces,
) -> Vec<(&'s Binder, &'s Destination, &'s [Atom])> {
    let Exp::Call { function, args } = &statement.exp else { return Vec::new() };
    let Some(interface) = interfaces.get(*function) else { return Vec::new() };
    let known = statement.pattern.iter().zip(&interface.destinations);
    known.filter_map(|(binder, known)| Some((binder, known.as_ref()?, args.as_slice()))).collect()
}

/// The call that is told a block, by its place in the body, and the array that it makes there.
fn call_that_fills<'s>(
    body: &'s Body,
    block: Var,
    interfaces: &'s Interfaces,
) -> Option<(usize, &'s Binder)> {
    body.statements.iter().enumerate().find_map(|(at, statement)| {
        let mut told = told(statement, interfaces).into_iter();
        let found = told.find(|(_, known, args)| args.get(known.block) == Some(&Atom::Var(block)));
        found.map(|(binder, ..)| (at, binder))
    })
}

/// The result of a call goes over an argument of the same shape: that the call still reads it is forgotten.
pub(super) fn over_an_argument(mut program: Program) -> Program {
    let (interfaces, site) = (Interfaces::of_program(&program), Site::<Mem>::new(&program));
    bodies(&mut program, &mut |body| {
        for alloc in allocs(body).into_iter().rev() {
            let Some((at, binder)) = call_that_fills(body, alloc.block, &interfaces) else { continue };
            let Exp::Call { args, .. } = &body.statements[at].exp else { continue };
            let like = |arg: &Atom| match (site.types.get(&arg.as_var()?)?, &binder.ty) {
                (
                    MemType::Array { shape, elem, mem, lmad },
                    MemType::Array { shape: wanted, elem: unit, mem: block, lmad: there },
                ) => (shape == wanted && elem == unit && mem != block && lmad == there).then_some(*mem),
                _ => None,
            };
            let over = args.iter().find_map(like);
            let over =
                over.filter(|mem| in_scope_before(&body.statements[alloc.at..], &BTreeSet::from([*mem])));
            if let Some(mem) = over {
                rename_block(body, alloc.at, alloc.block, mem);
            }
        }
    });
    program
}

/// Two calls make their results in one block, although both are used afterwards.
pub(super) fn in_one_block(mut program: Program) -> Program {
    let interfaces = Interfaces::of_program(&program);
    bodies(&mut program, &mut |body| {
        let mut before: Option<Alloc> = None;
        for alloc in allocs(body) {
            if call_that_fills(body, alloc.block, &interfaces).is_none() {
                continue;
            }
            match &before {
                Some(first) if first.shape == alloc.shape && first.elem == alloc.elem => {
                    rename_block(body, alloc.at, alloc.block, first.block);
                    return;
                }
                _ => before = Some(alloc),
            }
        }
    });
    program
}

/// A call makes its result at the start of the block instead of where it is told.
pub(super) fn from_start(mut program: Program) -> Program {
    let interfaces = Interfaces::of_program(&program);
    bodies(&mut program, &mut |body| {
        for at in 0..body.statements.len() {
            let offsets: Vec<(Var, usize)> = told(&body.statements[at], &interfaces)
                .iter()
                .filter(|(binder, ..)| {
                    place(&binder.ty).is_some_and(|(_, lmad)| lmad.offset != Poly::constant(0))
                })
                .map(|(binder, known, _)| (binder.var, known.offset))
                .collect();
            for (array, offset) in offsets {
                let statement = &mut body.statements[at];
                if let Exp::Call { args, .. } = &mut statement.exp {
                    args[offset] = Atom::i64(0);
                }
                for binder in statement.pattern.iter_mut().filter(|binder| binder.var == array) {
                    if let MemType::Array { lmad, .. } = &mut binder.ty {
                        lmad.offset = Poly::constant(0);
                    }
                }
            }
        }
    });
    program
}
