//! Loops that put two parts of an array together, as vectors.
//!
//! The lanes of a sum are added up by halves: `for l < 16 simd { lanes[l] := add.f32(lanes[l], lanes[l + 16]) }`. As a loop, GCC makes one
//! vector of each half as well, but goes by way of memory from one to the next, so that adding up 32 lanes takes as long as 34 elements.
//! Written as vectors, what was stored last is known to be what is loaded next.

use super::{Emit, Emitter};
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, Space, Statement, StatementKind};

/// Bytes of a vector.
const WIDEST: i64 = 64;
/// Of fewer bytes than this no vector is made.
const NARROWEST: i64 = 16;

/// `view[l] := view[l] op view[l + half]` for all lanes `l` of a half.
struct Halves {
    view: Var,
    op: &'static str,
}

impl Halves {
    /// What a loop over `count` lanes does, if it is that alone.
    fn of(lane: Var, count: i64, body: &[Statement]) -> Option<Vec<Halves>> {
        let at = |exp: &Exp, of: Var, indices: &[Exp]| matches!(exp, Exp::Read { view, indices: own } if *view == of && own == indices);
        let halves = body.iter().map(|statement| {
            let StatementKind::Write { view, indices, value: Exp::Bin(op, ty, x, y) } = &statement.kind
            else {
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
            fits.then_some(Halves { view: *view, op })
        });
        halves.collect()
    }
}

impl<'p> Emitter<'_, 'p> {
    /// Emits the loop over `count` lanes as vectors; `false` if it is another one.
    pub(super) fn halves(&mut self, lane: Var, count: i64, body: &'p [Statement]) -> Emit<bool> {
        let Some(halves) = Halves::of(lane, count, body) else { return Ok(false) };
        let mut places = Vec::with_capacity(halves.len());
        for half in &halves {
            let place = self.view(half.view)?;
            let whole = i64::from(place.elem.bytes()) * count;
            let fits = place.is_plain_vector() && place.space == Space::Stack;
            if !fits || self.kernel.is_some() || whole < NARROWEST || whole.count_ones() != 1 {
                return Ok(false);
            }
            places.push(place);
        }
        for (half, place) in halves.iter().zip(places) {
            let (ty, bytes) = (c_type(place.elem), i64::from(place.elem.bytes()));
            let part = (bytes * count).min(WIDEST);
            self.lines.open("{".to_owned());
            self.lines.push(format!(
                "typedef {ty} part __attribute__((vector_size({part}), aligned({bytes}), may_alias));"
            ));
            for from in (0..count).step_by((part / bytes) as usize) {
                let (pointer, op) = (&place.pointer, half.op);
                let at = |from: i64| format!("*(part *)({pointer} + {from})");
                self.lines.push(format!("{} = {} {op} {};", at(from), at(from), at(from + count)));
            }
            self.lines.close("}");
        }
        Ok(true)
    }
}
