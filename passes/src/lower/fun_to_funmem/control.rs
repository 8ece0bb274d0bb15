//! Branches and calls.

use super::context::{Context, Passing, Place, Roots};
use fun::ir::{Atom, Fun, Type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Statement, atom_poly};
use std::collections::BTreeMap;

type FunBinder = fun::ir::Binder<Fun>;

/// One branch of an `if`, after introduction.
struct Branch {
    statements: Vec<Statement>,
    /// The results so far, with those that say where arrays lie.
    results: Vec<Atom>,
    /// What inner variables are called outside: results by the pattern's names.
    outside: BTreeMap<Var, Var>,
}

impl Context {
    /// `if`: of each array, what differs between the branches comes back as a result.
    pub(super) fn branches(
        &mut self,
        pattern: Vec<FunBinder>,
        condition: Atom,
        then: fun::ir::Body,
        otherwise: fun::ir::Body,
    ) {
        let start = self.now() + 1;
        let mut pairs: Vec<(Atom, Atom)> = Vec::with_capacity(pattern.len());
        let mut branches = [then, otherwise].map(|body| {
            let (statements, results) = self.body(body);
            let inner = |(binder, result): (&FunBinder, &Atom)| Some((result.as_var()?, binder.var));
            let outside = pattern.iter().zip(&results).filter_map(inner).collect();
            Branch { statements, results, outside }
        });
        let [left, right] = branches.each_mut().map(|branch| std::mem::take(&mut branch.results));
        pairs.extend(left.into_iter().zip(right));

        let mut binders = Vec::with_capacity(pattern.len());
        for (binder, (left, right)) in pattern.into_iter().zip(pairs) {
            let places = [left, right].map(|atom| atom.as_var().and_then(|var| self.place(var)));
            let binder = match (binder.ty, places) {
                (Type::Array { shape, elem }, [Some(left), Some(right)]) => {
                    let place =
                        self.joined(binder.var, &shape, [left, right], start, &mut branches, &mut binders);
                    self.bind_array(binder.var, &shape, elem, place)
                }
                (ty, _) => self.bind_prim(binder.var, ty.elem()),
            };
            binders.push(binder);
            branches[0].results.push(left);
            branches[1].results.push(right);
        }
        let [then, otherwise] =
            branches.map(|branch| Body { statements: branch.statements, results: branch.results });
        self.emit(binders, Exp::If { condition, then, otherwise });
    }

    /// Where an array lies that either branch may give. What the branches don't agree on becomes a further result.
    fn joined(
        &mut self,
        array: Var,
        shape: &[Atom],
        places: [Place; 2],
        start: u32,
        branches: &mut [Branch; 2],
        binders: &mut Vec<Binder>,
    ) -> Place {
        let injective = places.iter().all(|place| place.injective);
        let mems = places.each_ref().map(|place| place.mem);
        let mem = if mems[0] == mems[1] && self.bound_before(mems[0], start) {
            mems[0]
        } else {
            let roots = Roots::unions(mems.iter().map(|mem| self.roots_of(*mem)));
            let mem = self.mem_name(array);
            binders.push(self.bind_mem(mem, roots));
            for (branch, mem) in branches.iter_mut().zip(mems) {
                branch.results.push(Atom::Var(mem));
            }
            mem
        };
        if places.iter().all(|place| self.is_row_major(place)) {
            return Place { injective, ..Context::row_major(mem, shape) };
        }
        let mut number = |this: &mut Context, polys: [&Poly; 2], what: &str| {
            this.joined_number(&format!("{}_{what}", array.text), polys, start, branches, binders)
        };
        let offset = number(self, places.each_ref().map(|place| &place.lmad.offset), "off");
        let mut dims = Vec::with_capacity(shape.len());
        for (k, size) in shape.iter().enumerate() {
            let stride = number(self, places.each_ref().map(|place| &place.lmad.dims[k].stride), "step");
            dims.push(LmadDim { size: atom_poly(*size), stride });
        }
        Place { mem, lmad: Lmad { offset, dims }, injective }
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
        let outer = |k: usize| self.outer_poly(polys[k], start, &branches[k].outside);
        if let (Some(left), Some(right)) = (outer(0), outer(1))
            && left == right
        {
            return left;
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

    /// A polynomial of a branch in variables bound before `start` or by the pattern.
    fn outer_poly(&self, poly: &Poly, start: u32, outside: &BTreeMap<Var, Var>) -> Option<Poly> {
        let mut known = true;
        let result = poly.subst(&mut |var| match outside.get(&var) {
            _ if self.bound_before(var, start) => Poly::var(var),
            Some(outer) => Poly::var(*outer),
            None => {
                known = false;
                Poly::var(var)
            }
        });
        known.then_some(result)
    }

    /// A call: arguments are preceded by what says where they lie, results by their blocks.
    pub(super) fn call(&mut self, pattern: Vec<FunBinder>, function: Symbol, args: Vec<Atom>) {
        let signature = self.signatures.get(&function).cloned().expect("invariant F9: callees come first");
        let mut passed = Vec::with_capacity(args.len());
        for (arg, (passing, consumed)) in args.into_iter().zip(signature) {
            let Some(array) = arg.as_var().filter(|_| passing != Passing::Scalar) else {
                passed.push(arg);
                continue;
            };
            let place = self.array_place(array);
            match passing {
                Passing::Scalar | Passing::RowMajor => {
                    let array = if self.is_row_major(&place) { array } else { self.copy(array) };
                    let mem = self.array_place(array).mem;
                    if consumed {
                        let roots = self.roots_of(mem);
                        self.written.extend(roots);
                    }
                    passed.extend([Atom::Var(mem), Atom::Var(array)]);
                }
                Passing::Anywhere => {
                    passed.push(Atom::Var(place.mem));
                    passed.push(self.poly_atom(&place.lmad.offset, "off"));
                    for dim in &place.lmad.dims {
                        let stride = self.poly_atom(&dim.stride, "step");
                        passed.push(stride);
                    }
                    passed.push(arg);
                }
            }
        }
        let mut binders = Vec::with_capacity(pattern.len());
        for binder in pattern {
            let binder = match binder.ty {
                Type::Prim(prim) => self.bind_prim(binder.var, prim),
                Type::Array { shape, elem } => {
                    let mem = self.mem_name(binder.var);
                    let block = self.bind_mem(mem, Roots::unit(mem));
                    self.allocated.insert(mem, self.now());
                    binders.push(block);
                    self.bind_array(binder.var, &shape, elem, Context::row_major(mem, &shape))
                }
            };
            binders.push(binder);
        }
        self.emit(binders, Exp::Call { function, args: passed });
    }
}
