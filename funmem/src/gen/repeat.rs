//! Loops.

use super::maker::{Maker, Place, Roots};
use super::statement::makes;
use crate::ir::{Binder, Body, Exp, Mem, Space, atom_poly};
use fun::ir::{Atom, Exp as FunExp, Fun, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_index::lmad::{Lmad, LmadDim};
use std::collections::{BTreeMap, BTreeSet};

type FunBinder = fun::ir::Binder<Fun>;

/// How a loop parameter is carried.
enum Carried {
    Scalar,
    /// At the place of its initial value: it is only changed in place.
    Stays(Place),
    /// In row-major order in a block that is a parameter too.
    RowMajor,
    /// With block, offset and strides.
    Anywhere,
    /// In one of two blocks of this layout, which take turns.
    Buffers {
        lmad: Lmad,
        /// The parameter for the block of the value at hand.
        front: Var,
    },
}

impl Maker {
    /// `loop`: arrays that don't stay in their place carry along what says where they lie.
    pub(super) fn repeat(
        &mut self,
        pattern: Vec<FunBinder>,
        params: Vec<LoopParam<Fun>>,
        form: LoopForm,
        body: fun::ir::Body,
    ) {
        let mut carried = Vec::with_capacity(params.len());
        let mut loop_params: Vec<LoopParam<Mem>> = Vec::with_capacity(params.len());
        // Where the initial values may lie.
        let mut inits: Vec<Roots> = Vec::with_capacity(params.len());
        // The token of each parameter, and what it stands for.
        let mut tokens: BTreeMap<u32, Roots> = BTreeMap::new();
        let arrays = params.iter().filter(|param| param.binder.ty.rank() > 0).count();
        let own: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        for (k, param) in params.into_iter().enumerate() {
            let var = param.binder.var;
            let (Type::Array { shape, elem }, Atom::Var(init)) = (param.binder.ty.clone(), param.init) else {
                let binder = self.bind_prim(var, param.binder.ty.elem());
                loop_params.push(LoopParam { binder, init: param.init });
                carried.push(Carried::Scalar);
                inits.push(Roots::new());
                continue;
            };
            let grows = shape.iter().any(|size| size.as_var().is_some_and(|size| own.contains(&size)));
            let result = body.results[k].as_var();
            if !grows && stays(&body, var, result) && self.rng.chance(60) {
                let init = self.writable(init);
                let place = self.array_place(init);
                let binder = self.binder_at(param.binder, place.clone());
                loop_params.push(LoopParam { binder, init: Atom::Var(init) });
                inits.push(place.roots.clone());
                carried.push(Carried::Stays(place));
                continue;
            }
            let token = self.token();
            let made = result.filter(|result| *result != var && makes(&body, *result));
            if let (1, false, Some(made)) = (arrays, grows, made)
                && self.rng.chance(60)
            {
                let (lmad, front) = self.buffers(&param, made, token, &mut loop_params);
                tokens.insert(token, Roots::new());
                inits.push(Roots::new());
                carried.push(Carried::Buffers { lmad, front });
                continue;
            }
            let (init, how) = if self.rng.chance(30) {
                let place = self.array_place(init);
                let fits = Maker::is_row_major(&place) && self.space(place.mem) == Space::Default;
                (if fits { init } else { self.copy_row_major(init) }, Carried::RowMajor)
            } else {
                (self.ready(Atom::Var(init)).as_var().unwrap_or(init), Carried::Anywhere)
            };
            let first = self.array_place(init);
            tokens.insert(token, first.roots.clone());
            inits.push(first.roots.clone());
            let mem = self.names.fresh("m");
            let mem_binder = self.bind_mem(mem, Space::Default);
            loop_params.push(LoopParam { binder: mem_binder, init: Atom::Var(first.mem) });
            let place = match how {
                Carried::Anywhere => {
                    let mut atoms = Vec::new();
                    self.say_place(&first, &mut atoms);
                    let mut binders = Vec::new();
                    let lmad = self.unknown_lmad(&shape, &mut |binder| binders.push(binder));
                    let numbers = binders.into_iter().zip(atoms.into_iter().skip(1));
                    loop_params.extend(numbers.map(|(binder, init)| LoopParam { binder, init }));
                    Place { mem, lmad, injective: first.injective, roots: Roots::from([token]) }
                }
                _ => Maker::row_major(mem, &shape, Roots::from([token])),
            };
            // what an iteration gives may have cells that coincide
            let place = Place { injective: place.injective && matches!(how, Carried::RowMajor), ..place };
            let binder = self.bind_array(var, &shape, elem, place);
            loop_params.push(LoopParam { binder, init: Atom::Var(init) });
            carried.push(how);
        }
        if let LoopForm::For { var, ty, bound: _ } = form {
            self.bind_prim(var, ty);
        }
        let start = self.now() + 1;
        let (statements, (results, roots)) =
            self.body(body, |maker, results| maker.next_values(&carried, &results));
        let escaping: Roots = roots.iter().flatten().copied().collect();
        let staying = self.blocks.mems(&escaping);
        let before_loop = self.before_loop(&loop_params, &form, start);
        let (moved, statements) = self.hoist(statements, before_loop, &staying);
        self.out.extend(moved);
        let any = inits.iter().zip(&roots).map(|(init, next)| init | next);
        let all = resolved(&tokens, &any.collect::<Vec<Roots>>());
        let binders = self.loop_results(pattern, &carried, &all);
        self.emit(binders, Exp::Loop { params: loop_params, form, body: Body { statements, results } });
    }

    /// The time before the parameters of a loop were bound.
    fn before_loop(&self, params: &[LoopParam<Mem>], form: &LoopForm, start: u32) -> u32 {
        let counter = if let LoopForm::For { var, .. } = form { Some(*var) } else { None };
        let vars = params.iter().map(|param| param.binder.var).chain(counter);
        vars.filter_map(|var| self.time_of(var)).min().unwrap_or(start)
    }

    /// Two blocks of one layout; the initial value is copied to the first.
    fn buffers(
        &mut self,
        param: &LoopParam<Fun>,
        made: Var,
        token: u32,
        loop_params: &mut Vec<LoopParam<Mem>>,
    ) -> (Lmad, Var) {
        let (shape, elem) = (param.binder.ty.shape().to_vec(), param.binder.ty.elem());
        let layout = self.layout(&shape);
        let [front, back] = [0, 1].map(|_| self.alloc(layout.factors.clone(), elem, Space::Default));
        let first = self.names.fresh_like(param.binder.var);
        let region = self.token();
        let at = |mem, token| Place {
            mem,
            lmad: layout.lmad.clone(),
            injective: true,
            roots: Roots::from([token]),
        };
        let binder = self.bind_array(first, &shape, elem, at(front, region));
        if let Atom::Var(init) = param.init {
            self.emit(vec![binder], Exp::Copy(init));
        }
        let names = [0, 1].map(|_| self.names.fresh("m"));
        for (name, init) in names.into_iter().zip([front, back]) {
            let binder = self.bind_mem(name, Space::Default);
            loop_params.push(LoopParam { binder, init: Atom::Var(init) });
        }
        let binder = self.bind_array(param.binder.var, &shape, elem, at(names[0], token));
        loop_params.push(LoopParam { binder, init: Atom::Var(first) });
        self.chosen.insert(made, at(names[1], token));
        (layout.lmad, names[0])
    }

    /// The results of the body with what says where they lie, and the regions that they may be in.
    fn next_values(&mut self, carried: &[Carried], results: &[Atom]) -> (Vec<Atom>, Vec<Roots>) {
        let mut atoms = Vec::with_capacity(results.len());
        let mut roots = Vec::with_capacity(results.len());
        for (how, result) in carried.iter().zip(results) {
            let array = result.as_var().filter(|_| !matches!(how, Carried::Scalar));
            let Some(array) = array else {
                atoms.push(*result);
                roots.push(Roots::new());
                continue;
            };
            let array = match how {
                Carried::Scalar | Carried::Stays(_) | Carried::Buffers { .. } => array,
                Carried::RowMajor => {
                    let place = self.array_place(array);
                    let fits = Maker::is_row_major(&place) && self.space(place.mem) == Space::Default;
                    if fits { array } else { self.copy_row_major(array) }
                }
                Carried::Anywhere => self.ready(Atom::Var(array)).as_var().unwrap_or(array),
            };
            let place = self.array_place(array);
            match how {
                Carried::Scalar | Carried::Stays(_) => {}
                Carried::RowMajor => atoms.push(Atom::Var(place.mem)),
                Carried::Anywhere => self.say_place(&place, &mut atoms),
                Carried::Buffers { lmad: _, front } => {
                    atoms.extend([Atom::Var(place.mem), Atom::Var(*front)]);
                }
            }
            atoms.push(Atom::Var(array));
            roots.push(place.roots);
        }
        (atoms, roots)
    }

    /// The pattern of the loop: as the parameters.
    fn loop_results(&mut self, pattern: Vec<FunBinder>, carried: &[Carried], roots: &[Roots]) -> Vec<Binder> {
        let mut binders = Vec::with_capacity(pattern.len());
        for ((binder, how), roots) in pattern.into_iter().zip(carried).zip(roots) {
            let (shape, elem) = match (how, binder.ty.clone()) {
                (Carried::Stays(place), _) => {
                    binders.push(self.binder_at(binder, place.clone()));
                    continue;
                }
                (
                    Carried::RowMajor | Carried::Anywhere | Carried::Buffers { .. },
                    Type::Array { shape, elem },
                ) => (shape, elem),
                (Carried::Scalar | Carried::RowMajor | Carried::Anywhere | Carried::Buffers { .. }, ty) => {
                    binders.push(self.bind_prim(binder.var, ty.elem()));
                    continue;
                }
            };
            let mut block = || {
                let mem = self.names.fresh("m");
                binders.push(self.bind_mem(mem, Space::Default));
                mem
            };
            let mem = block();
            let mut roots = roots.clone();
            roots.insert(self.token());
            let place = match how {
                Carried::Buffers { lmad, front: _ } => {
                    let other = self.names.fresh("m");
                    binders.push(self.bind_mem(other, Space::Default));
                    let mut lmad = lmad.clone();
                    for (dim, size) in lmad.dims.iter_mut().zip(&shape) {
                        *dim = LmadDim { size: atom_poly(*size), stride: dim.stride.clone() };
                    }
                    Place { mem, lmad, injective: true, roots }
                }
                Carried::Anywhere => {
                    let lmad = self.unknown_lmad(&shape, &mut |binder| binders.push(binder));
                    Place { mem, lmad, injective: false, roots }
                }
                Carried::Scalar | Carried::Stays(_) | Carried::RowMajor => {
                    Maker::row_major(mem, &shape, roots)
                }
            };
            binders.push(self.bind_array(binder.var, &shape, elem, place));
        }
        binders
    }
}

/// Whether the result is the parameter itself, changed in place at most.
fn stays(body: &fun::ir::Body, param: Var, result: Option<Var>) -> bool {
    let mut origins: BTreeMap<Var, Var> = BTreeMap::new();
    let origin = |origins: &BTreeMap<Var, Var>, var: Var| origins.get(&var).copied().unwrap_or(var);
    for statement in &body.statements {
        let of: Vec<Var> = match &statement.exp {
            FunExp::Update { array, .. } => vec![origin(&origins, *array)],
            FunExp::Kernel { combine, .. } => match combine {
                fun::ir::Combine::Hist { dests, .. } | fun::ir::Combine::Scatter { dests } => {
                    dests.iter().map(|dest| origin(&origins, *dest)).collect()
                }
                fun::ir::Combine::Map | fun::ir::Combine::Reduce { .. } | fun::ir::Combine::Scan { .. } => {
                    Vec::new()
                }
            },
            _ => Vec::new(),
        };
        origins.extend(statement.pattern.iter().map(|binder| binder.var).zip(of));
    }
    result.is_some_and(|result| origin(&origins, result) == param)
}

/// The regions of the results, said without the parameters' tokens.
fn resolved(tokens: &BTreeMap<u32, Roots>, roots: &[Roots]) -> Vec<Roots> {
    let resolve = |roots: &Roots| {
        let mut all = roots.clone();
        loop {
            let more: Roots = all.iter().filter_map(|token| tokens.get(token)).flatten().copied().collect();
            if more.is_subset(&all) {
                return all;
            }
            all.extend(more);
        }
    };
    roots.iter().map(resolve).collect()
}
