//! Orders of iterations: rising, or any of many, by multiplication with a number that has no factor in common with the count.

use fun_base::rng::Rng;

/// An order of the iterations of a loop.
pub(super) struct Order {
    count: i128,
    factor: i128,
    first: i128,
}

impl Order {
    /// From zero on.
    pub(super) fn rising(count: i128) -> Order {
        Order { count, factor: 1, first: 0 }
    }

    /// One of many.
    pub(super) fn any(count: i128, random: &mut Rng) -> Order {
        if count < 2 {
            return Order::rising(count);
        }
        let mut draw = || i128::from(random.next_u64()).rem_euclid(count);
        let first = draw();
        let mut factor = draw().max(1);
        while common_factor(factor, count) > 1 {
            factor = if factor + 1 < count { factor + 1 } else { 1 };
        }
        Order { count, factor, first }
    }

    /// The iteration at this place of the order.
    pub(super) fn iteration(&self, place: i128) -> i128 {
        if self.factor == 1 && self.first == 0 {
            return place;
        }
        (place * self.factor + self.first).rem_euclid(self.count)
    }
}

/// The greatest common divisor of positive numbers.
fn common_factor(mut x: i128, mut y: i128) -> i128 {
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_iteration_has_one_place() {
        let mut random = Rng::new(1);
        for count in 0..40 {
            let order = Order::any(count, &mut random);
            let places: BTreeSet<i128> = (0..count).map(|place| order.iteration(place)).collect();
            assert_eq!(places, (0..count).collect());
        }
    }

    #[test]
    fn orders_differ() {
        let mut random = Rng::new(1);
        let mut orders = BTreeSet::new();
        for _ in 0..100 {
            let order = Order::any(7, &mut random);
            orders.insert((0..7).map(|place| order.iteration(place)).collect::<Vec<_>>());
        }
        assert!(orders.len() > 20, "{} of 42", orders.len());
    }
}
