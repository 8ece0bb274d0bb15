//! Expressions over the lanes of some iterations: what is the same for all stays a scalar, what grows evenly a sum.

use super::super::view::Number;
use super::super::{Emit, Emitter};
use super::linear::Affine;
use super::plan::Plan;
use super::plan::exp::without_division;
use super::quotient;
use crate::CompileError;
use crate::unit::machine_type;
use crate::wide::{hidden, hidden_pair};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::Variable;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::ir::Exp;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// A value in all lanes.
#[derive(Clone, Debug)]
pub(super) enum Lane {
    /// A constant.
    Const(PrimValue),
    /// The same in all lanes.
    Uniform(Value),
    /// An i64 that grows evenly.
    Affine(Affine),
    /// Vectors, together one element for each lane.
    Vector(Vec<Value>),
    /// An i64 that has the value of an i32, of which these are vectors.
    Extended(Vec<Value>),
    /// Bools as integers of so many bytes that are 0 or -1.
    Mask(Vec<Value>, i64),
}

/// Some successive iterations, one for each lane.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    /// How many.
    pub(super) count: i64,
    /// Bytes of a vector.
    pub(super) size: i64,
    /// The iteration of the first lane: this plus `first`.
    pub(super) from: Option<Value>,
    pub(super) first: i64,
    /// What is known of variables of the body.
    pub(super) env: HashMap<Var, Lane>,
    pub(super) types: HashMap<Var, PrimType>,
    /// Cells that are kept in variables, by view and bytes from its start.
    pub(super) kept: HashMap<(Var, i64), Variable>,
    /// Views that nothing writes while addresses in them are known: reads happen where the value is wanted.
    pub(super) advancing: BTreeSet<Var>,
    /// In a scan, what the iterations before give, in all lanes.
    pub(super) total: Option<Variable>,
    /// Whether some reads look where other elements say.
    pub(super) gathers: bool,
    /// Where iterations run one by one, from the one that it is given: for those that fail.
    pub(super) failing: Option<Block>,
    /// Conversions of i64 that are i32 in these iterations.
    pub(super) of_words: Rc<HashSet<*const Exp>>,
}

impl Lanes {
    /// For a loop with this counter.
    pub(super) fn new(var: Var, plan: &Plan<'_>) -> Lanes {
        let counter = Lane::Affine(Affine { base: None, constant: 0, step: Number::Const(1) });
        Lanes {
            count: plan.lanes,
            size: plan.size,
            from: None,
            first: 0,
            env: HashMap::from([(var, counter)]),
            types: HashMap::from([(var, PrimType::I64)]),
            kept: HashMap::new(),
            advancing: BTreeSet::new(),
            total: None,
            gathers: plan.gathers,
            failing: None,
            of_words: Rc::clone(&plan.of_words),
        }
    }

    /// Notes the value of a variable.
    pub(super) fn bind(&mut self, var: Var, ty: PrimType, lane: Lane) {
        self.env.insert(var, lane);
        self.types.insert(var, ty);
    }

    /// The same variables in the iterations from `from + first` on.
    pub(super) fn at(&self, from: Option<Value>, first: i64) -> Lanes {
        Lanes { from, first, ..self.clone() }
    }
}

