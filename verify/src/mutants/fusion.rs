//! Fusion: an element of a map is computed where it is read. That is right where nothing has changed what it is computed from, and at the
//! indices that the views in between lead to; each mutant forgets a condition, or a view.

use super::rewrite::{Site, bodies, contains};
use fun::ir::{Atom, Body, Combine, Dim, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, rename_body};
use fun::visit::{Map, map_statement};
use fun_base::name::{NameSource, Var};

/// What is forgotten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgotten {
    /// What the map reads is changed before its elements are computed.
    Consumption,
    /// The map may stop the program, and the reader does not read all of it, or only later.
    Assertions,
    /// A slice in between does not begin with the first element, or goes in other steps.
    Slice,
    /// A dimension is reversed in between.
    Reversal,
    /// Dimensions change places in between.
    Permutation,
    /// The array has another shape where it is read: the last counters are those of the map.
    Shape,
}

/// A map is computed after what it reads was changed.
pub(super) fn consumption_forgotten(program: Program) -> Program {
    fused(program, Forgotten::Consumption)
}

/// A map that may stop the program is computed where it is read.
pub(super) fn assertions_forgotten(program: Program) -> Program {
    fused(program, Forgotten::Assertions)
}

/// A slice between a map and its reader is forgotten, but for the dimensions that it fixes.
pub(super) fn slice_forgotten(program: Program) -> Program {
    fused(program, Forgotten::Slice)
}

/// A reversal between a map and its reader is forgotten.
pub(super) fn reversal_forgotten(program: Program) -> Program {
    fused(program, Forgotten::Reversal)
}

/// A permutation between a map and its reader is forgotten.
pub(super) fn permutation_forgotten(program: Program) -> Program {
    fused(program, Forgotten::Permutation)
}

/// A map that depends on where its elements are is read in another shape.
pub(super) fn shape_forgotten(program: Program) -> Program {
    fused(program, Forgotten::Shape)
}

fn fused(mut program: Program, forgotten: Forgotten) -> Program {
    let mut site = Site::new(&program);
    bodies(&mut program, &mut |body| {
        let mut at = 0;
        while at < body.statements.len() {
            match pair(&site, body, at, forgotten) {
                Some(reader) => {
                    let map = body.statements.remove(at);
                    let mut inliner = Inliner { map: &map, site: &mut site, forgotten };
                    let mut out = Vec::new();
                    inliner.statement(&body.statements[reader - 1], &mut out);
                    body.statements.splice(reader - 1..reader, out);
                    // (the read was the only use of the view in between)
                    body.statements.retain(|statement| !is_view_of(&statement.exp, map.pattern[0].var));
                }
                None => at += 1,
            }
        }
    });
    program
}

fn is_view_of(exp: &Exp, var: Var) -> bool {
    match exp {
        Exp::Slice { array, .. }
        | Exp::Reverse { array, .. }
        | Exp::Permute { array, .. }
        | Exp::Reshape { array, .. } => *array == var,
        _ => false,
    }
}

/// The array behind the view that is forgotten; the array itself where none is.
fn behind(site: &Site<Fun>, array: Var, forgotten: Forgotten) -> Option<Var> {
    match (forgotten, site.definitions.get(&array)) {
        (Forgotten::Consumption | Forgotten::Assertions, _) => Some(array),
        (Forgotten::Slice, Some(Exp::Slice { array: inner, dims })) => {
            let moves = |dim: &Dim| match dim {
                Dim::Fix(_) => false,
                Dim::Range { offset, stride, .. } => *offset != Atom::i64(0) || *stride != Atom::i64(1),
                Dim::Flat { .. } => false,
            };
            let flat = dims.iter().any(|dim| matches!(dim, Dim::Flat { .. }));
            (!flat && dims.iter().any(moves)).then_some(*inner)
        }
        (Forgotten::Reversal, Some(Exp::Reverse { array: inner, .. }))
        | (Forgotten::Permutation, Some(Exp::Permute { array: inner, .. })) => Some(*inner),
        (Forgotten::Shape, Some(Exp::Reshape { array: inner, .. })) => {
            (site.ty(array).rank() >= site.ty(*inner).rank()).then_some(*inner)
        }
        _ => None,
    }
}

