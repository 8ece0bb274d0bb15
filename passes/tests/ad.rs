//! Derivatives of generated programs: the pass keeps the invariants and the values of the function, and forward and reverse mode
//! are transposes of each other, `⟨vjp ȳ, dx⟩ = ⟨ȳ, jvp dx⟩`. The programs compute with i64 only, where both sides are exact.

use fun::check::{Phase, check_program, errors_to_string};
use fun::r#gen::{GenProgram, generate_integers};
use fun::ir::{
    Atom, Binder, BinderType, Body, Exp, Fun, Function, Lambda, Mode, Param, Program, Statement, Type,
};
use fun::visit::names::{Subst, name_source, rename_function, rename_lambda};
use fun::visit::{Walk, walk_function};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::rng::Rng;
use fun_base::run::Limits;
use fun_base::value::{ArrayData, Value};
use std::collections::BTreeSet;

fn limits() -> Limits {
    Limits { steps: 3_000_000, bytes: 1 << 26 }
}

/// What `main` is as a function that can be differentiated: its parameters but for sizes.
struct Subject {
    function: Function,
    /// Which parameters change.
    varied: Vec<usize>,
}

impl Subject {
    /// Nothing, if the results have sizes that only the body knows.
    fn of(program: &Program) -> Option<Subject> {
        let function = program.functions.last()?.clone();
        let mut sizes: BTreeSet<Var> = BTreeSet::new();
        for param in function.params.iter().chain(&function.results) {
            param.binder.ty.for_each_var(&mut |var| _ = sizes.insert(var));
        }
        if function.results.iter().any(|result| result.implicit || sizes.contains(&result.binder.var)) {
            return None;
        }
        let varies = |param: &Param| !param.implicit && !sizes.contains(&param.binder.var);
        let varied: Vec<usize> =
            (0..function.params.len()).filter(|k| varies(&function.params[*k])).collect();
        (!varied.is_empty()).then_some(Subject { function, varied })
    }

    /// `main` as a lambda of what varies. Parameters that it consumes are copied.
    fn lambda(&self, names: &mut NameSource) -> Lambda {
        let mut params = Vec::new();
        let mut statements = Vec::new();
        for k in &self.varied {
            let binder = self.function.params[*k].binder.clone();
            let outer = Binder { var: names.fresh("arg"), ty: binder.ty.clone() };
            let exp = if binder.ty.rank() > 0 { Exp::Copy(outer.var) } else { Exp::Atom(outer.var.into()) };
            statements.push(Statement { pattern: vec![binder], exp, loc: None });
            params.push(outer);
        }
        statements.extend(self.function.body.statements.iter().cloned());
        let results = self.function.results.iter().map(|result| result.binder.ty.clone()).collect();
        let body = Body { statements, results: self.function.body.results.clone() };
        rename_lambda(names, Subst::new(), &Lambda { params, results, body })
    }

    /// An entry point that takes the arguments of `main` and seeds, and gives results and derivatives.
    fn derivative(&self, names: &mut NameSource, name: &str, reverse: bool) -> Function {
        let shell =
            Function { body: Body { statements: Vec::new(), results: Vec::new() }, ..self.function.clone() };
        let lambda = self.lambda(names);
        let args: Vec<Atom> =
            self.varied.iter().map(|k| Atom::Var(self.function.params[*k].binder.var)).collect();
        let takes: Vec<Type> = lambda.params.iter().map(|binder| binder.ty.clone()).collect();
        let (seeded, added) =
            if reverse { (lambda.results.clone(), takes) } else { (takes, lambda.results.clone()) };
        let mut binders = |types: &[Type]| -> Vec<Binder> {
            types.iter().map(|ty| Binder { var: names.fresh("v"), ty: ty.clone() }).collect()
        };
        let seeds = binders(&seeded);
        let given: Vec<Type> = lambda.results.iter().chain(&added).cloned().collect();
        let (pattern, results) = (binders(&given), binders(&given));
        let atoms: Vec<Atom> = seeds.iter().map(|binder| binder.var.into()).collect();
        let mode = if reverse { Mode::Vjp { adjoints: atoms } } else { Mode::Jvp { tangents: atoms } };
        let plain = |binder: Binder| Param { binder, implicit: false, unique: false };
        let outs = pattern.iter().map(|binder| binder.var.into()).collect();
        let exp = Exp::Derive { mode, function: lambda, args };
        let body = Body { statements: vec![Statement { pattern, exp, loc: None }], results: outs };
        let params = shell.params.into_iter().map(|param| Param { unique: false, ..param });
        let function = Function {
            name: Symbol::new(name),
            entry: true,
            noinline: false,
            params: params.chain(seeds.into_iter().map(plain)).collect(),
            results: results.into_iter().map(plain).collect(),
            body,
        };
        rename_function(names, &function)
    }
}

/// A value of the same shape with other numbers.
fn like(rng: &mut Rng, value: &Value) -> Value {
    match value {
        Value::Array(array) => {
            let mut array = (**array).clone();
            if let ArrayData::I64(cells) = &mut array.data {
                cells.iter_mut().for_each(|cell| *cell = rng.below(7) as i64 - 3);
            }
            Value::Array(array.into())
        }
        Value::Prim(prim) => Value::Prim(prim.prim_type().of_i64(rng.below(7) as i64 - 3)),
    }
}

