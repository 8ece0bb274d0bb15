//! Wrong rules on branches, loops and calls.

use super::rewrite::{Site, bodies, bound_of, contains, exps, statements};
use fun::ir::{Atom, Body, Exp, Fun, LoopForm, LoopParam, Program, Statement};
use fun::visit::Map;
use fun::visit::names::{Subst, subst_atom, subst_body};
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use std::collections::BTreeMap;

/// The arms of a branch on a negation change places without the negation being taken away.
pub(super) fn branches_swapped(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::If { condition, then, otherwise } = exp else { return None };
        matches!(site.definition(*condition), Some(Exp::Un(..) | Exp::Bin(fun_base::prim::BinOp::Ne, ..)))
            .then(|| Exp::If { condition: *condition, then: otherwise.clone(), otherwise: then.clone() })
    })
}

/// What is known of a condition in the first arm is believed in the second, too.
pub(super) fn condition_known_in_both_arms(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::If { condition: Atom::Var(condition), then, otherwise } => {
            let subst = Subst::from([(*condition, Atom::Const(PrimValue::Bool(true)))]);
            let (then, otherwise) = (subst_body(&subst, then), subst_body(&subst, otherwise));
            Some(Exp::If { condition: Atom::Var(*condition), then, otherwise })
        }
        _ => None,
    })
}

/// A branch whose first results are equal goes, with all its results.
pub(super) fn equal_first_results_end_branch(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::If { then, otherwise, .. }
            if then.results.len() > 1 && then.results.first() == otherwise.results.first() =>
        {
            Some(Exp::If {
                condition: Atom::Const(PrimValue::Bool(true)),
                then: then.clone(),
                otherwise: otherwise.clone(),
            })
        }
        _ => None,
    })
}

fn with_bound(form: &LoopForm, n: i128) -> LoopForm {
    match form {
        LoopForm::For { var, ty, .. } => {
            let bound = Atom::Const(ty.of_i64(n as i64));
            LoopForm::For { var: *var, ty: *ty, bound }
        }
        LoopForm::While(var) => LoopForm::While(*var),
    }
}

/// A loop unrolled by two loses the last of an odd number of iterations.
pub(super) fn unrolling_drops_the_rest(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Loop { params, form, body } => {
            let n = bound_of(form)?;
            (n > 1 && n % 2 == 1).then(|| Exp::Loop {
                params: params.clone(),
                form: with_bound(form, n - 1),
                body: body.clone(),
            })
        }
        _ => None,
    })
}

/// The first iteration of a loop is peeled off, and then run again.
pub(super) fn peeled_iteration_runs_twice(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Loop { params, form, body } if params.len() > 1 => {
            let n = bound_of(form)?;
            (n > 1).then(|| Exp::Loop {
                params: params.clone(),
                form: with_bound(form, n + 1),
                body: body.clone(),
            })
        }
        _ => None,
    })
}

/// The loop parameter that a result of the body is in one arm of a branch is believed never to change.
pub(super) fn changing_parameter_is_invariant(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Loop { params, form, body } = exp else { return None };
        let mut subst = Subst::new();
        for (param, result) in params.iter().zip(&body.results) {
            let kept = body.statements.iter().any(|statement| {
                let Exp::If { then, otherwise, .. } = &statement.exp else { return false };
                statement.pattern.iter().zip(then.results.iter().zip(&otherwise.results)).any(
                    |(binder, arms)| {
                        let same = Atom::Var(param.binder.var);
                        Atom::Var(binder.var) == *result && (*arms.0 == same || *arms.1 == same)
                    },
                )
            });
            if kept && param.binder.ty.rank() == 0 && *form != LoopForm::While(param.binder.var) {
                subst.insert(param.binder.var, param.init);
            }
        }
        // In the results the parameter stays what it is, as it would when only its uses were hoisted.
        let statements = subst_body(&subst, &Body { results: Vec::new(), ..body.clone() }).statements;
        (!subst.is_empty()).then(|| Exp::Loop {
            params: params.clone(),
            form: form.clone(),
            body: Body { statements, results: body.results.clone() },
        })
    })
}

/// A scalar computed in a loop from the loop's parameters, as its first statement, is computed once before the loop.
pub(super) fn variant_statement_is_hoisted(program: Program) -> Program {
    statements(program, &mut |site, mut statement| {
        if let Exp::Loop { params, form: LoopForm::For { var, ty, .. }, body } = &mut statement.exp
            && let Some(first) = body.statements.first()
            && matches!(&first.exp, Exp::Bin(op, t, ..) if !op.can_fail(*t))
        {
            let mut subst: Subst = params.iter().map(|param| (param.binder.var, param.init)).collect();
            subst.insert(*var, Atom::Const(ty.zero()));
            let exp = fun::visit::names::subst_exp(&subst, &first.exp);
            let pattern = first.pattern.clone();
            body.statements.remove(0);
            site.before.push(Statement { pattern, exp, loc: None });
        }
        statement
    })
}

