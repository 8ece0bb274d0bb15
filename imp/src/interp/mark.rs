//! Who touched a unit of memory in a parallel loop, and which accesses of several iterations are a race (I6).

use fun_base::prim::BinOp;

/// Which iterations of one execution of a parallel loop accessed a unit. Marks of other executions count as empty.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    execution: u64,
    writer: Option<i64>,
    reader: Option<i64>,
    more_readers: bool,
    /// The operator of those that did an `atomic`, and the first of them.
    atomic: Option<(BinOp, i64)>,
    more_atomics: bool,
    /// The first of those that did an `atomic` on another cell of its word.
    beside: Option<i64>,
    more_beside: bool,
    /// The lock cell that all who touched it had (I15).
    guard: Option<LockCell>,
    /// Whether several wrote, while all of them had that lock cell.
    more_writers: bool,
    /// Whether it is part of a word (I14) or of a lock cell (I15).
    role: Role,
}

/// The generation of its block, and its address in elements.
pub(super) type LockCell = (u64, i64);

/// What cells are for.
#[derive(Clone, Copy, Default, PartialEq)]
enum Role {
    #[default]
    Value,
    Word,
    Lock,
}

/// What is done to a cell.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Access {
    Read,
    Write,
    Atomic(BinOp),
    /// An `atomic` on another cell of the word (I12).
    Beside,
    /// A word of a region that blocks come to in order (I14).
    Word,
    Lock,
}

/// A parallel loop being executed.
pub(super) struct ParLoop {
    /// Unique number of the execution, from 1.
    pub(super) execution: u64,
    pub(super) iteration: i64,
}

impl Mark {
    fn is_untouched(&self) -> bool {
        self.role == Role::Value
            && self.writer.is_none()
            && self.reader.is_none()
            && self.atomic.is_none()
            && self.beside.is_none()
    }

    /// Whether an iteration of this execution wrote.
    pub(super) fn is_written(&self, parallel: &ParLoop) -> bool {
        self.execution == parallel.execution && self.writer.is_some()
    }

    /// Records the access by one who has this lock cell; false if it makes a race.
    pub(super) fn access(&mut self, parallel: &ParLoop, access: Access, held: Option<LockCell>) -> bool {
        if self.execution != parallel.execution {
            *self = Mark { execution: parallel.execution, ..Mark::default() };
        }
        let this = parallel.iteration;
        let role = match access {
            Access::Word => Role::Word,
            Access::Lock => Role::Lock,
            Access::Read | Access::Write | Access::Atomic(_) | Access::Beside => Role::Value,
        };
        let untouched = self.is_untouched();
        if self.role != role && !untouched {
            return false;
        }
        if untouched {
            self.guard = held;
        } else if self.guard != held {
            self.guard = None;
        }
        let guarded = self.guard.is_some();
        if !guarded && (self.more_writers || self.writer.is_some_and(|writer| writer != this)) {
            return false;
        }
        let no_other_reader = !self.more_readers && self.reader.is_none_or(|reader| reader == this);
        let no_other_atomic = !self.more_atomics && self.atomic.is_none_or(|(_, other)| other == this);
        let no_other_beside = !self.more_beside && self.beside.is_none_or(|other| other == this);
        match access {
            Access::Beside => {
                self.more_beside |= self.beside.is_some_and(|other| other != this);
                self.beside.get_or_insert(this);
                true
            }
            Access::Read => {
                self.more_readers |= self.reader.is_some_and(|reader| reader != this);
                self.reader.get_or_insert(this);
                guarded || no_other_atomic
            }
            Access::Word | Access::Lock => {
                self.role = role;
                true
            }
            Access::Write => {
                self.more_writers |= guarded && self.writer.is_some_and(|writer| writer != this);
                self.writer = Some(this);
                guarded || no_other_reader && no_other_atomic && no_other_beside
            }
            Access::Atomic(op) => {
                let (first, other) = *self.atomic.get_or_insert((op, this));
                let same = first == op || no_other_atomic && no_other_beside;
                if first != op {
                    // by one iteration: as good as a write
                    self.writer = Some(this);
                }
                self.more_atomics |= other != this;
                no_other_reader && same
            }
        }
    }
}
