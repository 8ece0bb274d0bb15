//! What is in a program of IMP.

use super::{Constructs, array_of, bin_class, convert_class, un_class};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use imp::ir::{
    Direction, Exp, ImpType, InterfaceValue, LoopKind, Procedure, Program, Space, Statement, StatementKind,
    WindowDim,
};
use std::collections::BTreeSet;

/// What is around the code at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Parallel,
    Sequential,
    Branch,
}

#[derive(Default)]
struct Counter {
    found: Constructs,
    around: Vec<Around>,
    /// The procedure at hand.
    procedure: Option<Symbol>,
    windows: BTreeSet<Var>,
    /// Views of cells that are parts of a word to an `atomic`.
    narrow: BTreeSet<Var>,
    /// Variables of blocks.
    blocks: BTreeSet<Var>,
}

/// The constructs in a program.
pub(super) fn constructs(program: &Program) -> Constructs {
    let mut counter = Counter::default();
    counter.note_if(program.procedures.len() > 1, "several procedures");
    program.procedures.iter().for_each(|procedure| counter.procedure(procedure));
    counter.found
}

fn is_constant(exp: &Exp, fits: impl Fn(i64) -> bool) -> bool {
    match exp {
        Exp::Const(value) => value.as_i64().is_some_and(fits),
        Exp::Var(_)
        | Exp::Bin(..)
        | Exp::Un(..)
        | Exp::Fma(..)
        | Exp::Convert { .. }
        | Exp::Select(..)
        | Exp::Read { .. }
        | Exp::Threads
        | Exp::Param { .. } => false,
    }
}

impl Counter {
    fn note(&mut self, name: &'static str) {
        self.found.insert(name);
    }

    fn note_if(&mut self, holds: bool, name: &'static str) {
        if holds {
            self.note(name);
        }
    }

    fn is_in(&self, what: Around) -> bool {
        self.around.contains(&what)
    }

    fn in_loop(&self) -> bool {
        self.is_in(Around::Parallel) || self.is_in(Around::Sequential)
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let Procedure { name, interface, params, body, results } = procedure;
        self.procedure = Some(*name);
        for (var, ty) in params {
            match ty {
                ImpType::Prim(prim) => self.note(prim.name()),
                ImpType::Mem(_) => drop(self.blocks.insert(*var)),
            }
        }
        if let Some(interface) = interface {
            for value in &interface.takes {
                match value {
                    InterfaceValue::Scalar { .. } => self.note("scalar parameter"),
                    InterfaceValue::Array { consumed, shape, place, mem: _, elem: _ } => {
                        self.note_if(place.is_some(), "array parameter anywhere");
                        self.note(if *consumed { "overwritten array parameter" } else { "array parameter" });
                        self.note_if(shape.len() > 1, "array of several dimensions in the interface");
                    }
                }
            }
            for value in &interface.gives {
                match value {
                    InterfaceValue::Scalar { .. } => self.note("scalar result"),
                    InterfaceValue::Array { shape, mem: _, elem: _, consumed: _, place: _ } => {
                        self.note("array result");
                        self.note_if(shape.len() > 1, "array of several dimensions in the interface");
                    }
                }
            }
        }
        self.statements(body);
        results.iter().for_each(|(exp, _)| self.exp(exp));
    }

    fn inside(&mut self, around: Around, body: &[Statement]) {
        self.around.push(around);
        self.statements(body);
        self.around.pop();
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        statement.kind.for_each_exp(&mut |exp| self.exp(exp));
        match &statement.kind {
            StatementKind::Let { ty, var: _, value: _ } => {
                self.note("let");
                self.note(ty.name());
            }
            StatementKind::Declare { var, ty, value } => match ty {
                ImpType::Prim(prim) => {
                    self.note(if value.is_some() { "var" } else { "var without a value" });
                    self.note(prim.name());
                }
                ImpType::Mem(_) => {
                    self.note("var of a block");
                    self.blocks.insert(*var);
                }
            },
            StatementKind::Assign { var, value: _ } => {
                let block = self.blocks.contains(var);
                self.note(if block { "assignment of a block" } else { "assignment" });
            }
            StatementKind::Alloc { shape, space, var: _, elem: _ } => self.alloc(shape, *space),
            StatementKind::Share(_) => {
                self.note("share");
                self.note_if(self.is_in(Around::Parallel), "share in parallel loop");
            }
            StatementKind::Free(_) => self.note("free"),
            StatementKind::View { elem, lmad, var, mem: _ } => {
                self.note(array_of(*elem));
                if elem.bytes() < 4 {
                    self.narrow.insert(*var);
                }
                self.view(lmad);
            }
            StatementKind::Window { var, view, dims } => {
                self.note("window");
                self.note_if(self.windows.contains(view), "window of a window");
                self.windows.insert(*var);
                self.window(dims);
            }
            StatementKind::Write { .. } => self.note("write"),
            StatementKind::Atomic { view, .. } => {
                self.note("atomic");
                self.note_if(self.narrow.contains(view), "atomic on a part of a word");
            }
            StatementKind::Lock { view: _, indices: _, body } => {
                self.note("lock");
                self.statements(body);
            }
            StatementKind::Ordered { words: _, body } => {
                self.note("ordered");
                self.statements(body);
            }
            StatementKind::Shuffle { direction, .. } => self.note(match direction {
                Direction::Down => "shuffle down",
                Direction::Up => "shuffle up",
            }),
            StatementKind::Accumulate { .. } => {
                self.note("accumulate");
                self.note_if(self.in_loop(), "accumulate in loop");
                self.note_if(self.is_in(Around::Parallel), "accumulate in parallel loop");
            }
            StatementKind::Copy { dest: _, source: _ } => {
                self.note("copy");
                self.note_if(self.is_in(Around::Parallel), "copy in parallel loop");
            }
            StatementKind::For { ty, kind, body, var: _, bound: _ } => self.counted(*ty, *kind, body),
            StatementKind::While { condition: _, body } => {
                self.note("while loop");
                self.note_if(self.in_loop(), "while in loop");
                self.inside(Around::Sequential, body);
            }
            StatementKind::If { condition: _, then, otherwise } => {
                self.note("if");
                self.note_if(!otherwise.is_empty(), "if with else");
                self.note_if(self.in_loop(), "if in loop");
                self.inside(Around::Branch, then);
                self.inside(Around::Branch, otherwise);
            }
            StatementKind::Assert { args, condition: _, message: _ } => {
                self.note("assert");
                self.note_if(!args.is_empty(), "assert with numbers");
                self.note_if(self.is_in(Around::Parallel), "assert in parallel loop");
            }
            StatementKind::Call { procedure, results: _, args: _ } => {
                self.note("call");
                self.note_if(Some(*procedure) == self.procedure, "recursive procedure");
                self.note_if(self.in_loop(), "call in loop");
                self.note_if(self.is_in(Around::Parallel), "call in parallel loop");
            }
        }
    }

