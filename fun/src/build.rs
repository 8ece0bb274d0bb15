//! Building FUN: a [`Builder`] collects statements, invents names, works out types and gives back atoms.
//!
//! Operators on constants, and sums and products with 0 and 1 of i64, are computed on the spot, so that sizes stay readable.
//! The builder must know the types of the variables that it meets: those it makes itself it knows, others are declared.

use crate::ir::{
    Atom, Binder, Body, Combine, Dim, Exp, Function, Lambda, LoopForm, LoopParam, Statement, Type,
};
use crate::types::{atom_type, exp_types};
use crate::visit::{Walk, walk_binders, walk_body, walk_lambda};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_un};
use fun_base::source::Loc;
use std::collections::BTreeMap;

/// Collects the statements of a body and of the bodies in it.
pub struct Builder<'n> {
    names: &'n mut NameSource,
    types: BTreeMap<Var, Type>,
    statements: Vec<Statement>,
    loc: Option<Loc>,
}

/// Collects the types of variables.
struct Declare<'a>(&'a mut BTreeMap<Var, Type>);

impl Walk<crate::ir::Fun> for Declare<'_> {
    fn bind(&mut self, var: Var, ty: Option<&Type>) {
        self.0.insert(var, ty.cloned().unwrap_or(Type::Prim(PrimType::I64)));
    }
    fn exp(&mut self, exp: &Exp) {
        crate::visit::walk_exp(self, exp);
        if let Exp::Loop { form: LoopForm::For { var, ty, .. }, .. } = exp {
            self.0.insert(*var, Type::Prim(*ty));
        }
    }
}

