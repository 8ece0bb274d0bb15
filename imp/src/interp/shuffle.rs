//! `shuffle` (I17): all threads of a block read before one of them writes.

use super::Machine;
use crate::ir::{Direction, Exp};
use fun_base::name::Var;
use fun_base::run::RunError;

impl Machine<'_> {
    /// Each thread gets what another one of its group has.
    pub(super) fn shuffle(
        &mut self,
        (dest, source): (Var, Var),
        direction: Direction,
        by: &Exp,
        group: i64,
    ) -> Result<(), RunError> {
        let (dest, source) = (self.view(dest)?, self.view(source)?);
        let by = self.index(by)?;
        if !(0..group).contains(&by) {
            return Err(RunError::fault(format!("I17: {by} threads {direction} in groups of {group}")));
        }
        self.charge(source.elements())?;
        let threads = 0..source.elements() as i64;
        let mut values = Vec::new();
        for thread in threads.clone() {
            let other = match direction {
                Direction::Down => thread + by,
                Direction::Up => thread - by,
            };
            let from = if other.div_euclid(group) == thread / group { other } else { thread };
            values.push(self.heap.read(source.block, source.elem, source.address(&[from])?)?);
        }
        threads
            .zip(values)
            .try_for_each(|(thread, value)| self.heap.write(dest.block, dest.address(&[thread])?, value))
    }
}
