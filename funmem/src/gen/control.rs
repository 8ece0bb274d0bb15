//! Branches and calls.

use super::maker::{Maker, Passing, Place, Roots};
use crate::ir::{Binder, Body, Exp, Space, Statement, atom_poly};
use fun::ir::{Atom, Fun, Type};
use fun_base::name::Symbol;
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use std::collections::BTreeSet;

type FunBinder = fun::ir::Binder<Fun>;

/// One branch of an `if`, after its places have been chosen.
struct Branch {
    statements: Vec<Statement>,
    /// The results so far, with those that say where arrays lie.
    results: Vec<Atom>,
}

impl Maker {
    /// `if`: of each array, what differs between the branches comes back as a result.
    pub(super) fn branches(
        &mut self,
        pattern: Vec<FunBinder>,
        condition: Atom,
        then: fun::ir::Body,
        otherwise: fun::ir::Body,
    ) {
        let start = self.now() + 1;
        let mut given: Vec<Vec<Atom>> = Vec::new();
        let mut branches = [then, otherwise].map(|body| {
            let (statements, results) = self.body(body, |maker, results| {
                let ready = |atom: Atom| maker.ready(atom);
                results.into_iter().map(ready).collect::<Vec<Atom>>()
            });
            given.push(results);
            let (moved, statements) = self.hoist(statements, start, &BTreeSet::new());
            self.out.extend(moved);
            Branch { statements, results: Vec::new() }
        });
        let mut binders = Vec::with_capacity(pattern.len());
        for (k, binder) in pattern.into_iter().enumerate() {
            let atoms = [given[0][k], given[1][k]];
            let places = atoms.map(|atom| atom.as_var().and_then(|var| self.place(var)));
            let binder = match (binder.ty, places) {
                (Type::Array { shape, elem }, [Some(left), Some(right)]) => {
                    let place = self.joined(&shape, [left, right], start, &mut branches, &mut binders);
                    self.bind_array(binder.var, &shape, elem, place)
                }
                (ty, _) => self.bind_prim(binder.var, ty.elem()),
            };
            binders.push(binder);
            for (branch, atom) in branches.iter_mut().zip(atoms) {
                branch.results.push(atom);
            }
        }
        let [then, otherwise] =
            branches.map(|branch| Body { statements: branch.statements, results: branch.results });
        self.emit(binders, Exp::If { condition, then, otherwise });
    }

    /// The array, or a copy of it whose place can be said to somebody outside.
    pub(super) fn ready(&mut self, atom: Atom) -> Atom {
        let Some(array) = atom.as_var().filter(|var| self.place(*var).is_some()) else { return atom };
        let place = self.array_place(array);
        let sayable = self.is_sayable(&place.lmad.offset)
            && place.lmad.dims.iter().all(|dim| self.is_sayable(&dim.stride));
        if sayable && self.space(place.mem) == Space::Default {
            return atom;
        }
        Atom::Var(self.copy_sayable(array))
    }

    /// Where an array lies that either branch may give. What the branches don't agree on becomes a further result.
    fn joined(
        &mut self,
        shape: &[Atom],
        places: [Place; 2],
        start: u32,
        branches: &mut [Branch; 2],
        binders: &mut Vec<Binder>,
    ) -> Place {
        let injective = places.iter().all(|place| place.injective);
        let roots: Roots = places.iter().flat_map(|place| place.roots.iter().copied()).collect();
        let mems = places.each_ref().map(|place| place.mem);
        let mem = if mems[0] == mems[1] && self.bound_before(mems[0], start) && self.rng.chance(80) {
            mems[0]
        } else {
            let mem = self.names.fresh("m");
            binders.push(self.bind_mem(mem, Space::Default));
            for (branch, mem) in branches.iter_mut().zip(mems) {
                branch.results.push(Atom::Var(mem));
            }
            mem
        };
        let mut number = |maker: &mut Maker, polys: [&Poly; 2], what: &str| {
            maker.joined_number(what, polys, start, branches, binders)
        };
        let offset = number(self, places.each_ref().map(|place| &place.lmad.offset), "off");
        let mut dims = Vec::with_capacity(shape.len());
        for (k, size) in shape.iter().enumerate() {
            let stride = number(self, places.each_ref().map(|place| &place.lmad.dims[k].stride), "step");
            dims.push(LmadDim { size: atom_poly(*size), stride });
        }
        Place { mem, lmad: Lmad { offset, dims }, injective, roots }
    }

