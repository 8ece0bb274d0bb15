//! How far apart the cells are that neighbouring threads of a kernel touch at the same time, for each access to memory of the device: from the
//! index functions and how indices change from a thread to the next.
//!
//! ```text
//! let thread = add.i64(mul.i64(block, 256), t)      1: one more in the next thread
//! let i = quot.i64(thread, m)                       0: the same, but where a row ends
//! let j = sub.i64(thread, mul.i64(i, m))            1
//! … a[i, j] …                                       a's stride of the last dimension: its threads touch neighbouring cells
//! ```
//! What is known holds for threads that are in one row, where a nest of loops became one. A step of 0 is one cell for all; one of 1 or -1 is as much
//! as a device gets at once; what follows from memory (indices that are read) is not known.

use fun_base::name::{Symbol, Var};
use fun_base::prim::BinOp;
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind, WindowDim};
use std::collections::BTreeMap;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Reads a cell.
    Read,
    /// Writes a cell.
    Write,
    /// Combines a cell with a value, with nothing in between.
    Atomic,
    /// Takes a cell as a lock.
    Lock,
}

/// An access of a kernel's threads to memory of the device.
#[derive(Clone, Debug)]
pub struct Access {
    /// The procedure that launches the kernel.
    pub procedure: Symbol,
    /// The number of the kernel in its procedure, from 1.
    pub kernel: usize,
    /// What the view is called.
    pub array: Symbol,
    /// What is done.
    pub kind: AccessKind,
    /// By how many cells the next thread is further; `None` if that is not the same for all threads or not known.
    pub step: Option<Poly>,
    /// How many sequential loops are around it in the kernel.
    pub loops: usize,
    /// The source text that it comes from.
    pub loc: Option<Loc>,
}

/// The accesses of all kernels of a program, in the order of its text.
pub fn accesses(program: &Program) -> Vec<Access> {
    let mut survey = Survey::default();
    for procedure in &program.procedures {
        (survey.procedure, survey.kernel) = (Some(procedure.name), 0);
        survey.statements(&procedure.body);
    }
    survey.found
}

/// Rows of fewer threads than this are none: a device would get parts of many.
const LEAST_ROW: i64 = 16;

/// How a number changes from a thread to the next; `None` if that is not the same for all.
type Step = Option<Poly>;

/// A view on memory of the device.
#[derive(Clone)]
struct View {
    /// How its first cell moves.
    start: Step,
    /// Strides, outermost first.
    strides: Vec<Step>,
}

#[derive(Default)]
struct Survey {
    procedure: Option<Symbol>,
    kernel: usize,
    /// Whether the text is that of threads.
    inside: bool,
    /// Sequential loops around in the kernel.
    loops: usize,
    spaces: BTreeMap<Var, Space>,
    /// What changes, or is not known; all else is the same for all threads.
    steps: BTreeMap<Var, Step>,
    views: BTreeMap<Var, View>,
    found: Vec<Access>,
}

