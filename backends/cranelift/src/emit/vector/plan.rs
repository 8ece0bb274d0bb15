//! Which loops run in vectors, and how: the decision, made before any code, with the reason where it is no.

pub(super) mod exp;
mod refusal;

pub(crate) use refusal::Refusal;

use super::super::view::Number;
use super::super::{Binding, Emitter};
use super::prefix::Scanned;
use exp::affine;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Bytes of the vectors that Cranelift has.
pub(in crate::emit) const NARROW: i64 = 16;

/// How the value of an expression changes from iteration to iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Shape {
    /// Not at all.
    Uniform,
    /// An i64 that grows by the same number each time, which may be known.
    Affine(Option<i64>),
    /// In any way: an i64 that is an i32 in lanes.
    Extended,
    /// In any way.
    Varying,
}

/// What must hold of the iterations that run in vectors.
#[derive(Clone, Debug)]
pub(super) enum Region<'p> {
    /// A bool that is the same for all iterations has this value.
    Is(&'p Exp, bool),
    /// Compared so with something that is the same for all; the first grows by 1.
    Compare(BinOp, &'p Exp, &'p Exp),
}

/// How a loop runs in vectors.
#[derive(Debug)]
pub(super) struct Plan<'p> {
    /// Iterations that a copy of the body does at once.
    pub(super) lanes: i64,
    /// Bytes of a vector.
    pub(super) size: i64,
    /// Copies of the body in an iteration of the loop of vectors.
    pub(super) copies: i64,
    /// Which iterations run in vectors: those of which all of this holds.
    pub(super) regions: Vec<Region<'p>>,
    /// Which arm is taken there, by the condition.
    pub(super) arms: HashMap<*const Exp, bool>,
    /// What is computed before the loop: it is the same for all iterations, or grows evenly.
    pub(super) early: HashSet<Var>,
    /// Instructions of a copy, roughly.
    pub(super) weight: i64,
    /// What is scanned, if the loop is one.
    pub(super) scanned: Option<Scanned<'p>>,
    /// Whether something is asserted of elements: where it does not hold, iterations run one by one from there.
    pub(super) asserts: bool,
    /// Whether some reads look where other elements say.
    pub(super) gathers: bool,
    /// The values of variables.
    pub(super) lets: HashMap<Var, &'p Exp>,
    /// Conversions of i64 that are i32 in the iterations that run in vectors.
    pub(super) of_words: Rc<HashSet<*const Exp>>,
}

impl<'p> Plan<'p> {
    /// The scan, if the variable is its new value.
    pub(super) fn scanned_by(&self, var: Var) -> Option<&Scanned<'p>> {
        self.scanned.as_ref().filter(|scanned| scanned.named == Some(var))
    }
}

/// The analysis of a body.
pub(super) struct Planner<'e, 'a, 'b, 'p> {
    emitter: &'e Emitter<'a, 'b>,
    shapes: HashMap<Var, (Shape, PrimType)>,
    lets: HashMap<Var, &'p Exp>,
    regions: Vec<Region<'p>>,
    arms: HashMap<*const Exp, bool>,
    early: HashSet<Var>,
    /// The narrowest and the widest type in lanes, in bytes.
    narrowest: i64,
    widest: i64,
    contiguous: i64,
    apart: i64,
    weight: i64,
    /// Whether there are operators that vectors of 32 bytes alone have.
    only_wide: bool,
    scanned: Option<Scanned<'p>>,
    /// How many reads look where other elements say.
    gathers: i64,
    asserts: bool,
    /// Whether something was written before.
    written: bool,
    /// Whether there may be many iterations.
    open: bool,
    of_words: HashSet<*const Exp>,
}

type Planned<T = ()> = Result<T, Refusal>;

impl<'e, 'a, 'b, 'p> Planner<'e, 'a, 'b, 'p> {
    /// For a loop with this counter.
    pub(super) fn new(emitter: &'e Emitter<'a, 'b>, var: Var) -> Planner<'e, 'a, 'b, 'p> {
        Planner {
            emitter,
            shapes: HashMap::from([(var, (Shape::Affine(Some(1)), PrimType::I64))]),
            lets: HashMap::new(),
            regions: Vec::new(),
            arms: HashMap::new(),
            early: HashSet::from([var]),
            narrowest: 16,
            widest: 1,
            contiguous: 0,
            apart: 0,
            weight: 0,
            only_wide: false,
            scanned: None,
            gathers: 0,
            asserts: false,
            written: false,
            open: true,
            of_words: HashSet::new(),
        }
    }

