//! Where the arrays of a block, or of blocks whose arrays go from one to the other, lie when some of them are put elsewhere.

use fun::ir::{Atom, Combine};
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp, MemType, Statement, atom_poly, slices};
use std::collections::BTreeMap;

/// How an array comes about.
#[derive(Debug)]
pub(in crate::funmem) enum Definition {
    /// It is written anew.
    Fresh,
    /// It lies where these do: another name, changed in place, what a branch or loop gives.
    Same(Vec<Atom>),
    /// Dimension `k` is dimension `perm[k]` of the array.
    Permute(Vec<usize>, Var),
    /// Reversed along a dimension.
    Reverse(usize, Var),
    /// In another shape.
    Reshape(Var),
    /// Part of it.
    Slice(Vec<fun::ir::Dim>, Var),
    /// None of these.
    Unknown,
}

/// The definitions of the arrays in these blocks, in the order of the text.
pub(in crate::funmem) fn definitions(
    statements: &[Statement],
    own: &dyn Fn(Var) -> bool,
) -> Vec<(Var, Definition)> {
    let mut found = Vec::new();
    statements.iter().for_each(|statement| collect(statement, own, &mut found));
    found
}

fn collect(statement: &Statement, own: &dyn Fn(Var) -> bool, found: &mut Vec<(Var, Definition)>) {
    let lies_there = |ty: &MemType| matches!(ty, MemType::Array { mem, .. } if own(*mem));
    if let Exp::Loop { params, body, .. } = &statement.exp {
        for (param, next) in params.iter().zip(&body.results) {
            if lies_there(&param.binder.ty) {
                found.push((param.binder.var, Definition::Same(vec![param.init, *next])));
            }
        }
    }
    let mut inside =
        |body: &Body| body.statements.iter().for_each(|statement| collect(statement, own, found));
    for_each_body(&statement.exp, &mut inside);
    for (k, binder) in statement.pattern.iter().enumerate() {
        if lies_there(&binder.ty) {
            found.push((binder.var, definition(&statement.exp, k)));
        }
    }
}

