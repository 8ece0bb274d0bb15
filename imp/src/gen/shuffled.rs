//! Numbers that the threads of a block exchange: each gets that of another one of its group.

use crate::build::{Builder, bin, convert, read};
use crate::ir::{Direction, Exp, LoopKind, MOST_IN_GROUP, Space, StatementKind};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

use super::random::Random;

const I64: PrimType = PrimType::I64;

/// How threads exchange their numbers.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    elem: PrimType,
    direction: Direction,
    by: i64,
    group: i64,
}

impl Exchange {
    /// One for so many threads.
    pub(super) fn any(random: &mut Random, width: i64) -> Exchange {
        let types = [I64, PrimType::I32, PrimType::U16, PrimType::I8, PrimType::F16, PrimType::F32];
        let fits = |group: &i64| width % group == 0;
        let groups: Vec<i64> =
            (0..).map(|k| 1 << k).take_while(|g| *g <= MOST_IN_GROUP).filter(fits).collect();
        let group = *random.pick(&groups);
        let direction = *random.pick(&[Direction::Down, Direction::Up]);
        Exchange { elem: *random.pick(&types), direction, by: random.between(0, group - 1), group }
    }

    /// What the threads of a block do before its last loop of threads; gives the blocks in registers and the view of what they got.
    pub(super) fn make(self, b: &mut Builder, width: i64) -> ([Var; 2], Var) {
        let mut cells = |name: &str| {
            let memory =
                b.alloc(format!("{name}_mem").as_str(), self.elem, vec![Exp::i64(width)], Space::Register);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(width)]);
            (memory, b.view(name, self.elem, memory, place))
        };
        let ((first, given), (second, got)) = (cells("given"), cells("got"));
        b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
            b.write(given, vec![t.into()], convert(self.elem, I64, bin(BinOp::Add, I64, t, Exp::i64(1))));
        });
        let Exchange { direction, by, group, .. } = self;
        let by = Exp::i64(by);
        b.push(StatementKind::Shuffle { dest: got, source: given, direction, by, group });
        ([first, second], got)
    }

    /// Whether a thread got what it should have.
    pub(super) fn is_right(self, got: Var, t: Var) -> Exp {
        let place = bin(BinOp::Rem, I64, t, Exp::i64(self.group));
        let (is_there, op) = match self.direction {
            Direction::Down => (bin(BinOp::Lt, I64, place, Exp::i64(self.group - self.by)), BinOp::Add),
            Direction::Up => (bin(BinOp::Le, I64, Exp::i64(self.by), place), BinOp::Sub),
        };
        let by = Exp::Select(Box::new(is_there), Box::new(Exp::i64(self.by)), Box::new(Exp::i64(0)));
        let number = bin(BinOp::Add, I64, bin(op, I64, t, by), Exp::i64(1));
        bin(BinOp::Eq, I64, convert(I64, self.elem, read(got, vec![t.into()])), number)
    }
}
