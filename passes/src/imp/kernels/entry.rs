//! Entry points: a user's arrays are copied to the device, and results back.

use super::Host;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{
    Exp, ImpType, Interface, InterfaceSize, InterfaceValue, Procedure, Program, Space, StatementKind,
};
use imp::visit::calls;
use std::collections::{BTreeMap, BTreeSet};

/// The procedures, with an entry point that others call in two parts: what they call has no interface, and the entry point calls it too.
pub(super) fn apart(mut program: Program) -> Program {
    let mut taken: BTreeSet<Symbol> = program.procedures.iter().map(|procedure| procedure.name).collect();
    let called = |name: Symbol| program.procedures.iter().any(|procedure| calls(&procedure.body, name));
    let shared: Vec<Symbol> = program
        .procedures
        .iter()
        .filter(|procedure| procedure.interface.is_some() && called(procedure.name))
        .map(|procedure| procedure.name)
        .collect();
    for name in shared {
        let mut inner = Symbol::new(&format!("{name}'"));
        while !taken.insert(inner) {
            inner = Symbol::new(&format!("{inner}'"));
        }
        // calls of the entry point are calls of the inner procedure now
        imp::visit::rename_procedures(&mut program, &|other| if other == name { inner } else { other });
        let mut names = imp::visit::names_after(&program);
        let Some(at) = program.procedures.iter().position(|procedure| procedure.name == inner) else {
            continue;
        };
        let procedure = &mut program.procedures[at];
        let interface = procedure.interface.take();
        let params: Vec<(Var, ImpType)> =
            procedure.params.iter().map(|(var, ty)| (names.fresh_like(*var), *ty)).collect();
        let args = params.iter().map(|(var, _)| Exp::Var(*var)).collect();
        let results: Vec<(Var, ImpType)> =
            procedure.results.iter().map(|(_, ty)| (names.fresh("result"), *ty)).collect();
        let statement = |kind| imp::ir::Statement { kind, loc: None };
        let mut body: Vec<_> = results
            .iter()
            .map(|(var, ty)| statement(StatementKind::Declare { var: *var, ty: *ty, value: None }))
            .collect();
        let assigned = results.iter().map(|(var, _)| *var).collect();
        body.push(statement(StatementKind::Call { results: assigned, procedure: inner, args }));
        let results = results.into_iter().map(|(var, ty)| (Exp::Var(var), ty)).collect();
        program.procedures.insert(at + 1, Procedure { name, interface, params, body, results });
    }
    program
}

