//! Steps over arrays whose elements do not need each other run strip by strip: all steps of a strip while it is in the cache.
//!
//! ```text
//! for k < steps seq {
//!   for i < n par { x[i] := add.f32(mul.f32(x[i], a[i]), t) }
//!   t := add.f32(t, 0.1)
//! }
//! ```
//! becomes
//! ```text
//! let each = …                                                            8 KiB at most, two strips for each thread
//! for strip < quot.i64(add.i64(n, each - 1), each) par {
//!   let start = mul.i64(strip, each)   let count = min.i64(each, sub.i64(n, start))
//!   var t' : f32 = t
//!   for k < steps seq {
//!     for l < count simd { let i = add.i64(start, l)   x[i] := add.f32(mul.f32(x[i], a[i]), t') }
//!     t' := add.f32(t', 0.1)
//!   }
//! }
//! for k < steps seq { t := add.f32(t, 0.1) }
//! ```
//! so that a long array goes through the cache once and not once for each step, and threads wait for each other once. (Strip mining and loop interchange: Allen and Kennedy, 2001, sections 5.2 and 9.3.) Strips and
//! not single elements, as on a device (`interchange-loops`): an element would wait for its own last step, for which a vector of others has no time.
//!
//! Legal where a step is made of scalars and of parallel loops of one bound without loops inside, nothing of it can fail, and of what it writes each iteration touches its own element alone: then iteration `i` of a step
//! depends on iterations `i` of others alone. Scalars are computed again for each strip, from what no step writes, so they must cost next to nothing.
//! Matrices are left to `pair-steps`, which keeps several steps in registers. Arrays that a strip has room for, by a constant, stay.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, and a question to the prover for each pair of accesses of a step, as long as these are not many.

mod steps;

use super::copy::{constant, fresh, replace};
use super::footprint::ghosts::types_of;
use super::fuse_loops::access::Places;
use super::fuse_loops::facts::{LoopFacts, Walk};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, bin, mul, rounded_up, select, sub};
use imp::ir::{Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;
use std::collections::BTreeMap;
use steps::Steps;

const I64: PrimType = PrimType::I64;

/// How large a strip is, in bytes of the widest array.
#[derive(Clone, Copy)]
struct Sizes {
    /// Enough vectors that a step need not wait for the one before, where it does little.
    least: i64,
    /// Little enough that several arrays are in a first-level cache.
    most: i64,
}

const USUAL: Sizes = Sizes { least: 1024, most: 8192 };
/// What small test programs come to: an element or two.
const SMALL: Sizes = Sizes { least: 1, most: 8 };

/// What a step costs that does little, in about nanoseconds: it would wait for the one before, if strips were short.
const LITTLE: f64 = 4.0;

/// A few vectors.
const FEW: i64 = 128;

/// So many strips for each thread, where they are not too short for that.
const FOR_EACH_THREAD: i64 = 2;

/// Strips the steps of a program.
pub fn run(program: Program) -> Program {
    strip(program, USUAL)
}

/// The same with strips that small inputs fill.
pub fn run_small(program: Program) -> Program {
    strip(program, SMALL)
}

fn strip(mut program: Program, sizes: Sizes) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (places, facts) = (Places::of(procedure), LoopFacts::of(procedure));
        let types = types_of(procedure);
        let mut pass = Strips { places, facts, types, sizes, b };
        pass.statements(&mut procedure.body);
        b = pass.b;
    }
    program
}

struct Strips {
    places: Places,
    facts: LoopFacts,
    types: BTreeMap<Var, PrimType>,
    sizes: Sizes,
    b: Builder,
}

impl Walk for Strips {
    fn facts(&mut self) -> &mut LoopFacts {
        &mut self.facts
    }

    fn take(&mut self, statement: Statement, before: &mut Vec<Statement>) {
        match self.stripped(&statement) {
            Some(statements) => before.extend(statements),
            None => before.push(statement),
        }
    }
}

