//! Expressions in loops: how their values change from iteration to iteration, and whether vectors compute them.

use super::{Place, Planned, Planner, Refusal, Region, Shape};
use crate::emit::Binding;
use crate::emit::vector::{quotient, shift};
use crate::emit::view::Number;
use fun_base::name::Var;
use fun_base::prim::math::elementary;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::ir::Exp;

/// The ends of i32.
static LEAST_WORD: Exp = Exp::Const(PrimValue::I64(i32::MIN as i64));
static MOST_WORD: Exp = Exp::Const(PrimValue::I64(i32::MAX as i64));
/// Instructions of most elementary functions, roughly.
const ELEMENTARY: i64 = 100;

impl<'p> Planner<'_, '_, '_, 'p> {
    pub(super) fn exp(&mut self, exp: &'p Exp, place: Place) -> Planned<Shape> {
        match exp {
            Exp::Const(_) | Exp::Threads | Exp::Param { .. } => Ok(Shape::Uniform),
            Exp::Var(var) => Ok(self.shapes.get(var).map_or(Shape::Uniform, |(shape, _)| *shape)),
            Exp::Bin(op, ty, x, y) => {
                let shapes = (self.exp(x, place)?, self.exp(y, place)?);
                let known = |exp: &Exp| {
                    if let Exp::Const(n) = exp {
                        n.as_int().and_then(|n| i64::try_from(n).ok())
                    } else {
                        None
                    }
                };
                if op.can_fail(*ty) && !matches!(**y, Exp::Const(n) if n.as_int().is_some_and(|n| n > 0)) {
                    return Err(Refusal::CanFail);
                }
                if shapes == (Shape::Uniform, Shape::Uniform) {
                    return Ok(Shape::Uniform);
                }
                if *ty == PrimType::I64 {
                    if let Some(shape) = affine(*op, (shapes.0, known(x)), (shapes.1, known(y))) {
                        return Ok(shape);
                    }
                    if let Some((affine, bound)) = clamp(*op, shapes, x, y) {
                        let known = self.is_early(affine) && self.is_early(bound);
                        let reads = affine.reads() || bound.reads();
                        if place == Place::BothArms || !known || place == Place::Arm && reads {
                            return Err(Refusal::Branch);
                        }
                        let op = if *op == BinOp::Min { BinOp::Le } else { BinOp::Ge };
                        self.regions.push(Region::Compare(op, affine, bound));
                        return Ok(Shape::Affine(Some(1)));
                    }
                }
                self.in_lanes(shapes.0, *ty)?;
                self.in_lanes(shapes.1, *ty)?;
                let within = known(y).is_some_and(|n| (0..i64::from(ty.bits())).contains(&n));
                if shapes.1 == Shape::Uniform && !within && shift::by_any(*op, *ty) {
                    self.weight += 4;
                    return Ok(Shape::Varying);
                }
                if shapes.1 != Shape::Uniform && shift::by_each(*op, *ty) {
                    self.only_wide = true;
                    self.weight += 1;
                    return Ok(Shape::Varying);
                }
                self.operator(*op, *ty, known(y))?;
                Ok(Shape::Varying)
            }
            Exp::Un(op, ty, x) => {
                let shape = self.exp(x, place)?;
                if shape == Shape::Uniform {
                    return Ok(shape);
                }
                self.in_lanes(shape, *ty)?;
                self.weight += match op {
                    UnOp::Exp => 25,
                    UnOp::Log => 35,
                    UnOp::Tanh => 50,
                    _ if elementary::is_unary(*op) => ELEMENTARY,
                    UnOp::Sqrt | UnOp::Rsqrt => 4,
                    _ => 1,
                };
                let fits = match op {
                    UnOp::Neg | UnOp::Abs if *ty != PrimType::Bool => true,
                    UnOp::Sqrt | UnOp::Rsqrt | UnOp::IsNan => ty.is_float(),
                    UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round => ty.is_float(),
                    _ if elementary::is_unary(*op) => ty.is_float() && self.emitter.unit.has_fma,
                    UnOp::Not => !ty.is_float(),
                    _ => false,
                };
                if fits { Ok(Shape::Varying) } else { Err(Refusal::Operator(format!("{op:?} of {ty}"))) }
            }
            Exp::Fma(ty, operands) => {
                let mut uniform = true;
                for operand in operands {
                    uniform &= self.exp(operand, place)? == Shape::Uniform;
                }
                if uniform {
                    return Ok(Shape::Uniform);
                }
                self.lanes_of(*ty)?;
                self.weight += 1;
                if self.emitter.unit.has_fma {
                    Ok(Shape::Varying)
                } else {
                    Err(Refusal::Operator("fma".to_owned()))
                }
            }
            Exp::Convert { to, from, value } => {
                let shape = self.exp(value, place)?;
                if shape == Shape::Uniform {
                    return Ok(shape);
                }
                if let Shape::Affine(Some(step)) = shape {
                    // no lanes of 64 bits: of integers the low bits grow as evenly, and where all are words so do floats
                    let is_word = *to == PrimType::F32 && step == 1 && self.is_word(value, place);
                    if is_word && self.of_words.insert(std::ptr::from_ref(exp)) {
                        self.regions.push(Region::Compare(BinOp::Ge, value, &LEAST_WORD));
                        self.regions.push(Region::Compare(BinOp::Le, value, &MOST_WORD));
                    }
                    if is_word || to.is_int() && to.bits() < 64 {
                        self.lanes_of(*to)?;
                        self.weight += 2;
                        return Ok(Shape::Varying);
                    }
                }
                self.in_lanes(shape, *from)?;
                if (*to, *from) == (PrimType::I64, PrimType::I32) {
                    return Ok(Shape::Extended);
                }
                self.lanes_of(*to)?;
                if *from == PrimType::Bool && *to != PrimType::Bool {
                    self.weight += 1;
                    return Ok(Shape::Varying);
                }
                let single = PrimType::F32;
                let lane_by_lane = (*from == single || *to == single) && from.bits().max(to.bits()) == 64;
                self.weight += match (from.is_int(), to.is_int()) {
                    (true, true) | (false, false) => 2,
                    (true, false) if shape == Shape::Extended || from.bits() < 64 => 2,
                    _ if lane_by_lane => 16,
                    _ => 8,
                };
                Ok(Shape::Varying)
            }
            Exp::Select(condition, x, y) => {
                let shapes = [self.exp(condition, place)?, self.exp(x, place)?, self.exp(y, place)?];
                if shapes == [Shape::Uniform; 3] {
                    return Ok(Shape::Uniform);
                }
                let ty = self.type_of(x).ok_or(Refusal::Nothing)?;
                self.in_lanes(shapes[1], ty)?;
                self.in_lanes(shapes[2], ty)?;
                self.weight += 1;
                Ok(Shape::Varying)
            }
            Exp::Read { view, indices } => {
                if place == Place::BothArms {
                    return Err(Refusal::Branch);
                }
                let (step, elem) = self.access(*view, indices, place)?;
                if step == Some(0) {
                    return Ok(Shape::Uniform);
                }
                self.memory_lanes_of(elem)?;
                Ok(Shape::Varying)
            }
        }
    }

    /// Whether iterations in which a number that grows by 1 is no i32 can be left out of those that run in vectors.
    fn is_word(&self, grows: &Exp, place: Place) -> bool {
        self.open
            && self.scanned.is_none()
            && place != Place::BothArms
            && !grows.reads()
            && self.is_early(grows)
    }

    /// How far apart in bytes the cells of successive iterations are, if they are so evenly and that is known, and what they hold.
    pub(super) fn access(
        &mut self,
        view: Var,
        indices: &'p [Exp],
        place: Place,
    ) -> Planned<(Option<i64>, PrimType)> {
        let Some(Binding::View(view)) = self.emitter.env.get(&view).map(|bound| &bound.binding) else {
            return Err(Refusal::Statement("a view"));
        };
        let elem = view.elem;
        let dims = view.dims.clone();
        let mut step = Some(0i64);
        let mut gathers = false;
        for (index, dim) in indices.iter().zip(&dims) {
            let by = match self.exp(index, place)? {
                Shape::Uniform => Some(0),
                Shape::Affine(by) => match (by, dim.stride) {
                    (Some(by), Number::Const(stride)) => Some(by.wrapping_mul(stride)),
                    _ => None,
                },
                Shape::Extended | Shape::Varying => {
                    gathers = true;
                    None
                }
            };
            step = step.zip(by).map(|(step, by)| step.wrapping_add(by));
        }
        if gathers {
            self.gathers += 1;
            self.weight += 8;
        } else if step == Some(i64::from(elem.bytes())) {
            self.contiguous += 1;
            self.weight += 1;
        } else if step != Some(0) {
            self.apart += 1;
            self.weight += 8;
        }
        Ok((step, elem))
    }

    /// A value of this type is in lanes.
    pub(super) fn lanes_of(&mut self, ty: PrimType) -> Planned {
        match ty {
            PrimType::F16 | PrimType::Unit => return Err(Refusal::Operator(format!("{ty}"))),
            // masks are as wide as what was compared
            PrimType::Bool => {}
            _ => {
                self.narrowest = self.narrowest.min(i64::from(ty.bytes()));
                self.widest = self.widest.max(i64::from(ty.bytes()));
            }
        }
        Ok(())
    }

    /// Cells of this type are read or written in lanes.
    pub(super) fn memory_lanes_of(&mut self, ty: PrimType) -> Planned {
        self.lanes_of(if ty == PrimType::Bool { PrimType::U8 } else { ty })
    }

    /// An operand of this shape and type is used in lanes.
    pub(super) fn in_lanes(&mut self, shape: Shape, ty: PrimType) -> Planned {
        if shape == Shape::Affine(None) {
            return Err(Refusal::Step);
        }
        self.lanes_of(ty)
    }

    pub(super) fn operator(&mut self, op: BinOp, ty: PrimType, known: Option<i64>) -> Planned {
        let (op, known) = without_division(op, ty, known);
        let has_divisor = quotient::divisor(op, ty, known).is_some();
        self.weight += match op {
            _ if has_divisor => 14,
            BinOp::Mul if ty.bits() == 8 => 6,
            BinOp::Div => 4,
            _ if elementary::is_binary(op) => ELEMENTARY,
            BinOp::Min | BinOp::Max if ty.is_float() => 12,
            _ => 1,
        };
        let compares = matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge);
        let fits = match ty {
            PrimType::F32 | PrimType::F64 => {
                compares
                    || matches!(
                        op,
                        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Min | BinOp::Max
                    )
                    || elementary::is_binary(op) && self.emitter.unit.has_fma
            }
            PrimType::Bool => matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne),
            PrimType::F16 | PrimType::Unit => false,
            _ => match op {
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => true,
                BinOp::Min | BinOp::Max => true,
                _ if has_divisor => true,
                BinOp::Shl | BinOp::Shr | BinOp::ShrLogical => {
                    known.is_some_and(|n| (0..i64::from(ty.bits())).contains(&n))
                }
                _ => compares,
            },
        };
        if fits { Ok(()) } else { Err(Refusal::Operator(format!("{op:?} of {ty}"))) }
    }

    fn type_of(&self, exp: &Exp) -> Option<PrimType> {
        self.emitter.type_of(exp, &|var| self.shapes.get(&var).map(|(_, ty)| *ty))
    }
}

