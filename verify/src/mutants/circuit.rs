//! Short-circuiting: an array that is going to be copied into part of another is built there in the first place. That is right where
//! the other array's block exists before the array is made and nobody uses that part of it between; each mutant forgets a condition.

use super::memory::{Sees, in_scope_before, is_fresh, move_to, place, residents, vars_of};
use super::rewrite::{Site, bodies, bound, used};
use fun::ir::Atom;
use fun::visit::Walk;
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp, Mem, Program, Statement, slices};
use std::collections::BTreeSet;

/// What may happen to the destination between the making of an array and its copy.
#[derive(Clone, Copy)]
struct Allowed {
    /// Reads of the destination's block.
    reads: bool,
    /// Writes to it, as when the destination is made.
    writes: bool,
    /// An assertion.
    assertions: bool,
    /// A use of the array after the copy, when the destination may have changed.
    later: bool,
}

const NOTHING: Allowed = Allowed { reads: false, writes: false, assertions: false, later: false };

/// The destination is read after the array was built in it.
pub(super) fn over_a_read(program: Program) -> Program {
    updates(program, Allowed { reads: true, ..NOTHING }, |place| place)
}

/// The destination is made after the array was built in its block, and so overwrites it (the shape of Futhark's #1927).
pub(super) fn before_destination_is_made(program: Program) -> Program {
    updates(program, Allowed { writes: true, ..NOTHING }, |place| place)
}

/// The array is written before the assertion that says that there is room for it (the shape of Futhark's #1930).
pub(super) fn before_bounds_are_checked(program: Program) -> Program {
    updates(program, Allowed { assertions: true, ..NOTHING }, |place| place)
}

/// The array is used after the destination that it lies in was changed.
pub(super) fn used_after_change(program: Program) -> Program {
    updates(program, Allowed { later: true, ..NOTHING }, |place| place)
}

/// The strides of the part are forgotten: the array lies dense from the part's first cell.
pub(super) fn part_taken_as_dense(program: Program) -> Program {
    updates(program, NOTHING, |place| Lmad::row_major(place.offset.clone(), &place.sizes()))
}

/// The offset of the part is forgotten.
pub(super) fn part_taken_from_start(program: Program) -> Program {
    updates(program, NOTHING, |place| Lmad { offset: Poly::constant(0), dims: place.dims })
}

/// Moves allocations up as far as their sizes are known, so that more blocks exist before arrays are made.
pub(super) fn hoist_allocs(body: &mut Body) {
    let mut at = 0;
    while at < body.statements.len() {
        if matches!(body.statements[at].exp, Exp::Op(_)) {
            let needs = used(&body.statements[at]);
            let above =
                body.statements[..at].iter().rposition(|statement| !bound(statement).is_disjoint(&needs));
            let statement = body.statements.remove(at);
            body.statements.insert(above.map_or(0, |above| above + 1), statement);
        }
        at += 1;
    }
}

fn updates(mut program: Program, allowed: Allowed, wrong: fn(Lmad) -> Lmad) -> Program {
    let site = Site::new(&program);
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
            let (value, part) = (*value, wrong(lmad.slice(&slices(dims))));
            moved |= build_in(&site, &mut body, value, at, mem, part, allowed);
        }
        if moved {
            *whole = body;
        }
    });
    program
}

