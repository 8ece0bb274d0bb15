//! Evaluation of a body in which arrays are the scalars in them: what is left are statements on scalars.

mod elements;

use super::cells::{Cells, places, product, scalars, size};
use fun::build::{Builder, fold_bin};
use fun::ir::{Atom, Binder, Body, Exp, Lambda, LoopForm, LoopParam, Statement, Type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::source::Loc;
use std::collections::BTreeMap;

/// How many scalars an array inside of an operator may have.
const CELLS: usize = 64;
/// How many statements an operator may become.
const STATEMENTS: usize = 512;
/// How many statements may be gone through for that.
const STEPS: usize = 4096;
/// Loops of at most that many iterations are written out.
const ITERATIONS: usize = 16;

/// Evaluates bodies; the statements that are left go to the builder.
pub(super) struct Evaluator<'b, 'n> {
    b: &'b mut Builder<'n>,
    /// What variables are, of those that are bound in what is evaluated.
    values: BTreeMap<Var, Cells>,
    /// What new variables are called.
    text: Symbol,
    loc: Option<Loc>,
    statements: usize,
    steps: usize,
    /// How often a scalar may still be chosen among those of an array.
    choices: usize,
}

impl<'b, 'n> Evaluator<'b, 'n> {
    pub(super) fn new(b: &'b mut Builder<'n>, choices: usize) -> Evaluator<'b, 'n> {
        Evaluator {
            b,
            values: BTreeMap::new(),
            text: "x".into(),
            loc: None,
            statements: STATEMENTS,
            steps: STEPS,
            choices,
        }
    }

    /// The results of an operator on these operands; `None` if more than scalars is left, or too much.
    pub(super) fn apply(&mut self, op: &Lambda, operands: Vec<Cells>) -> Option<Vec<Cells>> {
        self.values.extend(op.params.iter().map(|param| param.var).zip(operands));
        self.body(&op.body, &op.results)
    }

    fn body(&mut self, body: &Body, types: &[Type]) -> Option<Vec<Cells>> {
        for statement in &body.statements {
            self.statement(statement)?;
        }
        body.results.iter().zip(types).map(|(result, ty)| self.typed(*result, ty)).collect()
    }

    /// A body of scalars.
    fn inner(&mut self, body: &Body, types: &[Type]) -> Option<Body> {
        let (outer, loc) = (self.b.take(), self.loc);
        let results = self.body(body, types);
        let statements = self.b.replace(outer);
        self.at(loc);
        Some(Body { statements, results: scalars(&results?) })
    }

    fn shape(&self, ty: &Type) -> Option<Vec<usize>> {
        let shape =
            ty.shape().iter().map(|atom| size(self.scalar(*atom)?)).collect::<Option<Vec<usize>>>()?;
        let cells = shape.iter().try_fold(1usize, |cells, size| cells.checked_mul(*size));
        // (of rows without elements there may be any number)
        let few = cells.is_some_and(|cells| cells <= CELLS) && shape.iter().all(|size| *size <= CELLS);
        few.then_some(shape)
    }

    /// What a scalar is.
    fn scalar(&self, atom: Atom) -> Option<Atom> {
        match atom.as_var().and_then(|var| self.values.get(&var)) {
            Some(Cells { shape, cells, .. }) if shape.is_empty() => cells.first().copied(),
            Some(_) => None,
            None => Some(atom),
        }
    }

    /// What a value of this type is.
    fn typed(&mut self, atom: Atom, ty: &Type) -> Option<Cells> {
        let shape = self.shape(ty)?;
        self.value(atom, ty.elem(), &shape)
    }

    /// What a value of this shape is: if it is an array from outside, all of its elements are read.
    fn value(&mut self, atom: Atom, elem: PrimType, shape: &[usize]) -> Option<Cells> {
        match atom.as_var() {
            Some(var) if self.values.contains_key(&var) => self.values.get(&var).cloned(),
            Some(array) if !shape.is_empty() => {
                let mut cells = Vec::new();
                for place in places(shape) {
                    let indices = place.iter().map(|index| Atom::i64(*index as i64)).collect();
                    cells.push(self.emit(elem, Exp::Index { array, indices })?);
                }
                Some(Cells { elem, shape: shape.to_vec(), cells })
            }
            _ => Some(Cells::scalar(elem, atom)),
        }
    }

    /// What an array is whose rows have this type.
    fn rows(&mut self, array: Var, count: usize, row: &Type) -> Option<Cells> {
        let shape: Vec<usize> = [count].into_iter().chain(self.shape(row)?).collect();
        let cells = shape.iter().try_fold(1usize, |cells, size| cells.checked_mul(*size))?;
        let few = cells <= CELLS && count <= CELLS;
        if few { self.value(array.into(), row.elem(), &shape) } else { None }
    }

    /// Adds a statement with one scalar.
    fn emit(&mut self, ty: PrimType, exp: Exp) -> Option<Atom> {
        self.statements = self.statements.checked_sub(1)?;
        let binder = self.b.binder(self.text, Type::Prim(ty));
        let atom = Atom::Var(binder.var);
        self.b.bind(vec![binder], exp);
        Some(atom)
    }

    fn bin(&mut self, op: BinOp, t: PrimType, x: Atom, y: Atom) -> Option<Atom> {
        match fold_bin(op, t, x, y) {
            Some(folded) => Some(folded),
            None => self.emit(op.result_type(t)?, Exp::Bin(op, t, x, y)),
        }
    }

    fn at(&mut self, loc: Option<Loc>) {
        self.loc = loc;
        self.b.at(loc);
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        let Statement { pattern, exp, loc } = statement;
        self.steps = self.steps.checked_sub(1)?;
        self.at(*loc);
        if let Some(binder) = pattern.first() {
            self.text = binder.var.text;
        }
        let values = self.exp(pattern, exp)?;
        self.values.extend(pattern.iter().map(|binder| binder.var).zip(values));
        Some(())
    }

    fn exp(&mut self, pattern: &[Binder], exp: &Exp) -> Option<Vec<Cells>> {
        match exp {
            Exp::If { condition, then, otherwise } => {
                return self.branches(pattern, *condition, then, otherwise);
            }
            Exp::Loop { params, form, body } => return self.iterate(pattern, params, form, body),
            Exp::Map { width, lambda, arrays } => return self.map(*width, lambda, arrays),
            Exp::Reduce { width, op, neutral, arrays, .. } => {
                return self.fold(*width, op, neutral, arrays).map(|(last, _)| last);
            }
            Exp::Scan { width, op, neutral, arrays } => {
                return self.fold(*width, op, neutral, arrays).map(|(_, all)| all);
            }
            Exp::Assert { condition, message, args } => {
                let condition = self.scalar(*condition)?;
                let args = args.iter().map(|arg| self.scalar(*arg)).collect::<Option<_>>()?;
                if condition != Atom::Const(PrimValue::Bool(true)) {
                    self.statements = self.statements.checked_sub(1)?;
                    self.b.bind(Vec::new(), Exp::Assert { condition, message: message.clone(), args });
                }
                return Some(Vec::new());
            }
            _ => {}
        }
        let [Binder { ty, .. }] = pattern else { return None };
        let value = if ty.rank() == 0 { self.scalar_exp(ty.elem(), exp)? } else { self.array_exp(ty, exp)? };
        Some(vec![value])
    }

    fn scalar_exp(&mut self, elem: PrimType, exp: &Exp) -> Option<Cells> {
        let cell = match exp {
            Exp::Atom(atom) => self.scalar(*atom)?,
            Exp::Bin(op, t, x, y) => {
                let (x, y) = (self.scalar(*x)?, self.scalar(*y)?);
                self.bin(*op, *t, x, y)?
            }
            Exp::Un(op, t, x) => match self.scalar(*x)? {
                x @ Atom::Const(_) => self.b.un(*op, *t, x),
                x @ Atom::Var(_) => self.emit(elem, Exp::Un(*op, *t, x))?,
            },
            Exp::Fma(t, [x, y, z]) => {
                let operands = [self.scalar(*x)?, self.scalar(*y)?, self.scalar(*z)?];
                self.emit(elem, Exp::Fma(*t, operands))?
            }
            Exp::Convert { to, from, value } => match self.scalar(*value)? {
                value @ Atom::Const(_) => self.b.convert(*to, *from, value),
                value @ Atom::Var(_) => self.emit(elem, Exp::Convert { to: *to, from: *from, value })?,
            },
            Exp::Index { array, indices } => {
                let place = indices.iter().map(|index| self.scalar(*index)).collect::<Option<Vec<Atom>>>()?;
                let source = self.source(*array, elem);
                self.read(&source, &place)?
            }
            _ => return None,
        };
        Some(Cells::scalar(elem, cell))
    }

    fn array_exp(&mut self, ty: &Type, exp: &Exp) -> Option<Cells> {
        let (elem, shape) = (ty.elem(), self.shape(ty)?);
        let cells = match exp {
            Exp::Atom(atom) => self.value(*atom, elem, &shape)?.cells,
            Exp::Copy(array) => self.value((*array).into(), elem, &shape)?.cells,
            Exp::Slice { array, dims } => {
                let source = self.source(*array, elem);
                let (lists, _) = self.dims(dims)?;
                let mut cells = Vec::new();
                for place in product(&lists) {
                    cells.push(self.read(&source, &place)?);
                }
                cells
            }
            Exp::Update { array, dims, value } => {
                let mut changed = self.values.get(array)?.clone();
                let (lists, part) = self.dims(dims)?;
                let value = self.value(*value, elem, &part)?;
                for (place, cell) in product(&lists).iter().zip(value.cells) {
                    self.write(&mut changed, place, cell)?;
                }
                changed.cells
            }
            Exp::Iota { start, step, .. } => {
                let (start, step) = (self.scalar(*start)?, self.scalar(*step)?);
                let numbers = 0..*shape.first()? as i64;
                numbers.map(|k| self.number(elem, start, step, k)).collect::<Option<_>>()?
            }
            Exp::Replicate { shape: outer, value } => {
                let row = self.value(*value, elem, &shape[outer.len()..])?.cells;
                let count = shape[..outer.len()].iter().product();
                std::iter::repeat_n(row, count).flatten().collect()
            }
            // whatever was there
            Exp::Scratch { .. } => vec![Atom::Const(elem.zero()); shape.iter().product()],
            Exp::ArrayLiteral { elems, .. } => {
                let rows = elems.iter().map(|row| self.value(*row, elem, &shape[1..]));
                rows.collect::<Option<Vec<Cells>>>()?.into_iter().flat_map(|row| row.cells).collect()
            }
            Exp::Concat { arrays, .. } => {
                let parts = arrays.iter().map(|part| self.values.get(part));
                scalars(&parts.map(|part| part.cloned()).collect::<Option<Vec<Cells>>>()?)
            }
            Exp::Permute { perm, array } => {
                let mut from = vec![0; perm.len()];
                perm.iter().zip(&shape).for_each(|(k, size)| from[*k] = *size);
                self.value((*array).into(), elem, &from)?.permuted(perm).cells
            }
            Exp::Reshape { array, .. } => self.values.get(array)?.cells.clone(),
            Exp::Reverse { dim, array } => self.value((*array).into(), elem, &shape)?.reversed(*dim).cells,
            _ => return None,
        };
        (cells.len() == shape.iter().product()).then_some(Cells { elem, shape, cells })
    }

    /// `start + k * step`.
    fn number(&mut self, elem: PrimType, start: Atom, step: Atom, k: i64) -> Option<Atom> {
        let moved = self.bin(BinOp::Mul, elem, step, Atom::Const(elem.of_i64(k)))?;
        self.bin(BinOp::Add, elem, start, moved)
    }

    /// Scalars for the values of these types, and their binders.
    fn fresh(&mut self, binders: &[Binder]) -> Option<(Vec<Cells>, Vec<Binder>)> {
        let (mut values, mut all) = (Vec::new(), Vec::new());
        for Binder { var, ty } in binders {
            let (elem, shape) = (ty.elem(), self.shape(ty)?);
            let count: usize = shape.iter().product();
            self.statements = self.statements.checked_sub(count)?;
            let scalars: Vec<Binder> =
                (0..count).map(|_| self.b.binder(var.text, Type::Prim(elem))).collect();
            let cells = scalars.iter().map(|binder| binder.var.into()).collect();
            values.push(Cells { elem, shape, cells });
            all.extend(scalars);
        }
        Some((values, all))
    }

    fn branches(
        &mut self,
        pattern: &[Binder],
        condition: Atom,
        then: &Body,
        otherwise: &Body,
    ) -> Option<Vec<Cells>> {
        let types: Vec<Type> = pattern.iter().map(|binder| binder.ty.clone()).collect();
        let condition = self.scalar(condition)?;
        if let Some(known) = condition.as_const() {
            return self.body(if known.as_bool()? { then } else { otherwise }, &types);
        }
        let (values, binders) = self.fresh(pattern)?;
        let then = self.inner(then, &types)?;
        let otherwise = self.inner(otherwise, &types)?;
        self.b.bind(binders, Exp::If { condition, then, otherwise });
        Some(values)
    }

    fn iterate(
        &mut self,
        pattern: &[Binder],
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
    ) -> Option<Vec<Cells>> {
        let binders: Vec<Binder> = params.iter().map(|param| param.binder.clone()).collect();
        let types: Vec<Type> = binders.iter().map(|binder| binder.ty.clone()).collect();
        let firsts = params.iter().zip(&types).map(|(param, ty)| self.typed(param.init, ty));
        let firsts = firsts.collect::<Option<Vec<Cells>>>()?;
        let vars = || binders.iter().map(|binder| binder.var);
        let form = match form {
            LoopForm::For { var, ty, bound } => match self.scalar(*bound)? {
                Atom::Const(bound) if bound.as_int()? <= ITERATIONS as i128 => {
                    let mut now = firsts;
                    for k in 0..i64::try_from(bound.as_int()?).ok()? {
                        self.values.insert(*var, Cells::scalar(*ty, Atom::Const(ty.of_i64(k))));
                        self.values.extend(vars().zip(now));
                        now = self.body(body, &types)?;
                    }
                    return Some(now);
                }
                bound => {
                    let counter = self.b.binder(var.text, Type::Prim(*ty)).var;
                    self.values.insert(*var, Cells::scalar(*ty, counter.into()));
                    LoopForm::For { var: counter, ty: *ty, bound }
                }
            },
            LoopForm::While(var) => LoopForm::While(*var),
        };
        let (values, inside) = self.fresh(&binders)?;
        self.values.extend(vars().zip(values));
        let form = match form {
            LoopForm::While(var) => LoopForm::While(self.scalar(var.into())?.as_var()?),
            counted @ LoopForm::For { .. } => counted,
        };
        let body = self.inner(body, &types)?;
        let (results, outside) = self.fresh(pattern)?;
        let params = inside.into_iter().zip(scalars(&firsts));
        let params = params.map(|(binder, init)| LoopParam { binder, init }).collect();
        self.b.bind(outside, Exp::Loop { params, form, body });
        Some(results)
    }

    fn map(&mut self, width: Atom, lambda: &Lambda, arrays: &[Var]) -> Option<Vec<Cells>> {
        let count = size(self.scalar(width)?)?;
        let inputs = self.inputs(count, &lambda.params, arrays)?;
        let mut rows = Vec::new();
        for k in 0..count {
            let row = inputs.iter().map(|input| input.fixed(0, k)).collect::<Option<_>>()?;
            rows.push(self.apply(lambda, row)?);
        }
        self.stacked(rows, &lambda.results)
    }

    fn inputs(&mut self, count: usize, params: &[Binder], arrays: &[Var]) -> Option<Vec<Cells>> {
        params.iter().zip(arrays).map(|(param, array)| self.rows(*array, count, &param.ty)).collect()
    }

    fn stacked(&self, rows: Vec<Vec<Cells>>, types: &[Type]) -> Option<Vec<Cells>> {
        let mut columns = vec![Vec::new(); types.len()];
        for row in rows {
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
        let columns = columns.into_iter().zip(types);
        columns.map(|(column, ty)| Some(Cells::stacked(column, ty.elem(), &self.shape(ty)?))).collect()
    }

    /// The last value of a reduction in order, and all of them.
    fn fold(
        &mut self,
        width: Atom,
        op: &Lambda,
        neutral: &[Atom],
        arrays: &[Var],
    ) -> Option<(Vec<Cells>, Vec<Cells>)> {
        let count = size(self.scalar(width)?)?;
        let inputs = self.inputs(count, &op.params[arrays.len()..], arrays)?;
        let neutral = neutral.iter().zip(&op.results).map(|(value, ty)| self.typed(*value, ty));
        let mut last = neutral.collect::<Option<Vec<Cells>>>()?;
        let mut rows = Vec::new();
        for k in 0..count {
            let mut operands = last;
            for input in &inputs {
                operands.push(input.fixed(0, k)?);
            }
            last = self.apply(op, operands)?;
            rows.push(last.clone());
        }
        Some((last, self.stacked(rows, &op.results)?))
    }
}
