//! Edges between blocks: moves to the parameters of the next one, and jumps.

use super::super::assign::{FETCHED_GENERAL, FETCHED_VECTOR, Place};
use super::super::code::{Class, Condition, Edge, View};
use super::super::moves::{Step, in_turn};
use super::encoding::register;
use super::{Label, Placed, Writer, Written, slot, whole};
use cranelift_codegen::ir::Block;
use iced_x86::Code;

/// Jumps by the numbers of conditions.
const JUMPS: [Code; 16] = [
    Code::Jo_rel32_64,
    Code::Jno_rel32_64,
    Code::Jb_rel32_64,
    Code::Jae_rel32_64,
    Code::Je_rel32_64,
    Code::Jne_rel32_64,
    Code::Jbe_rel32_64,
    Code::Ja_rel32_64,
    Code::Js_rel32_64,
    Code::Jns_rel32_64,
    Code::Jp_rel32_64,
    Code::Jnp_rel32_64,
    Code::Jl_rel32_64,
    Code::Jge_rel32_64,
    Code::Jle_rel32_64,
    Code::Jg_rel32_64,
];

impl Writer<'_> {
    /// Copies a register or slot.
    pub(super) fn transfer(&mut self, to: Place, from: Place, view: View) -> Written {
        if to == from || to == Place::Nowhere || from == Place::Nowhere {
            return Ok(());
        }
        let vector = view.class() == Class::Vector;
        let placed = |place: Place, view: View| match place {
            Place::Register(number) => Placed::Register(register(number, view)),
            Place::Slot(offset) => Placed::Memory(slot(offset)),
            Place::Nowhere => Placed::Pool(0),
        };
        match (to, from) {
            (Place::Register(_), _) => {
                let (code, view) = match (vector, from) {
                    (false, _) => (Code::Mov_r64_rm64, View::Quad),
                    (true, Place::Register(_)) if view == View::Xmm => {
                        (Code::VEX_Vmovaps_xmm_xmmm128, View::Xmm)
                    }
                    (true, Place::Register(_)) => (Code::VEX_Vmovaps_ymm_ymmm256, View::Ymm),
                    (true, _) => (Code::VEX_Vmovups_ymm_ymmm256, View::Ymm),
                };
                self.put(code, &[placed(to, view), placed(from, view)])
            }
            (_, Place::Register(_)) => {
                let (code, view) = match vector {
                    true => (Code::VEX_Vmovups_ymmm256_ymm, View::Ymm),
                    false => (Code::Mov_rm64_r64, View::Quad),
                };
                self.put(code, &[placed(to, view), placed(from, view)])
            }
            _ => {
                let between = Place::Register(if vector { FETCHED_VECTOR[0] } else { FETCHED_GENERAL[0] });
                self.transfer(between, from, view)?;
                self.transfer(to, between, view)
            }
        }
    }

    /// The moves of an edge as they are with places.
    fn moves(&self, edge: &Edge) -> Vec<(Place, Place, View)> {
        let moves = edge.moves.iter().map(|(to, from, view)| (self.place(*to), self.place(*from), *view));
        moves.filter(|(to, from, _)| to != from && *to != Place::Nowhere).collect()
    }

    /// Moves that happen at once.
    pub(super) fn parallel(&mut self, moves: Vec<(Place, Place, View)>) -> Written {
        for class in [Class::General, Class::Vector] {
            let of_class: Vec<(Place, Place)> = moves
                .iter()
                .filter(|(_, _, view)| view.class() == class)
                .map(|(to, from, _)| (*to, *from))
                .collect();
            let spare =
                Place::Register(if class == Class::General { FETCHED_GENERAL[1] } else { FETCHED_VECTOR[1] });
            for step in in_turn(of_class, spare) {
                match step {
                    Step::Copy(to, from) => self.transfer(to, from, whole(class))?,
                    Step::Swap(x, y) => self.swap(class, x, y)?,
                }
            }
        }
        Ok(())
    }

    fn swap(&mut self, class: Class, x: u8, y: u8) -> Written {
        let (x, y) =
            (Placed::Register(register(x, whole(class))), Placed::Register(register(y, whole(class))));
        if class == Class::General {
            return self.put(Code::Xchg_rm64_r64, &[x, y]);
        }
        for to in [x, y, x] {
            self.put(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[to, x, y])?;
        }
        Ok(())
    }

    pub(super) fn go(&mut self, edge: &Edge, next: Option<Block>) -> Written {
        self.parallel(self.moves(edge))?;
        if next == Some(edge.to) { Ok(()) } else { self.jump(Code::Jmp_rel32_64, Label::Block(edge.to)) }
    }

    pub(super) fn branch(
        &mut self,
        condition: Condition,
        yes: &Edge,
        no: &Edge,
        next: Option<Block>,
    ) -> Written {
        let jump = |condition: Condition| JUMPS[usize::from(condition.0)];
        if self.moves(yes).is_empty() {
            if self.moves(no).is_empty() && next == Some(yes.to) {
                return self.jump(jump(condition.negated()), Label::Block(no.to));
            }
            self.jump(jump(condition), Label::Block(yes.to))?;
            return self.go(no, next);
        }
        if self.moves(no).is_empty() {
            self.jump(jump(condition.negated()), Label::Block(no.to))?;
            return self.go(yes, next);
        }
        let inner = Label::Inner(self.bytes);
        self.jump(jump(condition.negated()), inner)?;
        self.go(yes, None)?;
        self.labels.insert(inner, self.bytes);
        self.go(no, next)
    }
}
