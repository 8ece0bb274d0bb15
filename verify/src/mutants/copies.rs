//! Copies left out where they are needed. A copy goes by giving its result the place of its operand: then nothing is written. That is
//! right where neither is changed while the other is still used; each mutant forgets to ask in one kind of place.

use super::memory::{allocs, move_to, place, place_of, rename_block};
use super::rewrite::{Site, bodies};
use fun::ir::Atom;
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use funmem::ir::{Body, Exp, Mem, MemType, Program};

/// What a copy is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    FunctionResult,
    LoopInit,
    LoopResult,
    UpdateValue,
    CallArgument,
    Reshaped,
    /// A copy that the program asks for, of an array of any place.
    Own,
}

/// A loop changes its initial value in place without copying it first.
pub(super) fn initial_value_not_copied(program: Program) -> Program {
    drop_copies(program, Purpose::LoopInit)
}

/// The result of an iteration stays where an array of the loop lies, which the next iteration may change.
pub(super) fn iteration_result_not_copied(program: Program) -> Program {
    drop_copies(program, Purpose::LoopResult)
}

/// A function gives back its argument's block as if it was its own (the shape of Futhark's #2288).
pub(super) fn function_result_not_copied(program: Program) -> Program {
    drop_copies(program, Purpose::FunctionResult)
}

/// A value is written over part of the array that it lies in (the shape of Futhark's #2018).
pub(super) fn update_value_not_copied(program: Program) -> Program {
    drop_copies(program, Purpose::UpdateValue)
}

/// A function consumes its caller's array.
pub(super) fn argument_not_copied(program: Program) -> Program {
    drop_copies(program, Purpose::CallArgument)
}

/// A reshape without an index function takes its array to be row-major where it lies.
pub(super) fn reshape_without_copy(program: Program) -> Program {
    drop_copies(program, Purpose::Reshaped)
}

/// A copy is left out because its operand is not used afterwards by that name.
pub(super) fn copy_of_live_array(program: Program) -> Program {
    drop_copies(program, Purpose::Own)
}

fn drop_copies(mut program: Program, purpose: Purpose) -> Program {
    let site = Site::new(&program);
    let mut results: Vec<Atom> = Vec::new();
    for function in program.functions.iter().filter(|function| !function.entry) {
        results.extend(&function.body.results);
    }
    bodies(&mut program, &mut |body| {
        let mut at = 0;
        while at < body.statements.len() {
            if let Some((alloc, block, source, lmad)) = droppable(&site, &results, body, at, purpose) {
                move_to(&mut body.statements[at].pattern[0], source, lmad);
                rename_block(body, alloc, block, source);
                continue;
            }
            at += 1;
        }
    });
    program
}

/// The allocation for a copy, and the place of what is copied.
fn droppable(
    site: &Site<Mem>,
    function_results: &[Atom],
    body: &Body,
    at: usize,
    purpose: Purpose,
) -> Option<(usize, Var, Var, Lmad)> {
    let Exp::Copy(operand) = &body.statements[at].exp else { return None };
    let [copy] = body.statements[at].pattern.as_slice() else { return None };
    let (block, to) = place(&copy.ty)?;
    let alloc = allocs(body).into_iter().find(|alloc| alloc.block == block)?;
    // The operand's block may have been merged before: the body knows better than what was collected at first.
    let (source, from) = known_place(body, site, *operand)?;
    if source == block {
        return None;
    }
    let result = Atom::Var(copy.var);
    let fits = match purpose {
        Purpose::Reshaped => {
            let reshaped = |exp: &Exp| matches!(exp, Exp::Reshape { array, .. } if *array == copy.var);
            let in_order = !from.equivalent(to);
            in_order && body.statements[at..].iter().any(|statement| reshaped(&statement.exp))
        }
        Purpose::FunctionResult => function_results.contains(&result),
        Purpose::LoopResult => body.results.contains(&result) && !function_results.contains(&result),
        Purpose::LoopInit => any(body, &|exp| match exp {
            Exp::Loop { params, .. } => params.iter().any(|param| param.init == result),
            _ => false,
        }),
        Purpose::UpdateValue => {
            any(body, &|exp| matches!(exp, Exp::Update { value, .. } if *value == result))
        }
        Purpose::CallArgument => {
            any(body, &|exp| matches!(exp, Exp::Call { args, .. } if args.contains(&result)))
        }
        Purpose::Own => any(body, &|exp| matches!(exp, Exp::Update { array, .. } if *array == copy.var)),
    };
    let same_place = from.equivalent(to);
    match purpose {
        Purpose::Reshaped => fits.then(|| (alloc.at, block, source, to.clone())),
        // A value may lie anywhere, if it is nothing else.
        Purpose::UpdateValue if site.uses(copy.var) == 1 => fits.then_some((alloc.at, block, source, from)),
        // Results and what is carried round a loop must be row-major.
        _ => (fits && same_place).then_some((alloc.at, block, source, from)),
    }
}

fn known_place(body: &Body, site: &Site<Mem>, var: Var) -> Option<(Var, Lmad)> {
    let here =
        body.statements.iter().flat_map(|statement| &statement.pattern).find(|binder| binder.var == var);
    match here {
        Some(binder) => place(&binder.ty).map(|(mem, lmad)| (mem, lmad.clone())),
        None => place_of(site, var),
    }
}

/// Whether some statement in the body, nested ones included, is like this.
fn any(body: &Body, like: &dyn Fn(&Exp) -> bool) -> bool {
    body.statements.iter().any(|statement| {
        let mut found = like(&statement.exp);
        for_each_body(&statement.exp, &mut |inner| found |= any(inner, like));
        found
    })
}

/// The second of two branches gives its array where the first has it: offsets that come back from a branch are those of the first arm.
pub(super) fn offset_of_first_arm(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::If { then, otherwise, .. } = &mut statement.exp else { continue };
            let pairs = then.results.iter().zip(&mut otherwise.results);
            for ((left, right), binder) in pairs.zip(&statement.pattern) {
                let number = binder.ty == MemType::Prim(PrimType::I64);
                if number && left.as_const().is_some() && binder.var.text.as_str().contains("_off") {
                    *right = *left;
                }
            }
        }
    });
    program
}
