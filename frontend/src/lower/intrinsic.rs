//! Built-in functions.

use super::sizes::Effort;
use super::value::{Expected, InstanceOf, Value};
use super::{Lowerer, Outcome};
use crate::typed::Intrinsic;
use fun::ir::{self, Atom};
use fun_base::prim::{BinOp, PrimType, UnOp};

/// How many arguments an intrinsic takes.
pub(super) fn arity(intrinsic: Intrinsic) -> usize {
    match intrinsic {
        Intrinsic::Un(..)
        | Intrinsic::Convert(..)
        | Intrinsic::Iota
        | Intrinsic::Scratch
        | Intrinsic::Copy
        | Intrinsic::Unzip
        | Intrinsic::Transpose
        | Intrinsic::Flatten
        | Intrinsic::Unflatten
        | Intrinsic::Reverse
        | Intrinsic::Length => 1,
        Intrinsic::Bin(..)
        | Intrinsic::Equal(_)
        | Intrinsic::Map
        | Intrinsic::Filter
        | Intrinsic::Replicate
        | Intrinsic::Zip
        | Intrinsic::Rotate
        | Intrinsic::Concat => 2,
        Intrinsic::Fma(_)
        | Intrinsic::Reduce
        | Intrinsic::ReduceComm
        | Intrinsic::Scan
        | Intrinsic::Scatter
        | Intrinsic::Foldl
        | Intrinsic::ScatterStream
        | Intrinsic::Jvp
        | Intrinsic::Vjp
        | Intrinsic::WithVjp
        | Intrinsic::AccWrite => 3,
        Intrinsic::ReduceByIndex | Intrinsic::HistStream => 5,
        Intrinsic::FlatIndex(rank) => 2 + 2 * rank,
        Intrinsic::FlatUpdate(rank) => 3 + rank,
    }
}