/// Division by a power of two rounds down, as shifts of bits do, and what is left are the lowest bits: of these there are vectors.
pub(in crate::emit::vector) fn without_division(
    op: BinOp,
    ty: PrimType,
    known: Option<i64>,
) -> (BinOp, Option<i64>) {
    match (op, known.filter(|divisor| ty.is_int() && *divisor > 0 && divisor.count_ones() == 1)) {
        (BinOp::Div, Some(divisor)) => (BinOp::Shr, Some(i64::from(divisor.trailing_zeros()))),
        (BinOp::Mod, Some(divisor)) => (BinOp::And, Some(divisor - 1)),
        _ => (op, known),
    }
}

/// The shape of a sum, difference or product of i64, where it is linear in the counter; with constants where they are known.
pub(super) fn affine(op: BinOp, x: (Shape, Option<i64>), y: (Shape, Option<i64>)) -> Option<Shape> {
    let step = |shape: Shape| match shape {
        Shape::Uniform => Some(Some(0)),
        Shape::Affine(step) => Some(step),
        Shape::Extended | Shape::Varying => None,
    };
    let (a, b) = (step(x.0)?, step(y.0)?);
    let both = a.zip(b);
    Some(Shape::Affine(match op {
        BinOp::Add => both.map(|(a, b)| a.wrapping_add(b)),
        BinOp::Sub => both.map(|(a, b)| a.wrapping_sub(b)),
        BinOp::Mul => match (x, y) {
            ((_, Some(factor)), _) => b.map(|b| b.wrapping_mul(factor)),
            (_, (_, Some(factor))) => a.map(|a| a.wrapping_mul(factor)),
            ((Shape::Uniform, _), _) | (_, (Shape::Uniform, _)) => None,
            _ => return None,
        },
        _ => return None,
    }))
}

/// For a minimum or maximum of a number that grows by 1 and one that does not change: the two.
fn clamp<'p>(op: BinOp, shapes: (Shape, Shape), x: &'p Exp, y: &'p Exp) -> Option<(&'p Exp, &'p Exp)> {
    match (op, shapes) {
        (BinOp::Min | BinOp::Max, (Shape::Affine(Some(1)), Shape::Uniform)) => Some((x, y)),
        (BinOp::Min | BinOp::Max, (Shape::Uniform, Shape::Affine(Some(1)))) => Some((y, x)),
        _ => None,
    }
}
