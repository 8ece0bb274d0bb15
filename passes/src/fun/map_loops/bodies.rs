//! What the bodies of loops have.

use fun::ir::{Atom, Body, Exp, Fun};
use fun::visit::{Walk, walk_exp};

/// Bodies of up to as many statements are computed twice.
const MOST_TWICE: usize = 24;
/// Arrays of up to as many elements, by constants, may be each iteration's.
const FEW_ELEMENTS: i64 = 64;

/// Whether a body takes so little that it may be computed twice: it has no loops, and few statements, those inside included.
pub(super) fn is_small(body: &Body) -> bool {
    struct Size(usize, bool);
    impl Walk<Fun> for Size {
        fn exp(&mut self, exp: &Exp) {
            self.0 += 1;
            self.1 |= matches!(exp, Exp::Loop { .. });
            walk_exp(self, exp);
        }
    }
    let mut size = Size(0, false);
    Walk::<Fun>::body(&mut size, body);
    size.0 <= MOST_TWICE && !size.1
}

/// Whether a body has parallel operations.
pub(super) fn is_parallel(body: &Body) -> bool {
    let mut found = Found::default();
    Walk::<Fun>::body(&mut found, body);
    found.parallel
}

/// Whether a body has nothing but scalars, views, what it does to arrays from outside, a few elements of its own, loops and branches.
pub(super) fn is_plain(body: &Body) -> bool {
    let mut found = Found::default();
    Walk::<Fun>::body(&mut found, body);
    !found.parallel && !found.other
}

/// What a body has.
#[derive(Default)]
struct Found {
    /// Whether something is parallel, or makes arrays that may be large.
    parallel: bool,
    /// Whether something is not known.
    other: bool,
}

impl Walk<Fun> for Found {
    fn exp(&mut self, exp: &Exp) {
        let few = |shape: &[Atom]| {
            let mut sizes = shape.iter().map(|size| size.as_const().and_then(|size| size.as_i64()));
            let count = sizes.try_fold(1i64, |count, size| count.checked_mul(size?));
            count.is_some_and(|count| count <= FEW_ELEMENTS)
        };
        match exp {
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Kernel { .. }
            | Exp::Copy(_)
            | Exp::Concat { .. } => self.parallel = true,
            Exp::Replicate { shape, .. } | Exp::Scratch { shape, .. } => self.parallel |= !few(shape),
            Exp::Iota { count, .. } => self.parallel |= !few(&[*count]),
            Exp::ArrayLiteral { elems, .. } => self.parallel |= !few(&[Atom::i64(elems.len() as i64)]),
            Exp::Call { .. } | Exp::Trace { .. } | Exp::Derive { .. } => self.other = true,
            _ => {}
        }
        walk_exp(self, exp);
    }
}
