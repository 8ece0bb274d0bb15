//! Statements (I1–I4, I6, I8, I9, I11, I12, I14–I17).

use super::{Checker, Meaning, Threads};
use crate::ir::{
    Exp, ImpType, LoopKind, STACK_BLOCK_BYTES, Space, Statement, StatementKind, WindowDim, constant_bytes,
    is_atomic,
};
use crate::lock;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeSet;

impl Checker {
    /// A list of statements; what it declares is visible only inside.
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        self.handed_from_here(statements);
        for statement in statements {
            self.loc = statement.loc;
            self.same_for_all(&statement.kind);
            self.kind(&statement.kind);
        }
    }

    pub(super) fn nested(&mut self, statements: &[Statement]) {
        let outer = self.scope.clone();
        self.statements(statements);
        self.scope = outer;
    }

    fn kind(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Let { var, ty, value } => {
                self.expect_prim(value, *ty, "the value");
                self.declare(*var, Meaning::Fixed(ImpType::Prim(*ty)));
            }
            StatementKind::Declare { var, ty, value } => {
                self.lasting(*ty, "a variable");
                if let Some(value) = value {
                    self.expect(value, *ty, "the value");
                }
                self.declare(*var, Meaning::Mutable(*ty));
            }
            StatementKind::Assign { var, value } => {
                if let Some(ty) = self.assigned(*var) {
                    self.expect(value, ty, "the value");
                }
            }
            StatementKind::Alloc { var, elem, shape, space } => self.alloc(*var, *elem, shape, *space),
            StatementKind::Share(var) => self.share(*var),
            StatementKind::Free(var) => _ = self.block(*var),
            StatementKind::View { var, elem, mem, lmad } => {
                self.block(*mem);
                let mut vars = BTreeSet::new();
                lmad.for_each_var(&mut |var| {
                    vars.insert(var);
                });
                for var in vars {
                    self.expect_prim(&Exp::Var(var), PrimType::I64, "a variable of an LMAD");
                }
                if *elem == PrimType::Unit {
                    self.error("I2: a view of unit".to_owned());
                }
                let own = self.view_of_registers(*elem, *mem, lmad);
                self.declare(*var, Meaning::View { elem: *elem, rank: lmad.rank(), own });
            }
            StatementKind::Window { var, view, dims } => self.window(*var, *view, dims),
            StatementKind::Write { view, indices, value } => {
                if let Some(elem) = self.access(*view, indices) {
                    self.expect_prim(value, elem, "the value");
                }
            }
            StatementKind::Accumulate { view, indices, value } => {
                if let Some(elem) = self.access(*view, indices) {
                    self.expect_prim(value, elem, "the value");
                    if !elem.is_number() {
                        self.error(format!("I2: `+=` is not defined on {elem}"));
                    }
                }
            }
            StatementKind::Atomic { view, indices, op, value } => self.atomic(*view, indices, *op, value),
            StatementKind::Lock { view, indices, body } => self.lock(*view, indices, body),
            StatementKind::Ordered { words, body } => self.ordered(*words, body),
            StatementKind::Shuffle { dest, source, direction: _, by, group } => {
                self.shuffle(*dest, *source, by, *group);
            }
            StatementKind::Copy { dest, source } => {
                [dest, source].into_iter().for_each(|view| self.not_own(*view, "a copy"));
                if let (Some(to), Some(from)) = (self.view(*dest), self.view(*source))
                    && to != from
                {
                    self.error(format!("I4: `copy` from `{source}` to `{dest}` of another type or rank"));
                }
            }
            StatementKind::For { var, ty, bound, kind, body } => self.for_loop(*var, *ty, bound, *kind, body),
            StatementKind::While { condition, body } => {
                self.expect_prim(condition, PrimType::Bool, "a condition");
                self.nested(body);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expect_prim(condition, PrimType::Bool, "a condition");
                self.nested(then);
                self.nested(otherwise);
            }
            StatementKind::Assert { condition, message, args } => {
                self.expect_prim(condition, PrimType::Bool, "a condition");
                if message.matches("{}").count() < args.len() {
                    self.error(format!("I2: {} numbers for the message {message:?}", args.len()));
                }
                for arg in args {
                    self.expect_prim(arg, PrimType::I64, "a number for a message");
                }
            }
            StatementKind::Call { results, procedure, args } => self.call(results, *procedure, args),
        }
    }

    fn atomic(&mut self, view: Var, indices: &[Exp], op: BinOp, value: &Exp) {
        self.not_own(view, "an atomic");
        if let Some(elem) = self.access(view, indices) {
            self.expect_prim(value, elem, "the value");
            if !is_atomic(op, elem) {
                self.error(format!("I12: `atomic` has no {op} on {elem}"));
            }
        }
        if self.host_depth > 0 {
            self.error("I12: an `atomic` in a par or simd loop".to_owned());
        }
    }

    fn lock(&mut self, view: Var, indices: &[Exp], body: &[Statement]) {
        self.not_own(view, "a lock");
        if self.access(view, indices).is_some_and(|elem| elem != PrimType::I32) {
            self.error(format!("I15: `{view}` has no lock cells: they are not i32"));
        }
        if self.host_depth > 0 || self.in_chain {
            self.error("I15: a `lock` in a par, simd or chain loop".to_owned());
        }
        if !lock::fits(body) {
            self.error("I15: a statement in a `lock` that may fail or does not end by itself".to_owned());
        }
        self.nested(body);
    }

    fn alloc(&mut self, var: Var, elem: PrimType, shape: &[Exp], space: Space) {
        for size in shape {
            self.expect_prim(size, PrimType::I64, "a size");
        }
        if elem == PrimType::Unit {
            self.error("I2: a block of unit".to_owned());
        }
        let small = || constant_bytes(elem, shape).is_some_and(|bytes| bytes <= STACK_BLOCK_BYTES);
        if space == Space::Stack && !small() {
            self.error(format!("I9: `{var}` may be too large for the stack"));
        }
        if space == Space::Register {
            self.registers(var, elem, shape);
        }
        self.declare(var, Meaning::Fixed(ImpType::Mem(space)));
    }

    fn share(&mut self, var: Var) {
        match self.block(var) {
            Some(Space::Stack) => self.error(format!("I9: `{var}` on the stack is shared")),
            Some(Space::Register) => self.error(format!("I13: `{var}` in registers is shared")),
            _ => {}
        }
    }

    fn for_loop(&mut self, var: Var, ty: PrimType, bound: &Exp, kind: LoopKind, body: &[Statement]) {
        self.expect_prim(bound, ty, "the bound");
        let parallel = kind.is_parallel();
        if !ty.is_int() || (parallel && ty != PrimType::I64) {
            self.error(format!("I2: a {kind} loop over {ty}"));
        }
        let around = self.kernel(bound, kind);
        if kind == LoopKind::Chain {
            self.chain(body);
        }
        let outer = self.scope.clone();
        let on_host = matches!(kind, LoopKind::Par | LoopKind::Simd);
        self.par_depth += usize::from(parallel);
        self.host_depth += usize::from(on_host);
        self.declare(var, Meaning::Fixed(ImpType::Prim(ty)));
        let (thread, in_chain) = (self.thread, self.in_chain);
        self.in_chain = in_chain || kind == LoopKind::Chain;
        if kind == LoopKind::Thread {
            self.thread = Some(var);
        }
        self.statements(body);
        (self.thread, self.in_chain) = (thread, in_chain);
        self.par_depth -= usize::from(parallel);
        self.host_depth -= usize::from(on_host);
        self.scope = outer;
        if kind.is_kernel() || kind == LoopKind::Thread {
            self.block = around;
        }
    }

    /// Reports a loop that is no part of a kernel as kernels are (I11). Gives what is known of the block around for after the loop.
    fn kernel(&mut self, bound: &Exp, kind: LoopKind) -> Option<Threads> {
        match kind {
            LoopKind::Block | LoopKind::Chain => {
                if self.par_depth > 0 {
                    self.error(format!("I11: a {kind} loop in a parallel loop"));
                }
                self.block.replace(Threads::Unknown)
            }
            LoopKind::Thread => {
                let Some(known) = self.block.take() else {
                    self.error("I11: a thread loop that is no statement of a block".to_owned());
                    return None;
                };
                let count = if let Exp::Const(count) = bound { count.as_i64() } else { None };
                match (count.filter(|count| *count > 0), known) {
                    (None, _) => {
                        self.error("I11: the number of threads is not a positive constant".to_owned());
                        Some(known)
                    }
                    (Some(count), Threads::Known(other)) if count != other => {
                        self.error(format!("I11: {count} threads in a block of {other}"));
                        Some(known)
                    }
                    (Some(count), Threads::Unknown | Threads::Known(_)) => Some(Threads::Known(count)),
                }
            }
            LoopKind::Seq
            | LoopKind::Fold
            | LoopKind::Scan
            | LoopKind::Par
            | LoopKind::Simd
            | LoopKind::Unroll => None,
        }
    }

    /// Reports what may not stand between the thread loops of a block, as threads may have to do it differently, or more than once (I11).
    fn same_for_all(&mut self, kind: &StatementKind) {
        if self.block.is_none() {
            return;
        }
        let allowed = match kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { ty: ImpType::Prim(_), .. }
            | StatementKind::Assign { .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::If { .. }
            | StatementKind::Free(_)
            | StatementKind::Ordered { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::For { kind: LoopKind::Seq | LoopKind::Thread, .. } => true,
            StatementKind::Alloc { elem, shape, space, .. } => {
                matches!(space, Space::Shared | Space::Register) && constant_bytes(*elem, shape).is_some()
            }
            StatementKind::Declare { ty: ImpType::Mem(_), .. }
            | StatementKind::Share(_)
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Lock { .. }
            | StatementKind::Copy { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => false,
        };
        let mut reads = false;
        kind.for_each_exp(&mut |exp| reads |= exp.reads());
        if !allowed || reads {
            self.error("I11: a statement of a block that is not the same for all of its threads".to_owned());
        }
    }

    /// The type of a variable that may be assigned here.
    fn assigned(&mut self, var: Var) -> Option<ImpType> {
        let entry = self.lookup(var)?;
        // what else an `ordered` region may assign, the check of its loop says
        let in_order = self.in_ordered && matches!(entry.meaning, Meaning::Mutable(ImpType::Prim(_)));
        if entry.par_depth < self.par_depth && !in_order {
            self.error(format!("I6: `{var}` is assigned in a parallel loop and declared outside of it"));
        }
        match entry.meaning {
            Meaning::Mutable(ty) => Some(ty),
            Meaning::Fixed(_) | Meaning::View { .. } => {
                self.error(format!("I3: `{var}` is assigned and not declared by `var`"));
                None
            }
        }
    }

    fn window(&mut self, var: Var, view: Var, dims: &[WindowDim]) {
        for dim in dims {
            dim.for_each_exp(&mut |exp| self.expect_prim(exp, PrimType::I64, "part of a window"));
        }
        let kept = dims.iter().filter(|dim| matches!(dim, WindowDim::Range { .. })).count();
        let Some((elem, rank)) = self.view(view) else { return };
        if rank != dims.len() {
            self.error(format!("I4: `{view}` has {rank} dimensions and the window {}", dims.len()));
        }
        self.not_own(view, "a window");
        self.declare(var, Meaning::View { elem, rank: kept, own: None });
    }

    fn call(&mut self, results: &[Var], procedure: Symbol, args: &[Exp]) {
        let Some(signature) = self.procedures.get(&procedure) else {
            return self.error(format!("I8: no procedure `{procedure}` before this one"));
        };
        let (params, types) = (signature.params.clone(), signature.results.clone());
        if params.len() != args.len() || types.len() != results.len() {
            self.error(format!("I8: `{procedure}` is called with other numbers of arguments or results"));
        }
        for (arg, ty) in args.iter().zip(params) {
            self.expect(arg, ty, "the argument");
        }
        for (var, wanted) in results.iter().zip(types) {
            if let Some(found) = self.assigned(*var)
                && found != wanted
            {
                self.error(format!("I2: the result of `{procedure}` is {wanted}, but `{var}` is {found}"));
            }
        }
        if results.iter().collect::<BTreeSet<_>>().len() < results.len() {
            self.error("I3: a call assigns one variable twice".to_owned());
        }
    }
}