impl Survey {
    fn statements(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let loc = statement.loc;
        if self.inside {
            statement.kind.for_each_exp(&mut |exp| self.reads(exp, loc));
        }
        match &statement.kind {
            StatementKind::Let { var, value, .. }
            | StatementKind::Declare { var, value: Some(value), .. } => {
                let step = self.step(value);
                self.set(*var, step);
            }
            StatementKind::Assign { var, value } => {
                let step = self.step(value);
                if self.of(*var) != step {
                    self.set(*var, None);
                }
            }
            StatementKind::Alloc { var, space, .. } => _ = self.spaces.insert(*var, *space),
            StatementKind::View { var, mem, lmad, .. } => {
                // parameters and variables that hold blocks are the device's
                if self.spaces.get(mem).copied().unwrap_or(Space::Device) == Space::Device {
                    let view = self.view(lmad);
                    self.views.insert(*var, view);
                }
            }
            StatementKind::Window { var, view, dims } => {
                if let Some(view) = self.views.get(view).cloned() {
                    let view = self.window(view, dims);
                    self.views.insert(*var, view);
                }
            }
            StatementKind::Write { view, indices, .. } | StatementKind::Accumulate { view, indices, .. } => {
                self.access(*view, indices, AccessKind::Write, loc);
            }
            StatementKind::Atomic { view, indices, .. } => {
                self.access(*view, indices, AccessKind::Atomic, loc);
            }
            StatementKind::Lock { view, indices, body } => {
                self.access(*view, indices, AccessKind::Lock, loc);
                self.statements(body);
            }
            // a thread does it for the block
            StatementKind::Ordered { body, .. } => self.statements(body),
            StatementKind::Copy { dest, source } if self.inside => {
                for (view, kind) in [(source, AccessKind::Read), (dest, AccessKind::Write)] {
                    if let Some(start) = self.views.get(view).map(|of| of.start.clone()) {
                        self.found_access(*view, start, kind, loc);
                    }
                }
            }
            StatementKind::For { var, kind, bound, body, .. } => self.for_loop(*var, bound, *kind, body),
            StatementKind::While { body, .. } => self.repeated(body),
            StatementKind::If { then, otherwise, .. } => {
                self.statements(then);
                self.statements(otherwise);
            }
            StatementKind::Declare { value: None, .. }
            | StatementKind::Copy { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::Shuffle { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => {}
        }
    }

    fn for_loop(&mut self, var: Var, bound: &Exp, kind: LoopKind, body: &[Statement]) {
        match kind {
            LoopKind::Block | LoopKind::Chain => {
                self.kernel += 1;
                let loops = std::mem::replace(&mut self.loops, 0);
                self.statements(body);
                self.loops = loops;
            }
            LoopKind::Thread => {
                // a thread alone has no neighbour
                let step = i64::from(*bound != Exp::i64(1));
                self.set(var, Some(Poly::constant(step)));
                self.inside = true;
                self.statements(body);
                self.inside = false;
            }
            LoopKind::Unroll => self.statements(body),
            LoopKind::Seq | LoopKind::Fold | LoopKind::Scan | LoopKind::Par | LoopKind::Simd => {
                self.repeated(body);
            }
        }
    }

    /// A body that runs again, with what it assigned: once more for what is found the first time to change.
    fn repeated(&mut self, body: &[Statement]) {
        self.loops += 1;
        let (found, kernel) = (self.found.len(), self.kernel);
        loop {
            let known = self.steps.clone();
            self.found.truncate(found);
            self.kernel = kernel;
            self.statements(body);
            if self.steps == known {
                break;
            }
        }
        self.loops -= 1;
    }

    fn set(&mut self, var: Var, step: Step) {
        if step == Some(Poly::constant(0)) {
            self.steps.remove(&var);
        } else {
            self.steps.insert(var, step);
        }
    }

    fn of(&self, var: Var) -> Step {
        self.steps.get(&var).cloned().unwrap_or_else(|| Some(Poly::constant(0)))
    }

    fn view(&self, lmad: &Lmad) -> View {
        let is_same = |poly: &Poly| self.difference(poly).is_some_and(|step| step.as_constant() == Some(0));
        let strides = lmad.dims.iter().map(|dim| is_same(&dim.stride).then(|| dim.stride.clone())).collect();
        View { start: self.difference(&lmad.offset), strides }
    }

    /// How a polynomial changes.
    fn difference(&self, poly: &Poly) -> Step {
        let mut known = true;
        let next = poly.subst(&mut |var| match self.of(var) {
            Some(step) => Poly::var(var).add(&step),
            None => {
                known = false;
                Poly::var(var)
            }
        });
        let difference = next.sub(poly);
        difference.for_each_var(&mut |var| known &= !self.steps.contains_key(&var));
        known.then_some(difference)
    }

    fn window(&self, view: View, dims: &[WindowDim]) -> View {
        let View { mut start, strides } = view;
        let mut left = Vec::new();
        for (dim, stride) in dims.iter().zip(strides) {
            let first = match dim {
                WindowDim::Fix(index) => index,
                WindowDim::Range { offset, stride: step, .. } => {
                    left.push(product(stride.clone(), self.uniform(step)));
                    offset
                }
            };
            start = sum(start, moved(self.step(first), stride));
        }
        View { start, strides: left }
    }

    /// The value of an expression that is the same for all threads.
    fn uniform(&self, exp: &Exp) -> Option<Poly> {
        match exp {
            Exp::Const(value) => value.as_i64().map(Poly::constant),
            Exp::Var(var) => (!self.steps.contains_key(var)).then(|| Poly::var(*var)),
            _ => None,
        }
    }

    fn reads(&mut self, exp: &Exp, loc: Option<Loc>) {
        exp.for_each_child(&mut |child| self.reads(child, loc));
        if let Exp::Read { view, indices } = exp {
            self.access(*view, indices, AccessKind::Read, loc);
        }
    }

    fn access(&mut self, view: Var, indices: &[Exp], kind: AccessKind, loc: Option<Loc>) {
        let Some(of) = self.views.get(&view) else { return };
        if self.inside {
            let step = self.place(of, indices);
            self.found_access(view, step, kind, loc);
        }
    }

    fn found_access(&mut self, view: Var, step: Step, kind: AccessKind, loc: Option<Loc>) {
        let Survey { procedure: Some(procedure), kernel, loops, .. } = *self else { return };
        self.found.push(Access { procedure, kernel, array: view.text, kind, step, loops, loc });
    }

    fn place(&self, view: &View, indices: &[Exp]) -> Step {
        let moves =
            indices.iter().zip(&view.strides).map(|(index, stride)| moved(self.step(index), stride.clone()));
        moves.fold(view.start.clone(), sum)
    }

    fn step(&self, exp: &Exp) -> Step {
        let zero = || Some(Poly::constant(0));
        let is_same = |exp: &Exp| self.step(exp) == zero();
        let mut all_same = true;
        exp.for_each_child(&mut |child| all_same &= is_same(child));
        match exp {
            Exp::Const(_) => zero(),
            Exp::Var(var) => self.of(*var),
            Exp::Read { view, indices } => {
                let read = self.views.get(view).map(|view| self.place(view, indices));
                if all_same && read.is_none_or(|step| step == zero()) { zero() } else { None }
            }
            _ if all_same => zero(),
            Exp::Bin(BinOp::Add, _, x, y) => sum(self.step(x), self.step(y)),
            Exp::Bin(BinOp::Sub, _, x, y) => {
                sum(self.step(x), product(self.step(y), Some(Poly::constant(-1))))
            }
            Exp::Bin(BinOp::Mul, _, x, y) if is_same(y) => moved(self.step(x), self.uniform(y)),
            Exp::Bin(BinOp::Mul, _, x, y) if is_same(x) => moved(self.step(y), self.uniform(x)),
            // along a row, if that is long enough, and within bounds
            Exp::Bin(BinOp::Quot | BinOp::Rem, _, _, y) if is_less(y, LEAST_ROW) => None,
            Exp::Bin(BinOp::Quot, _, _, y) if is_same(y) => zero(),
            Exp::Bin(BinOp::Rem | BinOp::Min | BinOp::Max, _, x, y) if is_same(y) => self.step(x),
            Exp::Bin(BinOp::Min | BinOp::Max, _, x, y) if is_same(x) => self.step(y),
            Exp::Convert { value, .. } => self.step(value),
            _ => None,
        }
    }
}

/// Whether a number is known to be less than this.
fn is_less(exp: &Exp, least: i64) -> bool {
    matches!(exp, Exp::Const(value) if value.as_i64().is_some_and(|value| value < least))
}

fn sum(x: Step, y: Step) -> Step {
    Some(x?.add(&y?))
}

fn product(x: Step, y: Step) -> Step {
    Some(x?.mul(&y?))
}

/// What an index that changes so moves by, with this stride; nothing where it does not change, whatever the stride.
fn moved(index: Step, stride: Step) -> Step {
    let index = index?;
    if index.as_constant() == Some(0) { Some(index) } else { product(Some(index), stride) }
}