    fn alloc(&mut self, shape: &[Exp], space: Space) {
        self.note("alloc");
        self.note_if(shape.len() > 1, "alloc of several factors");
        self.note_if(self.in_loop(), "alloc in loop");
        self.note_if(self.is_in(Around::Parallel), "alloc in parallel loop");
        match space {
            Space::Default => {}
            Space::Stack => self.note("space stack"),
            Space::Device => self.note("space device"),
            Space::Shared => self.note("space shared"),
            Space::Register => self.note("space register"),
            Space::Named(_) => self.note("space with a name"),
        }
    }

    fn view(&mut self, lmad: &Lmad) {
        self.note("view");
        self.note(match lmad.dims.len() {
            0 => "rank 0",
            rank => super::rank_of(rank),
        });
        let sizes = lmad.sizes();
        self.note_if(*lmad != Lmad::row_major(lmad.offset.clone(), &sizes), "view in another order");
        let strides: Vec<i64> = lmad.dims.iter().filter_map(|dim| dim.stride.as_constant()).collect();
        self.note_if(strides.iter().any(|stride| *stride < 0), "view backwards");
        self.note_if(strides.contains(&0), "view repeating cells");
        self.note_if(lmad.offset.as_constant() != Some(0), "view at an offset");
        let mut found = false;
        lmad.for_each_var(&mut |_| found = true);
        self.note_if(found, "view over variables");
    }

    fn window(&mut self, dims: &[WindowDim]) {
        for dim in dims {
            match dim {
                WindowDim::Fix(_) => self.note("window fixing a dimension"),
                WindowDim::Range { offset, count, stride } => {
                    let strided = is_constant(stride, |stride| stride.abs() > 1);
                    self.note_if(strided, "window with a stride");
                    self.note_if(is_constant(stride, |stride| stride < 0), "window backwards");
                    let all = [offset, count, stride].iter().all(|exp| is_constant(exp, |_| true));
                    self.note_if(!all, "window over variables");
                }
            }
        }
        if dims.iter().all(|dim| matches!(dim, WindowDim::Fix(_))) {
            self.note("rank 0");
        }
    }

    fn counted(&mut self, ty: PrimType, kind: LoopKind, body: &[Statement]) {
        self.note(match kind {
            LoopKind::Seq => "seq loop",
            LoopKind::Fold => "fold loop",
            LoopKind::Scan => "scan loop",
            LoopKind::Par => "par loop",
            LoopKind::Simd => "simd loop",
            LoopKind::Unroll => "unroll loop",
            LoopKind::Block => "block loop",
            LoopKind::Chain => "chain loop",
            LoopKind::Thread => "thread loop",
        });
        self.note_if(ty != PrimType::I64, "loop with a narrow counter");
        self.note_if(self.is_in(Around::Branch), "loop in if");
        let (parallel, sequential) = (self.is_in(Around::Parallel), self.is_in(Around::Sequential));
        if kind.is_parallel() {
            self.note_if(parallel, "parallel loop in parallel loop");
            self.note_if(sequential, "parallel loop in sequential loop");
            self.inside(Around::Parallel, body);
        } else {
            self.note_if(parallel, "sequential loop in parallel loop");
            self.note_if(sequential, "sequential loop in sequential loop");
            self.inside(Around::Sequential, body);
        }
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Const(_) => self.note("constant"),
            Exp::Var(_) => self.note("variable"),
            Exp::Bin(op, ty, _, _) => self.note(bin_class(*op, *ty)),
            Exp::Un(op, _, _) => self.note(un_class(*op)),
            Exp::Fma(..) => self.note("fma"),
            Exp::Convert { to, from, value: _ } => self.note(convert_class(*to, *from)),
            Exp::Select(..) => self.note("select"),
            Exp::Read { .. } => self.note("read"),
            Exp::Threads => self.note("threads"),
            Exp::Param { .. } => self.note("param"),
        }
        exp.for_each_child(&mut |child| self.exp(child));
    }
}
