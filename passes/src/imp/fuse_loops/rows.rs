//! Rows of a matrix that belong to different iterations.

use super::Fusion;
use super::access::Access;
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::Exp;

impl Fusion {
    /// Whether what iteration `i` of a loop touches has no cell in common with what iteration `j` of another one with the same bound does, for all
    /// `i` and `j` that differ: the one goes along a view of one dimension, the other along the first dimension of its view.
    pub(super) fn other_rows(&mut self, one: Access, other: Access, counter: Var, bound: &Exp) -> bool {
        if !one.own || !other.in_row {
            return false;
        }
        let Some((one, other)) = self.places.in_one_block(one.view, other.view) else { return false };
        let (one, other) = (one.clone(), other.clone());
        let mark = self.facts.mark();
        // the smaller of two counters, and how far the other is beyond its successor
        let apart = self.b.names.fresh("apart");
        let (first, second) =
            (Poly::var(counter), Poly::var(counter).add(&Poly::var(apart)).add(&Poly::constant(1)));
        self.facts.counter(counter, bound);
        self.facts.counter(apart, bound);
        // (a sum might have wrapped around)
        if matches!(bound, Exp::Var(_) | Exp::Const(_))
            && let Some(bound) = self.facts.poly(bound)
        {
            self.facts.nonneg(bound.sub(&second).sub(&Poly::constant(1)), apart);
        }
        let disjoint = [(&first, &second), (&second, &first)].iter().all(|(i, j)| {
            match (row(&one, i), row(&other, j)) {
                (Some(x), Some(y)) => self.facts.disjoint(&x, &y),
                _ => false,
            }
        });
        self.facts.reset(mark);
        disjoint
    }
}

/// What a view has at this index of its first dimension.
fn row(view: &Lmad, at: &Poly) -> Option<Lmad> {
    let (first, rest) = view.dims.split_first()?;
    Some(Lmad { offset: view.offset.add(&first.stride.mul(at)), dims: rest.to_vec() })
}
