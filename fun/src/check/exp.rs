//! The rules of expressions other than SOACs and kernels.

use super::Checker;
use crate::ir::{Atom, Binder, Dim, Exp, LoopForm, LoopParam, Statement, Type};
use crate::types::{dims_shape, exp_types};
use crate::visit::names::{Subst, subst_type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;

impl<'p> Checker<'p> {
    /// Checks a statement and takes its pattern into scope.
    pub(super) fn exp(&mut self, statement: &'p Statement) {
        let pattern: Vec<&Binder> = statement.pattern.iter().collect();
        match &statement.exp {
            Exp::If { condition, then, otherwise } => {
                self.expect_prim(*condition, PrimType::Bool, "condition");
                let expected: Vec<_> = pattern.iter().map(|binder| (binder.var, binder.ty.clone())).collect();
                self.body(then, &expected);
                self.body(otherwise, &expected);
                self.bind(&pattern);
            }
            Exp::Loop { params, form, body } => {
                self.loop_(&pattern, params, form, body);
                self.bind(&pattern);
            }
            Exp::Call { function, args } => {
                self.call(&pattern, *function, args);
                self.bind(&pattern);
            }
            Exp::Kernel { space, combine, body } => {
                self.kernel(&pattern, space, combine, body);
                self.bind(&pattern);
            }
            Exp::Map { width, lambda, arrays } => {
                self.soac_phase();
                self.map(*width, lambda, arrays);
                self.determined(statement);
            }
            Exp::Reduce { width, op, neutral, arrays, .. } | Exp::Scan { width, op, neutral, arrays } => {
                self.soac_phase();
                self.reduce(*width, op, neutral, arrays);
                self.determined(statement);
            }
            Exp::Hist { width, op, neutral, dests, indices, values } => {
                self.soac_phase();
                let rows = self.scatter(*width, dests, *indices, values);
                self.operator(op, neutral, rows.as_deref());
                self.determined(statement);
            }
            Exp::Scatter { width, dests, indices, values } => {
                self.soac_phase();
                self.scatter(*width, dests, *indices, values);
                self.determined(statement);
            }
            Exp::Derive { mode, function, args } => {
                self.soac_phase();
                self.derivative(mode, function, args);
                self.determined(statement);
            }
            Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. } => {
                self.operation(&statement.exp);
                self.determined(statement);
            }
            Exp::Op(op) => match *op {},
        }
    }

    /// The pattern has the types that the operands decide, and comes into scope.
    fn determined(&mut self, statement: &'p Statement) {
        let types = exp_types(&statement.exp, &|var| self.scope.get(&var).cloned());
        let pattern: Vec<&Binder> = statement.pattern.iter().collect();
        if let Some(types) = types
            && self.count(pattern.len(), types.len(), "variables in the pattern")
        {
            for (binder, ty) in pattern.iter().zip(types) {
                if binder.ty != ty {
                    self.error("F2", format!("{} is bound with type {}, not {ty}", binder.var, binder.ty));
                }
            }
        }
        self.bind(&pattern);
    }

    fn loop_(
        &mut self,
        pattern: &[&Binder],
        params: &'p [LoopParam],
        form: &'p LoopForm,
        body: &'p crate::ir::Body,
    ) {
        let binders: Vec<(Var, Type)> =
            params.iter().map(|param| (param.binder.var, param.binder.ty.clone())).collect();
        let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
        self.results(&inits, &binders, "initial value");
        if let LoopForm::For { var, ty, bound } = form {
            self.expect_prim(*bound, *ty, "bound of the loop");
            if !ty.is_int() {
                self.error("F2", format!("the counter {var} has type {ty}, which is no integer type"));
            }
        }
        self.match_pattern(pattern, &binders, &Subst::new());
        self.scoped(|c| {
            let params: Vec<&Binder> = params.iter().map(|param| &param.binder).collect();
            c.bind(&params);
            match form {
                LoopForm::For { var, ty, .. } => c.bind_var(*var, Type::Prim(*ty)),
                LoopForm::While(var) => {
                    c.expect_prim(Atom::Var(*var), PrimType::Bool, "loop condition");
                    if params.iter().all(|binder| binder.var != *var) {
                        c.error("F1", format!("the loop condition {var} is no parameter of the loop"));
                    }
                }
            }
            c.body(body, &binders);
        });
    }

    /// The pattern has the types of these results, after replacing the results' variables by those of the pattern.
    fn match_pattern(&mut self, pattern: &[&Binder], results: &[(Var, Type)], subst: &Subst) {
        if !self.count(pattern.len(), results.len(), "variables in the pattern") {
            return;
        }
        let mut subst = subst.clone();
        subst.extend(results.iter().zip(pattern).map(|((var, _), binder)| (*var, Atom::Var(binder.var))));
        for (binder, (_, ty)) in pattern.iter().zip(results) {
            let ty = subst_type(&subst, ty);
            if binder.ty != ty {
                self.error("F4", format!("{} is bound with type {}, not {ty}", binder.var, binder.ty));
            }
        }
    }

    fn call(&mut self, pattern: &[&Binder], name: Symbol, args: &[Atom]) {
        let Some(function) = self.functions.get(&name).copied() else {
            self.error("F9", format!("there is no function {name} before this one"));
            return;
        };
        let binders = |params: &[crate::ir::Param]| -> Vec<(Var, Type)> {
            params.iter().map(|param| (param.binder.var, param.binder.ty.clone())).collect()
        };
        let params = binders(&function.params);
        self.results(args, &params, "argument");
        let subst = params.iter().map(|(var, _)| *var).zip(args.iter().copied()).collect();
        self.match_pattern(pattern, &binders(&function.results), &subst);
    }

    fn operation(&mut self, exp: &Exp) {
        match exp {
            Exp::Atom(atom) => {
                self.atom(*atom);
            }
            Exp::Bin(op, t, left, right) => {
                if op.result_type(*t).is_none() {
                    self.error("F2", format!("{op} is not defined on {t}"));
                }
                self.expect_prim(*left, *t, "operand");
                self.expect_prim(*right, *t, "operand");
            }
            Exp::Un(op, t, value) => {
                if op.result_type(*t).is_none() {
                    self.error("F2", format!("{op} is not defined on {t}"));
                }
                self.expect_prim(*value, *t, "operand");
            }
            Exp::Fma(t, operands) => {
                if !t.is_float() {
                    self.error("F2", format!("fma is not defined on {t}"));
                }
                operands.iter().for_each(|operand| self.expect_prim(*operand, *t, "operand"));
            }
            Exp::Convert { to, from, value } => {
                if *to == PrimType::Unit || *from == PrimType::Unit {
                    self.error("F2", "unit has no conversions");
                }
                self.expect_prim(*value, *from, "operand");
            }
            Exp::Index { array, indices } => {
                if let Some(ty) = self.array(*array) {
                    self.count(indices.len(), ty.rank(), "indices");
                }
                self.all_i64(indices, "index");
            }
            Exp::Slice { array, dims } => {
                self.dims(*array, dims);
                if dims_shape(dims).is_empty() {
                    self.error("F2", "a slice keeps at least one dimension");
                }
            }
            Exp::Update { array, dims, value } => {
                self.dims(*array, dims);
                if let Some(ty) = self.array(*array) {
                    let expected = Type::array_of(&dims_shape(dims), &Type::Prim(ty.elem()));
                    self.expect(*value, &expected, "value written");
                }
            }
            Exp::Iota { count, start, step, elem } => {
                self.size(*count);
                if !elem.is_int() {
                    self.error("F2", format!("iota of {elem}, which is no integer type"));
                }
                self.expect_prim(*start, *elem, "start");
                self.expect_prim(*step, *elem, "step");
            }
            Exp::Replicate { shape, value } => {
                self.shape(shape);
                self.atom(*value);
            }
            Exp::Scratch { shape, elem: _ } => self.shape(shape),
            Exp::ArrayLiteral { row, elems } => {
                self.well_formed(row);
                for elem in elems {
                    self.expect(*elem, row, "row");
                }
            }
            Exp::Concat { size, arrays } => {
                self.size(*size);
                let types: Vec<_> = arrays.iter().filter_map(|array| self.array(*array)).collect();
                let rows: Vec<Type> = types.iter().map(|ty| ty.peel(1)).collect();
                if arrays.is_empty() {
                    self.error("F2", "nothing to concatenate");
                }
                if let Some(different) = rows.iter().find(|row| **row != rows[0]) {
                    self.error("F2", format!("rows of type {} and {different} are concatenated", rows[0]));
                }
            }
            Exp::Copy(array) => {
                self.array(*array);
            }
            Exp::Permute { perm, array } => {
                let mut sorted = perm.clone();
                sorted.sort_unstable();
                if let Some(ty) = self.array(*array)
                    && !sorted.into_iter().eq(0..ty.rank())
                {
                    self.error("F2", format!("{perm:?} is no permutation of {} dimensions", ty.rank()));
                }
            }
            Exp::Reshape { shape, array } => {
                self.shape(shape);
                self.array(*array);
            }
            Exp::Reverse { dim, array } => {
                if let Some(ty) = self.array(*array)
                    && *dim >= ty.rank()
                {
                    self.error("F2", format!("{array} has no dimension {dim}"));
                }
            }
            Exp::Assert { condition, message, args } => {
                self.expect_prim(*condition, PrimType::Bool, "condition");
                if message.matches("{}").count() < args.len() {
                    self.error("F2", format!("{} numbers for the message {message:?}", args.len()));
                }
                for arg in args {
                    self.expect_prim(*arg, PrimType::I64, "number for a message");
                }
            }
            Exp::Trace { text: _, args, pause: _ } => args.iter().for_each(|arg| {
                self.atom(*arg);
            }),
            Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Kernel { .. } => {}
            Exp::Op(op) => match *op {},
        }
    }

    pub(super) fn all_i64(&mut self, atoms: &[Atom], what: &str) {
        for atom in atoms {
            self.expect_prim(*atom, PrimType::I64, what);
        }
    }

    fn shape(&mut self, shape: &[Atom]) {
        if shape.is_empty() {
            self.error("F2", "an array has at least one dimension");
        }
        for size in shape {
            self.size(*size);
        }
    }

    fn dims(&mut self, array: Var, dims: &[Dim]) {
        if let Some(ty) = self.array(array) {
            self.count(dims.len(), ty.rank(), "dimensions of the slice");
        }
        for dim in dims {
            if matches!(dim, Dim::Flat { dims, .. } if dims.is_empty()) {
                self.error("F2", "a dimension becomes at least one");
            }
            let what = if let Dim::Fix(_) = dim { "index" } else { "slice" };
            dim.for_each_atom(&mut |atom| self.all_i64(&[*atom], what));
        }
    }
}
