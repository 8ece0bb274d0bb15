//! What the threads of a block have for themselves: scalars that depend on memory, which all threads compute alike, in registers; and views at places that
//! depend on these, which each thread loop declares anew.

use super::super::copy::{declared_in, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::{for_each_statement, free_vars};
use std::collections::{BTreeMap, BTreeSet};

use super::I64;
use super::block::{is_point, is_structure};

/// What threads have for themselves in an iteration.
pub(super) struct Own {
    threads: i64,
    /// The scalars that depend on memory.
    vars: BTreeSet<Var>,
    /// The types of scalars outside of parallel loops.
    types: BTreeMap<Var, PrimType>,
    /// Those that are assigned.
    assigned: BTreeSet<Var>,
    /// How often each is used.
    uses: BTreeMap<Var, usize>,
    /// Where views lie.
    places: BTreeMap<Var, (Var, Lmad)>,
    /// The registers of scalars: their views.
    registers: BTreeMap<Var, Var>,
    /// The blocks of registers in the present list of statements.
    blocks: Vec<Var>,
    /// Views that thread loops declare, in order.
    views: Vec<StatementKind>,
}

impl Own {
    pub(super) fn new(threads: i64) -> Own {
        Own {
            threads,
            vars: BTreeSet::new(),
            types: BTreeMap::new(),
            assigned: BTreeSet::new(),
            uses: BTreeMap::new(),
            places: BTreeMap::new(),
            registers: BTreeMap::new(),
            blocks: Vec::new(),
            views: Vec::new(),
        }
    }

    /// Finds out which scalars of an iteration depend on memory.
    pub(super) fn learn(&mut self, body: &[Statement]) {
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_use(&mut |var| *self.uses.entry(var).or_default() += 1);
            match &statement.kind {
                StatementKind::Let { var, ty, .. } => _ = self.types.insert(*var, *ty),
                StatementKind::Declare { var, ty: ImpType::Prim(ty), .. } => {
                    self.types.insert(*var, *ty);
                    self.assigned.insert(*var);
                }
                StatementKind::View { var, mem, lmad, .. } => {
                    _ = self.places.insert(*var, (*mem, lmad.clone()))
                }
                _ => {}
            }
        });
        loop {
            let known = self.vars.len();
            depending(body, &mut self.vars);
            if self.vars.len() == known {
                break;
            }
        }
    }

    pub(super) fn vars(&self) -> &BTreeSet<Var> {
        &self.vars
    }

    pub(super) fn is_assigned(&self, var: Var) -> bool {
        self.assigned.contains(&var) || self.vars.contains(&var)
    }

    /// The block and place of a view of the iteration.
    pub(super) fn place(&self, view: Var) -> Option<(Var, &Lmad)> {
        self.places.get(&view).map(|(mem, lmad)| (*mem, lmad))
    }

    /// Whether what a statement itself depends on is the same for all threads without a look at memory.
    pub(super) fn is_uniform(&self, kind: &StatementKind) -> bool {
        let mut uniform = true;
        kind.for_each_exp(&mut |exp| uniform &= !exp.reads());
        let own_view = |var| self.views.iter().any(|view| view.declares() == Some(var));
        kind.for_each_use(&mut |var| uniform &= !self.vars.contains(&var) && !own_view(var));
        uniform
    }

    /// A view that thread loops declare, each for itself: what it depends on must not have changed since.
    pub(super) fn view(&mut self, kind: StatementKind) -> Option<()> {
        let mut fixed = true;
        kind.for_each_exp(&mut |exp| fixed &= !exp.reads());
        kind.for_each_use(&mut |var| fixed &= !self.assigned.contains(&var));
        self.views.push(kind);
        fixed.then_some(())
    }

    /// A list of statements begins; gives what `end` wants.
    pub(super) fn begin(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.blocks)
    }

    /// A list of statements is over: its registers are free.
    pub(super) fn end(&mut self, outer: Vec<Var>, b: &mut Builder) {
        std::mem::replace(&mut self.blocks, outer)
            .into_iter()
            .for_each(|block| b.push(StatementKind::Free(block)));
    }

    /// What all threads do alike, or the first one for all.
    pub(super) fn by_threads(&mut self, code: Vec<Statement>, first: bool, b: &mut Builder) {
        if !code.is_empty() {
            let l = b.names.fresh("l");
            self.in_threads(l, code, first, b);
        }
    }

    /// A thread loop over `l`, with what its code needs of the thread's own.
    pub(super) fn in_threads(&mut self, l: Var, mut code: Vec<Statement>, first: bool, b: &mut Builder) {
        let declared = declared_in(&code);
        let at_top: Vec<Var> = code.iter().filter_map(|statement| statement.kind.declares()).collect();
        let used_here = uses(&code);
        let kept: Vec<Var> = at_top
            .into_iter()
            .filter(|var| self.vars.contains(var) && used_here.get(var) != self.uses.get(var))
            .collect();
        for var in &kept {
            self.register(*var, b);
        }
        let (mut before, mut assigned) = (Vec::new(), Vec::new());
        self.load(l, &mut code, &declared, &mut before, &mut assigned, b);
        // the scalars that get a value, and what that is called in the loop
        let written: Vec<(Var, Var)> = kept.into_iter().map(|var| (var, var)).chain(assigned).collect();
        let cells: Vec<(Var, Var)> = match first {
            true => written.iter().map(|(var, _)| (self.registers[var], self.cell(*var, b))).collect(),
            false => Vec::new(),
        };
        let (body, ()) = b.nested(|b| {
            b.push_all(before);
            if !first {
                b.push_all(code);
                for (var, value) in written {
                    b.write(self.registers[&var], vec![l.into()], value);
                }
                return;
            }
            b.when(bin(BinOp::Eq, I64, l, Exp::i64(0)), |b| {
                b.push_all(code);
                for ((_, cell), (_, value)) in cells.iter().zip(written) {
                    b.write(*cell, vec![Exp::i64(0)], value);
                }
            });
        });
        let threads = Exp::i64(self.threads);
        b.push(StatementKind::For { var: l, ty: I64, bound: threads.clone(), kind: LoopKind::Thread, body });
        if !cells.is_empty() {
            b.for_("l", threads, LoopKind::Thread, |b, l| {
                for (register, cell) in cells {
                    b.write(register, vec![l.into()], read(cell, vec![Exp::i64(0)]));
                }
            });
        }
    }

    /// Gives code the views and scalars of its thread.
    fn load(
        &self,
        l: Var,
        code: &mut [Statement],
        declared: &BTreeSet<Var>,
        before: &mut Vec<Statement>,
        assigned: &mut Vec<(Var, Var)>,
        b: &mut Builder,
    ) {
        let loc = b.loc;
        let mut used = free_vars(code);
        // the last ones first, as they may be parts of those before
        let mut views = Vec::new();
        for kind in self.views.iter().rev() {
            let Some(var) = kind.declares().filter(|var| used.contains(var)) else { continue };
            let mut own = Statement { kind: kind.clone(), loc };
            kind.for_each_use(&mut |var| _ = used.insert(var));
            let name = b.names.fresh_like(var);
            let rename = |statements: &mut [Statement]| replace(statements, var, name);
            rename(std::slice::from_mut(&mut own));
            rename(code);
            rename(&mut views);
            views.push(own);
        }
        views.reverse();
        for (var, register) in &self.registers {
            if !used.contains(var) || declared.contains(var) {
                continue;
            }
            let Some(ty) = self.types.get(var) else { continue };
            let own = b.names.fresh_like(*var);
            let value = read(*register, vec![l.into()]);
            let kind = match is_assigned_in(code, *var) {
                true => {
                    assigned.push((*var, own));
                    StatementKind::Declare { var: own, ty: ImpType::Prim(*ty), value: Some(value) }
                }
                false => StatementKind::Let { var: own, ty: *ty, value },
            };
            before.push(Statement { kind, loc });
            replace(code, *var, own);
            replace(&mut views, *var, own);
        }
        before.append(&mut views);
    }

    fn register(&mut self, var: Var, b: &mut Builder) {
        let ty = self.types[&var];
        let block = b.alloc("own_mem", ty, vec![Exp::i64(self.threads)], Space::Register);
        self.blocks.push(block);
        let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(self.threads)]);
        let view = b.view("own", ty, block, place);
        self.registers.insert(var, view);
    }

    /// A cell by which the first thread tells the others what a scalar is.
    fn cell(&mut self, var: Var, b: &mut Builder) -> Var {
        let ty = self.types[&var];
        let block = b.alloc("told_mem", ty, vec![Exp::i64(1)], Space::Shared);
        self.blocks.push(block);
        b.view("told", ty, block, Lmad::row_major(Poly::constant(0), &[Poly::constant(1)]))
    }
}

