//! Loops.

use super::context::{Context, Place, Roots, meet};
use fun::ir::{Atom, Fun, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Mem};
use std::collections::BTreeMap;

type FunBinder = fun::ir::Binder<Fun>;

/// How a loop parameter is carried.
enum Carried {
    /// By value.
    Scalar,
    /// An array that is only changed in place.
    Stays(Place),
    /// An array in row-major order.
    Moves(Moving),
}

/// Where an array lies that is elsewhere in each iteration: in both, what is named is a loop parameter too.
struct Moving {
    /// The block.
    mem: Var,
    /// Where in the block it begins, if that changes; at 0 otherwise.
    offset: Option<Var>,
}

impl Moving {
    fn place(&self, shape: &[Atom]) -> Place {
        let mut place = Context::row_major(self.mem, shape);
        place.lmad.offset = self.offset.map_or(Poly::constant(0), Poly::var);
        place
    }
}

impl Context {
    /// `loop`: arrays that don't stay in their place carry their block along.
    pub(super) fn repeat(
        &mut self,
        pattern: Vec<FunBinder>,
        params: Vec<LoopParam<Fun>>,
        form: LoopForm,
        body: fun::ir::Body,
    ) {
        let mut carried = Vec::with_capacity(params.len());
        let mut loop_params: Vec<LoopParam<Mem>> = Vec::with_capacity(params.len());
        // What the blocks are in the first iteration.
        let mut initial: BTreeMap<Var, Roots> = BTreeMap::new();
        for param in params {
            let var = param.binder.var;
            let (binder, init, how) = match (&param.binder.ty, param.init) {
                (Type::Array { .. }, Atom::Var(init)) if self.survey.in_place.contains(&var) => {
                    let place = self.array_place(init);
                    let init = if place.injective { init } else { self.copy(init) };
                    let place = self.array_place(init);
                    let binder = self.binder_at(param.binder, place.clone());
                    (binder, Atom::Var(init), Carried::Stays(place))
                }
                (Type::Array { shape, elem }, Atom::Var(init)) => {
                    let has_offset = self.survey.has_offset.contains(&var);
                    let init = if self.may_move(init, has_offset) { init } else { self.copy(init) };
                    let place = self.array_place(init);
                    let mem = self.mem_name(var);
                    initial.insert(mem, self.roots_of(place.mem));
                    let mem_binder = self.bind_mem(mem, Roots::unit(mem));
                    loop_params.push(LoopParam { binder: mem_binder, init: Atom::Var(place.mem) });
                    let offset = has_offset.then(|| {
                        let init = self.poly_atom(&place.lmad.offset, "off");
                        let binder = self.offset_binder(var);
                        let offset = binder.var;
                        loop_params.push(LoopParam { binder, init });
                        offset
                    });
                    let moving = Moving { mem, offset };
                    let binder = self.bind_array(var, shape, *elem, moving.place(shape));
                    (binder, Atom::Var(init), Carried::Moves(moving))
                }
                (ty, init) => (self.bind_prim(var, ty.elem()), init, Carried::Scalar),
            };
            loop_params.push(LoopParam { binder, init });
            carried.push(how);
        }
        match form {
            LoopForm::For { var, ty, bound: _ } => {
                self.bind_prim(var, ty);
            }
            LoopForm::While(_) => {}
        }

        let start = self.now();
        let written = std::mem::take(&mut self.written);
        let (statements, results) = self.body(body);
        let outer = std::mem::replace(&mut self.out, statements);
        let next = self.next_values(&carried, results, start);
        let statements = std::mem::replace(&mut self.out, outer);

        let last = last_blocks(&initial, &next);
        let changed = std::mem::replace(&mut self.written, written);
        for root in changed {
            // A block that is a loop parameter is one of those outside.
            match last.get(&root) {
                Some(blocks) => self.written = std::mem::take(&mut self.written).union(blocks.clone()),
                None => {
                    self.written.insert(root);
                }
            }
        }
        let binders = self.loop_results(pattern, &carried, &last);
        let results = next.into_iter().map(|(atom, _)| atom).collect();
        self.emit(binders, Exp::Loop { params: loop_params, form, body: Body { statements, results } });
    }