/// The values that two loop parameters of one type get from an iteration are swapped, when each is not the parameter itself.
pub(super) fn loop_results_swapped(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Loop { params, form, body } = exp else { return None };
        let changes = |k: usize| body.results[k] != Atom::Var(params[k].binder.var);
        let pairs = (0..params.len()).flat_map(|i| (i + 1..params.len()).map(move |k| (i, k)));
        let same = |(i, k): &(usize, usize)| {
            params[*i].binder.ty == params[*k].binder.ty
                && params[*i].binder.ty.rank() == 0
                && changes(*i)
                && changes(*k)
        };
        let (i, k) = pairs.into_iter().find(same)?;
        let mut body = body.clone();
        body.results.swap(i, k);
        Some(Exp::Loop { params: params.clone(), form: form.clone(), body })
    })
}

/// Assignments of all parameters one after the other: a result that is an earlier parameter means its new value.
pub(super) fn parameters_assigned_in_sequence(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Loop { params, form, body } = exp else { return None };
        let mut body = body.clone();
        let mut changed = false;
        for k in 1..params.len() {
            let earlier = params[..k]
                .iter()
                .position(|param: &LoopParam| Atom::Var(param.binder.var) == body.results[k]);
            if let Some(earlier) = earlier.filter(|_| params[k].binder.ty.rank() == 0) {
                changed |= body.results[k] != body.results[earlier];
                body.results[k] = body.results[earlier];
            }
        }
        changed.then(|| Exp::Loop { params: params.clone(), form: form.clone(), body })
    })
}

/// Assertions are dropped as if they were dead code.
pub(super) fn assertions_are_dead(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        body.statements.retain(|statement| !matches!(statement.exp, Exp::Assert { .. }));
    });
    program
}

/// Assertions move to the end of their body, below what they protect.
pub(super) fn assertions_sink(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        let (mut late, mut early) = (Vec::new(), Vec::new());
        for statement in std::mem::take(&mut body.statements) {
            if matches!(statement.exp, Exp::Assert { .. }) {
                late.push(statement)
            } else {
                early.push(statement)
            }
        }
        early.append(&mut late);
        body.statements = early;
    });
    program
}

/// A call whose results nobody uses is dropped though it may stop the program.
pub(super) fn unused_calls_are_dead(mut program: Program) -> Program {
    let site = Site::new(&program);
    bodies(&mut program, &mut |body| {
        body.statements.retain(|statement| {
            let dead = statement.pattern.iter().all(|binder| site.uses(binder.var) == 0);
            !(dead && matches!(statement.exp, Exp::Call { .. } | Exp::Loop { .. } | Exp::If { .. }))
        });
    });
    program
}

/// The last two arguments of a call change places where their types allow it.
pub(super) fn arguments_swapped(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Call { function, args } if args.len() > 1 => {
            let last = args.len() - 1;
            let scalars = site.atom_ty(args[last]).rank() == 0;
            (site.atom_ty(args[last]) == site.atom_ty(args[last - 1]) && scalars).then(|| {
                let mut args = args.clone();
                args.swap(last, last - 1);
                Exp::Call { function: *function, args }
            })
        }
        _ => None,
    })
}

/// A function is inlined wherever it is called, with the names of its body as they are.
pub(super) fn inlined_names_are_kept(mut program: Program) -> Program {
    let mut done: BTreeMap<fun_base::name::Symbol, fun::ir::Function> = BTreeMap::new();
    for function in &mut program.functions {
        super::rewrite::body_and_inner(&mut function.body, &mut |body| {
            for statement in std::mem::take(&mut body.statements) {
                let callee = match &statement.exp {
                    Exp::Call { function, args } => done.get(function).map(|callee| (callee, args)),
                    _ => None,
                };
                let Some((callee, args)) = callee else {
                    body.statements.push(statement);
                    continue;
                };
                let subst =
                    callee.params.iter().map(|param| param.binder.var).zip(args.iter().copied()).collect();
                let Body { statements, results } = subst_body::<Fun>(&subst, &callee.body);
                body.statements.extend(statements);
                for (binder, result) in statement.pattern.iter().zip(results) {
                    let (pattern, exp) = (vec![binder.clone()], Exp::Atom(result));
                    body.statements.push(Statement { pattern, exp, loc: statement.loc });
                }
            }
        });
        let recursive = contains(&function.body, &|exp| matches!(exp, Exp::Call { .. }));
        if !recursive {
            done.insert(function.name, function.clone());
        }
    }
    program
}

