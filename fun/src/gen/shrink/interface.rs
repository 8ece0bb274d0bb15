//! Edits of functions: fewer of them, fewer parameters and results; simpler inputs; shorter names.

use super::edit::only;
use crate::ir::{Atom, BinderType, Body, Exp, Function, Param, Program, Rep, Statement};
use crate::visit::names::{Subst, name_source, rename_body, subst_body, use_counts};
use crate::visit::{Map, for_each_body_mut, map_program};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayData, ArrayValue, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Calls `f` on each body of the program, inner ones first.
fn bodies<R: Rep>(program: &mut Program<R>, f: &mut dyn FnMut(&mut Body<R>)) {
    fn inside<R: Rep>(body: &mut Body<R>, f: &mut dyn FnMut(&mut Body<R>)) {
        for statement in &mut body.statements {
            for_each_body_mut(&mut statement.exp, &mut |inner| inside(inner, f));
        }
        f(body);
    }
    program.functions.iter_mut().for_each(|function| inside(&mut function.body, f));
}

/// Calls `f` on each call of this function.
fn calls<R: Rep>(program: &mut Program<R>, name: Symbol, f: &mut dyn FnMut(&mut Statement<R>)) {
    bodies(program, &mut |body| {
        for statement in &mut body.statements {
            if matches!(&statement.exp, Exp::Call { function, .. } if *function == name) {
                f(statement);
            }
        }
    });
}

/// The functions that are called.
fn called<R: Rep>(program: &Program<R>) -> BTreeSet<Symbol> {
    let mut names = BTreeSet::new();
    bodies(&mut program.clone(), &mut |body| {
        for statement in &body.statements {
            if let Exp::Call { function, .. } = &statement.exp {
                names.insert(*function);
            }
        }
    });
    names
}

/// Without functions that nobody calls.
pub(super) fn fewer_functions<R: Rep>(program: &Program<R>) -> Option<Program<R>> {
    let called = called(program);
    let mut smaller = program.clone();
    smaller.functions.retain(|function| function.entry || called.contains(&function.name));
    (smaller.functions.len() < program.functions.len()).then_some(smaller)
}

/// With the bodies of functions in place of calls, those of a function by itself left.
pub(super) fn inlined<R: Rep>(program: &Program<R>) -> Option<Program<R>> {
    let mut names = name_source(program);
    let mut done: BTreeMap<Symbol, Function<R>> = BTreeMap::new();
    let mut result = Program { functions: Vec::with_capacity(program.functions.len()) };
    for function in &program.functions {
        let mut one = Program { functions: vec![function.clone()] };
        let mut subst = Subst::new();
        bodies(&mut one, &mut |body| inline_in(body, &done, &mut names, &mut subst));
        let mut function = one.functions.remove(0);
        function.body = subst_body(&subst, &function.body);
        if !called(&Program { functions: vec![function.clone()] }).contains(&function.name) {
            done.insert(function.name, function.clone());
        }
        result.functions.push(function);
    }
    (result != *program).then_some(result)
}

fn inline_in<R: Rep>(
    body: &mut Body<R>,
    done: &BTreeMap<Symbol, Function<R>>,
    names: &mut NameSource,
    subst: &mut Subst,
) {
    for statement in std::mem::take(&mut body.statements) {
        let callee = match &statement.exp {
            Exp::Call { function, args } => done.get(function).map(|callee| (callee, args)),
            _ => None,
        };
        let Some((callee, args)) = callee else {
            body.statements.push(statement);
            continue;
        };
        let args: Vec<Atom> = args.iter().map(|arg| crate::visit::names::subst_atom(subst, *arg)).collect();
        let params = callee.params.iter().map(|param| param.binder.var).zip(args).collect();
        let Body { statements, results } = rename_body(names, params, &callee.body);
        body.statements.extend(statements);
        subst.extend(statement.pattern.iter().map(|binder| binder.var).zip(results));
    }
}