impl Emitter<'_, '_> {
    /// The value of an expression in all lanes.
    pub(super) fn lane(&mut self, lanes: &Lanes, exp: &Exp) -> Emit<Lane> {
        match exp {
            Exp::Const(value) => Ok(Lane::Const(*value)),
            Exp::Var(var) => match lanes.env.get(var) {
                Some(lane) => Ok(lane.clone()),
                None => Ok(Lane::Uniform(self.use_var(*var)?)),
            },
            Exp::Bin(op, ty, x, y) => {
                let (x, y) = (self.lane(lanes, x)?, self.lane(lanes, y)?);
                self.lane_binary(lanes, *op, *ty, x, y)
            }
            Exp::Un(op, ty, x) => {
                let x = self.lane(lanes, x)?;
                if let Some(x) = self.scalar(&x) {
                    return Ok(Lane::Uniform(self.unary(*op, *ty, x)?));
                }
                self.lane_unary(lanes, *op, *ty, x)
            }
            Exp::Fma(ty, [x, y, z]) => {
                let operands = [self.lane(lanes, x)?, self.lane(lanes, y)?, self.lane(lanes, z)?];
                if let [Some(x), Some(y), Some(z)] = operands.each_ref().map(|lane| self.scalar(lane)) {
                    return Ok(Lane::Uniform(self.fma(*ty, x, y, z)?));
                }
                let [x, y, z] = operands;
                let (x, y) = (self.vectors(lanes, *ty, x)?, self.vectors(lanes, *ty, y)?);
                let z = self.vectors(lanes, *ty, z)?;
                let parts = x.iter().zip(&y).zip(&z);
                Ok(Lane::Vector(parts.map(|((x, y), z)| self.b.ins().fma(*x, *y, *z)).collect()))
            }
            Exp::Convert { to, from, value } => {
                let x = self.lane(lanes, value)?;
                if let Some(x) = self.scalar(&x) {
                    return Ok(Lane::Uniform(self.convert(*to, *from, x)?));
                }
                if let Lane::Affine(affine) = &x
                    && let Number::Const(_) = affine.step
                {
                    if lanes.of_words.contains(&std::ptr::from_ref(exp)) {
                        let words = self.growing_vectors(lanes, PrimType::I32, affine)?;
                        return self.lane_convert(lanes, *to, PrimType::I32, Lane::Vector(words));
                    }
                    if to.is_int() && to.bits() < 64 {
                        return Ok(Lane::Vector(self.growing_vectors(lanes, *to, affine)?));
                    }
                }
                self.lane_convert(lanes, *to, *from, x)
            }
            Exp::Select(condition, x, y) => {
                let ty = self.type_of(x, &|var| lanes.types.get(&var).copied());
                let condition = self.lane(lanes, condition)?;
                let (x, y) = (self.lane(lanes, x)?, self.lane(lanes, y)?);
                let scalars = (self.scalar(&condition), self.scalar(&x), self.scalar(&y));
                if let (Some(condition), Some(x), Some(y)) = scalars {
                    return Ok(Lane::Uniform(self.b.ins().select(condition, x, y)));
                }
                self.lane_choose(lanes, ty, condition, x, y)
            }
            Exp::Read { view, indices } => self.lane_read(lanes, *view, indices),
            Exp::Threads | Exp::Param { .. } => Ok(Lane::Uniform(self.exp(exp)?)),
        }
    }

    /// A lane that is the same everywhere as a scalar.
    pub(super) fn scalar(&mut self, lane: &Lane) -> Option<Value> {
        match lane {
            Lane::Const(value) => Some(self.constant(*value)),
            Lane::Uniform(value) => Some(*value),
            Lane::Affine(_) | Lane::Vector(_) | Lane::Extended(_) | Lane::Mask(..) => None,
        }
    }

