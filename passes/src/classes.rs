//! Variables that belong together.

use fun_base::name::Var;
use std::collections::BTreeMap;

/// Which variables belong together; each is alone until it is united with another one.
#[derive(Default)]
pub(crate) struct Classes {
    /// Another one of the same class.
    of: BTreeMap<Var, Var>,
}

impl Classes {
    /// What stands for the class of a variable.
    pub(crate) fn class(&mut self, var: Var) -> Var {
        let mut class = var;
        while let Some(of) = self.of.get(&class) {
            class = *of;
        }
        // (not by calling itself: chains may be long)
        let mut at = var;
        while let Some(of) = self.of.get_mut(&at).filter(|of| **of != class) {
            at = std::mem::replace(of, class);
        }
        class
    }

    pub(crate) fn unite(&mut self, x: Var, y: Var) {
        let (x, y) = (self.class(x), self.class(y));
        if x != y {
            self.of.insert(x, y);
        }
    }
}