fn uses(code: &[Statement]) -> BTreeMap<Var, usize> {
    let mut uses = BTreeMap::new();
    for_each_statement(code, &mut |statement| {
        statement.kind.for_each_use(&mut |var| *uses.entry(var).or_default() += 1);
    });
    uses
}

fn is_assigned_in(code: &[Statement], var: Var) -> bool {
    let mut found = false;
    for_each_statement(code, &mut |statement| {
        found |= matches!(&statement.kind, StatementKind::Assign { var: to, .. } if *to == var);
    });
    found
}

/// Adds the scalars that depend on memory, as far as that is seen from those that are known to.
fn depending(body: &[Statement], own: &mut BTreeSet<Var>) {
    for statement in body {
        let kind = &statement.kind;
        if is_point(kind) {
            continue;
        }
        match kind {
            StatementKind::Let { var, value, .. }
            | StatementKind::Declare { var, value: Some(value), .. }
            | StatementKind::Assign { var, value } => {
                let mut depends = value.reads();
                value.for_each_var(&mut |used| depends |= own.contains(&used));
                if depends {
                    own.insert(*var);
                }
            }
            StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::If { .. } => {
                let mut uniform = is_structure(kind);
                kind.for_each_exp(&mut |exp| uniform &= !exp.reads());
                kind.for_each_use(&mut |var| uniform &= !own.contains(&var));
                if uniform {
                    kind.for_each_body(&mut |body| depending(body, own));
                } else if !is_plain(statement, own) {
                    // threads do all of it
                    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
                        if let StatementKind::Assign { var, .. } = &inner.kind {
                            own.insert(*var);
                        }
                    });
                }
            }
            _ => {}
        }
    }
}

/// Whether a statement may stand between thread loops as it is: scalars that do not depend on memory.
pub(super) fn is_plain(statement: &Statement, own: &BTreeSet<Var>) -> bool {
    let mut plain = true;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        plain &= matches!(
            inner.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::If { .. }
                | StatementKind::For { kind: LoopKind::Seq, .. }
        );
        inner.kind.for_each_exp(&mut |exp| plain &= !exp.reads());
        inner.kind.for_each_use(&mut |var| plain &= !own.contains(&var));
        plain &= inner.kind.declares().is_none_or(|var| !own.contains(&var));
    });
    plain
}