    pub(super) fn lane_binary(
        &mut self,
        lanes: &Lanes,
        op: BinOp,
        ty: PrimType,
        x: Lane,
        y: Lane,
    ) -> Emit<Lane> {
        let known = if let Lane::Const(value) = y { Some(value) } else { None };
        if let (Some(left), Some(right)) = (self.scalar(&x), self.scalar(&y)) {
            return Ok(Lane::Uniform(self.binary(op, ty, left, right, known)?));
        }
        if ty == PrimType::I64
            && let Some(sum) = self.affine(op, &x, &y)
        {
            return Ok(Lane::Affine(sum));
        }
        if ty == PrimType::Bool {
            let bytes = mask_bytes(&x).max(mask_bytes(&y));
            let (x, y) = (self.mask(lanes, x, bytes)?, self.mask(lanes, y, bytes)?);
            let parts = x.into_iter().zip(y).map(|(x, y)| {
                let (x, y) = hidden_pair(&mut self.b, x, y);
                match op {
                    BinOp::And => self.b.ins().band(x, y),
                    BinOp::Or => self.b.ins().bor(x, y),
                    BinOp::Eq => {
                        let differ = self.b.ins().bxor(x, y);
                        let differ = hidden(&mut self.b, differ);
                        self.b.ins().bnot(differ)
                    }
                    _ => self.b.ins().bxor(x, y),
                }
            });
            return Ok(Lane::Mask(parts.collect(), bytes));
        }
        let (op, count) =
            without_division(op, ty, known.and_then(PrimValue::as_int).and_then(|n| i64::try_from(n).ok()));
        if let Some(divisor) = quotient::divisor(op, ty, count) {
            let parts = self.vectors(lanes, ty, x)?.into_iter();
            let parts: Emit<Vec<Value>> =
                parts.map(|x| self.vector_quotient(lanes.size, op, ty, x, divisor)).collect();
            return Ok(Lane::Vector(parts?));
        }
        let y = match count {
            Some(bits) if op == BinOp::And => Lane::Const(ty.of_i64(bits)),
            _ => y,
        };
        let (x, y) = match op {
            BinOp::Shl | BinOp::Shr | BinOp::ShrLogical => {
                let x = self.vectors(lanes, ty, x)?.into_iter();
                if let Some(count) = count.filter(|count| (0..i64::from(ty.bits())).contains(count)) {
                    let parts: Emit<Vec<Value>> =
                        x.map(|x| self.vector_shift(lanes.size, op, ty, x, count)).collect();
                    return Ok(Lane::Vector(parts?));
                }
                let shifted = match self.scalar(&y) {
                    Some(count) => x.map(|x| self.vector_shift_by_any(op, ty, x, count)).collect(),
                    None => {
                        let counts = self.vectors(lanes, ty, y)?;
                        x.zip(counts).map(|(x, count)| self.vector_shift_by_each(op, ty, x, count)).collect()
                    }
                };
                return Ok(Lane::Vector(shifted));
            }
            _ => (self.vectors(lanes, ty, x)?, self.vectors(lanes, ty, y)?),
        };
        let parts: Emit<Vec<Value>> = x
            .into_iter()
            .zip(y)
            .map(|(x, y)| match op {
                BinOp::Mul if ty.is_int() => self.vector_product(lanes.size, ty, x, y),
                _ => self.vector_binary(op, ty, x, y),
            })
            .collect();
        Ok(match op {
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                Lane::Mask(parts?, i64::from(ty.bytes()))
            }
            _ => Lane::Vector(parts?),
        })
    }

    /// An operator on two vectors.
    pub(super) fn vector_binary(&mut self, op: BinOp, ty: PrimType, x: Value, y: Value) -> Emit<Value> {
        let (x, y) = hidden_pair(&mut self.b, x, y);
        if ty.is_float() {
            return self.binary(op, ty, x, y, None);
        }
        Ok(match (op, ty.is_signed()) {
            (BinOp::Min, true) => self.b.ins().smin(x, y),
            (BinOp::Min, false) => self.b.ins().umin(x, y),
            (BinOp::Max, true) => self.b.ins().smax(x, y),
            (BinOp::Max, false) => self.b.ins().umax(x, y),
            _ => return self.binary(op, ty, x, y, None),
        })
    }

    fn lane_unary(&mut self, lanes: &Lanes, op: UnOp, ty: PrimType, x: Lane) -> Emit<Lane> {
        if ty == PrimType::Bool {
            let bytes = mask_bytes(&x);
            let x = self.mask(lanes, x, bytes)?;
            let parts = x.into_iter().map(|x| {
                let x = hidden(&mut self.b, x);
                self.b.ins().bnot(x)
            });
            return Ok(Lane::Mask(parts.collect(), bytes));
        }
        let x = self.vectors(lanes, ty, x)?;
        let parts: Emit<Vec<Value>> = x
            .into_iter()
            .map(|x| {
                let x = hidden(&mut self.b, x);
                self.unary(op, ty, x)
            })
            .collect();
        Ok(match op {
            UnOp::IsNan => Lane::Mask(parts?, i64::from(ty.bytes())),
            _ => Lane::Vector(parts?),
        })
    }

    /// The first where the condition holds, else the second.
    pub(super) fn lane_choose(
        &mut self,
        lanes: &Lanes,
        ty: Option<PrimType>,
        condition: Lane,
        x: Lane,
        y: Lane,
    ) -> Emit<Lane> {
        let ty = ty.ok_or_else(|| CompileError::new("the type of a choice is not known"))?;
        let is_bool = ty == PrimType::Bool;
        let bytes = match is_bool {
            true => mask_bytes(&x).max(mask_bytes(&y)).max(mask_bytes(&condition)),
            false => i64::from(ty.bytes()),
        };
        let condition = self.mask(lanes, condition, bytes)?;
        let (x, y) = match is_bool {
            true => (self.mask(lanes, x, bytes)?, self.mask(lanes, y, bytes)?),
            false => (self.vectors(lanes, ty, x)?, self.vectors(lanes, ty, y)?),
        };
        let parts = condition.into_iter().zip(x).zip(y);
        let parts = parts.map(|((condition, x), y)| self.choose(condition, x, y)).collect();
        Ok(if is_bool { Lane::Mask(parts, bytes) } else { Lane::Vector(parts) })
    }

    /// What a variable holds that is assigned: the plan does not follow how it grows, so a clamp of it does not choose the iterations that vectors take.
    pub(super) fn varying(&mut self, lanes: &Lanes, lane: Lane) -> Emit<Lane> {
        match lane {
            Lane::Affine(_) => Ok(Lane::Vector(self.vectors(lanes, PrimType::I64, lane)?)),
            other => Ok(other),
        }
    }

    /// A lane as vectors of its type.
    pub(super) fn vectors(&mut self, lanes: &Lanes, ty: PrimType, lane: Lane) -> Emit<Vec<Value>> {
        let machine = vector_type(ty, lanes.size)?;
        let parts = lanes.count * i64::from(ty.bytes()) / lanes.size;
        Ok(match lane {
            Lane::Vector(parts) => parts,
            Lane::Extended(parts) => self.resized_integers(lanes, parts, PrimType::I32, PrimType::I64)?,
            Lane::Const(value) => {
                let value = self.splat_bits(machine, value.bits());
                vec![value; parts as usize]
            }
            Lane::Uniform(value) => {
                let value = self.b.ins().splat(machine, value);
                vec![value; parts as usize]
            }
            Lane::Affine(affine) => self.growing_vectors(lanes, PrimType::I64, &affine)?,
            Lane::Mask(..) => return Err(CompileError::new("invariant: bools are masks")),
        })
    }

    /// What grows evenly as vectors of integers of this type; of fewer bits than 64 by a constant.
    fn growing_vectors(&mut self, lanes: &Lanes, ty: PrimType, affine: &Affine) -> Emit<Vec<Value>> {
        let machine = vector_type(ty, lanes.size)?;
        let bytes = ty.bytes() as usize;
        let per_part = lanes.size / i64::from(ty.bytes());
        let parts = lanes.count / per_part;
        let mut start = self.first_lane(lanes, affine);
        if bytes < 8 {
            start = self.b.ins().ireduce(machine_type(ty), start);
        }
        Ok(match affine.step {
            Number::Const(step) => {
                let start = self.b.ins().splat(machine, start);
                let part = |k: i64| {
                    let of = |lane: i64| step.wrapping_mul(lane).to_le_bytes()[..bytes].to_vec();
                    let steps = (k * per_part..(k + 1) * per_part).flat_map(of).collect();
                    let steps = self.vector_constant(machine, steps);
                    let (start, steps) = hidden_pair(&mut self.b, start, steps);
                    self.b.ins().iadd(start, steps)
                };
                (0..parts).map(part).collect()
            }
            // lane after lane: there is no product of vectors of i64 in one instruction
            Number::Value(step) => {
                let mut next = start;
                let part = |_| {
                    let mut vector = self.b.ins().splat(machine, next);
                    for lane in 1..per_part {
                        next = self.b.ins().iadd(next, step);
                        vector = self.b.ins().insertlane(vector, next, lane as u8);
                    }
                    next = self.b.ins().iadd(next, step);
                    vector
                };
                (0..parts).map(part).collect()
            }
        })
    }

    /// A bool as masks of so many bytes.
    pub(super) fn mask(&mut self, lanes: &Lanes, lane: Lane, bytes: i64) -> Emit<Vec<Value>> {
        let machine = mask_type(bytes, lanes.size)?;
        let parts = (lanes.count * bytes / lanes.size) as usize;
        Ok(match lane {
            Lane::Mask(parts, of) => self.resized(lanes, parts, of, bytes)?,
            Lane::Const(value) => {
                let bits = if value == PrimValue::Bool(true) { u64::MAX } else { 0 };
                let value = self.splat_bits(machine, bits);
                vec![value; parts]
            }
            Lane::Uniform(value) => {
                let element = machine.lane_type();
                let wide = if element == types::I8 { value } else { self.b.ins().uextend(element, value) };
                let wide = self.b.ins().ineg(wide);
                let value = self.b.ins().splat(machine, wide);
                vec![value; parts]
            }
            Lane::Vector(_) | Lane::Extended(_) | Lane::Affine(_) => {
                return Err(CompileError::new("invariant: masks are made of bools"));
            }
        })
    }
}

/// The vector type of so many bytes for a type of elements.
pub(super) fn vector_type(ty: PrimType, size: i64) -> Emit<Type> {
    machine_type(ty)
        .by(size as u32 / ty.bytes())
        .ok_or_else(|| CompileError::new(format!("there are no vectors of {ty}")))
}

/// The vector type of so many bytes of masks of so many bytes each.
pub(super) fn mask_type(bytes: i64, size: i64) -> Emit<Type> {
    let lane = match bytes {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    };
    let ty = lane.by((size / bytes) as u32);
    ty.ok_or_else(|| CompileError::new(format!("there are no masks of {bytes} bytes")))
}

/// How wide a bool is already.
fn mask_bytes(lane: &Lane) -> i64 {
    if let Lane::Mask(_, bytes) = lane { *bytes } else { 1 }
}

/// Flags of accesses of vectors: they may lie at any address.
pub(super) fn vector_access() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
