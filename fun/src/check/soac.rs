//! The rules of SOACs and kernels.

use super::{Checker, Phase};
use crate::ir::{Atom, Binder, Body, Combine, Lambda, Mode, Type};
use crate::visit::is_scalar_step;
use fun_base::name::Var;
use fun_base::prim::PrimType;

impl<'p> Checker<'p> {
    /// F8: SOAC forms have their phase. The patterns of SOACs are compared by the caller.
    pub(super) fn soac_phase(&mut self) {
        if self.phase == Phase::Kernel {
            self.error("F8", "a SOAC form after the pass `soac-to-kernel`");
        }
    }

    pub(super) fn map(&mut self, width: Atom, lambda: &'p Lambda, arrays: &[Var]) {
        let rows = self.all_rows(arrays, width);
        self.lambda(lambda, rows.as_deref());
    }

    /// Also a scan.
    pub(super) fn reduce(&mut self, width: Atom, op: &'p Lambda, neutral: &[Atom], arrays: &[Var]) {
        let rows = self.all_rows(arrays, width);
        self.operator(op, neutral, rows.as_deref());
    }

    /// What histogram and scatter share.
    pub(super) fn scatter(
        &mut self,
        width: Atom,
        dests: &[Var],
        indices: Var,
        values: &[Var],
    ) -> Option<Vec<Type>> {
        let rows = self.all_rows(values, width);
        if let Some(row) = self.rows(indices, width)
            && row != Type::Prim(PrimType::I64)
        {
            self.error("F2", format!("the indices {indices} are {row}, not i64"));
        }
        self.dests(dests, rows.as_deref());
        rows
    }

    /// The types of the rows of arrays of one outer size.
    fn all_rows(&mut self, arrays: &[Var], width: Atom) -> Option<Vec<Type>> {
        self.size(width);
        let rows: Vec<Option<Type>> = arrays.iter().map(|array| self.rows(*array, width)).collect();
        rows.into_iter().collect()
    }

    /// Destinations have one outer size, and rows of these types.
    fn dests(&mut self, dests: &[Var], rows: Option<&[Type]>) {
        let types: Vec<Option<Type>> = dests.iter().map(|dest| self.array(*dest)).collect();
        let Some(types) = types.into_iter().collect::<Option<Vec<Type>>>() else { return };
        if types.iter().any(|ty| ty.shape()[0] != types[0].shape()[0]) {
            self.error("F2", "the destinations have different outer sizes");
        }
        let Some(rows) = rows else { return };
        if self.count(types.len(), rows.len(), "destinations") {
            for ((dest, ty), row) in dests.iter().zip(&types).zip(rows) {
                if ty.peel(1) != *row {
                    self.error("F2", format!("rows of type {row} are put into {dest}, an array {ty}"));
                }
            }
        }
    }

    /// A lambda: result types are in scope outside; parameters have these types if they are known.
    fn lambda(&mut self, lambda: &'p Lambda, params: Option<&[Type]>) {
        for ty in &lambda.results {
            self.well_formed(ty);
        }
        if let Some(expected) = params
            && self.count(lambda.params.len(), expected.len(), "parameters of the function")
        {
            for (binder, ty) in lambda.params.iter().zip(expected) {
                if binder.ty != *ty {
                    self.error(
                        "F2",
                        format!("the parameter {} has type {}, not {ty}", binder.var, binder.ty),
                    );
                }
            }
        }
        self.scoped(|c| {
            let params: Vec<&Binder> = lambda.params.iter().collect();
            c.bind(&params);
            c.body_of_types(&lambda.body, &lambda.results);
        });
    }

    /// A derivative: the function takes the arguments, tangents have the types of the arguments, adjoints those of the results.
    pub(super) fn derivative(&mut self, mode: &'p Mode, function: &'p Lambda, args: &[Atom]) {
        let types: Option<Vec<Type>> = args.iter().map(|arg| self.atom(*arg)).collect();
        self.lambda(function, types.as_deref());
        let Some(types) = types else { return };
        let (seeds, expected, what) = match mode {
            Mode::Jvp { tangents } => (tangents, &types, "tangents"),
            Mode::Vjp { adjoints } => (adjoints, &function.results, "adjoints"),
            Mode::Custom { adjoint } => {
                let takes: Vec<Type> = function.results.iter().chain(&function.results).cloned().collect();
                self.lambda(adjoint, Some(&takes));
                if adjoint.results != types {
                    self.error("F2", "the adjoint's results have not the types of the arguments");
                }
                return;
            }
        };
        if self.count(seeds.len(), expected.len(), what) {
            for (seed, ty) in seeds.iter().zip(expected) {
                self.expect(*seed, ty, what);
            }
        }
    }