/// How the `k`-th result of an expression comes about, if it is an array.
pub(in crate::funmem) fn definition(exp: &Exp, k: usize) -> Definition {
    let same = |atoms: [Option<Atom>; 2]| Definition::Same(atoms.into_iter().flatten().collect());
    match exp {
        Exp::Atom(atom) => same([Some(*atom), None]),
        Exp::Update { array, .. } => same([Some(Atom::Var(*array)), None]),
        Exp::If { then, otherwise, .. } => {
            same([then.results.get(k).copied(), otherwise.results.get(k).copied()])
        }
        Exp::Loop { params, body, .. } => {
            same([params.get(k).map(|param| param.init), body.results.get(k).copied()])
        }
        Exp::Kernel { combine: Combine::Hist { dests, .. } | Combine::Scatter { dests }, .. } => {
            same([dests.get(k).copied().map(Atom::Var), None])
        }
        Exp::Permute { perm, array } => Definition::Permute(perm.clone(), *array),
        Exp::Reverse { dim, array } => Definition::Reverse(*dim, *array),
        Exp::Reshape { array, .. } => Definition::Reshape(*array),
        Exp::Slice { array, dims } => Definition::Slice(dims.clone(), *array),
        Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::ArrayLiteral { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::Kernel { .. } => Definition::Fresh,
        _ => Definition::Unknown,
    }
}

/// The new places of all arrays of some blocks, if there are such, when these go to the target.
///
/// Two arrays that lie apart now must lie apart then: what a branch or loop chooses from arrays at different places of the block, whose
/// place it gives as a variable, can't go to one place, since they may be needed at the same time.
pub(in crate::funmem) fn moved(
    types: &BTreeMap<Var, MemType>,
    definitions: &[(Var, Definition)],
    values: &[Var],
    target: &Lmad,
    equal: &dyn Fn(&Poly, &Poly) -> bool,
) -> Option<BTreeMap<Var, Lmad>> {
    let by_var: BTreeMap<Var, &Definition> = definitions.iter().map(|(var, d)| (*var, d)).collect();
    let sizes_of = |var: Var| -> Option<Vec<Poly>> {
        match types.get(&var)? {
            MemType::Array { shape, .. } => Some(shape.iter().map(|size| atom_poly(*size)).collect()),
            MemType::Prim(_) | MemType::Mem(_) => None,
        }
    };
    let stays = |var: Var, atoms: &[Atom], sizes: &[Poly]| {
        let at = |var: Var| match types.get(&var) {
            Some(MemType::Array { lmad, .. }) if lmad.rank() == sizes.len() => Some(lmad.coerce(sizes)),
            _ => None,
        };
        let here = at(var);
        let same = |from: &Lmad| here.as_ref().is_some_and(|here| here.equivalent(from));
        atoms.iter().filter_map(|atom| atom.as_var()).all(|from| at(from).as_ref().is_some_and(same))
    };
    let mut places: BTreeMap<Var, Lmad> = BTreeMap::new();
    // Back to where it comes from. The name that a place is first given for says its sizes.
    let mut open: Vec<(Var, Lmad)> = values.iter().map(|value| (*value, target.clone())).collect();
    while let Some((var, place)) = open.pop() {
        let sizes = sizes_of(var)?;
        let place = (place.rank() == sizes.len()).then(|| place.coerce(&sizes))?;
        match places.get(&var) {
            Some(known) if known.equivalent(&place) => continue,
            Some(_) => return None,
            None => {}
        }
        match by_var.get(&var)? {
            Definition::Fresh => {}
            Definition::Same(atoms) => {
                stays(var, atoms, &sizes).then_some(())?;
                open.extend(
                    atoms.iter().filter_map(|atom| atom.as_var()).map(|other| (other, place.clone())),
                );
            }
            Definition::Permute(perm, array) => open.push((*array, place.unpermute(perm))),
            Definition::Reverse(dim, array) => open.push((*array, place.reverse(*dim))),
            Definition::Reshape(array) => open.push((*array, reshaped(&place, &sizes_of(*array)?, equal)?)),
            Definition::Slice(..) | Definition::Unknown => return None,
        }
        places.insert(var, place);
    }
    // And on to what is derived. A loop's results may come before what they are made of, so once more is needed at most for each.
    let mut left: Vec<&(Var, Definition)> = definitions.iter().collect();
    loop {
        let before = left.len();
        let mut wrong = false;
        left.retain(|(var, definition)| match derived(&places, &sizes_of, equal, *var, definition) {
            Derived::Later => true,
            Derived::At(place) => {
                wrong |= places.get(var).is_some_and(|known| !known.equivalent(&place));
                places.entry(*var).or_insert(place);
                false
            }
            Derived::Nowhere => {
                wrong = true;
                false
            }
        });
        if wrong {
            return None;
        }
        if left.is_empty() {
            return Some(places);
        }
        if left.len() == before {
            // A loop's parameter and its next value wait for each other. What the parameter lies at shows when the value is known.
            let known = |atom: &Atom| atom.as_var().and_then(|from| places.get(&from));
            let (var, place) = left.iter().find_map(|(var, definition)| match definition {
                Definition::Same(atoms) if !places.contains_key(var) => {
                    let sizes = sizes_of(*var)?;
                    let place = atoms.iter().find_map(known).filter(|_| stays(*var, atoms, &sizes))?;
                    Some((*var, place.coerce(&sizes)))
                }
                _ => None,
            })?;
            places.insert(var, place);
        }
    }
}

/// The place in another shape, which may be other names of the same sizes.
fn reshaped(place: &Lmad, sizes: &[Poly], equal: &dyn Fn(&Poly, &Poly) -> bool) -> Option<Lmad> {
    let same =
        place.rank() == sizes.len() && place.dims.iter().zip(sizes).all(|(dim, size)| equal(&dim.size, size));
    if same { Some(place.coerce(sizes)) } else { place.reshape(sizes) }
}

/// What is known of the place of a derived array.
enum Derived {
    /// Its operand has no place yet.
    Later,
    At(Lmad),
    /// No LMAD expresses it.
    Nowhere,
}

fn derived(
    places: &BTreeMap<Var, Lmad>,
    sizes_of: &dyn Fn(Var) -> Option<Vec<Poly>>,
    equal: &dyn Fn(&Poly, &Poly) -> bool,
    var: Var,
    definition: &Definition,
) -> Derived {
    let Some(sizes) = sizes_of(var) else { return Derived::Nowhere };
    let place = match definition {
        Definition::Unknown => None,
        Definition::Fresh => match places.get(&var) {
            Some(place) => Some(place.clone()),
            None => return Derived::Nowhere,
        },
        Definition::Same(atoms) => {
            let mut all = atoms.iter().map(|atom| atom.as_var().and_then(|other| places.get(&other)));
            let Some(Some(first)) = all.next() else { return Derived::Later };
            let first = first.coerce(&sizes);
            for other in all {
                match other {
                    None => return Derived::Later,
                    Some(other) if other.coerce(&sizes).equivalent(&first) => {}
                    Some(_) => return Derived::Nowhere,
                }
            }
            Some(first)
        }
        Definition::Permute(_, array)
        | Definition::Reverse(_, array)
        | Definition::Reshape(array)
        | Definition::Slice(_, array) => {
            let Some(place) = places.get(array) else { return Derived::Later };
            match definition {
                Definition::Permute(perm, _) => Some(place.permute(perm)),
                Definition::Reverse(dim, _) => Some(place.reverse(*dim)),
                Definition::Slice(dims, _) => Some(place.slice(&slices(dims))),
                _ => reshaped(place, &sizes, equal),
            }
        }
    };
    match place {
        Some(place) if place.rank() == sizes.len() => Derived::At(place.coerce(&sizes)),
        _ => Derived::Nowhere,
    }
}
