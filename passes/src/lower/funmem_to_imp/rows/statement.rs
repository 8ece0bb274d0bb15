//! The statements of a row: what the block does once, what each thread does for itself, and what threads share among them.

use super::super::blocks::Fold;
use super::super::kernel::{Accumulators, Operator};
use super::super::scanned::{Scanned, values_of};
use super::super::{Array, Lowerer, atom_exp};
use super::{I64, allocates, has_kernels};
use fun::ir::{Atom, BinderType};
use fun::visit::for_each_body;
use fun::visit::names::{free_in_lambda, free_in_statement};
use fun_base::name::Var;
use fun_base::prim::BinOp;
use funmem::ir::{Binder, Body, Combine, Exp as FunExp, MemOp, MemType, Statement};
use imp::build::{bin, convert, read};
use imp::ir::Exp;
use std::collections::BTreeSet;

/// A reduction of so few values, where the type says so, is one that each thread does for itself.
const FEW: i64 = 16;

impl Lowerer {
    /// The statements of a body of the row; then `f` uses its results, and what the body owns is freed. Nothing if the row has no version with a block.
    pub(super) fn row_body<T>(
        &mut self,
        body: &Body,
        f: impl FnOnce(&mut Lowerer, &[Atom]) -> Option<T>,
    ) -> Option<T> {
        self.owned.push(Vec::new());
        let loc = self.b.loc;
        for statement in &body.statements {
            self.b.loc = statement.loc;
            self.row_statement(statement)?;
        }
        self.b.loc = loc;
        let result = f(self, &body.results)?;
        for block in self.owned.pop().unwrap_or_default() {
            self.b.push(imp::ir::StatementKind::Free(block));
        }
        Some(result)
    }

    fn row_statement(&mut self, statement: &Statement) -> Option<()> {
        let pattern = &statement.pattern;
        let used = free_in_statement(statement);
        let own = used.iter().any(|var| self.is_own(*var));
        self.are_placed(pattern.iter()).then_some(())?;
        match &statement.exp {
            FunExp::Atom(Atom::Var(var)) if self.is_own(*var) => {
                let row = self.row.as_mut()?;
                let register = *row.own.get(var)?;
                row.own.insert(pattern[0].var, register);
            }
            FunExp::Atom(Atom::Var(block)) if matches!(pattern[0].ty, MemType::Mem(_)) => {
                let place = self.places.get(block).cloned();
                self.statement(statement);
                self.places.extend(place.map(|place| (pattern[0].var, place)));
            }
            FunExp::Atom(_) | FunExp::Trace { .. } => self.statement(statement),
            FunExp::Bin(..) | FunExp::Un(..) | FunExp::Fma(..) | FunExp::Convert { .. } if !own => {
                self.statement(statement);
            }
            FunExp::Slice { .. }
            | FunExp::Permute { .. }
            | FunExp::Reshape { .. }
            | FunExp::Reverse { .. }
            | FunExp::Scratch { .. } => self.statement(statement),
            FunExp::Op(MemOp::Alloc { shape, elem, .. }) => {
                self.place_in_row(pattern[0].var, *elem, shape)?;
            }
            FunExp::Update { dims, value, .. } if self.as_array(*value).is_some() => {
                let mut placed = true;
                for dim in dims {
                    let _ = dim.map_atoms(&mut |atom| {
                        placed &= !atom.as_var().is_some_and(|var| self.is_own(var));
                        *atom
                    });
                }
                if !placed {
                    return None;
                }
                self.statement(statement);
            }
            FunExp::Update { .. } => self.by_one_thread(statement, &used),
            FunExp::ArrayLiteral { elems, .. } if elems.iter().all(|elem| self.as_array(*elem).is_none()) => {
                self.by_one_thread(statement, &used);
            }
            FunExp::ArrayLiteral { .. } | FunExp::Concat { .. } | FunExp::Copy(_) => {
                self.statement(statement)
            }
            FunExp::Iota { count, start, step, elem } => {
                let dest = self.bind_dest(&pattern[0]);
                let counter = [(self.b.names.fresh("i"), *count)];
                self.spread_in(&counter, &used, &mut |this, indices| {
                    let index = convert(*elem, I64, atom_exp(indices[0]));
                    let value = Lowerer::affine(this.exp(*start), index, this.exp(*step), *elem);
                    this.b.write(dest.view, vec![atom_exp(indices[0])], value);
                })?;
            }
            FunExp::Replicate { shape, value } => {
                self.replicate_in_row(&pattern[0], shape.len(), *value, &used)?
            }
            FunExp::Kernel { space, combine, body } => {
                let few = |combine: &Combine| matches!(combine, Combine::Reduce { .. }) && is_few(space);
                if allocates(combine, body) {
                    return None;
                }
                if few(combine) {
                    self.by_each_thread(statement, &used)?;
                } else {
                    self.kernel_of_row(pattern, space, combine, body, &used)?;
                }
            }
            FunExp::Loop { params, form, body } if has_kernels(body) => {
                self.repeat_in_row(pattern, params, form, body)?;
            }
            exp if is_scalar(exp) => self.by_each_thread(statement, &used)?,
            _ => return None,
        }
        let failed = self.version.as_ref().is_some_and(|version| version.failed);
        (!failed).then_some(())
    }

