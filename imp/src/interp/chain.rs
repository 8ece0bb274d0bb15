//! `chain` loops (I14): blocks that begin in the order of their numbers, of which a few run at a time and take turns as a seed says: after the `ordered` region of
//! one, and where one has to wait for those before it. How many run at a time is drawn too.

use super::{Machine, Slot};
use crate::ir::{Exp, Statement, StatementKind};
use crate::ordered::{Ordered, words};
use crate::visit::for_each_statement;
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::run::RunError;

/// As many blocks run at a time, at most.
const MOST: u64 = 4;

/// A block that has begun and not ended.
struct Begun {
    number: i64,
    /// The next statement of the loop's body; a region stands nowhere else, so a block waits nowhere else.
    next: usize,
    /// What its variables hold while other blocks run.
    slots: Vec<Slot>,
}

impl Machine<'_> {
    /// All blocks of a `chain` loop.
    pub(super) fn chain(&mut self, var: Var, bound: i128, body: &[Statement]) -> Result<(), RunError> {
        let mut places: Vec<usize> = self.place(var).into_iter().collect();
        for_each_statement(body, &mut |statement| {
            let counter =
                if let StatementKind::For { var, .. } = &statement.kind { Some(*var) } else { None };
            places.extend(
                counter.into_iter().chain(statement.kind.declares()).filter_map(|var| self.place(var)),
            );
        });
        let region = Ordered::of(body);
        let place = body.iter().position(|it| matches!(it.kind, StatementKind::Ordered { .. }));
        self.heap.enter_loop();
        let most = 1 + (self.random.next_u64() % MOST) as usize;
        let (mut begun, mut next, mut done): (Vec<Begun>, i128, i64) = (Vec::new(), 0, 0);
        while next < bound || !begun.is_empty() {
            // the first of them never does
            let waits = |block: &Begun| Some(block.next) == place && done < block.number;
            let mut ready: Vec<usize> = (0..begun.len()).filter(|at| !waits(&begun[*at])).collect();
            if next < bound && begun.len() < most {
                ready.push(begun.len());
            }
            let chosen = ready[(self.random.next_u64() % ready.len() as u64) as usize];
            if chosen == begun.len() {
                self.charge(1)?;
                let mut slots = vec![Slot::Nothing; places.len()];
                slots[0] = Slot::Scalar(PrimValue::I64(next as i64));
                begun.push(Begun { number: next as i64, next: 0, slots });
                next += 1;
            }
            let block = &mut begun[chosen];
            self.heap.iteration(block.number);
            self.swap(&places, &mut block.slots);
            let stepped = match &region {
                Some(region) if Some(block.next) == place && done == block.number => {
                    (block.next, done) = (block.next + 1, done + 1);
                    self.region(region, block.number).map_err(|error| error.at(body[block.next - 1].loc))
                }
                _ => {
                    let first = block.next;
                    block.next = place.filter(|place| first <= *place).unwrap_or(body.len());
                    self.statements(&body[first..block.next])
                }
            };
            self.swap(&places, &mut block.slots);
            stepped?;
            if block.next == body.len() {
                begun.remove(chosen);
            }
        }
        self.heap.leave_loop();
        Ok(())
    }

    /// Exchanges what the variables at these places hold.
    fn swap(&mut self, places: &[usize], slots: &mut [Slot]) {
        for (place, slot) in places.iter().zip(slots) {
            std::mem::swap(&mut self.slots[*place], slot);
        }
    }

    /// The region of a block whose turn it is.
    fn region(&mut self, region: &Ordered, number: i64) -> Result<(), RunError> {
        self.charge(1)?;
        self.words(region, number)?;
        self.heap.ordered(true);
        self.statements(region.body)?;
        self.heap.ordered(false);
        Ok(())
    }

    /// Takes the words of a block, as many as what it tells and is told needs.
    fn words(&mut self, region: &Ordered, number: i64) -> Result<(), RunError> {
        let mut needed = region.told_words();
        for var in &region.state {
            needed += words(self.scalar(&Exp::Var(*var))?.prim_type());
        }
        let view = self.view(region.words)?;
        for word in 0..i64::from(needed) {
            self.heap.word(view.block, view.address(&[word, number])?)?;
        }
        Ok(())
    }
}
