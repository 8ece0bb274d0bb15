//! Places that data choose, and writes there, without branches ([`imp::choice`]).

use super::exp::Text;
use super::view::ViewPlace;
use super::{Emit, Emitter};
use crate::types::c_type;
use imp::ir::Exp;

impl Emitter<'_, '_> {
    /// Whether a processor would guess here: not in vectors and kernels, where all go both ways.
    pub(super) fn takes_choices(&self) -> bool {
        !self.in_vectors && self.kernel.is_none()
    }

    /// A place, or -1. (C compilers make a branch of a conditional expression where they see that it would save a write.)
    pub(super) fn place_or_none(&mut self, (holds, condition, place): (bool, &Exp, &Exp)) -> Emit<String> {
        let (condition, place) = (self.exp(condition)?, self.exp(place)?);
        let condition = condition.operand();
        let none =
            if holds { format!("((int64_t){condition} - 1)") } else { format!("-(int64_t){condition}") };
        Ok(format!("{} | {none}", place.operand()))
    }

    /// Writes a value to a cell of a plain vector if the condition holds; nothing is there to be read or written otherwise.
    pub(super) fn write_or_not(
        &mut self,
        condition: &Text,
        view: &ViewPlace,
        at: &[Exp],
        value: &Exp,
    ) -> Emit {
        let (at, value, ty) = (self.address(view, at)?, self.exp(value)?, c_type(view.elem));
        let (at, cells) = (at.operand(), self.cells(view)?);
        self.lines.open("{");
        self.lines.push("/* somewhere in any case, so that nobody need guess */");
        self.lines.push(format!("{ty} nowhere;"));
        self.lines.push(format!("const uintptr_t here = 0 - (uintptr_t)({});", condition.text));
        self.lines
            .push(format!("const uintptr_t there = (uintptr_t){cells} + (uintptr_t){at} * sizeof nowhere;"));
        self.lines
            .push(format!("*({ty} *)((there & here) | ((uintptr_t)&nowhere & ~here)) = {};", value.text));
        self.lines.close("}");
        Ok(())
    }
}
