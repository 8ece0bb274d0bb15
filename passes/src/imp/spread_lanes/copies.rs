//! Copies that iterations make, as one copy of all lanes.
//!
//! ```text
//! copy row <- x          where x lies at m*i: for 32 lanes, copy row_lanes <- x_lanes, of which one has strides of 32 and 1 and the other of 1 and m
//! ```

use super::varying::Varying;
use crate::imp::fuse_loops::access::Places;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::{Expansion, Lmad, LmadDim};
use fun_index::poly::Poly;
use imp::build::Builder;

/// What is copied of all lanes, or where to.
pub(super) struct Side {
    name: Var,
    elem: PrimType,
    block: Var,
    /// The cells of an iteration.
    cells: Lmad,
    /// How far those of the next one are from these.
    step: Poly,
}

/// Both sides of a copy of all lanes, from the views of that of one.
pub(super) fn sides(
    (dest, source): (Var, Var),
    counter: Var,
    lanes: i64,
    varying: &Varying<'_>,
    places: &Places,
) -> Option<(Side, Side)> {
    let side = |view| Side::of(view, counter, lanes, varying, places);
    let (to, from) = (side(dest)?, side(source)?);
    // what moves within a block may overlap: in one of an iteration alone the steps of both sides are the same
    let own = |side: &Side| varying.own_blocks.contains(&side.block);
    let apart = own(&to) || own(&from) || places.in_different_blocks(dest, source);
    (apart && to.step.as_constant() != Some(0)).then_some((to, from))
}

impl Side {
    fn of(view: Var, counter: Var, lanes: i64, varying: &Varying<'_>, places: &Places) -> Option<Side> {
        let (elem, block, lmad) = places.place(view)?;
        let own = varying.own_blocks.contains(&block);
        let (cells, more) = match own {
            false => (lmad.clone(), 0),
            true => {
                let (thread, threads) = (Poly::constant(0), Poly::constant(lanes));
                (lmad.expand(&Expansion::Interleaved { thread, threads }), 1)
            }
        };
        let step = even_step(&cells, counter, varying)?.add(&Poly::constant(more));
        (elem != PrimType::Unit).then_some(Side { name: view, elem, block, cells, step })
    }

    /// The view of as many lanes as `width` says; `now` gives what variables are, with the first lane's iteration for the counter.
    pub(super) fn view(&self, width: &Poly, now: &dyn Fn(Var) -> Var, b: &mut Builder) -> Var {
        let mut cells = self.cells.clone();
        cells.dims.push(LmadDim { size: width.clone(), stride: self.step.clone() });
        let lmad = cells.subst(&mut |var| Poly::var(now(var)));
        b.view(self.name.text, self.elem, now(self.block), lmad)
    }
}

/// How far the cells of each iteration are from those of the one before, if that is all that they differ in.
pub(super) fn even_step(cells: &Lmad, counter: Var, varying: &Varying<'_>) -> Option<Poly> {
    let step = cells.offset.step(counter);
    let of_first =
        cells.offset.subst(&mut |var| if var == counter { Poly::constant(0) } else { Poly::var(var) });
    let mut same = true;
    let differs = &mut |var| same &= !varying.has(var);
    step.for_each_var(differs);
    of_first.for_each_var(differs);
    for dim in &cells.dims {
        dim.size.for_each_var(differs);
        dim.stride.for_each_var(differs);
    }
    same.then_some(step)
}