impl Host {
    /// An entry point with copies around its body.
    pub(super) fn entry(&mut self, procedure: Procedure, interface: &Interface) -> Procedure {
        let Procedure { name, interface: _, params, mut body, mut results } = procedure;
        let outer = self.b.begin();
        self.b.loc = None;
        let mut copies = Vec::new();
        for value in &interface.takes {
            let InterfaceValue::Array { mem, elem, shape, consumed: _, place } = value else { continue };
            let Some((given, _)) = params.get(*mem) else { continue };
            let param = |at: usize| params.get(at).map(|(var, _)| *var);
            let cells = self.cells(shape, &|at| param(at).map(Exp::Var));
            let copy = self.b.alloc(given.text, *elem, vec![cells.into()], Space::Device);
            let mut renamed = BTreeMap::from([(*given, copy)]);
            match place {
                None => {
                    let all = || Lmad::row_major(Poly::constant(0), &[Poly::var(cells)]);
                    self.copy(*elem, (copy, all()), (*given, all()));
                }
                Some(at) => {
                    let sizes: Vec<Poly> = shape.iter().map(|size| size_of(*size, &param)).collect();
                    let to = Lmad::row_major(Poly::constant(0), &sizes);
                    let number = |at: usize| param(at).map_or_else(|| Poly::constant(0), Poly::var);
                    let strides = at.strides.iter().map(|stride| number(*stride));
                    let dims = sizes.iter().zip(strides);
                    let dims = dims.map(|(size, stride)| LmadDim { size: size.clone(), stride }).collect();
                    let from = Lmad { offset: number(at.offset), dims };
                    // on the device its rows lie one after the other
                    let places = [&to.offset].into_iter().chain(to.dims.iter().map(|dim| &dim.stride));
                    for (position, there) in at.positions().zip(places) {
                        let there = self.b.let_("place", PrimType::I64, number_of(there));
                        renamed.extend(param(position).map(|var| (var, there)));
                    }
                    self.copy(*elem, (copy, to), (*given, from));
                }
            }
            let by = |var: Var| renamed.get(&var).copied().unwrap_or(var);
            body.iter_mut().for_each(|statement| statement.kind.rename(&mut |var| by(var)));
            results.iter_mut().for_each(|(exp, _)| exp.rename(&mut |var| by(var)));
            copies.push(copy);
        }
        self.statements(body);
        self.b.loc = None;
        // scalars first: they may be read from blocks that die
        for (exp, ty) in &mut results {
            if let ImpType::Prim(ty) = ty
                && !matches!(exp, Exp::Var(_) | Exp::Const(_))
            {
                *exp = Exp::Var(self.b.let_("result", *ty, exp.clone()));
            }
        }
        let mut given = results.clone();
        for value in &interface.gives {
            let InterfaceValue::Array { mem, elem, shape, consumed: _, place: _ } = value else { continue };
            let Some((Exp::Var(block), _)) = results.get(*mem) else { continue };
            let size = |at: usize| results.get(at).map(|(exp, _)| exp.clone());
            let cells = self.cells(shape, &size);
            let result = self.b.alloc(block.text, *elem, vec![cells.into()], Space::Default);
            let all = || Lmad::row_major(Poly::constant(0), &[Poly::var(cells)]);
            self.copy(*elem, (result, all()), (*block, all()));
            self.b.push(StatementKind::Free(*block));
            given[*mem].0 = Exp::Var(result);
        }
        copies.into_iter().for_each(|copy| self.b.push(StatementKind::Free(copy)));
        let body = self.b.end(outer);
        Procedure { name, interface: Some(interface.clone()), params, body, results: given }
    }

    /// The number of elements.
    fn cells(&mut self, shape: &[InterfaceSize], size: &dyn Fn(usize) -> Option<Exp>) -> Var {
        let factors = shape.iter().filter_map(|factor| match factor {
            InterfaceSize::At(at) => size(*at),
            InterfaceSize::Const(n) => Some(Exp::i64(*n)),
        });
        let product = factors.reduce(|x, y| bin(BinOp::Mul, PrimType::I64, x, y));
        self.b.let_("cells", PrimType::I64, product.unwrap_or_else(|| Exp::i64(1)))
    }

    /// Copies between blocks, each seen as the index function says.
    fn copy(&mut self, elem: PrimType, (to, there): (Var, Lmad), (from, here): (Var, Lmad)) {
        let to = self.b.view("to", elem, to, there);
        let from = self.b.view("from", elem, from, here);
        self.b.copy(to, from);
    }
}

fn size_of(size: InterfaceSize, param: &dyn Fn(usize) -> Option<Var>) -> Poly {
    match size {
        InterfaceSize::At(at) => param(at).map_or_else(|| Poly::constant(0), Poly::var),
        InterfaceSize::Const(n) => Poly::constant(n),
    }
}

/// A polynomial as an expression.
pub(in crate::imp) fn number_of(poly: &Poly) -> Exp {
    let i64 = PrimType::I64;
    let terms = poly.terms().map(|(monomial, coefficient)| {
        let factors = monomial.iter().map(|var| Exp::Var(*var));
        factors.fold(Exp::i64(coefficient), |x, y| bin(BinOp::Mul, i64, x, y))
    });
    terms.reduce(|x, y| bin(BinOp::Add, i64, x, y)).unwrap_or_else(|| Exp::i64(0))
}
