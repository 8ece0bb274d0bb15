//! Memory expansion: a block that each iteration of a kernel allocates becomes one allocation before the kernel. Each mutant uses a
//! formula that is wrong in one way; two are those of the paper as printed.

use super::memory::{Alloc, allocs, is_passed_on, product, vars_of};
use super::rewrite::{Site, bodies};
use fun::ir::Atom;
use fun::visit::{Map, map_body};
use fun_base::name::Var;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use funmem::ir::{Body, Combine, Exp, Mem, MemOp, MemType, Program, Statement, atom_poly};

/// What a formula is made of.
struct Threads {
    /// The number of the iteration, from 0.
    thread: Poly,
    /// The number of the innermost counter.
    inner: Poly,
    /// How many iterations there are.
    count: Poly,
    /// How many cells each has.
    size: Poly,
    /// Where in the iteration's cells the block begins, after several blocks became one.
    start: Poly,
}

/// A place in one iteration's cells as a place in the cells of all.
type Formula = fn(&Threads, &Lmad) -> Lmad;

fn scaled(lmad: &Lmad, factor: &Poly, offset: Poly) -> Lmad {
    let dims = lmad.dims.iter().map(|dim| LmadDim { size: dim.size.clone(), stride: dim.stride.mul(factor) });
    Lmad { offset: lmad.offset.mul(factor).add(&offset), dims: dims.collect() }
}

fn blocked(threads: &Threads, lmad: &Lmad, thread: &Poly) -> Lmad {
    scaled(lmad, &Poly::constant(1), thread.mul(&threads.size).add(&threads.start))
}

/// As printed in the paper: iterations are counted from 1.
pub(super) fn counted_from_one(program: Program) -> Program {
    expand(program, true, |t, lmad| blocked(t, lmad, &t.thread.add(&Poly::constant(1))))
}

/// As printed in the paper: in interleaved cells the old offset is not scaled.
pub(super) fn offset_not_scaled(program: Program) -> Program {
    expand(program, true, |t, lmad| scaled(lmad, &t.count, t.start.add(&t.thread)))
}

/// In interleaved cells the strides are not scaled.
pub(super) fn strides_not_scaled(program: Program) -> Program {
    expand(program, true, |t, lmad| scaled(lmad, &Poly::constant(1), t.start.mul(&t.count).add(&t.thread)))
}

/// Of several counters the innermost alone counts.
pub(super) fn outer_counters_forgotten(program: Program) -> Program {
    expand(program, true, |t, lmad| blocked(t, lmad, &t.inner))
}

/// The allocation is hoisted at its old size.
pub(super) fn room_not_multiplied(program: Program) -> Program {
    expand(program, false, |t, lmad| blocked(t, lmad, &t.thread))
}

/// The distance between two iterations' cells is their number instead of their size.
pub(super) fn size_and_count_swapped(program: Program) -> Program {
    expand(program, true, |t, lmad| scaled(lmad, &Poly::constant(1), t.thread.mul(&t.count).add(&t.start)))
}

/// One block for all iterations.
pub(super) fn hoisted_without_expansion(program: Program) -> Program {
    expand(program, false, |t, lmad| scaled(lmad, &Poly::constant(1), t.start.clone()))
}

fn expand(mut program: Program, multiplied: bool, formula: Formula) -> Program {
    bodies(&mut program, &mut |body| {
        for mut statement in std::mem::take(&mut body.statements) {
            if let Exp::Kernel { space, combine: Combine::Map, body: inner } = &mut statement.exp {
                body.statements.extend(expand_kernel(space, inner, multiplied, formula));
            }
            body.statements.push(statement);
        }
    });
    program
}