    /// An operator on values of these types, with its neutral element.
    pub(super) fn operator(&mut self, op: &'p Lambda, neutral: &[Atom], types: Option<&[Type]>) {
        let types = types.unwrap_or(&op.results);
        let twice: Vec<Type> = types.iter().chain(types).cloned().collect();
        self.lambda(op, Some(&twice));
        if op.results != types {
            self.error("F2", "the operator's results have not the types of its operands");
        }
        if self.count(neutral.len(), types.len(), "neutral elements") {
            for (atom, ty) in neutral.iter().zip(types) {
                self.expect(*atom, ty, "neutral element");
            }
        }
    }

    /// A kernel against its pattern.
    pub(super) fn kernel(
        &mut self,
        pattern: &[&Binder],
        space: &'p [(Var, Atom)],
        combine: &'p Combine,
        body: &'p Body,
    ) {
        if self.phase == Phase::Soac {
            self.error("F8", "a kernel before the pass `soac-to-kernel`");
        }
        if space.is_empty() {
            self.error("F2", "a kernel has at least one counter");
            return;
        }
        let shape: Vec<Atom> = space.iter().map(|(_, bound)| *bound).collect();
        self.all_i64(&shape, "bound of the kernel");
        let inner = |depth: usize, ty: &Type| (ty.rank() >= depth).then(|| ty.peel(depth));
        let types: Vec<Type> = pattern.iter().map(|binder| binder.ty.clone()).collect();
        let expected = match combine {
            Combine::Map | Combine::Scan { .. } => self.cells(&types, &shape, inner),
            Combine::Reduce { .. } => self.cells(&types, &shape[..shape.len() - 1], inner),
            Combine::Hist { dests, .. } | Combine::Scatter { dests } => {
                if space.len() != 1 {
                    self.error("F2", "this kernel has one dimension");
                }
                let dest_types: Vec<Option<Type>> = dests.iter().map(|dest| self.array(*dest)).collect();
                let Some(dest_types) = dest_types.into_iter().collect::<Option<Vec<Type>>>() else { return };
                if dest_types != types {
                    self.error("F2", "the results have not the types of the destinations");
                }
                let rows: Vec<Type> = dest_types.iter().map(|ty| ty.peel(1)).collect();
                self.dests(dests, Some(&rows));
                Some(rows)
            }
        };
        let Some(expected) = expected else { return };
        // what an epilogue gives is what the pattern has; it takes what is combined
        let combined = match combine.epilogue() {
            None => expected,
            Some(epilogue) => {
                let steps = epilogue.body.statements.iter();
                let scalar = |binder: &Binder| binder.ty.rank() == 0;
                if !steps.clone().all(|step| is_scalar_step(&step.exp) && step.pattern.iter().all(scalar)) {
                    self.error("F8", "an epilogue has scalar operators and reads of elements only");
                }
                if epilogue.results.iter().any(|ty| ty.rank() > 0) {
                    self.error("F8", "an epilogue gives scalars");
                }
                if epilogue.results != expected {
                    self.error("F2", "the epilogue's results have not the types of the kernel's");
                }
                combine.lambda().map_or(Vec::new(), |op| op.results.clone())
            }
        };
        if let Some(op) = combine.lambda() {
            if combined.iter().any(|ty| ty.rank() > 0) {
                self.error("F8", "only scalars are combined by a kernel's operator");
            }
            let neutral = match combine {
                Combine::Reduce { neutral, .. }
                | Combine::Scan { neutral, .. }
                | Combine::Hist { neutral, .. } => neutral.as_slice(),
                Combine::Map | Combine::Scatter { .. } => &[],
            };
            self.operator(op, neutral, Some(&combined));
        }
        let with_index = matches!(combine, Combine::Hist { .. } | Combine::Scatter { .. });
        let index = with_index.then_some(Type::Prim(PrimType::I64));
        let results: Vec<Type> = index.into_iter().chain(combined.iter().cloned()).collect();
        self.scoped(|c| {
            for (var, _) in space {
                c.bind_var(*var, Type::Prim(PrimType::I64));
            }
            if let Some(epilogue) = combine.epilogue() {
                c.lambda(epilogue, Some(&combined));
            }
            c.body_of_types(body, &results);
        });
    }

    /// The types of single cells of results over a space.
    fn cells(
        &mut self,
        types: &[Type],
        space: &[Atom],
        inner: impl Fn(usize, &Type) -> Option<Type>,
    ) -> Option<Vec<Type>> {
        let mut cells = Vec::new();
        for ty in types {
            if ty.rank() < space.len() || ty.shape()[..space.len()] != *space {
                self.error("F2", format!("a result of type {ty} does not extend over the kernel's space"));
                return None;
            }
            cells.push(inner(space.len(), ty)?);
        }
        // Sizes of cells must exist outside the kernel: they stand in the pattern, which is checked when it is bound; but a
        // pattern may mention its own variables, which a cell may not.
        for cell in &cells {
            cell.shape().iter().for_each(|size| self.size(*size));
        }
        Some(cells)
    }
}