impl<'n> Builder<'n> {
    /// An empty body.
    pub fn new(names: &'n mut NameSource) -> Builder<'n> {
        Builder { names, types: BTreeMap::new(), statements: Vec::new(), loc: None }
    }

    /// The statements so far, which are taken out.
    pub fn take(&mut self) -> Vec<Statement> {
        std::mem::take(&mut self.statements)
    }

    /// The source of names.
    pub fn names(&mut self) -> &mut NameSource {
        self.names
    }

    /// Statements from here on come from this place.
    pub fn at(&mut self, loc: Option<Loc>) {
        self.loc = loc;
    }

    /// The place that statements come from.
    pub fn loc(&self) -> Option<Loc> {
        self.loc
    }

    /// Makes the type of a variable known.
    pub fn declare(&mut self, var: Var, ty: Type) {
        self.types.insert(var, ty);
    }

    /// Makes the types of everything that the function binds known.
    pub fn declare_function(&mut self, function: &Function) {
        let mut declare = Declare(&mut self.types);
        walk_binders(&mut declare, function.params.iter().map(|param| (param.binder.var, &param.binder.ty)));
        walk_body(&mut declare, &function.body);
    }

    /// Makes the types of everything that the lambda binds known.
    pub fn declare_lambda(&mut self, lambda: &Lambda) {
        walk_lambda(&mut Declare(&mut self.types), lambda);
    }

    /// Sets the statements so far aside for others; gives them.
    pub fn replace(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        std::mem::replace(&mut self.statements, statements)
    }

    /// The type of an atom, if its variable is known.
    pub fn type_of(&self, atom: Atom) -> Option<Type> {
        atom_type(atom, &|var| self.types.get(&var).cloned())
    }

    /// A binder of a fresh variable.
    pub fn binder(&mut self, text: impl Into<Symbol>, ty: Type) -> Binder {
        let var = self.names.fresh(text);
        self.types.insert(var, ty.clone());
        Binder { var, ty }
    }

    /// Adds a statement as it is.
    pub fn push(&mut self, statement: Statement) {
        for binder in &statement.pattern {
            self.types.insert(binder.var, binder.ty.clone());
        }
        self.statements.push(statement);
    }

    /// Adds `let pattern = exp`.
    pub fn bind(&mut self, pattern: Vec<Binder>, exp: Exp) {
        let loc = self.loc;
        self.push(Statement { pattern, exp, loc });
    }

    /// Adds a statement with a pattern of these types; gives the variables.
    pub fn emit(&mut self, text: &str, types: &[Type], exp: Exp) -> Vec<Atom> {
        let pattern: Vec<Binder> = types.iter().map(|ty| self.binder(text, ty.clone())).collect();
        let atoms = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
        self.bind(pattern, exp);
        atoms
    }

    /// Adds a statement whose one result has a type that the operands decide.
    ///
    /// # Panics
    /// If they do not: an operand is unknown or has the wrong rank.
    pub fn one(&mut self, text: &str, exp: Exp) -> Atom {
        let types = exp_types(&exp, &|var| self.types.get(&var).cloned());
        let types = types.expect("invariant: operands are known and of the right rank");
        self.emit(text, &types, exp)[0]
    }

    /// As [`Builder::one`], for arrays.
    pub fn array(&mut self, text: &str, exp: Exp) -> Var {
        self.one(text, exp).as_var().expect("invariant: emitted results are variables")
    }

    /// Adds a statement with as many results as the operands decide.
    ///
    /// # Panics
    /// As [`Builder::one`].
    pub fn many(&mut self, text: &str, exp: Exp) -> Vec<Atom> {
        let types = exp_types(&exp, &|var| self.types.get(&var).cloned());
        let types = types.expect("invariant: operands are known and of the right rank");
        self.emit(text, &types, exp)
    }

    /// A binary operator.
    pub fn bin(&mut self, op: BinOp, t: PrimType, x: Atom, y: Atom) -> Atom {
        if let Some(folded) = fold_bin(op, t, x, y) {
            return folded;
        }
        self.one(op.name(), Exp::Bin(op, t, x, y))
    }

    /// A unary operator.
    pub fn un(&mut self, op: UnOp, t: PrimType, x: Atom) -> Atom {
        match x.as_const().map(|x| eval_un(op, x)) {
            Some(Ok(value)) => Atom::Const(value),
            _ => self.one(op.name(), Exp::Un(op, t, x)),
        }
    }

    /// A conversion; none between equal types.
    pub fn convert(&mut self, to: PrimType, from: PrimType, value: Atom) -> Atom {
        match value {
            _ if to == from => value,
            Atom::Const(value) => Atom::Const(eval_conv(to, value)),
            Atom::Var(_) => self.one("c", Exp::Convert { to, from, value }),
        }
    }

    /// Sum of i64.
    pub fn add(&mut self, x: Atom, y: Atom) -> Atom {
        self.bin(BinOp::Add, PrimType::I64, x, y)
    }

    /// Difference of i64.
    pub fn sub(&mut self, x: Atom, y: Atom) -> Atom {
        self.bin(BinOp::Sub, PrimType::I64, x, y)
    }

    /// Product of i64.
    pub fn mul(&mut self, x: Atom, y: Atom) -> Atom {
        self.bin(BinOp::Mul, PrimType::I64, x, y)
    }

    /// One scalar of an array.
    pub fn index(&mut self, array: Var, indices: &[Atom]) -> Atom {
        self.one("x", Exp::Index { array, indices: indices.to_vec() })
    }

    /// Part of an array.
    pub fn slice(&mut self, array: Var, dims: Vec<Dim>) -> Var {
        self.array("s", Exp::Slice { array, dims })
    }

    /// The dimensions that fix the outer indices and keep the rest of an array of this type whole.
    pub fn row_dims(ty: &Type, indices: &[Atom]) -> Vec<Dim> {
        let fixed = indices.iter().map(|index| Dim::Fix(*index));
        let whole = ty.shape()[indices.len()..].iter().map(|size| Dim::Range {
            offset: Atom::i64(0),
            count: *size,
            stride: Atom::i64(1),
        });
        fixed.chain(whole).collect()
    }

    /// The element at outer indices: a scalar, or a slice.
    ///
    /// # Panics
    /// If the array is unknown.
    pub fn element(&mut self, array: Var, indices: &[Atom]) -> Atom {
        let ty = self.type_of(Atom::Var(array)).expect("invariant: the array is known");
        if ty.rank() == indices.len() {
            return self.index(array, indices);
        }
        Atom::Var(self.slice(array, Builder::row_dims(&ty, indices)))
    }

    /// The array with the element at outer indices replaced.
    ///
    /// # Panics
    /// If the array is unknown.
    pub fn update(&mut self, array: Var, indices: &[Atom], value: Atom) -> Var {
        let ty = self.type_of(Atom::Var(array)).expect("invariant: the array is known");
        self.array("u", Exp::Update { array, dims: Builder::row_dims(&ty, indices), value })
    }

    /// A body: the statements that `build` adds, and the results that it gives.
    pub fn body(&mut self, build: impl FnOnce(&mut Self) -> Vec<Atom>) -> Body {
        let outer = self.take();
        let results = build(self);
        Body { statements: std::mem::replace(&mut self.statements, outer), results }
    }

    /// A lambda with parameters of these types.
    pub fn lambda(
        &mut self,
        params: &[Type],
        results: &[Type],
        build: impl FnOnce(&mut Self, &[Atom]) -> Vec<Atom>,
    ) -> Lambda {
        let params: Vec<Binder> = params.iter().map(|ty| self.binder("p", ty.clone())).collect();
        let atoms: Vec<Atom> = params.iter().map(|binder| Atom::Var(binder.var)).collect();
        Lambda { params, results: results.to_vec(), body: self.body(|b| build(b, &atoms)) }
    }

    /// A choice whose results have these types on both sides.
    pub fn if_(
        &mut self,
        condition: Atom,
        types: &[Type],
        then: impl FnOnce(&mut Self) -> Vec<Atom>,
        otherwise: impl FnOnce(&mut Self) -> Vec<Atom>,
    ) -> Vec<Atom> {
        let (then, otherwise) = (self.body(then), self.body(otherwise));
        self.emit("r", types, Exp::If { condition, then, otherwise })
    }

    /// A counted loop over i64 with parameters of these types; `build` gets the counter and the parameters.
    pub fn for_(
        &mut self,
        bound: Atom,
        inits: &[(Type, Atom)],
        build: impl FnOnce(&mut Self, Atom, &[Atom]) -> Vec<Atom>,
    ) -> Vec<Atom> {
        let var = self.binder("i", Type::Prim(PrimType::I64)).var;
        let binders: Vec<Binder> = inits.iter().map(|(ty, _)| self.binder("a", ty.clone())).collect();
        let atoms: Vec<Atom> = binders.iter().map(|binder| Atom::Var(binder.var)).collect();
        let body = self.body(|b| build(b, Atom::Var(var), &atoms));
        let params =
            binders.into_iter().zip(inits).map(|(binder, (_, init))| LoopParam { binder, init: *init });
        let form = LoopForm::For { var, ty: PrimType::I64, bound };
        let types: Vec<Type> = inits.iter().map(|(ty, _)| ty.clone()).collect();
        self.emit("r", &types, Exp::Loop { params: params.collect(), form, body })
    }

    /// A kernel; `build` gets the counters. `types` are those of the kernel's results.
    pub fn kernel(
        &mut self,
        bounds: &[Atom],
        combine: Combine,
        types: &[Type],
        build: impl FnOnce(&mut Self, &[Atom]) -> Vec<Atom>,
    ) -> Vec<Atom> {
        let space: Vec<(Var, Atom)> =
            bounds.iter().map(|bound| (self.binder("i", Type::Prim(PrimType::I64)).var, *bound)).collect();
        let counters: Vec<Atom> = space.iter().map(|(var, _)| Atom::Var(*var)).collect();
        let body = self.body(|b| build(b, &counters));
        self.emit("k", types, Exp::Kernel { space, combine, body })
    }
}

/// The result of an operator on constants, or of an i64 sum or product with 0 or 1; `None` if it must be computed at run time.
pub fn fold_bin(op: BinOp, t: PrimType, x: Atom, y: Atom) -> Option<Atom> {
    if let (Atom::Const(x), Atom::Const(y)) = (x, y) {
        return eval_bin(op, x, y).ok().map(Atom::Const);
    }
    let is = |atom: Atom, n: i64| t == PrimType::I64 && atom == Atom::Const(PrimValue::I64(n));
    match op {
        BinOp::Add if is(x, 0) => Some(y),
        BinOp::Add | BinOp::Sub if is(y, 0) => Some(x),
        BinOp::Mul if is(x, 1) => Some(y),
        BinOp::Mul if is(y, 1) => Some(x),
        BinOp::Mul if is(x, 0) || is(y, 0) => Some(Atom::i64(0)),
        _ => None,
    }
}