/// Moves allocations out of a kernel; gives the allocation to come before it.
fn expand_kernel(
    space: &[(Var, Atom)],
    inner: &mut Body,
    multiplied: bool,
    formula: Formula,
) -> Option<Statement> {
    let local: std::collections::BTreeSet<Var> = inner
        .statements
        .iter()
        .flat_map(super::rewrite::bound)
        .chain(space.iter().map(|(counter, _)| *counter))
        .collect();
    let invariant = |alloc: &Alloc| {
        let vars = |atom: &Atom| atom.as_var().is_none_or(|var| !local.contains(&var));
        alloc.shape.iter().all(vars) && !is_passed_on(inner, alloc.block)
    };
    let all: Vec<Alloc> = allocs(inner).into_iter().filter(invariant).collect();
    let first = all.first()?;
    // Up to two blocks of one element type become one, where the size of both is a product.
    let mut chosen: Vec<&Alloc> = all.iter().filter(|alloc| alloc.elem == first.elem).take(2).collect();
    let together = room(&chosen).unwrap_or_else(|| {
        chosen.truncate(1);
        first.shape.clone()
    });
    let size = chosen.iter().fold(Poly::constant(0), |sum, alloc| sum.add(&product(&alloc.shape)));
    let mut thread = Poly::constant(0);
    let mut count = Poly::constant(1);
    for (counter, bound) in space {
        thread = thread.mul(&atom_poly(*bound)).add(&Poly::var(*counter));
        count = count.mul(&atom_poly(*bound));
    }
    let inner_counter = space.last().map(|(counter, _)| Poly::var(*counter))?;
    let mut start = Poly::constant(0);
    for alloc in &chosen {
        let threads = Threads {
            thread: thread.clone(),
            inner: inner_counter.clone(),
            count: count.clone(),
            size: size.clone(),
            start: start.clone(),
        };
        let mut rebase = Rebase { from: alloc.block, into: first.block, threads, formula };
        *inner = map_body(&mut rebase, inner);
        start = start.add(&product(&alloc.shape));
    }
    let blocks: Vec<Var> = chosen.iter().map(|alloc| alloc.block).collect();
    let mut shape: Vec<Atom> = Vec::new();
    if multiplied {
        shape.extend(space.iter().map(|(_, bound)| *bound));
    }
    let statement = inner
        .statements
        .iter()
        .find(|statement| statement.pattern.first().is_some_and(|binder| binder.var == first.block))?;
    let pattern = statement.pattern.clone();
    inner.statements.retain(|statement| !statement.pattern.iter().any(|binder| blocks.contains(&binder.var)));
    shape.extend(together);
    let exp = Exp::Op(MemOp::Alloc { space: funmem::ir::Space::Default, shape, elem: first.elem });
    Some(Statement { pattern, exp, loc: None })
}

/// Factors of the room for some blocks together.
fn room(chosen: &[&Alloc]) -> Option<Vec<Atom>> {
    match chosen {
        [one] => Some(one.shape.clone()),
        [one, other] if one.shape == other.shape => {
            Some(one.shape.iter().copied().chain([Atom::i64(2)]).collect())
        }
        several => {
            let size = |alloc: &&Alloc| product(&alloc.shape).as_constant();
            let sum = several.iter().try_fold(0, |sum, alloc| Some(sum + size(alloc)?))?;
            Some(vec![Atom::i64(sum)])
        }
    }
}

/// Moves all arrays of a block.
struct Rebase {
    from: Var,
    into: Var,
    threads: Threads,
    formula: Formula,
}

impl Map<Mem, Mem> for Rebase {
    fn ty(&mut self, ty: &MemType) -> MemType {
        match ty {
            MemType::Array { shape, elem, mem, lmad } if *mem == self.from => MemType::Array {
                shape: shape.clone(),
                elem: *elem,
                mem: self.into,
                lmad: (self.formula)(&self.threads, lmad),
            },
            other => other.clone(),
        }
    }

    fn op(&mut self, op: &MemOp) -> Exp {
        Exp::Op(op.clone())
    }
}

/// Arrays that a kernel's body makes are built in the kernel's result, but all iterations in the first one's part.
pub(super) fn rows_built_in_first_row(program: Program) -> Program {
    build_rows(program, |lmad, _| {
        let mut row = lmad.clone();
        row.dims.remove(0);
        row
    })
}

/// Arrays that a kernel's body makes are built in the kernel's result, but in the part of the iteration as far from the end.
pub(super) fn rows_built_in_mirrored_row(program: Program) -> Program {
    build_rows(program, |lmad, counters| {
        let mirrored = lmad.reverse(0);
        mirrored.fix(0, &counters[0])
    })
}

fn build_rows(mut program: Program, row: fn(&Lmad, &[Poly]) -> Lmad) -> Program {
    let site = Site::new(&program);
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::Kernel { space, combine: Combine::Map, body: inner } = &mut statement.exp else {
                continue;
            };
            if space.len() != 1 {
                continue;
            }
            let counters: Vec<Poly> = space.iter().map(|(counter, _)| Poly::var(*counter)).collect();
            for (binder, result) in statement.pattern.iter().zip(inner.results.clone()) {
                let (Some((mem, lmad)), Some(var)) = (super::memory::place(&binder.ty), result.as_var())
                else {
                    continue;
                };
                if vars_of(mem, lmad)
                    .iter()
                    .any(|var| statement.pattern.iter().any(|binder| binder.var == *var))
                {
                    continue;
                }
                let made = inner.statements.iter_mut().find(|made| {
                    super::memory::is_fresh(&made.exp)
                        && made.pattern.len() == 1
                        && made.pattern[0].var == var
                });
                if let Some(made) = made.filter(|_| site.uses(var) == 1) {
                    super::memory::move_to(&mut made.pattern[0], mem, row(lmad, &counters));
                }
            }
        }
    });
    program
}
