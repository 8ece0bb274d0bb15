//! Scalars that stay on the device: what a kernel computes and the host only hands on to other kernels lies in a cell that these read, so that the host need
//! not wait for it.
//!
//! ```text
//! let rho = total[0]
//! free total_mem
//! let alpha = div.f32(rho, beta)
//! for block < n block { for t < 256 thread { … alpha … } }
//! ```
//! becomes, with `kept` in a block of the procedure's own,
//! ```text
//! for block < 1 block { for t < 1 thread { let rho = total[0]  kept[0] := div.f32(rho, beta) } }
//! for block < n block { for t < 256 thread { let alpha = kept[0]  … alpha … } }
//! free total_mem
//! ```
//! A scalar is kept if it comes from memory of the device, directly or by way of others, and the host needs it for nothing: no size, bound, condition, index,
//! message or result, and nothing that the host computes for one of these. What could fail is computed by the host. A cell that nothing
//! writes any more, in a small block of the same list of statements, is read where it is, and its block freed at the end of the list. Kernels of one
//! thread that follow each other become one (`join.rs`).
//!
//! Requires and ensures I1–I17, of a program for a host with a device; any other it leaves as it is. Cost: n log n in the size of the program, times
//! how deep loops nest.

mod join;
mod needs;

use super::copy::replace;
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, read};
use imp::ir::constant_bytes;
use imp::ir::{
    Exp, ImpType, LoopKind, Procedure, Program, STACK_BLOCK_BYTES, Space, Statement, StatementKind,
};
use imp::visit::{for_each_statement, free_vars, names_after};
use join::join;
use needs::Needs;
use std::collections::{BTreeMap, BTreeSet};

/// Keeps scalars on the device.
pub fn run(mut program: Program) -> Program {
    let mut names = names_after(&program);
    for procedure in &mut program.procedures {
        let needs = Needs::of(procedure);
        if !needs.kept.is_empty() {
            keep(procedure, needs, &mut names);
        }
    }
    program
}

fn keep(procedure: &mut Procedure, needs: Needs, names: &mut NameSource) {
    let mut keeper = Keeper {
        b: Builder::new(std::mem::take(names)),
        needs,
        places: BTreeMap::new(),
        cells: BTreeMap::new(),
    };
    let body = std::mem::take(&mut procedure.body);
    let outer = keeper.b.begin();
    keeper.list(body);
    let body = join(keeper.b.end(outer));
    keeper.b.loc = None;
    let mut blocks = Vec::new();
    for (ty, view) in std::mem::take(&mut keeper.cells).into_values() {
        let block = keeper.b.alloc("kept_mem", ty, vec![Exp::i64(1)], Space::Device);
        let lmad = Lmad::row_major(Poly::constant(0), &[Poly::constant(1)]);
        keeper.b.push(StatementKind::View { var: view, elem: ty, mem: block, lmad });
        blocks.push(block);
    }
    keeper.b.push_all(body);
    blocks.into_iter().for_each(|block| keeper.b.push(StatementKind::Free(block)));
    (procedure.body, *names) = keeper.b.finish();
}

struct Keeper {
    b: Builder,
    needs: Needs,
    /// Where kernels find the scalars that are kept.
    places: BTreeMap<Var, Exp>,
    /// Views of those that have cells of their own.
    cells: BTreeMap<Var, (PrimType, Var)>,
}