/// Which expressions common subexpression elimination takes to be equal.
type SameAs = fn(&mut Shared, &Statement) -> Option<String>;

/// Merges statements of one body whose keys are equal.
struct Shared {
    /// The array that each update changed.
    changed: BTreeMap<Var, Var>,
    known: BTreeMap<String, Var>,
    subst: Subst,
    key: SameAs,
    /// Whether what is known inside a body is believed after it.
    leaks: bool,
}

fn shared(program: Program, key: SameAs, leaks: bool) -> Program {
    let mut shared =
        Shared { changed: BTreeMap::new(), known: BTreeMap::new(), subst: Subst::new(), key, leaks };
    fun::visit::map_program(&mut shared, &program)
}

impl Map<Fun, Fun> for Shared {
    fn ty(&mut self, ty: &fun::ir::Type) -> fun::ir::Type {
        fun::visit::names::subst_type(&self.subst, ty)
    }

    fn op(&mut self, op: &fun::ir::NoOp) -> Exp {
        match *op {}
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }

    fn body(&mut self, body: &Body) -> Body {
        let known = self.known.clone();
        let body = fun::visit::map_body(self, body);
        if !self.leaks {
            self.known = known;
        }
        body
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mapped = fun::visit::map_statement(self, statement);
        if let (Exp::Update { array, .. }, [binder]) = (&mapped.exp, mapped.pattern.as_slice()) {
            let root = self.changed.get(array).copied().unwrap_or(*array);
            self.changed.insert(binder.var, root);
        }
        let key = (self.key)(self, &mapped);
        let (Some(key), [binder]) = (key, mapped.pattern.as_slice()) else { return out.push(mapped) };
        let key = format!("{key}: {:?}", binder.ty);
        match self.known.get(&key) {
            Some(known) => {
                self.subst.insert(binder.var, Atom::Var(*known));
            }
            None => {
                self.known.insert(key, binder.var);
                out.push(mapped);
            }
        }
    }
}

/// Reads of an array before and after an update of it are taken to be one.
pub(super) fn reads_shared_across_update(program: Program) -> Program {
    let key: SameAs = |shared, statement| match &statement.exp {
        Exp::Index { array, indices } => {
            let root = shared.changed.get(array).copied().unwrap_or(*array);
            Some(format!("{root:?} {indices:?}"))
        }
        _ => None,
    };
    shared(program, key, false)
}

/// Operands of subtraction, shifts and comparisons may change places.
pub(super) fn operands_sorted(program: Program) -> Program {
    let key: SameAs = |_, statement| match &statement.exp {
        Exp::Bin(op, t, x, y) if !op.can_fail(*t) => {
            let (x, y) = if x < y { (x, y) } else { (y, x) };
            Some(format!("{op:?} {t:?} {x:?} {y:?}"))
        }
        _ => None,
    };
    shared(program, key, false)
}

/// Slices that differ in their fixed indices alone are taken to be one.
pub(super) fn slices_shared_without_index(program: Program) -> Program {
    let key: SameAs = |_, statement| match &statement.exp {
        Exp::Slice { array, dims } => {
            let ranges = dims.iter().map(|dim| match dim {
                fun::ir::Dim::Fix(_) => String::new(),
                range => format!("{range:?}"),
            });
            Some(format!("{array:?} {:?}", ranges.collect::<Vec<_>>()))
        }
        _ => None,
    };
    shared(program, key, false)
}

/// Two fresh arrays of equal contents become one, though one of them may be consumed.
pub(super) fn fresh_arrays_shared(program: Program) -> Program {
    let key: SameAs = |_, statement| match &statement.exp {
        exp @ (Exp::Iota { .. } | Exp::Replicate { .. } | Exp::Copy(_)) => Some(format!("{exp:?}")),
        _ => None,
    };
    shared(program, key, false)
}

/// What is computed in a body is used after it.
pub(super) fn shared_out_of_scope(program: Program) -> Program {
    let key: SameAs = |_, statement| match &statement.exp {
        exp @ (Exp::Bin(..) | Exp::Un(..)) => Some(format!("{exp:?}")),
        _ => None,
    };
    shared(program, key, true)
}

/// Unary operators are told apart by their operands alone.
pub(super) fn unary_operators_confused(program: Program) -> Program {
    let key: SameAs = |_, statement| match &statement.exp {
        Exp::Un(_, t, x) => Some(format!("{t:?} {x:?}")),
        _ => None,
    };
    shared(program, key, false)
}