    /// The number that both branches give, said in outer variables if that is possible.
    fn joined_number(
        &mut self,
        text: &str,
        polys: [&Poly; 2],
        start: u32,
        branches: &mut [Branch; 2],
        binders: &mut Vec<Binder>,
    ) -> Poly {
        let mut outer = true;
        polys[0].for_each_var(&mut |var| outer &= self.bound_before(var, start));
        if outer && polys[0] == polys[1] && self.rng.chance(80) {
            return polys[0].clone();
        }
        for (branch, poly) in branches.iter_mut().zip(polys) {
            std::mem::swap(&mut self.out, &mut branch.statements);
            let atom = self.poly_atom(poly, text);
            std::mem::swap(&mut self.out, &mut branch.statements);
            branch.results.push(atom);
        }
        let var = self.names.fresh(text);
        binders.push(self.bind_prim(var, PrimType::I64));
        Poly::var(var)
    }

    /// A call: arguments are preceded by what says where they lie, and so are results.
    pub(super) fn call(&mut self, pattern: Vec<FunBinder>, function: Symbol, args: Vec<Atom>) {
        let signature = self.signatures.get(&function).cloned().unwrap_or_default();
        let mut passed = Vec::with_capacity(args.len());
        let mut roots = Roots::new();
        for (arg, passing) in args.into_iter().zip(signature.params) {
            let array = arg.as_var();
            match (passing, array) {
                (Passing::RowMajor, Some(array)) => {
                    let place = self.array_place(array);
                    let fits = Maker::is_row_major(&place) && self.space(place.mem) == Space::Default;
                    let array = if fits { array } else { self.copy_row_major(array) };
                    let place = self.array_place(array);
                    roots.extend(place.roots);
                    passed.extend([Atom::Var(place.mem), Atom::Var(array)]);
                }
                (Passing::Anywhere, Some(array)) => {
                    let ready = self.ready(Atom::Var(array));
                    let place = self.array_place(ready.as_var().unwrap_or(array));
                    self.say_place(&place, &mut passed);
                    roots.extend(place.roots);
                    passed.push(ready);
                }
                (Passing::Scalar | Passing::RowMajor | Passing::Anywhere, _) => passed.push(arg),
            }
        }
        let mut binders = Vec::with_capacity(pattern.len());
        for (binder, passing) in pattern.into_iter().zip(signature.results) {
            // results may lie where arguments do
            let mut roots = roots.clone();
            roots.insert(self.token());
            let binder = self.bind_passed(binder, passing, roots, &mut |binder| binders.push(binder));
            binders.push(binder);
        }
        self.emit(binders, Exp::Call { function, args: passed });
    }

    /// The block, offset and strides of a place.
    pub(super) fn say_place(&mut self, place: &Place, atoms: &mut Vec<Atom>) {
        atoms.push(Atom::Var(place.mem));
        atoms.push(self.poly_atom(&place.lmad.offset, "off"));
        for dim in &place.lmad.dims {
            let stride = self.poly_atom(&dim.stride, "step");
            atoms.push(stride);
        }
    }

    /// A variable that comes with what says where it lies, which `before` gets.
    pub(super) fn bind_passed(
        &mut self,
        binder: FunBinder,
        passing: Passing,
        roots: Roots,
        before: &mut dyn FnMut(Binder),
    ) -> Binder {
        let (shape, elem) = match (binder.ty, passing) {
            (Type::Array { shape, elem }, Passing::RowMajor | Passing::Anywhere) => (shape, elem),
            (ty, _) => return self.bind_prim(binder.var, ty.elem()),
        };
        let mem = self.names.fresh("m");
        before(self.bind_mem(mem, Space::Default));
        let place = match passing {
            Passing::Scalar | Passing::RowMajor => Maker::row_major(mem, &shape, roots),
            Passing::Anywhere => {
                let lmad = self.unknown_lmad(&shape, before);
                Place { mem, lmad, injective: false, roots }
            }
        };
        self.bind_array(binder.var, &shape, elem, place)
    }

    /// Variables for the offset and strides of an array.
    pub(super) fn unknown_lmad(&mut self, shape: &[Atom], before: &mut dyn FnMut(Binder)) -> Lmad {
        let mut variable = |what: &str| {
            let var = self.names.fresh(what);
            before(self.bind_prim(var, PrimType::I64));
            Poly::var(var)
        };
        let offset = variable("off");
        let dims = shape.iter().map(|size| LmadDim { size: atom_poly(*size), stride: variable("step") });
        Lmad { offset, dims: dims.collect() }
    }
}