impl Keeper {
    /// Statements of the host.
    fn list(&mut self, list: Vec<Statement>) {
        let stays = self.blocks_that_stay(&list);
        let mut late = Vec::new();
        for (at, statement) in list.into_iter().enumerate() {
            self.b.loc = statement.loc;
            match statement.kind {
                StatementKind::Let { var, ty, value } if self.needs.kept.contains(&var) => {
                    let block = self.needs.fixed_cell(&value);
                    match block.and_then(|block| stays.get(&block).map(|last| (block, *last))) {
                        Some((block, last)) if last < at => {
                            self.places.insert(var, value);
                            late.push(block);
                        }
                        _ => self.store(var, ty, value),
                    }
                }
                StatementKind::Declare { var, ty: ImpType::Prim(ty), value }
                    if self.needs.kept.contains(&var) =>
                {
                    self.store(var, ty, value.unwrap_or(Exp::Const(ty.zero())));
                }
                StatementKind::Assign { var, value } if self.needs.kept.contains(&var) => {
                    if let Some((ty, _)) = self.cells.get(&var).copied() {
                        self.store(var, ty, value);
                    }
                }
                StatementKind::Write { view, indices, value } if self.mentions(&value) => {
                    self.write_by_kernel(view, indices, value);
                }
                StatementKind::Free(block) if late.contains(&block) => {}
                mut kind => {
                    if matches!(&kind, StatementKind::For { kind, .. } if kind.is_kernel()) {
                        kind.for_each_body_mut(&mut |body| self.block(body));
                    } else {
                        kind.for_each_body_mut(&mut |body| {
                            let outer = self.b.begin();
                            self.list(std::mem::take(body));
                            *body = join(self.b.end(outer));
                        });
                    }
                    self.b.push(kind);
                }
            }
        }
        late.sort_unstable();
        late.dedup();
        late.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// The small blocks that are of these statements alone, with the number of the last one that may write to them.
    fn blocks_that_stay(&self, list: &[Statement]) -> BTreeMap<Var, usize> {
        let (mut made, mut freed) = (BTreeSet::new(), BTreeSet::new());
        for statement in list {
            match &statement.kind {
                StatementKind::Alloc { var, elem, shape, space: Space::Device }
                    if constant_bytes(*elem, shape).is_some_and(|bytes| bytes <= STACK_BLOCK_BYTES) =>
                {
                    made.insert(*var);
                }
                StatementKind::Free(var) => _ = freed.insert(*var),
                _ => {}
            }
        }
        let mut last = BTreeMap::new();
        for block in made.intersection(&freed).filter(|block| !self.needs.shared.contains(block)) {
            last.insert(*block, 0);
        }
        for (at, statement) in list.iter().enumerate() {
            for_each_statement(std::slice::from_ref(statement), &mut |inner| {
                let block = inner.kind.writes().and_then(|view| self.needs.block(view));
                if let Some(written) = block.and_then(|block| last.get_mut(&block)) {
                    *written = at;
                }
            });
        }
        last
    }

    fn mentions(&self, value: &Exp) -> bool {
        let mut found = false;
        value.for_each_var(&mut |var| found |= self.needs.kept.contains(&var));
        found
    }

    /// Puts the value into the cell of a scalar.
    fn store(&mut self, var: Var, ty: PrimType, value: Exp) {
        let names = &mut self.b.names;
        let (_, view) = *self.cells.entry(var).or_insert_with(|| (ty, names.fresh_like(var)));
        self.places.insert(var, read(view, vec![Exp::i64(0)]));
        if self.mentions(&value) || value.reads() {
            self.write_by_kernel(view, vec![Exp::i64(0)], value);
        } else {
            self.b.write(view, vec![Exp::i64(0)], value);
        }
    }

    /// Writes a cell by a kernel of one thread.
    fn write_by_kernel(&mut self, view: Var, indices: Vec<Exp>, value: Exp) {
        let statement = Statement { kind: StatementKind::Write { view, indices, value }, loc: self.b.loc };
        let mut body = vec![statement];
        self.fetch(&mut body);
        self.b.for_("block", Exp::i64(1), LoopKind::Block, |b, _| {
            b.for_("t", Exp::i64(1), LoopKind::Thread, |b, _| b.push_all(body));
        });
    }

    /// What a block of threads does: each thread loop fetches what it uses.
    fn block(&mut self, body: &mut [Statement]) {
        for statement in body {
            if let StatementKind::For { kind: LoopKind::Thread, body, .. } = &mut statement.kind {
                self.fetch(body);
            } else {
                statement.kind.for_each_body_mut(&mut |body| self.block(body));
            }
        }
    }

    /// A thread reads the scalars that it uses.
    fn fetch(&mut self, body: &mut Vec<Statement>) {
        let outer = self.b.begin();
        for var in free_vars(body) {
            if let (Some(place), Some(ty)) = (self.places.get(&var), self.needs.types.get(&var)) {
                let own = self.b.let_(var.text, *ty, place.clone());
                replace(body, var, own);
            }
        }
        self.b.push_all(std::mem::take(body));
        *body = self.b.end(outer);
    }
}