/// The statement that alone reads the map at this place, if it may be fused according to what is forgotten.
fn pair(site: &Site<Fun>, body: &Body, at: usize, forgotten: Forgotten) -> Option<usize> {
    let Statement { pattern, exp: Exp::Kernel { space, combine: Combine::Map, body: point }, .. } =
        &body.statements[at]
    else {
        return None;
    };
    let [binder] = pattern.as_slice() else { return None };
    if binder.ty.rank() != space.len() || site.uses(binder.var) != 1 {
        return None;
    }
    let stops = contains(point, &|exp| matches!(exp, Exp::Assert { .. }));
    if stops != (forgotten == Forgotten::Assertions) {
        return None;
    }
    let reads = |exp: &Exp| match exp {
        Exp::Index { array, .. } => {
            behind(site, *array, forgotten) == Some(binder.var)
                && (*array == binder.var || site.uses(*array) == 1)
        }
        _ => false,
    };
    let later = body.statements.iter().enumerate().skip(at + 1);
    let mut readers = later.filter(|(_, statement)| match &statement.exp {
        Exp::Kernel { body, .. } => contains(body, &reads),
        Exp::If { then, otherwise, .. } => contains(then, &reads) || contains(otherwise, &reads),
        exp => reads(exp),
    });
    let (reader, _) = readers.next()?;
    let consumes = body.statements[at + 1..reader].iter().any(|statement| {
        matches!(statement.exp, Exp::Update { .. } | Exp::Loop { .. } | Exp::If { .. } | Exp::Call { .. })
    });
    (consumes == (forgotten == Forgotten::Consumption)).then_some(reader)
}

struct Inliner<'a> {
    map: &'a Statement,
    site: &'a mut Site<Fun>,
    forgotten: Forgotten,
}

impl Map<Fun, Fun> for Inliner<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Exp::Kernel { space, body, .. } = &self.map.exp else { return };
        if let Exp::Index { array, indices } = &statement.exp
            && behind(self.site, *array, self.forgotten) == Some(self.map.pattern[0].var)
        {
            let counters = space.iter().map(|(counter, _)| *counter);
            let mut given = indices.iter().copied();
            let indices: Vec<Atom> = match self.site.definitions.get(array) {
                Some(Exp::Slice { dims, .. }) => {
                    let index = |dim: &Dim| match dim {
                        Dim::Fix(index) => Some(*index),
                        Dim::Range { .. } | Dim::Flat { .. } => given.next(),
                    };
                    dims.iter().filter_map(index).collect()
                }
                _ => given.skip(indices.len().saturating_sub(space.len())).collect(),
            };
            let subst: Subst = counters.zip(indices).collect();
            let names: &mut NameSource = &mut self.site.names;
            let point = rename_body(names, subst, body);
            out.extend(point.statements);
            let exp = Exp::Atom(point.results[0]);
            return out.push(Statement { pattern: statement.pattern.clone(), exp, loc: statement.loc });
        }
        if !is_view_of(&statement.exp, self.map.pattern[0].var) {
            out.push(map_statement(self, statement));
        }
    }
}

/// What comes behind the last element of a rotated array is not the first one.
pub(super) fn rotation_not_wrapped(program: Program) -> Program {
    super::rewrite::statements(program, &mut |_, mut statement| {
        if let [binder] = &statement.pattern[..]
            && binder.var.text.as_str() == "mod"
            && let Exp::Bin(_, _, place, _) = statement.exp
        {
            statement.exp = Exp::Atom(place);
        }
        statement
    })
}