/// The variables that the types of some parameters mention.
fn mentioned<'p, R: Rep>(params: impl Iterator<Item = &'p Param<R>>) -> BTreeSet<Var> {
    let mut vars = BTreeSet::new();
    for param in params {
        param.binder.ty.for_each_var(&mut |var| {
            vars.insert(var);
        });
    }
    vars
}

/// Without one explicit result of the entry point, if it is not the last; what nothing mentions any more goes with it.
pub(super) fn without_result<R: Rep>(program: &Program<R>, dropped: usize) -> Option<Program<R>> {
    let mut smaller = program.clone();
    let function = smaller.functions.iter_mut().find(|function| function.entry)?;
    let explicit = function.results.iter().filter(|result| !result.implicit).count();
    if explicit < 2 || function.results.get(dropped)?.implicit {
        return None;
    }
    let others = function.results.iter().enumerate().filter(|(k, _)| *k != dropped).map(|(_, result)| result);
    let needed = mentioned(others.filter(|result| !result.implicit));
    let kept: Vec<bool> = (function.results.iter().enumerate())
        .map(|(k, result)| k != dropped && (!result.implicit || needed.contains(&result.binder.var)))
        .collect();
    function.results = only(&kept, &function.results);
    function.body.results = only(&kept, &function.body.results);
    Some(smaller)
}

/// Without one result of a function that is called, where no caller uses it.
pub(super) fn without_given<R: Rep>(
    program: &Program<R>,
    function: usize,
    dropped: usize,
) -> Option<Program<R>> {
    let uses = use_counts(program);
    let mut smaller = program.clone();
    let name = program.functions.get(function)?.name;
    let (mut used, mut found) = (false, false);
    calls(&mut smaller, name, &mut |call| {
        if dropped < call.pattern.len() {
            used |= uses.contains_key(&call.pattern.remove(dropped).var);
            found = true;
        }
    });
    let callee = &mut smaller.functions[function];
    if used || !found || callee.results.len() < 2 {
        return None;
    }
    callee.results.remove(dropped);
    callee.body.results.remove(dropped);
    Some(smaller)
}

/// Without one parameter. One of the entry point that is used becomes the constant that it is; others must be unused.
pub(super) fn without_param<R: Rep>(
    program: &Program<R>,
    inputs: &[Value],
    at: usize,
    dropped: usize,
) -> Option<(Program<R>, Vec<Value>)> {
    let uses = use_counts(program);
    let (mut smaller, mut inputs) = (program.clone(), inputs.to_vec());
    let function = smaller.functions.get_mut(at)?;
    let param = function.params.get(dropped)?.clone();
    let var = param.binder.var;
    let input = function.params[..dropped].iter().filter(|param| !param.implicit).count();
    if uses.contains_key(&var) {
        // A scalar of the entry point is known.
        if !function.entry || !param.binder.ty.has_constants() {
            return None;
        }
        let value =
            if param.implicit { size_of(function, &inputs, var)? } else { inputs.get(input)?.as_prim()? };
        let subst = Subst::from([(var, Atom::Const(value))]);
        let put = |binder: &mut crate::ir::Binder<R>| {
            binder.ty = binder.ty.map_vars(&mut |used| subst.get(&used).copied().unwrap_or(Atom::Var(used)));
        };
        function.params.iter_mut().chain(&mut function.results).for_each(|param| put(&mut param.binder));
        function.body = subst_body(&subst, &function.body);
    }
    let (name, entry) = (function.name, function.entry);
    function.params.remove(dropped);
    if entry {
        if !param.implicit {
            inputs.remove(input);
        }
        // Sizes and blocks that only this array had.
        let uses = use_counts(&smaller);
        let function = &mut smaller.functions[at];
        function.params.retain(|param| !param.implicit || uses.contains_key(&param.binder.var));
        return Some((smaller, inputs));
    }
    calls(&mut smaller, name, &mut |call| {
        if let Exp::Call { args, .. } = &mut call.exp {
            args.remove(dropped);
        }
    });
    Some((smaller, inputs))
}