/// Builds an array at another place, if its copy at statement `at` is all that it is for and nothing forbids it; whether it did.
fn build_in(
    site: &Site<Mem>,
    body: &mut Body,
    value: Var,
    at: usize,
    mem: Var,
    part: Lmad,
    allowed: Allowed,
) -> bool {
    let made = body.statements[..at]
        .iter()
        .position(|made| is_fresh(&made.exp) && made.pattern.len() == 1 && made.pattern[0].var == value);
    let Some(made) = made else { return false };
    let own = place(&body.statements[made].pattern[0].ty).map(|(own, _)| own);
    if own == Some(mem) || !in_scope_before(&body.statements[made..at], &vars_of(mem, &part)) {
        return false;
    }
    // Views of the array would have to move along.
    if allowed.later {
        let derives = |statement: &Statement| {
            statement.pattern.iter().any(|b| b.var != value && place(&b.ty).map(|(m, _)| m) == own)
        };
        if site.uses(value) < 2
            || body.statements.iter().any(derives)
            || body.results.contains(&Atom::Var(value))
        {
            return false;
        }
    } else if site.uses(value) != 1 {
        return false;
    }
    let there = residents(body, mem, Sees::ALL);
    // The array's own computation may read the destination: the mutants that mind reads mind that, too.
    let reads = |statement: &Statement| !operands(&statement.exp).is_disjoint(&there);
    let writes = |statement: &Statement| {
        statement
            .pattern
            .iter()
            .any(|binder| place(&binder.ty).is_some_and(|(block, _)| there.contains(&block)))
            && !matches!(statement.exp, Exp::Op(_))
    };
    let between = &body.statements[made + 1..at];
    let ok = (allowed.reads || !body.statements[made..at].iter().any(reads))
        && (allowed.writes || !between.iter().any(writes))
        && (allowed.assertions || !between.iter().any(|s| matches!(s.exp, Exp::Assert { .. })));
    if ok {
        move_to(&mut body.statements[made].pattern[0], mem, part);
    }
    ok
}

/// The variables that an expression uses.
pub(super) fn operands(exp: &Exp) -> BTreeSet<Var> {
    struct Used(BTreeSet<Var>);
    impl Walk<Mem> for Used {
        fn atom(&mut self, atom: &Atom) {
            self.0.extend(atom.as_var());
        }
    }
    let mut used = Used(BTreeSet::new());
    Walk::<Mem>::exp(&mut used, exp);
    used.0
}

/// The parts of a concatenation are built in its result, but the offset of each counts rows instead of elements.
pub(super) fn concat_offset_counts_rows(program: Program) -> Program {
    concats(program, |result, rows, rank| {
        let stride = if rank > 1 { Poly::constant(1) } else { result.dims[0].stride.clone() };
        result.offset.add(&rows.mul(&stride))
    })
}

/// The parts of a concatenation are built in its result, all from its first row on.
pub(super) fn concat_parts_overlap(program: Program) -> Program {
    concats(program, |result, _, _| result.offset.clone())
}

/// The last part of a concatenation is built in its result one row too early.
pub(super) fn concat_offset_off_by_one(program: Program) -> Program {
    concats(program, |result, rows, _| {
        let before = if rows.as_constant() == Some(0) { rows.clone() } else { rows.sub(&Poly::constant(1)) };
        result.offset.add(&before.mul(&result.dims[0].stride))
    })
}

fn concats(mut program: Program, offset: fn(&Lmad, &Poly, usize) -> Poly) -> Program {
    let site = Site::new(&program);
    bodies(&mut program, &mut |whole| {
        let (mut body, mut moved) = (whole.clone(), false);
        hoist_allocs(&mut body);
        for at in 0..body.statements.len() {
            let statement = &body.statements[at];
            let (Exp::Concat { arrays, .. }, [binder]) = (&statement.exp, statement.pattern.as_slice())
            else {
                continue;
            };
            let Some((mem, lmad)) = place(&binder.ty) else { continue };
            let (lmad, mut rows) = (lmad.clone(), Poly::constant(0));
            for array in arrays.clone() {
                let Some(part) = site.types.get(&array).and_then(place).map(|(_, part)| part.clone()) else {
                    continue;
                };
                let mut index = lmad.clone();
                index.offset = offset(&lmad, &rows, lmad.rank());
                index.dims[0].size = part.dims[0].size.clone();
                moved |= build_in(&site, &mut body, array, at, mem, index, NOTHING);
                rows = rows.add(&part.dims[0].size);
            }
        }
        if moved {
            *whole = body;
        }
    });
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::memory::allocs;
    use fun_base::source::Source;

    #[test]
    fn hoisted_allocations_stay_below_their_sizes() {
        let text = "fun f (n_0: i64) : (r_1: i64) = {\n  let (x_2: i64) = add.i64 n_0 1i64\n  let (m_3: i64) = add.i64 n_0 2i64\n  \
                    let (a_mem_4: mem) = alloc [x_2] i64\n  in (m_3)\n}\n";
        let source = Source { name: "test".into(), text: text.into() };
        let mut program: Program = fun::text::parse_program(&source, 0).expect("parses");
        bodies(&mut program, &mut hoist_allocs);
        assert_eq!(allocs(&program.functions[0].body)[0].at, 1);
    }
}
