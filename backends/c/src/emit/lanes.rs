//! Loops over a few lanes, written as vectors: those that put two parts of an array together, and those that fill one with zeros.
//!
//! The lanes of a sum are added up by halves: `for l < 16 simd { lanes[l] := add.f32(lanes[l], lanes[l + 16]) }`. As a loop, GCC makes one
//! vector of each half as well, but goes by way of memory from one to the next, so that adding up 32 lanes takes as long as 34 elements.
//! Written as vectors, what was stored last is known to be what is loaded next. Of a loop that stores zeros GCC makes one instruction that
//! takes as long as some hundred others before it begins (`rep stos`), which k-means did for every sum of 34 elements.
//!
//! Vectors are as wide as the machine's: of wider ones GCC makes more than one, by way of memory again.

use super::{Emit, Emitter};
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, Space, Statement, StatementKind};

/// Bytes of a vector on any machine, and the fewest of which one is made.
const NARROWEST: i64 = 16;
/// Bytes from which on it is left to the C compiler how to store zeros.
const MANY: i64 = 2048;

/// What happens to all lanes `l` of a view.
enum Lanes {
    /// `view[l] := view[l] op view[l + count]`
    Halves { view: Var, op: &'static str },
    /// `view[l] := 0`
    Zeros { view: Var },
}

impl Lanes {
    fn view(&self) -> Var {
        match self {
            Lanes::Halves { view, .. } | Lanes::Zeros { view } => *view,
        }
    }

    /// What a loop over `count` lanes does, if it is that alone.
    fn of(lane: Var, count: i64, body: &[Statement]) -> Option<Vec<Lanes>> {
        let lanes = body
            .iter()
            .map(|statement| Lanes::zeros(lane, statement).or_else(|| Lanes::halves(lane, count, statement)));
        lanes.collect()
    }

    fn zeros(lane: Var, statement: &Statement) -> Option<Lanes> {
        match &statement.kind {
            StatementKind::Write { view, indices, value: Exp::Const(value) } => {
                let zero = *indices == [Exp::Var(lane)] && value.bits() == 0 && value.prim_type().bytes() > 0;
                zero.then_some(Lanes::Zeros { view: *view })
            }
            _ => None,
        }
    }

    fn halves(lane: Var, count: i64, statement: &Statement) -> Option<Lanes> {
        let at = |exp: &Exp, of: Var, indices: &[Exp]| matches!(exp, Exp::Read { view, indices: own } if *view == of && own == indices);
        let StatementKind::Write { view, indices, value: Exp::Bin(op, ty, x, y) } = &statement.kind else {
            return None;
        };
        let other = Exp::Bin(BinOp::Add, PrimType::I64, Exp::Var(lane).into(), Exp::i64(count).into());
        let op = match op {
            BinOp::Add => "+",
            BinOp::Mul => "*",
            _ => return None,
        };
        let here = [Exp::Var(lane)];
        let fits = matches!(ty, PrimType::F32 | PrimType::F64)
            && *indices == here
            && at(x, *view, &here)
            && at(y, *view, &[other]);
        fits.then_some(Lanes::Halves { view: *view, op })
    }
}

impl<'p> Emitter<'_, 'p> {
    /// Emits the loop over `count` lanes as vectors; `false` if it is another one.
    pub(super) fn lanes(&mut self, lane: Var, count: i64, body: &'p [Statement]) -> Emit<bool> {
        let Some(all) = Lanes::of(lane, count, body) else { return Ok(false) };
        let mut places = Vec::with_capacity(all.len());
        for lanes in &all {
            let place = self.view(lanes.view())?;
            let bytes = i64::from(place.elem.bytes());
            let fits = place.is_plain_vector() && place.space == Space::Stack && place.elem != PrimType::Bool;
            let whole = count.checked_mul(bytes).filter(|whole| (NARROWEST..=MANY).contains(whole));
            if !fits || self.kernel.is_some() || whole.is_none_or(|whole| whole.count_ones() != 1) {
                return Ok(false);
            }
            places.push(place);
        }
        for (lanes, place) in all.iter().zip(places) {
            let (ty, bytes, pointer) = (c_type(place.elem), i64::from(place.elem.bytes()), &place.pointer);
            let whole = bytes * count;
            self.lines.open("{".to_owned());
            self.lines.push(format!(
                "typedef {ty} part __attribute__((vector_size(FUN_PART({whole})), aligned({bytes}), may_alias));"
            ));
            let mut at = "0".to_owned();
            let is_long = whole > NARROWEST;
            if is_long {
                at = "l".to_owned();
                self.lines.push(format!("FUN_UNROLL({})", whole / NARROWEST));
                self.lines.open(format!("for (int l = 0; l < {count}; l += FUN_PART({whole}) / {bytes}) {{"));
            }
            let part = |from: &str| format!("*(part *)({pointer} + {from})");
            self.lines.push(match lanes {
                Lanes::Zeros { .. } => format!("{} = (part){{0}};", part(&at)),
                Lanes::Halves { op, .. } => {
                    let other = if is_long { format!("{count} + {at}") } else { count.to_string() };
                    format!("{} = {} {op} {};", part(&at), part(&at), part(&other))
                }
            });
            if is_long {
                self.lines.close("}");
            }
            self.lines.close("}");
        }
        Ok(true)
    }
}
