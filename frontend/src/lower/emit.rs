//! Writing statements: scopes, fresh names, scalar operations that fold and share, and assertions.
//!
//! Scalar operations are hash-consed among the scopes that are open, so equal size terms become the same atom: FUN compares
//! shapes by atoms, and every pair that agrees here saves an assertion and a reshape.

use super::value::{Value, ValueTy};
use super::{Lowerer, Outcome};
use fun::ir::{Atom, Binder, Body, Dim, Exp, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_un};
use std::collections::{BTreeMap, BTreeSet};

/// Statements under construction.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) id: u32,
    pub(super) statements: Vec<Statement>,
}

/// A scalar operation, as a key for sharing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ScalarOp {
    Bin(BinOp, PrimType, Atom, Atom),
    Un(UnOp, PrimType, Atom),
    Convert(PrimType, PrimType, Atom),
}

/// What is known of the variables of the function being lowered.
#[derive(Default, Debug)]
pub(super) struct Facts {
    /// Results of scalar operations; of use only while the variable is visible.
    known: BTreeMap<ScalarOp, Var>,
    /// Conditions that hold in the scope.
    truths: BTreeMap<Var, u32>,
    /// Counters: `0 <= var < bound`.
    bounds: BTreeMap<Var, Atom>,
    /// i64 variables that are not negative.
    naturals: BTreeSet<Var>,
    /// Arrays `0, 1, …, count - 1` of i64.
    iotas: BTreeMap<Var, Atom>,
}

impl Facts {
    /// Notes that `0 <= var < bound`.
    pub(super) fn counts(&mut self, var: Var, bound: Atom) {
        self.bounds.insert(var, bound);
        self.naturals.insert(var);
    }

    /// Notes that `var >= 0`.
    pub(super) fn natural(&mut self, var: Var) {
        self.naturals.insert(var);
    }

    /// Notes that the array is `iota count`.
    pub(super) fn iota(&mut self, array: Var, count: Atom) {
        self.iotas.insert(array, count);
    }

    /// Of which count the array is the iota.
    pub(super) fn iota_count(&self, array: Atom) -> Option<Atom> {
        self.iotas.get(&array.as_var()?).copied()
    }

    fn is_natural(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(value) => value.as_i64().is_some_and(|n| n >= 0),
            Atom::Var(var) => self.naturals.contains(&var),
        }
    }

    /// Comparisons that the facts decide.
    fn decide(&self, op: BinOp, a: Atom, b: Atom) -> Option<bool> {
        let zero = Atom::i64(0);
        let below = |a: Atom, b: Atom| a.as_var().is_some_and(|var| self.bounds.get(&var) == Some(&b));
        match op {
            BinOp::Eq | BinOp::Le | BinOp::Ge if a == b => Some(true),
            BinOp::Ne | BinOp::Lt | BinOp::Gt if a == b => Some(false),
            BinOp::Le if a == zero && self.is_natural(b) => Some(true),
            BinOp::Ge if b == zero && self.is_natural(a) => Some(true),
            BinOp::Lt | BinOp::Le if below(a, b) => Some(true),
            BinOp::Gt | BinOp::Ge if below(b, a) => Some(true),
            _ => None,
        }
    }
}

impl<'t> Lowerer<'t> {
    /// Opens a scope.
    pub(super) fn open(&mut self) {
        let id = self.alive.len() as u32;
        self.alive.push(true);
        self.scopes.push(Scope { id, statements: Vec::new() });
    }

    /// Closes the innermost scope: its variables are no longer visible.
    pub(super) fn close(&mut self) -> Scope {
        let scope = self.scopes.pop().expect("invariant: a scope is open");
        self.alive[scope.id as usize] = false;
        scope
    }

