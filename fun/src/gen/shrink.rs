//! Smaller programs that are still well-typed and still run.

use super::GenProgram;
use crate::check::{Phase, check_program};
use crate::interp;
use crate::ir::{Atom, Body, Exp, Fun, LoopForm, NoOp, Program, Statement, Type};
use crate::visit::names::{Subst, subst_atom, subst_body, use_counts};
use crate::visit::{Map, map_function, map_statement};
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::Limits;
use fun_base::value::{ArrayData, ArrayValue, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Candidates, bold ones first. All check and run.
pub(super) fn shrink(whole: &GenProgram) -> Box<dyn Iterator<Item = GenProgram>> {
    let original = whole.clone();
    let count = count_statements(&whole.program);
    let edits = (0..count).rev().flat_map(|at| KINDS.into_iter().map(move |kind| (at, kind)));
    let (a, b, c) = (original.clone(), original.clone(), original.clone());
    let programs = without_unused(&a.program)
        .into_iter()
        .chain(fewer_functions(&b.program))
        .chain(fewer_results(&b.program))
        .chain(edits.filter_map(move |(at, kind)| edit(&c.program, at, kind)));
    let inputs = original.inputs.clone();
    let with_program = programs.map(move |program| GenProgram { program, inputs: inputs.clone() });
    let program = original.program.clone();
    let with_inputs = simpler_inputs(&original.inputs)
        .into_iter()
        .map(move |inputs| GenProgram { program: program.clone(), inputs });
    Box::new(with_program.chain(with_inputs).filter(is_good))
}

/// Whether the program checks and runs.
fn is_good(candidate: &GenProgram) -> bool {
    let limits = Limits { steps: 1_000_000, bytes: 1 << 24 };
    check_program(&candidate.program, Phase::Any).is_ok()
        && interp::run(&candidate.program, "main", &candidate.inputs, limits).is_ok()
}

/// What may be done to one statement.
#[derive(Clone, Copy)]
enum Kind {
    /// Nothing instead, where nobody uses its results.
    Drop,
    /// The same without those results of an `if` that nobody uses.
    Narrow,
    /// Zeros of the types of its pattern instead.
    Default,
    /// The first branch of an `if`, or one iteration of a loop, instead.
    First,
    /// The second branch, or no iteration.
    Second,
}

const KINDS: [Kind; 5] = [Kind::Drop, Kind::Default, Kind::Second, Kind::First, Kind::Narrow];

/// Walks to one statement, counted in order of visits, and puts something simpler in its place.
struct Edit {
    at: usize,
    seen: usize,
    kind: Kind,
    subst: Subst,
    uses: BTreeMap<Var, usize>,
    changed: bool,
}

impl Map<Fun, Fun> for Edit {
    fn ty(&mut self, ty: &Type) -> Type {
        crate::visit::names::subst_type(&self.subst, ty)
    }
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }
    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }
    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        self.seen += 1;
        if self.seen - 1 != self.at {
            out.push(map_statement(self, statement));
            return;
        }
        let Some((statements, results)) = self.replacement(statement) else {
            out.push(map_statement(self, statement));
            return;
        };
        self.changed = true;
        // Names are unique, so what replaces the pattern may stand in the same body.
        for inner in &statements {
            out.push(map_statement(self, inner));
        }
        for (binder, result) in statement.pattern.iter().zip(results) {
            let result = subst_atom(&self.subst, result);
            self.subst.insert(binder.var, result);
        }
    }
}