/// What a size of the entry point is for these inputs.
fn size_of<R: Rep>(function: &Function<R>, inputs: &[Value], size: Var) -> Option<PrimValue> {
    let explicit = function.params.iter().filter(|param| !param.implicit);
    explicit.zip(inputs).find_map(|(param, input)| {
        let ty = param.binder.ty.erased();
        let at = ty.shape().iter().position(|atom| *atom == Atom::Var(size))?;
        match input {
            Value::Array(array) => array.shape.get(at).map(|n| PrimValue::I64(*n)),
            Value::Prim(_) => None,
        }
    })
}

/// With variables numbered from 0 in the order of their binding.
pub(super) fn renumbered<R: Rep>(program: &Program<R>) -> Option<Program<R>> {
    struct Renumber {
        names: NameSource,
        new: BTreeMap<Var, Var>,
    }
    impl Renumber {
        fn of(&self, var: Var) -> Var {
            self.new.get(&var).copied().unwrap_or(var)
        }
    }
    impl<R: Rep> Map<R, R> for Renumber {
        fn ty(&mut self, ty: &R::Type) -> R::Type {
            ty.map_vars(&mut |var| Atom::Var(self.of(var)))
        }
        fn op(&mut self, op: &R::Op) -> Exp<R> {
            use crate::ir::ExtraOp;
            Exp::Op(op.map_atoms(&mut |atom| atom.as_var().map_or(*atom, |var| Atom::Var(self.of(var)))))
        }
        fn atom(&mut self, atom: &Atom) -> Atom {
            atom.as_var().map_or(*atom, |var| Atom::Var(self.of(var)))
        }
        fn bind(&mut self, var: Var) -> Var {
            let fresh = self.names.fresh_like(var);
            self.new.insert(var, fresh);
            fresh
        }
    }
    let mut renumber = Renumber { names: NameSource::default(), new: BTreeMap::new() };
    let renumbered = map_program::<R, R, _>(&mut renumber, program);
    (renumbered != *program).then_some(renumbered)
}

/// Inputs with all arrays cut to at most this many in each dimension, with one value all zeros or counting, with one element zero.
pub(super) fn simpler_inputs(inputs: &[Value]) -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> =
        [0, 1, 2, 3].into_iter().map(|most| inputs.iter().map(|v| cut(v, most)).collect()).collect();
    for i in 0..inputs.len() {
        let mut add = |value: Value| {
            let mut simpler = inputs.to_vec();
            simpler[i] = value;
            all.push(simpler);
        };
        match &inputs[i] {
            Value::Prim(value) => {
                let t = value.prim_type();
                add(Value::Prim(t.zero()));
                if *value != t.zero() {
                    add(Value::Prim(t.of_i64(1)));
                }
            }
            Value::Array(array) => {
                let elem = array.elem_type();
                let zero = elem.zero();
                let zeros = vec![zero; array.len()];
                add(rebuilt(elem, array.shape.clone(), zeros.clone()));
                let cells: Vec<PrimValue> = array.iter().collect();
                if cells != zeros && elem != PrimType::Bool {
                    let counted = (0..cells.len()).map(|k| elem.of_i64(k as i64)).collect::<Vec<_>>();
                    let small = cells.iter().all(|cell| cell.as_int().is_some_and(|n| n.unsigned_abs() < 16));
                    if counted != cells && !small {
                        add(rebuilt(elem, array.shape.clone(), counted));
                    }
                    for k in (0..cells.len()).take(16).filter(|k| cells[*k] != zero) {
                        let mut fewer = cells.clone();
                        fewer[k] = zero;
                        add(rebuilt(elem, array.shape.clone(), fewer));
                    }
                }
            }
        }
    }
    all.retain(|simpler| simpler.iter().zip(inputs).any(|(new, old)| !new.same(old)));
    all
}

/// The part of an array with indices below `most`; an i64 may be a size, and is cut as well.
fn cut(value: &Value, most: i64) -> Value {
    match value {
        Value::Prim(PrimValue::I64(n)) if (0..=crate::r#gen::SMALL_SIZES).contains(n) => {
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