impl Strips {
    /// Strips in place of steps, and then the scalars of these.
    fn stripped(&mut self, statement: &Statement) -> Option<Vec<Statement>> {
        let StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body } = &statement.kind else {
            return None;
        };
        let steps = Steps::of(*var, body, &self.places, &self.facts)?;
        if constant(&steps.bound).is_some_and(|count| count <= self.sizes.most(&steps)) {
            return None;
        }
        let scalars: Vec<(Var, PrimType)> =
            steps.assigned.iter().map(|var| Some((*var, *self.types.get(var)?))).collect::<Option<_>>()?;
        let b = &mut self.b;
        let outer = b.begin();
        b.loc = statement.loc;
        let times = b.let_("steps", *ty, bound.clone());
        let count = b.let_("n", I64, bin(BinOp::Max, I64, steps.bound.clone(), Exp::i64(0)));
        let each = self.sizes.each(count, &steps, b);
        let kind = |counter: Var, body: Vec<Statement>| StatementKind::For {
            var: counter,
            ty: *ty,
            bound: times.into(),
            kind: LoopKind::Seq,
            body,
        };
        b.for_("strip", rounded_up(count, each), LoopKind::Par, |b, strip| {
            let start = b.let_("start", I64, mul(strip, each));
            let here = b.let_("count", I64, bin(BinOp::Min, I64, each, sub(count, start)));
            let mut body = fresh(body, &mut b.names);
            for (scalar, ty) in &scalars {
                let own = b.declare(scalar.text, ImpType::Prim(*ty), Some(Exp::Var(*scalar)));
                replace(&mut body, *scalar, own);
            }
            body.iter_mut().for_each(|statement| within(statement, start, here, b));
            let counter = b.names.fresh_like(*var);
            replace(&mut body, *var, counter);
            b.push(kind(counter, body));
        });
        if !scalars.is_empty() {
            let kept = body.iter().filter(|statement| !matches!(statement.kind, StatementKind::For { .. }));
            let kept: Vec<Statement> = kept.cloned().collect();
            let mut body = fresh(&kept, &mut b.names);
            let counter = b.names.fresh_like(*var);
            replace(&mut body, *var, counter);
            b.push(kind(counter, body));
        }
        Some(b.end(outer))
    }
}

impl Sizes {
    /// The most elements of a strip.
    fn most(self, steps: &Steps) -> i64 {
        (self.most / steps.bytes).max(1)
    }

    /// The least that several threads may have, where a step costs so much.
    fn least(self, steps: &Steps) -> i64 {
        let share = (LITTLE / steps.cost).min(1.0);
        let bytes = ((self.least as f64 * share) as i64).max(self.least.min(FEW));
        (bytes / steps.bytes).max(1)
    }

    /// How many elements a strip has.
    fn each(self, count: Var, steps: &Steps, b: &mut Builder) -> Var {
        let (most, least) = (Exp::i64(self.most(steps)), Exp::i64(self.least(steps)));
        let shares = mul(Exp::Threads, Exp::i64(FOR_EACH_THREAD));
        let share = bin(BinOp::Max, I64, rounded_up(count, shares), least);
        let several = bin(BinOp::Lt, I64, Exp::i64(1), Exp::Threads);
        b.let_("each", I64, select(several, bin(BinOp::Min, I64, share, most.clone()), most))
    }
}

/// A loop over all elements becomes one over those of a strip.
fn within(statement: &mut Statement, start: Var, count: Var, b: &mut Builder) {
    let StatementKind::For { var, bound, kind, body, .. } = &mut statement.kind else { return };
    let whole = b.names.fresh_like(*var);
    replace(body, *var, whole);
    let value = bin(BinOp::Add, I64, start, *var);
    body.insert(0, Statement { kind: StatementKind::Let { var: whole, ty: I64, value }, loc: statement.loc });
    *bound = count.into();
    *kind = LoopKind::Simd;
}
