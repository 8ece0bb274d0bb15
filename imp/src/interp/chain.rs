//! `chain` loops (I14): blocks that begin in the order of their numbers, of which a few run at a time and take turns as a seed says: after the `ordered` region of
//! one, and where one has to wait for those before it. How many run at a time is drawn too.

use super::{Machine, Slot};
use crate::ir::{Exp, LoopKind, Statement, StatementKind};
use crate::ordered::{Ordered, words};
use crate::visit::for_each_statement;
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;

/// As many blocks run at a time, at most.
const MOST: u64 = 4;

/// A block that has begun and not ended.
struct Begun<'s> {
    number: i64,
    /// What is left to do, the innermost list of statements last.
    frames: Vec<Frame<'s>>,
    /// What its variables hold while other blocks run.
    slots: Vec<Slot>,
    /// Whether it waits for the blocks before it, and none has done its region since it looked.
    waits: bool,
}

/// The region of a loop, and how many blocks have done it.
struct Region<'s> {
    found: Option<Ordered<'s>>,
    done: i64,
}

enum Frame<'s> {
    Statements(&'s [Statement]),
    Loop { var: Var, ty: PrimType, next: i128, bound: i128, body: &'s [Statement] },
}

/// Why a block pauses.
enum Pause {
    Ended,
    /// It has done its region.
    Done,
    Waits,
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
        let mut region = Region { found: Ordered::of(body), done: 0 };
        self.heap.enter_loop();
        let most = 1 + (self.random.next_u64() % MOST) as usize;
        let (mut begun, mut next): (Vec<Begun>, i128) = (Vec::new(), 0);
        while next < bound || !begun.is_empty() {
            let mut ready: Vec<usize> = (0..begun.len()).filter(|at| !begun[*at].waits).collect();
            if next < bound && begun.len() < most {
                ready.push(begun.len());
            }
            if ready.is_empty() {
                let waiting: Vec<String> = begun.iter().map(|block| block.number.to_string()).collect();
                let waiting = waiting.join(", ");
                return Err(RunError::fault(format!("I14: blocks wait for what nobody does: {waiting}")));
            }
            let chosen = ready[(self.random.next_u64() % ready.len() as u64) as usize];
            if chosen == begun.len() {
                self.charge(1)?;
                let frames = vec![Frame::Statements(body)];
                let mut slots = vec![Slot::Nothing; places.len()];
                slots[0] = Slot::Scalar(PrimValue::I64(next as i64));
                begun.push(Begun { number: next as i64, frames, slots, waits: false });
                next += 1;
            }
            let block = &mut begun[chosen];
            self.heap.iteration(block.number);
            self.swap(&places, &mut block.slots);
            let paused = self.until_pause(&mut block.frames, block.number, &mut region);
            self.swap(&places, &mut block.slots);
            match paused? {
                Pause::Ended => _ = begun.remove(chosen),
                Pause::Done => begun.iter_mut().for_each(|block| block.waits = false),
                Pause::Waits => block.waits = true,
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

    /// Runs a block until it pauses.
    fn until_pause<'s>(
        &mut self,
        frames: &mut Vec<Frame<'s>>,
        number: i64,
        region: &mut Region,
    ) -> Result<Pause, RunError> {
        while let Some(frame) = frames.last_mut() {
            match frame {
                Frame::Statements(rest) => {
                    let all: &'s [Statement] = rest;
                    let Some((statement, later)) = all.split_first() else {
                        frames.pop();
                        continue;
                    };
                    *rest = later;
                    self.charge(1)?;
                    let paused = self.step(statement, frames, (number, &mut *region));
                    let paused = paused.map_err(|error| error.at(statement.loc))?;
                    match paused {
                        Some(Pause::Waits) => {
                            // it comes here again
                            if let Some(Frame::Statements(rest)) = frames.last_mut() {
                                *rest = all;
                            }
                            return Ok(Pause::Waits);
                        }
                        Some(pause) => return Ok(pause),
                        None => {}
                    }
                }
                Frame::Loop { var, ty, next, bound, body } => {
                    if *next >= *bound {
                        frames.pop();
                        continue;
                    }
                    let (var, counter, body) = (*var, ty.of_i64(*next as i64), *body);
                    *next += 1;
                    self.charge(1)?;
                    self.set(var, Slot::Scalar(counter))?;
                    frames.push(Frame::Statements(body));
                }
            }
        }
        Ok(Pause::Ended)
    }

    /// One statement of a block; what a pause may stand in becomes a frame.
    fn step<'s>(
        &mut self,
        statement: &'s Statement,
        frames: &mut Vec<Frame<'s>>,
        (number, region): (i64, &mut Region),
    ) -> Result<Option<Pause>, RunError> {
        match &statement.kind {
            StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body } => {
                let bound = self.bound(bound)?;
                frames.push(Frame::Loop { var: *var, ty: *ty, next: 0, bound, body });
                Ok(None)
            }
            StatementKind::If { condition, then, otherwise } => {
                let taken = if self.condition(condition)? { then } else { otherwise };
                frames.push(Frame::Statements(taken));
                Ok(None)
            }
            StatementKind::Ordered { .. } if region.done < number => Ok(Some(Pause::Waits)),
            StatementKind::Ordered { body, .. } => {
                if let Some(found) = &region.found {
                    self.words(found, number)?;
                }
                self.heap.ordered(true);
                self.statements(body)?;
                self.heap.ordered(false);
                region.done += 1;
                Ok(Some(Pause::Done))
            }
            kind => self.statement(kind).map(|()| None),
        }
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