    /// The loop is this scan.
    pub(super) fn scans(&mut self, scanned: Scanned<'p>) {
        self.scanned = Some(scanned);
    }

    /// A scalar that is the same for all iterations.
    pub(super) fn uniform(&mut self, var: Var, ty: PrimType) {
        self.shapes.insert(var, (Shape::Uniform, ty));
        self.early.insert(var);
    }

    /// The plan for a body of so many iterations, where that is known.
    pub(super) fn plan(mut self, body: &'p [Statement], bound: Option<i64>) -> Planned<Plan<'p>> {
        self.open = bound.is_none();
        self.body(body, Place::Top)?;
        if self.narrowest > 8 || self.contiguous == 0 {
            return Err(Refusal::Nothing);
        }
        if self.apart + self.gathers > self.contiguous {
            return Err(Refusal::Strided);
        }
        let in_order = self.scanned.is_some() && (self.asserts || !self.regions.is_empty());
        if in_order || (self.scanned.is_some() || self.asserts) && self.emitter.vector_bytes != NARROW {
            return Err(Refusal::Machine);
        }
        let size = self.size(bound);
        if self.only_wide && size == NARROW {
            return Err(Refusal::Operator("in vectors of 16 bytes a shift by numbers of lanes".to_owned()));
        }
        let lanes = size / self.narrowest;
        let weight = self.weight * self.widest / self.narrowest;
        let copies = match weight {
            ..=14 => 4,
            15..=60 => 2,
            _ => 1,
        };
        Ok(Plan {
            lanes,
            size,
            copies,
            regions: self.regions,
            arms: self.arms,
            early: self.early,
            weight,
            scanned: self.scanned,
            asserts: self.asserts,
            gathers: self.gathers > 0,
            lets: self.lets,
            of_words: Rc::new(self.of_words),
        })
    }

    /// Bytes of a vector: as many as the function at hand may have, if all lanes are of one width, elements lie next to each other, and a small number of
    /// iterations fills them.
    fn size(&self, bound: Option<i64>) -> i64 {
        let size = self.emitter.vector_bytes;
        let lanes = size / self.narrowest;
        let fills = bound.is_none_or(|bound| bound % lanes == 0 || bound > 4 * lanes);
        let even = self.narrowest == self.widest && self.apart + self.gathers == 0;
        if even && self.scanned.is_none() && fills { size } else { NARROW }
    }

    /// The views of which the `let`s of statements read other cells in each iteration: their addresses are known in the loop only.
    pub(super) fn advancing(mut self, parts: [&'p [Statement]; 2]) -> BTreeSet<Var> {
        let (mut advancing, mut others) = (BTreeSet::new(), BTreeSet::new());
        for statement in parts.into_iter().flatten() {
            let StatementKind::Let { var, ty, value } = &statement.kind else { continue };
            let shape = self.exp(value, Place::Top).unwrap_or(Shape::Varying);
            self.shapes.insert(*var, (shape, *ty));
            value.for_each_read(&mut |view, indices| {
                let advances = self.advances(view, indices);
                if advances {
                    advancing.insert(view)
                } else {
                    others.insert(view)
                };
            });
        }
        advancing.retain(|view| !others.contains(view));
        advancing
    }

    /// Whether one index grows by a number that is not zero and the others stay.
    fn advances(&self, view: Var, indices: &[Exp]) -> bool {
        let Some(Binding::View(view)) = self.emitter.env.get(&view).map(|bound| &bound.binding) else {
            return false;
        };
        let mut growing = 0;
        indices.iter().zip(&view.dims).all(|(index, dim)| match self.shape(index) {
            Some(Shape::Uniform) => true,
            Some(Shape::Affine(Some(step))) if step != 0 && !matches!(dim.stride, Number::Const(0)) => {
                growing += 1;
                true
            }
            _ => false,
        }) && growing == 1
    }

    fn body(&mut self, body: &'p [Statement], place: Place) -> Planned {
        for statement in body {
            match &statement.kind {
                StatementKind::Let { var, ty, .. }
                    if self.scanned.is_some_and(|scanned| scanned.named == Some(*var)) =>
                {
                    self.scan(place)?;
                    self.shapes.insert(*var, (Shape::Varying, *ty));
                }
                StatementKind::Assign { var, .. }
                    if let Some(scanned) = self.scanned.filter(|scanned| scanned.acc == *var) =>
                {
                    if scanned.named.is_none() {
                        self.scan(place)?;
                    }
                    self.shapes.insert(*var, (Shape::Varying, scanned.ty));
                }
                StatementKind::Let { var, ty, value } => {
                    let shape = self.exp(value, place)?;
                    let reached = place == Place::Top || place == Place::Arm && !value.reads();
                    if reached && self.is_early(value) && matches!(shape, Shape::Uniform | Shape::Affine(_)) {
                        self.early.insert(*var);
                    }
                    self.lets.insert(*var, value);
                    self.shapes.insert(*var, (shape, *ty));
                }
                StatementKind::Declare { var, ty: ImpType::Prim(ty), value } => {
                    if let Some(value) = value {
                        let shape = self.exp(value, place)?;
                        self.in_lanes(shape, *ty)?;
                    }
                    self.lanes_of(*ty)?;
                    self.shapes.insert(*var, (Shape::Varying, *ty));
                }
                StatementKind::Assign { var, value } => {
                    let shape = self.exp(value, place)?;
                    let Some((_, ty)) = self.shapes.get(var).copied() else {
                        return Err(Refusal::Statement("assignment to a variable from outside"));
                    };
                    self.in_lanes(shape, ty)?;
                }
                StatementKind::Write { view, indices, value } => {
                    self.write(*view, indices, value, place)?;
                }
                StatementKind::Accumulate { view, indices, value } => {
                    self.write(*view, indices, value, place)?;
                    let elem = self.access(*view, indices, place)?.1;
                    self.operator(BinOp::Add, elem, None)?;
                }
                StatementKind::If { condition, then, otherwise } => {
                    self.branch(condition, then, otherwise, place)?;
                }
                StatementKind::Assert { condition, .. } => self.assertion(condition, place)?,
                StatementKind::Declare { .. } => return Err(Refusal::Statement("a block variable")),
                StatementKind::Alloc { .. } | StatementKind::Share(_) | StatementKind::Free(_) => {
                    return Err(Refusal::Statement("a change of blocks"));
                }
                StatementKind::View { .. } | StatementKind::Window { .. } => {
                    return Err(Refusal::Statement("a view"));
                }
                StatementKind::Copy { .. } => return Err(Refusal::Statement("a copy")),
                StatementKind::Ordered { .. } => return Err(Refusal::Statement("an ordered region")),
                StatementKind::Shuffle { .. } => return Err(Refusal::Statement("a shuffle")),
                StatementKind::Lock { .. } => return Err(Refusal::Statement("a lock")),
                StatementKind::Atomic { .. } => return Err(Refusal::Statement("an atomic operation")),
                StatementKind::For { .. } | StatementKind::While { .. } => {
                    return Err(Refusal::Statement("a loop"));
                }
                StatementKind::Call { .. } => return Err(Refusal::Statement("a call")),
            }
        }
        Ok(())
    }

    /// The new value of a scan.
    fn scan(&mut self, place: Place) -> Planned {
        let Some(Scanned { op, ty, value, .. }) = self.scanned else { return Ok(()) };
        let shape = self.exp(value, place)?;
        self.in_lanes(shape, ty)?;
        self.operator(op, ty, None)?;
        self.weight += 8;
        self.lanes_of(ty)
    }

    /// What is the same for all iterations holds for those in vectors; otherwise it must be possible to begin an iteration again.
    fn assertion(&mut self, condition: &'p Exp, place: Place) -> Planned {
        if *condition == Exp::Const(PrimValue::Bool(true)) {
            return Ok(());
        }
        if place == Place::BothArms {
            return Err(Refusal::Statement("an assertion in a branch on elements"));
        }
        let shape = self.exp(condition, place)?;
        if shape == Shape::Uniform && place == Place::Top && self.is_early(condition) && !condition.reads() {
            self.regions.push(Region::Is(condition, true));
            return Ok(());
        }
        if self.written {
            return Err(Refusal::Statement("an assertion behind a write"));
        }
        self.asserts = true;
        self.weight += 2;
        Ok(())
    }

    fn write(&mut self, view: Var, indices: &'p [Exp], value: &'p Exp, place: Place) -> Planned {
        if place == Place::BothArms {
            return Err(Refusal::Branch);
        }
        self.written = true;
        let shape = self.exp(value, place)?;
        let gathers = self.gathers;
        let (step, elem) = self.access(view, indices, place)?;
        if self.gathers > gathers {
            return Err(Refusal::Gather);
        }
        self.in_lanes(shape, elem)?;
        self.memory_lanes_of(elem)?;
        if step == Some(0) { Err(Refusal::Gather) } else { Ok(()) }
    }

    /// Either one arm runs for all iterations in vectors, or both run and values are chosen.
    fn branch(
        &mut self,
        condition: &'p Exp,
        then: &'p [Statement],
        otherwise: &'p [Statement],
        place: Place,
    ) -> Planned {
        self.exp(condition, place)?;
        if place == Place::Top {
            for (holds, arm) in [(true, then), (false, otherwise)] {
                let mut regions = Vec::new();
                if self.region(condition, holds, &mut regions) {
                    self.regions.extend(regions);
                    self.arms.insert(condition, holds);
                    return self.body(arm, Place::Arm);
                }
            }
        }
        if self.exp(condition, place)? == Shape::Uniform {
            self.lanes_of(PrimType::I8)?;
        }
        self.weight += 4;
        self.body(then, Place::BothArms)?;
        self.body(otherwise, Place::BothArms)
    }

    /// Whether all that an expression mentions is known before the loop.
    fn is_early(&self, exp: &Exp) -> bool {
        let mut early = true;
        exp.for_each_var(&mut |var| early &= self.early.contains(&var) || !self.shapes.contains_key(&var));
        early
    }

    /// What must hold for a condition to be `holds`, if that is a range of iterations.
    fn region(&self, condition: &'p Exp, holds: bool, regions: &mut Vec<Region<'p>>) -> bool {
        match condition {
            Exp::Var(var) if self.lets.contains_key(var) && self.shape(condition) != Some(Shape::Uniform) => {
                self.region(self.lets[var], holds, regions)
            }
            _ if self.shape(condition) == Some(Shape::Uniform) && self.is_early(condition) => {
                regions.push(Region::Is(condition, holds));
                true
            }
            Exp::Bin(op, PrimType::Bool, x, y)
                if *op == BinOp::And && holds || *op == BinOp::Or && !holds =>
            {
                self.region(x, holds, regions) && self.region(y, holds, regions)
            }
            Exp::Bin(op, PrimType::I64, x, y) => {
                let (op, x, y) = match (self.shape(x), self.shape(y)) {
                    (Some(Shape::Affine(Some(1))), Some(Shape::Uniform)) => (Some(*op), x, y),
                    (Some(Shape::Uniform), Some(Shape::Affine(Some(1)))) => (turned(*op), y, x),
                    _ => return false,
                };
                let op = if holds { op } else { op.and_then(|op| op.negated(PrimType::I64)) };
                match op.filter(|_| self.is_early(x) && self.is_early(y)) {
                    Some(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)) => {
                        regions.push(Region::Compare(op, x, y));
                        true
                    }
                    _ => false,
                }
            }
            Exp::Un(UnOp::Not, PrimType::Bool, x) => self.region(x, !holds, regions),
            _ => false,
        }
    }

    /// The shape of an expression that has been looked at before.
    fn shape(&self, exp: &Exp) -> Option<Shape> {
        match exp {
            Exp::Const(_) => Some(Shape::Uniform),
            Exp::Var(var) => Some(self.shapes.get(var).map_or(Shape::Uniform, |(shape, _)| *shape)),
            Exp::Bin(op, PrimType::I64, x, y) => match (op, self.shape(x)?, self.shape(y)?) {
                (_, Shape::Uniform, Shape::Uniform) => Some(Shape::Uniform),
                (op, x, y) => affine(*op, (x, None), (y, None)),
            },
            _ => {
                let mut uniform = true;
                exp.for_each_child(&mut |child| uniform &= self.shape(child) == Some(Shape::Uniform));
                (uniform && !matches!(exp, Exp::Read { .. })).then_some(Shape::Uniform)
            }
        }
    }
}

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In the body itself.
    Top,
    /// In the arm that all iterations in vectors take.
    Arm,
    /// In arms that both run, with values chosen after.
    BothArms,
}

/// The comparison with its operands in the other order.
fn turned(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        _ => return None,
    })
}