    /// The results of the body with their blocks where these are carried along. What isn't row-major is copied, and what the next
    /// iteration may change although others see it.
    fn next_values(
        &mut self,
        carried: &[Carried],
        results: Vec<Atom>,
        start: u32,
    ) -> Vec<(Atom, Option<(Var, Roots)>)> {
        let mut consumed = Roots::new();
        // Blocks that the next iteration may change, and those that it sees at all.
        let (mut changed, mut seen) = (Roots::new(), Roots::new());
        for how in carried {
            match how {
                Carried::Scalar => {}
                Carried::Moves(Moving { mem, .. }) => {
                    consumed.extend(self.written.contains(mem).then_some(*mem));
                }
                Carried::Stays(place) => {
                    let roots = self.roots_of(place.mem);
                    changed.extend(roots.into_iter().filter(|root| self.written.contains(root)));
                }
            }
        }
        self.hand_on(carried, &results, &mut consumed);
        let mut next = Vec::with_capacity(results.len());
        for (how, result) in carried.iter().zip(results) {
            let (Moving { mem, offset }, var) = match (how, result) {
                (Carried::Moves(moving), Atom::Var(var)) => (moving, var),
                (Carried::Scalar | Carried::Stays(_) | Carried::Moves(_), _) => {
                    next.push((result, None));
                    continue;
                }
            };
            let place = self.array_place(var);
            let roots = self.roots_of(place.mem);
            let own = |root: &Var| {
                self.allocated.get(root).is_some_and(|time| *time > start) || consumed.contains(root)
            };
            let is_consumed = consumed.contains(mem);
            let safe = if is_consumed {
                roots.iter().all(own) && !meet(&roots, &seen) && !meet(&roots, &changed)
            } else {
                !meet(&roots, &changed)
            };
            let var = if safe && self.may_move(var, offset.is_some()) { var } else { self.copy(var) };
            let Place { mem: block, lmad, .. } = self.array_place(var);
            let roots = self.roots_of(block);
            seen = seen.union(roots.clone());
            if is_consumed {
                changed = changed.union(roots.clone());
            }
            next.push((Atom::Var(block), Some((*mem, roots))));
            if offset.is_some() {
                next.push((self.poly_atom(&lmad.offset, "off"), None));
            }
            next.push((Atom::Var(var), None));
        }
        next
    }

    /// Adds the blocks that become those of consumed parameters in a later iteration: their initial values are consumed, too (F5).
    fn hand_on(&self, carried: &[Carried], results: &[Atom], consumed: &mut Roots) {
        let blocks: Vec<(Var, Roots)> = carried
            .iter()
            .zip(results)
            .filter_map(|(how, result)| match (how, result) {
                (Carried::Moves(Moving { mem, .. }), Atom::Var(var)) => {
                    Some((*mem, self.roots_of(self.array_place(*var).mem)))
                }
                _ => None,
            })
            .collect();
        let params: Roots = blocks.iter().map(|(mem, _)| *mem).collect();
        loop {
            let before = consumed.len();
            for (mem, roots) in &blocks {
                if consumed.contains(mem) {
                    consumed.extend(params.iter().copied().filter(|param| roots.contains(param)));
                }
            }
            if consumed.len() == before {
                return;
            }
        }
    }

    /// Whether an array lies as one does that moves.
    fn may_move(&self, array: Var, has_offset: bool) -> bool {
        let place = self.array_place(array);
        let offset = if has_offset { place.lmad.offset.clone() } else { Poly::constant(0) };
        place.lmad.equivalent(&Lmad::row_major(offset, &place.lmad.sizes()))
    }

    /// Where an array begins in its block.
    fn offset_binder(&mut self, array: Var) -> Binder {
        let offset = self.names.fresh(format!("{}_off", array.text).as_str());
        self.bind_prim(offset, PrimType::I64)
    }

    /// The pattern of the loop: as the parameters.
    fn loop_results(
        &mut self,
        pattern: Vec<FunBinder>,
        carried: &[Carried],
        last: &BTreeMap<Var, Roots>,
    ) -> Vec<Binder> {
        let mut binders = Vec::with_capacity(pattern.len());
        for (binder, how) in pattern.into_iter().zip(carried) {
            let binder = match (how, binder.ty) {
                (Carried::Stays(place), ty) => {
                    self.binder_at(FunBinder { var: binder.var, ty }, place.clone())
                }
                (Carried::Moves(inner), Type::Array { shape, elem }) => {
                    let mem = self.mem_name(binder.var);
                    let roots = last.get(&inner.mem).cloned().unwrap_or_default();
                    binders.push(self.bind_mem(mem, roots));
                    let offset = inner.offset.map(|_| {
                        let offset = self.offset_binder(binder.var);
                        binders.push(offset.clone());
                        offset.var
                    });
                    self.bind_array(binder.var, &shape, elem, Moving { mem, offset }.place(&shape))
                }
                (Carried::Scalar | Carried::Moves(_), ty) => self.bind_prim(binder.var, ty.elem()),
            };
            binders.push(binder);
        }
        binders
    }
}

/// What the block of each parameter may be in any iteration or afterwards, said in blocks that are no parameters.
fn last_blocks(
    initial: &BTreeMap<Var, Roots>,
    next: &[(Atom, Option<(Var, Roots)>)],
) -> BTreeMap<Var, Roots> {
    let mut last = initial.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for (mem, roots) in next.iter().filter_map(|(_, carried)| carried.as_ref()) {
            let mut blocks = last.get(mem).cloned().unwrap_or_default();
            let before = blocks.len();
            for root in roots {
                match last.get(root) {
                    Some(_) if root == mem => {}
                    Some(others) => blocks = blocks.union(others.clone()),
                    None => {
                        blocks.insert(*root);
                    }
                }
            }
            changed |= blocks.len() != before;
            last.insert(*mem, blocks);
        }
    }
    last
}
