//! Entry points: a user's arrays are copied to the device, and results back.

use super::Host;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{
    Exp, ImpType, Interface, InterfaceSize, InterfaceValue, Procedure, Program, Space, StatementKind,
};
use imp::visit::calls;
use std::collections::BTreeSet;

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
            let InterfaceValue::Array { mem, elem, shape, consumed: _ } = value else { continue };
            let Some((given, _)) = params.get(*mem) else { continue };
            let size = |at: usize| params.get(at).map(|(var, _)| Exp::Var(*var));
            let cells = self.cells(shape, &size);
            let copy = self.b.alloc(given.text, *elem, vec![cells.into()], Space::Device);
            self.copy(*elem, cells, copy, *given);
            let by = |var: Var| if var == *given { copy } else { var };
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
            let InterfaceValue::Array { mem, elem, shape, consumed: _ } = value else { continue };
            let Some((Exp::Var(block), _)) = results.get(*mem) else { continue };
            let size = |at: usize| results.get(at).map(|(exp, _)| exp.clone());
            let cells = self.cells(shape, &size);
            let result = self.b.alloc(block.text, *elem, vec![cells.into()], Space::Default);
            self.copy(*elem, cells, result, *block);
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

    fn copy(&mut self, elem: PrimType, cells: Var, to: Var, from: Var) {
        let place = || Lmad::row_major(Poly::constant(0), &[Poly::var(cells)]);
        let to = self.b.view("to", elem, to, place());
        let from = self.b.view("from", elem, from, place());
        self.b.copy(to, from);
    }
}
