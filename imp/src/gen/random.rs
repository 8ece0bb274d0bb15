//! Random choices from a seed.

use fun_base::prim::{PrimType, PrimValue};
use fun_base::rng::Rng;

pub(super) struct Random {
    rng: Rng,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }

    /// From 0, below `bound`; 0 if that is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound)
    }

    /// Both ends included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True `part` times in `whole`.
    pub(super) fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) < part
    }

    /// One of several; there must be some.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of those that fit, if any do.
    pub(super) fn pick_where<'a, T>(&mut self, items: &'a [T], fits: impl Fn(&T) -> bool) -> Option<&'a T> {
        let fitting: Vec<&T> = items.iter().filter(|item| fits(item)).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len())]) }
    }

    /// A constant: mostly small, at times extreme.
    pub(super) fn value(&mut self, ty: PrimType) -> PrimValue {
        if ty.is_float() && self.chance(1, 8) {
            let special = [f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e30, 1e-30, 0.5, -2.5];
            return fun_base::prim::eval_conv(ty, PrimValue::F64(*self.pick(&special)));
        }
        if ty.is_float() {
            return fun_base::prim::eval_conv(ty, PrimValue::F64(self.between(-40, 40) as f64 / 4.0));
        }
        if self.chance(1, 8) {
            let any = self.rng.next_u64();
            return PrimValue::from_bits(ty, *self.pick(&[u64::MAX, 1 << 63, 1 << 31, 1 << 15, 1 << 7, any]));
        }
        ty.of_i64(self.between(-3, 9))
    }
}
