//! Which scalars the host needs, and which it only hands on from the device's memory to kernels.

use super::super::copy::{can_fail, for_each_part};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// What a procedure needs on the host.
pub(super) struct Needs {
    /// The scalars that come from the device and that the host does not need.
    pub(super) kept: BTreeSet<Var>,
    /// The types of the host's scalars.
    pub(super) types: BTreeMap<Var, PrimType>,
    /// Blocks that other variables may hold, or procedures see.
    pub(super) shared: BTreeSet<Var>,
    /// The blocks of views on the device.
    blocks: BTreeMap<Var, Var>,
    /// What they are computed from.
    values: BTreeMap<Var, Vec<Exp>>,
    needed: BTreeSet<Var>,
}

impl Needs {
    pub(super) fn of(procedure: &Procedure) -> Needs {
        let mut needs = Needs {
            kept: BTreeSet::new(),
            types: BTreeMap::new(),
            shared: BTreeSet::new(),
            blocks: BTreeMap::new(),
            values: BTreeMap::new(),
            needed: BTreeSet::new(),
        };
        let mut remote: BTreeSet<Var> = BTreeSet::new();
        for (var, ty) in &procedure.params {
            if *ty == ImpType::Mem(Space::Device) {
                remote.insert(*var);
            }
            needs.shared.insert(*var);
        }
        needs.places(&procedure.body, &mut remote);
        needs.host(&procedure.body);
        for (exp, _) in &procedure.results {
            needs.need(exp);
            exp.for_each_var(&mut |var| _ = needs.shared.insert(var));
        }
        needs.decide();
        needs
    }

    /// The block of a view of the device.
    pub(super) fn block(&self, view: Var) -> Option<Var> {
        self.blocks.get(&view).copied()
    }

    /// The block in which the value lies, if it is a cell whose place is constant.
    pub(super) fn fixed_cell(&self, value: &Exp) -> Option<Var> {
        let Exp::Read { view, indices } = value else { return None };
        let constant = indices.iter().all(|index| matches!(index, Exp::Const(_)));
        self.block(*view).filter(|_| constant)
    }

    /// Which views lie on the device, and in which blocks.
    fn places(&mut self, list: &[Statement], remote: &mut BTreeSet<Var>) {
        for statement in list {
            match &statement.kind {
                StatementKind::Alloc { var, space: Space::Device, .. }
                | StatementKind::Declare { var, ty: ImpType::Mem(Space::Device), .. } => {
                    remote.insert(*var);
                }
                StatementKind::View { var, mem, .. } if remote.contains(mem) => {
                    self.blocks.insert(*var, *mem);
                }
                StatementKind::Window { var, view, .. } => {
                    if let Some(block) = self.block(*view) {
                        self.blocks.insert(*var, block);
                    }
                }
                _ => {}
            }
            statement.kind.for_each_body(&mut |body| self.places(body, remote));
        }
    }

    /// Statements of the host.
    fn host(&mut self, list: &[Statement]) {
        for statement in list {
            match &statement.kind {
                StatementKind::Let { var, ty, value } => self.define(*var, *ty, Some(value)),
                StatementKind::Declare { var, ty: ImpType::Prim(ty), value } => {
                    self.define(*var, *ty, value.as_ref());
                }
                StatementKind::Assign { var, value } if self.types.contains_key(var) => {
                    self.values.entry(*var).or_default().push(value.clone());
                }
                StatementKind::Write { view, indices, value }
                    if self.blocks.contains_key(view) && self.on_device(value) =>
                {
                    indices.iter().for_each(|index| self.need(index));
                }
                StatementKind::For { bound, kind, body, .. } if kind.is_kernel() => {
                    self.need(bound);
                    self.kernel(body);
                    // a thread's variable may hold a block, too
                    for_each_statement(body, &mut |inner| {
                        if let StatementKind::Declare { ty: ImpType::Mem(_), .. }
                        | StatementKind::Assign { .. } = &inner.kind
                        {
                            inner.kind.for_each_use(&mut |var| _ = self.shared.insert(var));
                        }
                    });
                }
                StatementKind::Alloc { .. } | StatementKind::Free(_) | StatementKind::View { .. } => {
                    statement.kind.for_each_exp(&mut |exp| self.need(exp));
                    if let StatementKind::View { lmad, .. } = &statement.kind {
                        lmad.for_each_var(&mut |var| _ = self.needed.insert(var));
                    }
                }
                kind => {
                    kind.for_each_use(&mut |var| {
                        self.needed.insert(var);
                        self.shared.insert(var);
                    });
                    kind.for_each_body(&mut |body| self.host(body));
                }
            }
        }
    }

    /// Statements of a block of threads: what stands around thread loops reads no memory.
    fn kernel(&mut self, list: &[Statement]) {
        for statement in list {
            if !matches!(statement.kind, StatementKind::For { kind: LoopKind::Thread, .. }) {
                statement.kind.for_each_use(&mut |var| _ = self.needed.insert(var));
                statement.kind.for_each_body(&mut |body| self.kernel(body));
            }
        }
    }

    fn need(&mut self, exp: &Exp) {
        exp.for_each_var(&mut |var| _ = self.needed.insert(var));
    }

    fn define(&mut self, var: Var, ty: PrimType, value: Option<&Exp>) {
        self.types.insert(var, ty);
        self.values.entry(var).or_default().extend(value.cloned());
        if ty == PrimType::Unit {
            self.needed.insert(var);
        }
    }

    /// Whether a thread may compute this.
    fn on_device(&self, value: &Exp) -> bool {
        let mut possible = !can_fail(value);
        for_each_part(value, &mut |part| match part {
            Exp::Read { view, .. } => possible &= self.blocks.contains_key(view),
            Exp::Threads | Exp::Param { .. } => possible = false,
            _ => {}
        });
        possible
    }

    fn decide(&mut self) {
        let mut values = std::mem::take(&mut self.values);
        let (possible, other): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut values)
            .into_iter()
            .partition(|(_, values)| values.iter().all(|value| self.on_device(value)));
        self.needed.extend(other.keys());
        let operands = |values: &BTreeMap<Var, Vec<Exp>>, var: Var| {
            let mut found = Vec::new();
            for value in values.get(&var).into_iter().flatten() {
                value.for_each_var(&mut |operand| found.push(operand));
            }
            found
        };
        // what the host computes, it needs the operands of
        let mut left: Vec<Var> = self.needed.iter().copied().collect();
        while let Some(var) = left.pop() {
            for operand in operands(&possible, var).into_iter().chain(operands(&other, var)) {
                if self.needed.insert(operand) {
                    left.push(operand);
                }
            }
        }
        // what comes from the device, and what is computed of that
        let mut users: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
        let mut left = Vec::new();
        for (var, values) in &possible {
            if values.iter().any(Exp::reads) {
                left.push(*var);
            }
            for operand in operands(&possible, *var) {
                users.entry(operand).or_default().push(*var);
            }
        }
        while let Some(var) = left.pop() {
            if !self.needed.contains(&var) && self.kept.insert(var) {
                left.extend(users.get(&var).into_iter().flatten());
            }
        }
    }
}