impl Edit {
    /// Statements in place of one, and atoms in place of its results.
    fn replacement(&self, statement: &Statement) -> Option<(Vec<Statement>, Vec<Atom>)> {
        match (self.kind, &statement.exp) {
            (Kind::First, Exp::If { then: body, .. }) | (Kind::Second, Exp::If { otherwise: body, .. }) => {
                Some((body.statements.clone(), body.results.clone()))
            }
            (Kind::Second, Exp::Loop { params, .. }) => {
                Some((Vec::new(), params.iter().map(|param| param.init).collect()))
            }
            (Kind::First, Exp::Loop { params, form, body }) => {
                let mut subst: Subst = params.iter().map(|param| (param.binder.var, param.init)).collect();
                if let LoopForm::For { var, ty, .. } = form {
                    subst.insert(*var, Atom::Const(ty.zero()));
                }
                let Body { statements, results } = subst_body(&subst, body);
                Some((statements, results))
            }
            (Kind::Drop, _) if statement.pattern.iter().any(|binder| self.uses.contains_key(&binder.var)) => {
                None
            }
            (Kind::Drop, _) => Some((Vec::new(), Vec::new())),
            (Kind::Narrow, Exp::If { condition, then, otherwise }) => {
                let used: Vec<bool> =
                    statement.pattern.iter().map(|binder| self.uses.contains_key(&binder.var)).collect();
                let narrow = |body: &Body| Body { results: only(&used, &body.results), ..body.clone() };
                let exp = Exp::If { condition: *condition, then: narrow(then), otherwise: narrow(otherwise) };
                let pattern = only(&used, &statement.pattern);
                Some((vec![Statement { pattern, exp, loc: statement.loc }], Vec::new()))
            }
            (Kind::Default, Exp::Atom(_)) => None,
            (Kind::Default, _) => Some(self.defaults(statement)),
            (Kind::First | Kind::Second | Kind::Narrow, _) => None,
        }
    }

    /// Zeros for scalars, so also sizes; replicated zeros for arrays. The arrays keep their names.
    fn defaults(&self, statement: &Statement) -> (Vec<Statement>, Vec<Atom>) {
        let zeros: Subst = statement
            .pattern
            .iter()
            .filter(|binder| binder.ty.rank() == 0)
            .map(|binder| (binder.var, Atom::Const(binder.ty.elem().zero())))
            .collect();
        let (mut statements, mut results) = (Vec::new(), Vec::new());
        for binder in &statement.pattern {
            if let Some(zero) = zeros.get(&binder.var) {
                results.push(*zero);
                continue;
            }
            let mut binder = binder.clone();
            binder.ty = crate::visit::names::subst_type(&zeros, &binder.ty);
            binder.ty = crate::visit::names::subst_type(&self.subst, &binder.ty);
            let value = Atom::Const(binder.ty.elem().zero());
            let exp = Exp::Replicate { shape: binder.ty.shape().to_vec(), value };
            results.push(Atom::Var(binder.var));
            statements.push(Statement { pattern: vec![binder], exp, loc: None });
        }
        (statements, results)
    }
}

/// The items whose flag is set.
fn only<T: Clone>(flags: &[bool], items: &[T]) -> Vec<T> {
    flags.iter().zip(items).filter(|(flag, _)| **flag).map(|(_, item)| item.clone()).collect()
}

fn edit(program: &Program, at: usize, kind: Kind) -> Option<Program> {
    let uses = use_counts(program);
    let mut edit = Edit { at, seen: 0, kind, subst: Subst::new(), uses, changed: false };
    let functions = program.functions.iter().map(|function| map_function(&mut edit, function)).collect();
    let edited = Program { functions };
    (edit.changed && edited != *program).then_some(edited)
}

fn count_statements(program: &Program) -> usize {
    let (subst, uses) = (Subst::new(), BTreeMap::new());
    let mut edit = Edit { at: usize::MAX, seen: 0, kind: Kind::Default, subst, uses, changed: false };
    program.functions.iter().for_each(|function| {
        map_function(&mut edit, function);
    });
    edit.seen
}

/// Without statements whose results nobody uses, assertions included. `None` if there are none.
fn without_unused(program: &Program) -> Option<Program> {
    struct Drop(BTreeMap<Var, usize>);
    impl Map<Fun, Fun> for Drop {
        fn ty(&mut self, ty: &Type) -> Type {
            ty.clone()
        }
        fn op(&mut self, op: &NoOp) -> Exp {
            match *op {}
        }
        fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
            if statement.pattern.iter().any(|binder| self.0.contains_key(&binder.var)) {
                out.push(map_statement(self, statement));
            }
        }
    }
    let mut smaller = program.clone();
    loop {
        let mut drop = Drop(use_counts(&smaller));
        let functions = smaller.functions.iter().map(|function| map_function(&mut drop, function)).collect();
        let next = Program { functions };
        if next == smaller {
            return (smaller != *program).then_some(smaller);
        }
        smaller = next;
    }
}