    /// Whether arrays lie where the block says, and have the sizes that it knows.
    pub(super) fn are_placed<'b>(&self, binders: impl Iterator<Item = &'b Binder>) -> bool {
        let mut placed = true;
        for binder in binders {
            BinderType::for_each_var(&binder.ty, &mut |var| placed &= !self.is_own(var));
        }
        placed
    }

    /// A statement that gives scalars, done by each thread for itself.
    fn by_each_thread(&mut self, statement: &Statement, used: &BTreeSet<Var>) -> Option<()> {
        let mut registers = Vec::new();
        for binder in &statement.pattern {
            let MemType::Prim(ty) = binder.ty else { return None };
            registers.push((binder.var, self.register(ty)?, ty));
        }
        self.by_threads(used, |this, t| {
            this.statement(statement);
            for (var, register, _) in &registers {
                let value = this.exp(Atom::Var(*var));
                this.b.write(*register, vec![t.into()], value);
            }
        });
        self.have_own(registers);
        Some(())
    }

    /// Threads have scalars in registers.
    pub(super) fn have_own(&mut self, registers: Vec<(Var, Var, fun_base::prim::PrimType)>) {
        let Some(row) = &mut self.row else { return };
        for (var, register, ty) in registers {
            self.values.remove(&var);
            row.own.insert(var, (register, ty));
        }
    }

    /// A statement that writes a few cells, done by the first thread.
    fn by_one_thread(&mut self, statement: &Statement, used: &BTreeSet<Var>) {
        self.by_threads(used, |this, t| {
            this.when(bin(BinOp::Eq, I64, t, Exp::i64(0)), |this| this.statement(statement));
        });
        // the view in the loop is the loop's
        self.bind_array(&statement.pattern[0]);
    }

    fn replicate_in_row(
        &mut self,
        binder: &Binder,
        outer: usize,
        value: Atom,
        used: &BTreeSet<Var>,
    ) -> Option<()> {
        let dest = self.bind_dest(binder);
        let source = self.as_array(value).cloned();
        if source.as_ref().is_some_and(|source| source.mem == dest.mem) {
            return None;
        }
        let counters: Vec<(Var, Atom)> =
            dest.shape.iter().map(|size| (self.b.names.fresh("i"), *size)).collect();
        let sizes: Vec<Exp> = dest.shape.iter().map(|size| atom_exp(*size)).collect();
        self.spread((&counters, &sizes), used, &mut |this, indices| {
            let indices: Vec<Exp> = indices.iter().map(|index| atom_exp(*index)).collect();
            let value = match &source {
                Some(source) => read(source.view, indices[outer..].to_vec()),
                None => this.exp(value),
            };
            this.b.write(dest.view, indices, value);
        });
        Some(())
    }

    /// As `spread`, over a space of FUNMEM.
    fn spread_in(
        &mut self,
        space: &[(Var, Atom)],
        used: &BTreeSet<Var>,
        f: &mut dyn FnMut(&mut Lowerer, &[Atom]),
    ) -> Option<()> {
        let sizes = self.sizes_in_row(space)?;
        self.spread((space, &sizes), used, f);
        Some(())
    }

    /// The bounds of a space, if the block knows them.
    fn sizes_in_row(&self, space: &[(Var, Atom)]) -> Option<Vec<Exp>> {
        let known = |(_, bound): &(Var, Atom)| {
            bound.as_var().is_none_or(|var| !self.is_own(var)).then(|| self.exp(*bound))
        };
        space.iter().map(known).collect()
    }

    fn kernel_of_row(
        &mut self,
        pattern: &[Binder],
        space: &[(Var, Atom)],
        combine: &Combine,
        body: &Body,
        used: &BTreeSet<Var>,
    ) -> Option<()> {
        let sizes = self.sizes_in_row(space)?;
        let bounds: Vec<Atom> = space.iter().map(|(_, bound)| *bound).collect();
        self.known_outside(&bounds);
        let values = sizes.into_iter().reduce(|x, y| bin(BinOp::Mul, I64, x, y));
        self.version.as_mut()?.sizes.extend(values);
        let (op, neutral, epilogue) = match combine {
            Combine::Map => {
                let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                return self.spread_in(space, used, &mut |this, indices| {
                    this.body(body, |this, results| {
                        for (dest, result) in dests.iter().zip(results) {
                            this.store(dest, indices, *result);
                        }
                    });
                });
            }
            Combine::Reduce { op, neutral, .. } => (op, neutral, None),
            Combine::Scan { op, neutral, epilogue } => (op, neutral, epilogue.as_deref()),
            Combine::Hist { .. } | Combine::Scatter { .. } => return None,
        };
        // threads combine what others have, and know nothing of their own there
        let by_all = free_in_lambda(op).into_iter().chain(neutral.iter().filter_map(|atom| atom.as_var()));
        if by_all.into_iter().any(|var| self.is_own(var)) {
            return None;
        }
        let blocks = self.sharing(op)?;
        let (outer, last) = space.split_at(space.len() - 1);
        let [last] = last else { return None };
        let op = Operator { lambda: op, neutral };
        let commutative = matches!(combine, Combine::Reduce { commutative: true, .. });
        let fold = Fold { op: &op, commutative, last: *last, body };
        match combine {
            Combine::Reduce { .. } if outer.is_empty() => {
                let value = &mut |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                    this.load(used);
                    this.scanned_value(&fold, index, accumulators);
                };
                let (memory, total) = self.reduce_row(blocks, &fold, value);
                memory.into_iter().for_each(|block| self.own(block));
                self.unload(used);
                let mut registers = Vec::new();
                for (binder, (_, ty)) in pattern.iter().zip(&total) {
                    registers.push((binder.var, self.register(*ty)?, *ty));
                }
                self.by_threads(&BTreeSet::new(), |this, t| {
                    for ((_, register, _), (total, _)) in registers.iter().zip(&total) {
                        this.b.write(*register, vec![t.into()], read(*total, vec![Exp::i64(0)]));
                    }
                });
                self.have_own(registers);
                Some(())
            }
            Combine::Reduce { .. } => {
                let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                self.spread_in(outer, used, &mut |this, indices| {
                    let accumulators = this.reduce_over(pattern, &fold);
                    this.write_all(&dests, indices, &accumulators);
                })
            }
            _ => {
                let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                let scanned = Scanned { counter: last.0, epilogue, dests: &dests };
                if outer.is_empty() {
                    let own = blocks.scanned_of_row(op.lambda)?;
                    let value = &mut |this: &mut Lowerer, index: Var, accumulators: &Accumulators| {
                        this.load(used);
                        this.scanned_value(&fold, index.into(), accumulators);
                    };
                    let store = &mut |this: &mut Lowerer, index: Var, values: &[Atom]| {
                        this.load(used);
                        this.store_scanned(&scanned, &[Atom::Var(index)], values);
                    };
                    self.scan_row(blocks, own, &fold, value, store);
                    self.unload(used);
                    return Some(());
                }
                let bound = self.exp(last.1);
                self.spread_in(outer, used, &mut |this, indices| {
                    let accumulators = this.fresh_accumulators(&op);
                    let counter = this.bind(last.0);
                    this.in_loop_with(counter, bound.clone(), imp::ir::LoopKind::Seq, |this| {
                        this.step(&accumulators, &op, body);
                        let indices: Vec<Atom> =
                            indices.iter().copied().chain([Atom::Var(counter)]).collect();
                        this.store_scanned(&scanned, &indices, &values_of(&accumulators));
                    });
                })
            }
        }
    }
}

/// Whether the space is known to have a few points only.
fn is_few(space: &[(Var, Atom)]) -> bool {
    let known = |(_, bound): &(Var, Atom)| bound.as_const()?.as_i64();
    let points = space.iter().try_fold(1i64, |points, size| points.checked_mul(known(size)?));
    space.len() == 1 && points.is_some_and(|points| points <= FEW)
}

/// Whether an expression gives scalars and takes no more than one thread: neither kernels nor arrays that it makes.
fn is_scalar(exp: &FunExp) -> bool {
    let mut scalar = matches!(
        exp,
        FunExp::Atom(_)
            | FunExp::Bin(..)
            | FunExp::Un(..)
            | FunExp::Fma(..)
            | FunExp::Convert { .. }
            | FunExp::Index { .. }
            | FunExp::Slice { .. }
            | FunExp::Permute { .. }
            | FunExp::Reshape { .. }
            | FunExp::Reverse { .. }
            | FunExp::Assert { .. }
            | FunExp::Trace { .. }
            | FunExp::If { .. }
            | FunExp::Loop { .. }
    );
    for_each_body(exp, &mut |body| {
        scalar &= body.statements.iter().all(|statement| is_scalar(&statement.exp))
    });
    scalar
}