    /// Closes the scopes that a failed attempt has left open beyond the outermost `depth`.
    pub(super) fn close_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.close();
        }
    }

    /// Opens a closed scope again, to write more into it.
    pub(super) fn reopen(&mut self, scope: Scope) {
        self.alive[scope.id as usize] = true;
        self.scopes.push(scope);
    }

    /// Closes the innermost scope into a body with these results.
    pub(super) fn close_body(&mut self, results: Vec<Atom>) -> Body {
        Body { statements: self.close().statements, results }
    }

    /// Runs `f` as if the innermost scope were not there yet: its statements go before it.
    pub(super) fn outside<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.close();
        let result = f(self);
        self.reopen(scope);
        result
    }

    /// Moves the statements of a closed scope to the end of the innermost one.
    pub(super) fn splice(&mut self, scope: Scope) {
        let target = self.scopes.last_mut().expect("invariant: a scope is open");
        for binder in scope.statements.iter().flat_map(|statement| &statement.pattern) {
            self.scope_of[binder.var.tag as usize] = target.id;
        }
        target.statements.extend(scope.statements);
    }

    /// Whether an atom may be used here.
    pub(super) fn visible(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => {
                let scope = self.scope_of.get(var.tag as usize).copied().unwrap_or(u32::MAX);
                self.alive.get(scope as usize).copied().unwrap_or(false)
            }
        }
    }

    /// Whether an atom may be used outside the innermost scope.
    pub(super) fn visible_outside(&self, atom: Atom) -> bool {
        let inner = self.scopes.last().map(|scope| scope.id);
        let bound_here = |var: Var| self.scope_of.get(var.tag as usize).copied() == inner;
        self.visible(atom) && !atom.as_var().is_some_and(bound_here)
    }

    /// A fresh variable of the innermost scope.
    pub(super) fn fresh(&mut self, text: &str) -> Var {
        let var = self.names.fresh(readable(text).as_str());
        let scope = self.scopes.last().map_or(u32::MAX, |scope| scope.id);
        let at = var.tag as usize;
        if self.scope_of.len() <= at {
            self.scope_of.resize(at + 1, u32::MAX);
        }
        self.scope_of[at] = scope;
        var
    }

    /// Fresh binders for the leaves of a type.
    pub(super) fn binders(&mut self, text: &str, ty: &ValueTy) -> Vec<Binder> {
        ty.leaf_types().into_iter().map(|ty| Binder { var: self.fresh(text), ty }).collect()
    }

    /// Writes `let pattern = exp`.
    pub(super) fn bind(&mut self, pattern: Vec<Binder>, exp: Exp) {
        let loc = self.loc();
        let scope = self.scopes.last_mut().expect("invariant: a scope is open");
        scope.statements.push(Statement { pattern, exp, loc });
    }

    /// Writes a statement with one result.
    pub(super) fn emit(&mut self, text: &str, ty: Type, exp: Exp) -> Var {
        let var = self.fresh(text);
        self.bind(vec![Binder { var, ty }], exp);
        var
    }

    /// The array in an atom; arrays are never constants.
    pub(super) fn array(&self, atom: Atom) -> Outcome<Var> {
        atom.as_var().ok_or_else(|| self.limitation("a constant where an array is needed"))
    }

    /// Applies `f` to each leaf with its type and makes the results the leaves of a value of type `ty`.
    pub(super) fn each_leaf(
        &mut self,
        value: &Value<'t>,
        ty: ValueTy,
        mut f: impl FnMut(&mut Self, Atom, &Type, &Type) -> Outcome<Atom>,
    ) -> Outcome<Value<'t>> {
        self.first_order(&value.ty)?;
        let from = value.ty.leaf_types();
        let to = ty.leaf_types();
        let mut atoms = Vec::with_capacity(to.len());
        for ((atom, from), to) in value.atoms().into_iter().zip(&from).zip(&to) {
            atoms.push(f(self, atom, from, to)?);
        }
        Ok(Value::of_atoms(ty, atoms))
    }

    /// A scalar operator on two operands.
    pub(super) fn bin(&mut self, op: BinOp, prim: PrimType, a: Atom, b: Atom) -> Atom {
        let commutes = matches!(
            op,
            BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne
        );
        let (a, b) = if commutes && !prim.is_float() && b < a { (b, a) } else { (a, b) };
        if let Some(atom) = self.fold(op, prim, a, b) {
            return atom;
        }
        let result = op.result_type(prim).unwrap_or(prim);
        self.share(ScalarOp::Bin(op, prim, a, b), result, Exp::Bin(op, prim, a, b))
    }

    /// What `bin` is without an operation, if so.
    fn fold(&self, op: BinOp, prim: PrimType, a: Atom, b: Atom) -> Option<Atom> {
        if let (Atom::Const(a), Atom::Const(b)) = (a, b) {
            return eval_bin(op, a, b).ok().map(Atom::Const);
        }
        if prim == PrimType::I64
            && let Some(answer) = self.facts.decide(op, a, b)
        {
            return Some(Atom::Const(PrimValue::Bool(answer)));
        }
        if prim == PrimType::Bool {
            let (yes, no) = (Atom::Const(PrimValue::Bool(true)), Atom::Const(PrimValue::Bool(false)));
            return match op {
                BinOp::And if a == yes || a == b => Some(b),
                BinOp::And if b == yes => Some(a),
                BinOp::And if a == no || b == no => Some(no),
                BinOp::Or if a == no || a == b => Some(b),
                BinOp::Or if b == no => Some(a),
                BinOp::Or if a == yes || b == yes => Some(yes),
                _ => None,
            };
        }
        if !prim.is_int() {
            return None;
        }
        let (zero, one) = (Atom::Const(prim.zero()), Atom::Const(prim.of_i64(1)));
        match op {
            BinOp::Add | BinOp::Sub if b == zero => Some(a),
            BinOp::Add if a == zero => Some(b),
            BinOp::Sub if a == b => Some(zero),
            BinOp::Mul | BinOp::Div | BinOp::Quot if b == one => Some(a),
            BinOp::Mul if a == one => Some(b),
            BinOp::Mul if a == zero || b == zero => Some(zero),
            _ => None,
        }
    }

    /// A scalar operator on one operand.
    pub(super) fn un(&mut self, op: UnOp, prim: PrimType, a: Atom) -> Atom {
        if let Some(value) = a.as_const()
            && let Ok(value) = eval_un(op, value)
        {
            return Atom::Const(value);
        }
        let result = op.result_type(prim).unwrap_or(prim);
        self.share(ScalarOp::Un(op, prim, a), result, Exp::Un(op, prim, a))
    }

    /// A conversion.
    pub(super) fn convert(&mut self, to: PrimType, from: PrimType, value: Atom) -> Atom {
        if to == from {
            return value;
        }
        if let Some(constant) = value.as_const() {
            return Atom::Const(eval_conv(to, constant));
        }
        self.share(ScalarOp::Convert(to, from, value), to, Exp::Convert { to, from, value })
    }

    fn share(&mut self, key: ScalarOp, result: PrimType, exp: Exp) -> Atom {
        if let Some(var) = self.facts.known.get(&key)
            && self.visible(Atom::Var(*var))
        {
            return Atom::Var(*var);
        }
        let text = match key {
            ScalarOp::Bin(..) | ScalarOp::Un(..) => "x",
            ScalarOp::Convert(..) => "c",
        };
        let var = self.emit(text, Type::Prim(result), exp);
        self.facts.known.insert(key, var);
        Atom::Var(var)
    }

    /// `a op b` on i64.
    pub(super) fn size_op(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let result = self.bin(op, PrimType::I64, a, b);
        if op == BinOp::Add
            && let Atom::Var(var) = result
            && self.facts.is_natural(a)
            && self.facts.is_natural(b)
        {
            self.facts.natural(var);
        }
        result
    }

    /// `a && b`.
    pub(super) fn and(&mut self, a: Atom, b: Atom) -> Atom {
        self.bin(BinOp::And, PrimType::Bool, a, b)
    }

    /// `a || b`.
    pub(super) fn or(&mut self, a: Atom, b: Atom) -> Atom {
        self.bin(BinOp::Or, PrimType::Bool, a, b)
    }

    /// Writes an assertion, unless it is known to hold or checks are off.
    pub(super) fn check(&mut self, condition: Atom, message: impl Into<String>) {
        self.check_with(condition, message, Vec::new());
    }

    /// The same with i64 numbers for the `{}` of the message.
    pub(super) fn check_with(&mut self, condition: Atom, message: impl Into<String>, args: Vec<Atom>) {
        if self.safe && self.assert(condition, message, args) && self.noting {
            self.warn("W0501", "Safety check required at run-time", self.place);
        }
    }

    /// Writes an assertion, unless it is known to hold; whether it did.
    pub(super) fn assert(&mut self, condition: Atom, message: impl Into<String>, args: Vec<Atom>) -> bool {
        match condition {
            Atom::Const(PrimValue::Bool(true)) => return false,
            Atom::Const(_) => {}
            Atom::Var(var) => {
                let holds = |scope: &u32| self.alive.get(*scope as usize).copied().unwrap_or(false);
                if self.facts.truths.get(&var).is_some_and(holds) {
                    return false;
                }
                self.assume(condition);
            }
        }
        self.bind(Vec::new(), Exp::Assert { condition, message: message.into(), args });
        true
    }

    /// Notes that a condition holds from here to the end of the innermost scope.
    pub(super) fn assume(&mut self, condition: Atom) {
        let open = |scope: &u32| self.alive.get(*scope as usize).copied().unwrap_or(false);
        if let (Atom::Var(var), Some(scope)) = (condition, self.scopes.last())
            && !self.facts.truths.get(&var).is_some_and(open)
        {
            self.facts.truths.insert(var, scope.id);
        }
    }

    /// All of a dimension.
    pub(super) fn whole(size: Atom) -> Dim {
        Dim::Range { offset: Atom::i64(0), count: size, stride: Atom::i64(1) }
    }
}

/// The text of a name as FUN wants it: a letter, then letters, digits and `_`.
pub(super) fn readable(text: &str) -> String {
    let text = text.replace('.', "_");
    let kept: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if kept.starts_with(|c: char| c.is_ascii_alphabetic()) { kept } else { format!("x{kept}") }
}