/// The sum of products of two lists of values.
fn inner(a: &[Value], b: &[Value]) -> i64 {
    let cells = |value: &Value| -> Vec<i64> {
        match value {
            Value::Array(array) => {
                if let ArrayData::I64(cells) = &array.data {
                    cells.clone()
                } else {
                    Vec::new()
                }
            }
            Value::Prim(prim) => prim.as_i64().into_iter().collect(),
        }
    };
    let pairs = a.iter().zip(b).flat_map(|(a, b)| cells(a).into_iter().zip(cells(b)));
    pairs.fold(0i64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(b)))
}

/// What a test of a program says.
enum Outcome {
    /// The program does not fit the test, or runs too long.
    Untested,
    /// Both inner products are this.
    Holds(i64),
    Broken(String),
}

/// What is wrong with the derivatives of a program, if anything.
fn problem(generated: &GenProgram) -> Option<String> {
    match outcome(generated) {
        Outcome::Untested | Outcome::Holds(_) => None,
        Outcome::Broken(problem) => Some(problem),
    }
}

fn outcome(generated: &GenProgram) -> Outcome {
    let program = &generated.program;
    let Some(subject) = Subject::of(program) else { return Outcome::Untested };
    let mut whole = program.clone();
    let mut names = name_source(program);
    whole.functions.push(subject.derivative(&mut names, "forward", false));
    whole.functions.push(subject.derivative(&mut names, "back", true));
    if let Err(errors) = check_program(&whole, Phase::Soac) {
        return Outcome::Broken(format!("the test itself is wrong: {}\n{whole}", errors_to_string(&errors)));
    }
    // (with chunks in about half of the programs)
    let in_chunks = generated.inputs.len() % 2 == 1;
    let pass = if in_chunks { fun_passes::fun::ad::run_small } else { fun_passes::fun::ad::run };
    let after = pass(whole.clone());
    if let Err(errors) = check_program(&after, Phase::Soac) {
        return Outcome::Broken(format!("{}\n{after}", errors_to_string(&errors)));
    }
    let run = |entry: &str, args: &[Value]| fun::interp::run(&after, entry, args, limits());
    let Ok(primal) = run("main", &generated.inputs) else { return Outcome::Untested };
    let mut rng = Rng::new(7);
    let explicit: Vec<usize> =
        (0..subject.function.params.len()).filter(|k| !subject.function.params[*k].implicit).collect();
    let at = |k: &usize| explicit.iter().position(|other| other == k).and_then(|at| generated.inputs.get(at));
    let tangents: Vec<Value> =
        subject.varied.iter().filter_map(at).map(|value| like(&mut rng, value)).collect();
    let adjoints: Vec<Value> = primal.iter().map(|value| like(&mut rng, value)).collect();
    let with = |seeds: &[Value]| -> Vec<Value> { generated.inputs.iter().chain(seeds).cloned().collect() };
    let forward = run("forward", &with(&tangents));
    let back = run("back", &with(&adjoints));
    let (forward, back) = match (forward, back) {
        (Ok(forward), Ok(back)) => (forward, back),
        (Err(error), _) | (_, Err(error))
            if error.to_string().contains("more than") || error.to_string().contains("calls itself") =>
        {
            return Outcome::Untested;
        }
        (forward, back) => return Outcome::Broken(format!("{forward:?}\n{back:?}\n{after}")),
    };
    let same = |values: &[Value]| primal.iter().zip(values).all(|(a, b)| a.same(b));
    if !same(&forward) || !same(&back) {
        return Outcome::Broken(format!("{primal:?} became {forward:?} or {back:?}\n{after}"));
    }
    let (dy, dx) = (&forward[primal.len()..], &back[primal.len()..]);
    let (left, right) = (inner(dx, &tangents), inner(&adjoints, dy));
    if left == right {
        return Outcome::Holds(left);
    }
    Outcome::Broken(format!("{left} is not {right}: {dy:?} by {tangents:?}, {dx:?} by {adjoints:?}\n{after}"))
}

#[test]
fn reverse_mode_is_the_transpose_of_forward_mode() {
    let count: u64 = std::env::var("FUN_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(120);
    let first: u64 = std::env::var("FUN_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut told = 0;
    for seed in first..first + count {
        let mut generated = generate_integers(seed, 5 + seed as usize % 15);
        match outcome(&generated) {
            Outcome::Untested => continue,
            Outcome::Holds(product) => {
                told += u64::from(product != 0);
                continue;
            }
            Outcome::Broken(_) => {}
        }
        while let Some(smaller) = generated.shrink_step(|candidate| problem(candidate).is_some()) {
            generated = smaller;
        }
        let problem = problem(&generated).unwrap_or_default();
        panic!("seed {seed}: {problem}\nfrom\n{}\non {:?}", generated.program, generated.inputs);
    }
    assert!(told > count / 10, "only {told} of {count} programs have a derivative that is not 0");
}

#[test]
fn no_derivative_is_left() {
    struct Find(bool);
    impl Walk<Fun> for Find {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= matches!(exp, Exp::Derive { .. });
            fun::visit::walk_exp(self, exp);
        }
    }
    for seed in 0..60 {
        let program = fun::r#gen::generate(seed, 20, fun::r#gen::Form::Soac).program;
        let mut find = Find(false);
        fun_passes::fun::ad::run(program).functions.iter().for_each(|f| walk_function(&mut find, f));
        assert!(!find.0, "seed {seed}");
    }
}