impl<'t> Lowerer<'t> {
    /// Runs an intrinsic on all its arguments.
    pub(super) fn run_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        instance: &InstanceOf<'t>,
        args: Vec<Value<'t>>,
        expected: Option<Expected<'_, 't>>,
    ) -> Outcome<Value<'t>> {
        match (intrinsic, args.as_slice()) {
            (Intrinsic::Bin(op, prim), [a, b]) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                self.check_operands(op, prim, b);
                let result = self.bin(op, prim, a, b);
                Ok(Value::scalar(result, op.result_type(prim).unwrap_or(prim)))
            }
            (Intrinsic::Un(op, prim), [a]) => {
                let a = self.scalar(a)?;
                let result = self.un(op, prim, a);
                Ok(Value::scalar(result, op.result_type(prim).unwrap_or(prim)))
            }
            (Intrinsic::Convert(to, from), [a]) => {
                let a = self.scalar(a)?;
                // The source's `u64.i8` takes the bits of its argument: it brings in zeros, not the sign.
                let (a, from) = if to.is_unsigned() && from.is_signed() {
                    let bits = from.unsigned_of_width();
                    (self.convert(bits, from, a), bits)
                } else {
                    (a, from)
                };
                Ok(Value::scalar(self.convert(to, from, a), to))
            }
            (Intrinsic::Equal(negated), [a, b]) => {
                let equal = self.equal(a, b)?;
                let result = if negated { self.un(UnOp::Not, PrimType::Bool, equal) } else { equal };
                Ok(Value::scalar(result, PrimType::Bool))
            }
            (Intrinsic::Fma(prim), [a, b, c]) => {
                let (a, b, c) = (self.scalar(a)?, self.scalar(b)?, self.scalar(c)?);
                let ty = ir::Type::Prim(prim);
                Ok(Value::scalar(self.emit("fma", ty, ir::Exp::Fma(prim, [a, b, c])), prim))
            }
            (Intrinsic::Map, [f, array]) => self.map(f, array, expected),
            (Intrinsic::Reduce, [op, neutral, array]) => self.reduce(op, neutral.clone(), array, false),
            (Intrinsic::ReduceComm, [op, neutral, array]) => self.reduce(op, neutral.clone(), array, true),
            (Intrinsic::Scan, [op, neutral, array]) => self.scan(op, neutral.clone(), array),
            (Intrinsic::Filter, [p, array]) => self.filter(p, array),
            (Intrinsic::ReduceByIndex, [destination, op, neutral, indices, values]) => {
                self.hist(destination, op, neutral.clone(), indices, values.clone())
            }
            (Intrinsic::Scatter, [destination, indices, values]) => {
                self.scatter(destination, indices, values.clone())
            }
            (Intrinsic::Iota, [count]) => {
                let count = self.scalar(count)?;
                self.iota(count)
            }
            (Intrinsic::Replicate, [count, value]) => {
                let count = self.scalar(count)?;
                self.replicate(count, value)
            }
            (Intrinsic::Copy, [value]) => self.copy(value),
            (Intrinsic::Zip, [_, _]) => self.fresh_zip(args),
            (Intrinsic::Unzip, [array]) => self.unzip(array),
            (Intrinsic::Transpose, [array]) => self.transpose(array),
            (Intrinsic::Flatten, [array]) => self.flatten(array),
            (Intrinsic::Unflatten, [array]) => {
                let mut of_instance = instance.instance.sizes.iter();
                let mut next = |this: &mut Self| {
                    let size = of_instance.next()?;
                    this.eval_size(&instance.env, size, Effort::Full)
                };
                let sizes = next(self).zip(next(self));
                self.unflatten(array, sizes, expected)
            }
            (Intrinsic::Reverse, [array]) => self.reverse(array),
            (Intrinsic::Rotate, [by, array]) => {
                let by = self.scalar(by)?;
                self.rotate(by, array)
            }
            (Intrinsic::Concat, [a, b]) => self.concat(a, b.clone()),
            (Intrinsic::Length, [array]) => Ok(Value::scalar(self.rows(array)?.0, PrimType::I64)),
            (Intrinsic::Jvp, [f, x, tangent]) => self.jvp(f, x, tangent.clone()),
            (Intrinsic::Vjp, [f, x, adjoint]) => self.vjp(f, x, adjoint),
            (Intrinsic::WithVjp, [f, adjoint, x]) => self.with_vjp(f, adjoint, x),
            (Intrinsic::Foldl, [f, init, array]) => self.foldl(f, init.clone(), array),
            (Intrinsic::Scratch, [count]) => {
                let count = self.scalar(count)?;
                self.scratch(count, instance)
            }
            (Intrinsic::FlatIndex(_), [array, offset, dims @ ..]) => self.flat_index(array, offset, dims),
            (Intrinsic::FlatUpdate(_), [array, offset, strides @ .., value]) => {
                self.flat_update(array, offset, strides, value)
            }
            (Intrinsic::ScatterStream, [destination, f, array]) => self.stream(destination, None, f, array),
            (Intrinsic::HistStream, [destination, op, _, f, array]) => {
                self.stream(destination, Some(op.clone()), f, array)
            }
            (Intrinsic::AccWrite, [accumulator, index, value]) => {
                let index = self.scalar(index)?;
                self.accumulate(accumulator, index, value.clone())
            }
            (intrinsic, args) => {
                Err(self.inconsistent(format!("{intrinsic:?} applied to {} arguments", args.len())))
            }
        }
    }

    /// Checks the second operand of an operator that can fail.
    fn check_operands(&mut self, op: BinOp, prim: PrimType, b: Atom) {
        if !op.can_fail(prim) {
            return;
        }
        let zero = Atom::Const(prim.zero());
        if op != BinOp::Pow {
            let ok = self.bin(BinOp::Ne, prim, b, zero);
            self.check(ok, "division by zero");
        } else if prim.is_signed() {
            let ok = self.bin(BinOp::Ge, prim, b, zero);
            self.check(ok, "negative exponent");
        }
    }
}