/// Without functions that nobody calls.
fn fewer_functions(program: &Program) -> Option<Program> {
    let text = |name: &str| format!("call {name}");
    let whole = program.to_string();
    let called = |name: &str| whole.split('\n').any(|line| line.contains(&text(name)));
    let kept: Vec<_> =
        program.functions.iter().filter(|f| f.entry || called(f.name.as_str())).cloned().collect();
    (kept.len() < program.functions.len()).then_some(Program { functions: kept })
}

/// With one result of the entry point less; sizes that nothing mentions any more go with it.
fn fewer_results(program: &Program) -> Vec<Program> {
    let Some(main) = program.functions.iter().position(|function| function.entry) else { return Vec::new() };
    let explicit: Vec<usize> = (0..program.functions[main].results.len())
        .filter(|i| !program.functions[main].results[*i].implicit)
        .collect();
    if explicit.len() < 2 {
        return Vec::new();
    }
    let without = |dropped: usize| {
        let mut smaller = program.clone();
        let function = &mut smaller.functions[main];
        let mentioned: BTreeSet<Var> = function
            .results
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != dropped)
            .flat_map(|(_, result)| result.binder.ty.shape().iter().filter_map(|size| size.as_var()))
            .collect();
        let keep = |i: usize, result: &crate::ir::Param| {
            i != dropped && (!result.implicit || mentioned.contains(&result.binder.var))
        };
        let kept: Vec<bool> =
            function.results.iter().enumerate().map(|(i, result)| keep(i, result)).collect();
        let mut keeps = kept.iter();
        function.results.retain(|_| keeps.next().copied().unwrap_or(true));
        let mut keeps = kept.iter();
        function.body.results.retain(|_| keeps.next().copied().unwrap_or(true));
        smaller
    };
    explicit.into_iter().map(without).collect()
}

/// Inputs with one value all zeros, and with all arrays cut to at most this many in each dimension.
fn simpler_inputs(inputs: &[Value]) -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> =
        [0, 1, 2, 3].into_iter().map(|most| inputs.iter().map(|v| cut(v, most)).collect()).collect();
    for i in 0..inputs.len() {
        let mut simpler = inputs.to_vec();
        simpler[i] = zeroed(&inputs[i]);
        all.push(simpler);
    }
    all.retain(|simpler| simpler.iter().zip(inputs).any(|(new, old)| !new.same(old)));
    all
}

fn zeroed(value: &Value) -> Value {
    match value {
        Value::Prim(value) => Value::Prim(value.prim_type().zero()),
        Value::Array(array) => {
            let zeros = (0..array.len()).map(|_| array.elem_type().zero());
            rebuilt(array.elem_type(), array.shape.clone(), zeros.collect())
        }
    }
}

/// The part of an array with indices below `most`; an i64 may be a size, and is cut as well.
fn cut(value: &Value, most: i64) -> Value {
    match value {
        Value::Prim(PrimValue::I64(n)) if (0..=super::SMALL_SIZES).contains(n) => {
            Value::Prim(PrimValue::I64((*n).min(most)))
        }
        Value::Prim(value) => Value::Prim(*value),
        Value::Array(array) => {
            let shape: Vec<i64> = array.shape.iter().map(|n| (*n).min(most)).collect();
            let inside = |flat: usize| {
                let mut rest = flat as i64;
                array.shape.iter().rev().all(|n| {
                    let i = rest % n;
                    rest /= n;
                    i < most
                })
            };
            let cells = array.iter().enumerate().filter(|(flat, _)| inside(*flat)).map(|(_, cell)| cell);
            rebuilt(array.elem_type(), shape, cells.collect())
        }
    }
}

fn rebuilt(elem: PrimType, shape: Vec<i64>, cells: Vec<PrimValue>) -> Value {
    let data = ArrayData::from_prims(elem, cells).expect("invariant: cells of one type");
    Value::from(ArrayValue::new(shape, data).expect("invariant: as many cells as the shape says"))
}
