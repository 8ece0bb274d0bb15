//! Builds lists of statements: declares fresh variables and keeps the source place of what is being built.

use crate::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind, WindowDim};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_base::source::Loc;
use fun_index::lmad::Lmad;

/// Statements under construction. Nested bodies are built by [`Builder::nested`].
#[derive(Debug, Default)]
pub struct Builder {
    /// Where fresh variables come from.
    pub names: NameSource,
    /// Given to each statement.
    pub loc: Option<Loc>,
    statements: Vec<Statement>,
}

/// What surrounds a nested body under construction.
#[derive(Debug)]
pub struct Outer {
    statements: Vec<Statement>,
    loc: Option<Loc>,
}

impl Builder {
    /// Nothing yet.
    pub fn new(names: NameSource) -> Builder {
        Builder { names, loc: None, statements: Vec::new() }
    }

    /// Adds a statement.
    pub fn push(&mut self, kind: StatementKind) {
        self.statements.push(Statement { kind, loc: self.loc });
    }

    /// Adds statements with the places that they have.
    pub fn push_all(&mut self, statements: Vec<Statement>) {
        self.statements.extend(statements);
    }

    /// Begins a nested body. What is added until [`Builder::end`] is given the returned value belongs to it.
    pub fn begin(&mut self) -> Outer {
        Outer { statements: std::mem::take(&mut self.statements), loc: self.loc }
    }

    /// Ends the innermost nested body and gives its statements.
    pub fn end(&mut self, outer: Outer) -> Vec<Statement> {
        self.loc = outer.loc;
        std::mem::replace(&mut self.statements, outer.statements)
    }

    /// The statements that `f` adds, taken out; what was there before stays.
    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Builder) -> T) -> (Vec<Statement>, T) {
        let outer = self.begin();
        let result = f(self);
        (self.end(outer), result)
    }

    /// What was added.
    pub fn finish(self) -> (Vec<Statement>, NameSource) {
        (self.statements, self.names)
    }

    /// `let text: ty = value`.
    pub fn let_(&mut self, text: impl Into<Symbol>, ty: PrimType, value: Exp) -> Var {
        let var = self.names.fresh(text);
        self.push(StatementKind::Let { var, ty, value });
        var
    }

    /// `var text: ty = value`.
    pub fn declare(&mut self, text: impl Into<Symbol>, ty: ImpType, value: Option<Exp>) -> Var {
        let var = self.names.fresh(text);
        self.push(StatementKind::Declare { var, ty, value });
        var
    }

    /// `var := value`.
    pub fn assign(&mut self, var: Var, value: impl Into<Exp>) {
        self.push(StatementKind::Assign { var, value: value.into() });
    }

    /// `alloc text: elem[shape] in space`.
    pub fn alloc(&mut self, text: impl Into<Symbol>, elem: PrimType, shape: Vec<Exp>, space: Space) -> Var {
        let var = self.names.fresh(text);
        self.push(StatementKind::Alloc { var, elem, shape, space });
        var
    }

    /// `view text: elem @ mem -> lmad`.
    pub fn view(&mut self, text: impl Into<Symbol>, elem: PrimType, mem: Var, lmad: Lmad) -> Var {
        let var = self.names.fresh(text);
        self.push(StatementKind::View { var, elem, mem, lmad });
        var
    }

    /// `window text = view[dims]`.
    pub fn window(&mut self, text: impl Into<Symbol>, view: Var, dims: Vec<WindowDim>) -> Var {
        let var = self.names.fresh(text);
        self.push(StatementKind::Window { var, view, dims });
        var
    }

    /// `view[indices] := value`.
    pub fn write(&mut self, view: Var, indices: Vec<Exp>, value: impl Into<Exp>) {
        self.push(StatementKind::Write { view, indices, value: value.into() });
    }

    /// `copy dest <- source`.
    pub fn copy(&mut self, dest: Var, source: Var) {
        self.push(StatementKind::Copy { dest, source });
    }

    /// A loop over i64 with a fresh counter, which is given to `f`.
    pub fn for_(
        &mut self,
        text: impl Into<Symbol>,
        bound: impl Into<Exp>,
        kind: LoopKind,
        f: impl FnOnce(&mut Builder, Var),
    ) {
        let var = self.names.fresh(text);
        let (body, ()) = self.nested(|b| f(b, var));
        self.push(StatementKind::For { var, ty: PrimType::I64, bound: bound.into(), kind, body });
    }

    /// `if condition { f }`.
    pub fn when(&mut self, condition: impl Into<Exp>, f: impl FnOnce(&mut Builder)) {
        let (then, ()) = self.nested(f);
        self.push(StatementKind::If { condition: condition.into(), then, otherwise: Vec::new() });
    }
}

/// `op.ty(left, right)`.
pub fn bin(op: BinOp, ty: PrimType, left: impl Into<Exp>, right: impl Into<Exp>) -> Exp {
    Exp::Bin(op, ty, Box::new(left.into()), Box::new(right.into()))
}

/// `add.i64(x, y)`.
pub fn add(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Add, PrimType::I64, x, y)
}

/// `sub.i64(x, y)`.
pub fn sub(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Sub, PrimType::I64, x, y)
}

/// `mul.i64(x, y)`.
pub fn mul(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Mul, PrimType::I64, x, y)
}

/// So many whole parts, or parts of one: `quot.i64(whole + (part - 1), part)`. Neither is negative, and the sum does not wrap around.
pub fn rounded_up(whole: impl Into<Exp>, part: impl Into<Exp>) -> Exp {
    let part = part.into();
    bin(BinOp::Quot, PrimType::I64, add(whole, sub(part.clone(), Exp::i64(1))), part)
}

/// `op.ty(operand)`.
pub fn un(op: UnOp, ty: PrimType, operand: impl Into<Exp>) -> Exp {
    Exp::Un(op, ty, Box::new(operand.into()))
}

/// `select(condition, then, otherwise)`: both are evaluated.
pub fn select(condition: impl Into<Exp>, then: impl Into<Exp>, otherwise: impl Into<Exp>) -> Exp {
    Exp::Select(Box::new(condition.into()), Box::new(then.into()), Box::new(otherwise.into()))
}

/// `fma.ty(a, b, c)`.
pub fn fma(ty: PrimType, a: impl Into<Exp>, b: impl Into<Exp>, c: impl Into<Exp>) -> Exp {
    Exp::Fma(ty, [Box::new(a.into()), Box::new(b.into()), Box::new(c.into())])
}

/// `convert.to.from(value)`; the value itself when the types are equal.
pub fn convert(to: PrimType, from: PrimType, value: impl Into<Exp>) -> Exp {
    let value = value.into();
    if to == from { value } else { Exp::Convert { to, from, value: Box::new(value) } }
}

/// `view[indices]`.
pub fn read(view: Var, indices: Vec<Exp>) -> Exp {
    Exp::Read { view, indices }
}
