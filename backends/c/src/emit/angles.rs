//! Sine and cosine of one angle, in kernels of CUDA: one function gives both, and finds out once where on the circle the angle lies, which is most of the work.
//!
//! ```text
//! let c = cos.f32(a)
//! let s = sin.f32(a)
//! ```
//! becomes
//! ```c
//! float c;
//! float s;
//! sincosf(a, &s, &c);
//! ```

use super::{Binding, Emit, Emitter};
use crate::dialect::Dialect;
use crate::names;
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::{PrimType, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use std::collections::BTreeMap;

/// A sine and a cosine of one angle in a list of statements.
#[derive(Clone, Copy)]
pub(super) struct Angle {
    angle: Var,
    ty: PrimType,
    sine: Var,
    cosine: Var,
    /// The number of the second statement.
    pub(super) second: usize,
}

/// What a statement names, if it is the sine or cosine of a variable.
fn of_angle(statement: &Statement) -> Option<(Var, PrimType, UnOp, Var)> {
    let StatementKind::Let { var, ty, value: Exp::Un(op @ (UnOp::Sin | UnOp::Cos), _, operand) } =
        &statement.kind
    else {
        return None;
    };
    match **operand {
        Exp::Var(angle) if matches!(ty, PrimType::F32 | PrimType::F64) => Some((angle, *ty, *op, *var)),
        _ => None,
    }
}

impl<'p> Emitter<'_, 'p> {
    /// The pairs in a list, by the number of the first statement of each.
    pub(super) fn angles(&self, body: &[Statement]) -> BTreeMap<usize, Angle> {
        let mut pairs = BTreeMap::new();
        if self.dialect() != Some(Dialect::Cuda) {
            return pairs;
        }
        let mut open: BTreeMap<Var, (usize, UnOp, Var)> = BTreeMap::new();
        for (at, statement) in body.iter().enumerate() {
            let Some((angle, ty, op, var)) = of_angle(statement) else { continue };
            match open.get(&angle) {
                Some(&(first, other, mate)) if other != op => {
                    let (sine, cosine) = if op == UnOp::Sin { (var, mate) } else { (mate, var) };
                    pairs.insert(first, Angle { angle, ty, sine, cosine, second: at });
                    open.remove(&angle);
                }
                Some(_) => {}
                None => _ = open.insert(angle, (at, op, var)),
            }
        }
        pairs
    }

    /// Emits both at the place of the first, if the angle is the same at that of the second.
    pub(super) fn angle(&mut self, pair: &Angle) -> Emit<bool> {
        if !matches!(self.env.get(&pair.angle), Some(Binding::Fixed(_))) {
            return Ok(false);
        }
        let angle = self.exp(&Exp::Var(pair.angle))?.text;
        let [sine, cosine] = [pair.sine, pair.cosine].map(|var| {
            let name = names::variable(var);
            self.lines.declare(&name, format!("{} {name};", c_type(pair.ty)));
            self.env.insert(var, Binding::Fixed(ImpType::Prim(pair.ty)));
            name
        });
        let function = if pair.ty == PrimType::F32 { "sincosf" } else { "sincos" };
        self.lines.push(format!("{function}({angle}, &{sine}, &{cosine});"));
        Ok(true)
    }
}
