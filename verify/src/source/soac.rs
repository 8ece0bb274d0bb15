//! Functions over arrays: maps, reductions, scans, histograms, scatters, derivatives, and the lambdas that they take.

use super::code::{Code, nested};
use super::raise::Raiser;
use super::scalar::symbol;
use super::style::{Dice, Feature};
use fun::ir::{Atom, Body, Exp, Lambda, Mode, Type};
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};

/// How a lambda takes its parameters.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    /// One after the other.
    Curried,
    /// As one tuple.
    Tuple,
    /// As this many tuples.
    Tuples(usize),
}

impl<'p> Raiser<'p> {
    /// What combines arrays, or differentiates. `None` for other expressions.
    pub(super) fn combination(&mut self, dice: &mut Dice, exp: &'p Exp) -> Option<Code> {
        Some(match exp {
            Exp::Map { width, lambda, arrays } => self.map(dice, *width, lambda, arrays),
            Exp::Reduce { op, neutral, arrays, commutative, .. } => {
                let name = if *commutative { "reduce_comm" } else { "reduce" };
                if let Some(code) = self.total(dice, op, neutral, arrays) {
                    return Some(code);
                }
                self.fold(dice, name, op, neutral, arrays)
            }
            Exp::Scan { op, neutral, arrays, .. } => {
                let code = self.fold(dice, "scan", op, neutral, arrays);
                self.unzipped(dice, arrays.len(), code)
            }
            Exp::Hist { op, neutral, dests, indices, values, .. } => {
                let neutral: Vec<Code> = neutral.iter().map(|atom| self.atom(dice, *atom)).collect();
                let scalar = op.results.iter().all(|ty| ty.rank() == 0);
                let op = self.operator(dice, op);
                if let ([dest], [values], true) = (&dests[..], &values[..], scalar)
                    && dice.takes(Feature::Loops, 12)
                {
                    return Some(self.counts_in_order(&op, *dest, *indices, *values));
                }
                let (dest, values) = (self.zipped(dice, dests), self.zipped(dice, values));
                let args = [dest, op, Code::tuple(&neutral), self.var(*indices), values];
                let code = self.applied(dice, "reduce_by_index", &args);
                self.unzipped(dice, dests.len(), code)
            }
            Exp::Scatter { dests, indices, values, .. } => {
                if let ([dest], [values]) = (&dests[..], &values[..])
                    && dice.takes(Feature::Loops, 15)
                {
                    return Some(self.writes_in_order(dice, *dest, *indices, *values));
                }
                let (dest, written) = (self.zipped(dice, dests), self.zipped(dice, values));
                let code = self.applied(dice, "scatter", &[dest, self.var(*indices), written]);
                self.unzipped(dice, dests.len(), code)
            }
            Exp::Derive { mode, function, args } => self.derivative(dice, mode, function, args),
            _ => return None,
        })
    }

    /// Several arrays as one of tuples.
    fn zipped(&mut self, dice: &mut Dice, arrays: &[Var]) -> Code {
        let arrays: Vec<Code> = arrays.iter().map(|array| self.var(*array)).collect();
        match arrays.len() {
            0 | 1 => arrays.into_iter().next().unwrap_or_else(|| Code::atom("()")),
            2 if dice.takes(Feature::Zips, 20) => Code::call("zip2", &arrays),
            2 => Code::call("zip", &arrays),
            n @ 3..6 => Code::call(&format!("zip{n}"), &arrays),
            _ => {
                let rest = self.nested_zip(&arrays[4..]);
                let mut parts = arrays[..4].to_vec();
                parts.push(rest);
                Code::call("zip5", &parts)
            }
        }
    }

    fn nested_zip(&self, arrays: &[Code]) -> Code {
        match arrays {
            [one] => one.clone(),
            [first, rest @ ..] => Code::call("zip", &[first.clone(), self.nested_zip(rest)]),
            [] => Code::atom("()"),
        }
    }

    /// The pattern or tuple of so many components, nested as the arrays are zipped.
    fn grouped(parts: &[Code]) -> Code {
        if parts.len() < 6 {
            return Code::tuple(parts);
        }
        let rest = parts[4..].iter().rev().cloned().reduce(|rest, part| Code::tuple(&[part, rest]));
        let mut groups = parts[..4].to_vec();
        groups.extend(rest);
        Code::tuple(&groups)
    }

    /// The arrays of an array of tuples, as a tuple.
    fn unzipped(&mut self, dice: &mut Dice, count: usize, code: Code) -> Code {
        if (2..6).contains(&count) && dice.takes(Feature::Zips, 10) {
            return self.projected(dice, &code, count);
        }
        match count {
            0 | 1 => code,
            2 if dice.takes(Feature::Zips, 20) => Code::call("unzip2", &[code]),
            2 => match dice.form(Feature::Pipes, 4) {
                1 if !self.fresh => Code::operator(format!("{} |> unzip", code.operand())),
                _ => Code::call("unzip", &[code]),
            },
            3..6 => Code::call(&format!("unzip{count}"), &[code]),
            _ => {
                // The first four, then one after the other.
                let names: Vec<String> = (0..count).map(|_| self.own("u")).collect();
                let mut rest = self.own("u");
                let mut text =
                    format!("let ({}, {rest}) = unzip5 {}\n", names[..4].join(", "), nested(&code.arg()));
                for name in &names[4..count - 2] {
                    let next = self.own("u");
                    text.push_str(&format!("let ({name}, {next}) = unzip {rest}\n"));
                    rest = next;
                }
                text.push_str(&format!("let ({}, {}) = unzip {rest}\n", names[count - 2], names[count - 1]));
                Code::open(format!("{text}in ({})", names.join(", ")))
            }
        }
    }

    /// `f x y z`, where the last argument may come first.
    fn applied(&mut self, dice: &mut Dice, function: &str, args: &[Code]) -> Code {
        let Some((last, rest)) = args.split_last() else { return Code::atom(function) };
        let consumes = matches!(function, "scatter" | "reduce_by_index");
        match dice.form(Feature::Pipes, 7) {
            // What a pipe gives may be what it is given; nor may it take what consumes.
            1 | 2 if consumes || self.fresh => Code::call(function, args),
            1 => Code::operator(format!("{} |> {}", last.operand(), Code::call(function, rest).text)),
            2 => Code::operator(format!("{} <| {}", Code::call(function, rest).text, last.operand())),
            // A function may not have consumed what it was made of.
            3 if !consumes && !self.fresh && dice.takes(Feature::LocalFunctions, 60) => {
                let partial = self.own("g");
                let part = Code::call(function, rest);
                Code::open(format!("let {partial} = {}\nin {partial} {}", nested(&part.text), last.arg()))
            }
            _ => Code::call(function, args),
        }
    }

    /// A lambda, perhaps under a name of its own: then the declaration comes first.
    fn lambda(&mut self, dice: &mut Dice, lambda: &'p Lambda, takes: Takes) -> Code {
        let mut names = Vec::new();
        for param in &lambda.params {
            let name = self.name(param.var);
            names.push((name, self.ty(&param.ty)));
        }
        let body = self.body_with(&lambda.body, Vec::new(), |raiser| {
            let parts: Vec<Code> = lambda.body.results.iter().map(|atom| raiser.atom(dice, *atom)).collect();
            Self::grouped(&parts)
        });
        // What an arm gives beside a literal fixes the sizes of what is not typed before the argument is seen.
        let chosen = lambda.params.iter().any(|param| param.ty.rank() > 0) && branches(&lambda.body);
        let typed = chosen || !dice.takes(Feature::Ascription, 40);
        let one = |(name, ty): &(String, String)| if typed { format!("{name}: {ty}") } else { name.clone() };
        let group = |names: &[(String, String)]| {
            let parts: Vec<Code> = names.iter().map(|name| Code::open(one(name))).collect();
            let code = Self::grouped(&parts);
            if code.text.starts_with('(') || !typed { code.text } else { format!("({})", code.text) }
        };
        let params: Vec<String> = match takes {
            Takes::Curried => names.iter().map(|name| group(std::slice::from_ref(name))).collect(),
            Takes::Tuple => vec![group(&names)],
            Takes::Tuples(count) => names.chunks(names.len().div_ceil(count).max(1)).map(group).collect(),
        };
        let results: Vec<Code> = lambda.results.iter().map(|ty| Code::atom(self.ty(ty))).collect();
        let result = Self::grouped(&results).text;
        let params = params.join(" ");
        if dice.takes(Feature::LocalFunctions, 12) && !params.is_empty() {
            let f = self.own("h");
            let result = if dice.coin() { format!(": {result}") } else { String::new() };
            return Code::open(format!("let {f} {params}{result} = {}\nin {f}", nested(&body.text)));
        }
        let result = if dice.takes(Feature::Ascription, 15) { format!(": {result}") } else { String::new() };
        Code::open(format!("\\{params}{result} -> {}", nested(&body.tail())))
    }

    fn map(&mut self, dice: &mut Dice, width: Atom, lambda: &'p Lambda, arrays: &[Var]) -> Code {
        let sources: Vec<Code> = arrays.iter().map(|array| self.var(*array)).collect();
        let code = match arrays.len() {
            0 => {
                let function = self.lambda(dice, lambda, Takes::Curried);
                // A local function without parameters is not one.
                let body = function.text.trim_start_matches('\\').trim_start();
                let body = body.strip_prefix("->").unwrap_or(body).to_owned();
                let width = self.count(width);
                let function =
                    Code::open(format!("\\_{}{body}", if body.starts_with(':') { " " } else { " -> " }));
                match dice.form(Feature::Prelude, 3) {
                    1 => Code::call("tabulate", &[width, function]),
                    2 => {
                        let units = Code::call("replicate", &[width, Code::atom("()")]);
                        Code::call("map", &[function, units])
                    }
                    _ => Code::call("map", &[function, Code::call("iota", &[width])]),
                }
            }
            1 => {
                let function = self.lambda(dice, lambda, Takes::Curried);
                if let ([result @ Type::Prim(_)], true) = (&lambda.results[..], dice.takes(Feature::Loops, 6))
                {
                    return self.map_in_order(dice, &function, width, arrays[0], result);
                }
                self.applied(dice, "map", &[function, sources[0].clone()])
            }
            n @ 2..6 if !dice.takes(Feature::Zips, 50) => {
                let function = self.lambda(dice, lambda, Takes::Curried);
                let args: Vec<Code> = [function].into_iter().chain(sources).collect();
                self.applied(dice, &format!("map{n}"), &args)
            }
            2 if dice.takes(Feature::HigherOrder, 20) => {
                let function = self.lambda(dice, lambda, Takes::Curried);
                let zipped = self.zipped(dice, arrays);
                Code::call("map", &[Code::call("uncurry", &[function]), zipped])
            }
            _ => {
                let function = self.lambda(dice, lambda, Takes::Tuple);
                let zipped = self.zipped(dice, arrays);
                self.applied(dice, "map", &[function, zipped])
            }
        };
        self.unzipped(dice, lambda.results.len(), code)
    }

    /// An operator that combines two tuples of values.
    fn operator(&mut self, dice: &mut Dice, op: &'p Lambda) -> Code {
        if let Some((op, t)) = simple(op)
            && let form @ 1.. = dice.form(Feature::Operators, 5)
        {
            let name = t.name();
            return match (symbol(op, t), form) {
                (Some(symbol), 1 | 2) => Code::atom(format!("({symbol})")),
                (Some(symbol), 3) if t != PrimType::Bool => Code::atom(format!("({name}.{symbol})")),
                (Some(symbol), _) => Code::open(format!("\\x y -> x {symbol} y")),
                (None, _) => Code::atom(format!("{name}.{}", op.name())),
            };
        }
        if op.results.len() == 1 {
            self.lambda(dice, op, Takes::Curried)
        } else {
            self.lambda(dice, op, Takes::Tuples(2))
        }
    }

    fn fold(
        &mut self,
        dice: &mut Dice,
        name: &str,
        op: &'p Lambda,
        neutral: &[Atom],
        arrays: &[Var],
    ) -> Code {
        let op = self.operator(dice, op);
        let neutral: Vec<Code> = neutral.iter().map(|atom| self.atom(dice, *atom)).collect();
        if let ("reduce" | "reduce_comm", [array], [neutral]) = (name, arrays, &neutral[..])
            && dice.takes(Feature::Loops, 12)
        {
            return self.fold_in_order(dice, &op, neutral, *array);
        }
        let args = [op, Self::grouped(&neutral), self.zipped(dice, arrays)];
        self.applied(dice, name, &args)
    }

    /// A reduction that the prelude has a name for.
    fn total(&mut self, dice: &mut Dice, op: &Lambda, neutral: &[Atom], arrays: &[Var]) -> Option<Code> {
        let (op, t) = simple(op)?;
        let ([Atom::Const(neutral)], [array]) = (neutral, arrays) else { return None };
        let name = match op {
            BinOp::Add if *neutral == t.zero() => format!("{}.sum", t.name()),
            BinOp::Mul if *neutral == t.of_i64(1) => format!("{}.product", t.name()),
            BinOp::And if *neutral == PrimValue::Bool(true) => "and".to_owned(),
            BinOp::Or if *neutral == PrimValue::Bool(false) => "or".to_owned(),
            _ => return None,
        };
        if !dice.takes(Feature::Prelude, 40) {
            return None;
        }
        let array = self.var(*array);
        match op {
            BinOp::And if dice.coin() => Some(Code::call("all", &[Code::atom("id"), array])),
            BinOp::Or if dice.coin() => Some(Code::call("any", &[Code::atom("id"), array])),
            _ => Some(self.applied(dice, &name, &[array])),
        }
    }

    fn derivative(&mut self, dice: &mut Dice, mode: &'p Mode, function: &'p Lambda, args: &[Atom]) -> Code {
        let function_code = self.lambda(dice, function, Takes::Tuple);
        let together = |raiser: &mut Self, dice: &mut Dice, atoms: &[Atom]| {
            let parts: Vec<Code> = atoms.iter().map(|atom| raiser.atom(dice, *atom)).collect();
            Self::grouped(&parts)
        };
        let at = together(self, dice, args);
        let (results, added, code) = match mode {
            Mode::Jvp { tangents } => {
                let seeds = together(self, dice, tangents);
                let results = function.results.len();
                (results, results, Code::call("jvp2", &[function_code, at, seeds]))
            }
            Mode::Vjp { adjoints } => {
                let seeds = together(self, dice, adjoints);
                (function.results.len(), args.len(), Code::call("vjp2", &[function_code, at, seeds]))
            }
            Mode::Custom { adjoint } => {
                let adjoint = self.lambda(dice, adjoint, Takes::Tuples(2));
                (function.results.len(), 0, Code::call("with_vjp", &[function_code, adjoint, at]))
            }
        };
        let name = |raiser: &mut Self, count: usize| -> Vec<Code> {
            (0..count).map(|_| Code::atom(raiser.own("d"))).collect()
        };
        let (first, second) = (name(self, results), name(self, added));
        let all: Vec<Code> = first.iter().chain(&second).cloned().collect();
        let pattern = if added == 0 {
            Self::grouped(&first)
        } else {
            Code::tuple(&[Self::grouped(&first), Self::grouped(&second)])
        };
        Code::open(format!("let {} = {}\nin {}", pattern.text, nested(&code.text), Code::tuple(&all).text))
    }
}

/// The scalar operator that a lambda applies to its two parameters in order, if that is all it does.
fn simple(op: &Lambda) -> Option<(BinOp, PrimType)> {
    let ([left, right], [Type::Prim(result)]) = (&op.params[..], &op.results[..]) else { return None };
    let ([statement], [Atom::Var(given)]) = (&op.body.statements[..], &op.body.results[..]) else {
        return None;
    };
    match (&statement.exp, &statement.pattern[..]) {
        (Exp::Bin(op, t, x, y), [binder])
            if binder.var == *given
                && *x == Atom::Var(left.var)
                && *y == Atom::Var(right.var)
                && result == t =>
        {
            Some((*op, *t))
        }
        _ => None,
    }
}

/// Whether arrays are chosen in a body, or in one in it.
fn branches(body: &Body) -> bool {
    body.statements.iter().any(|stm| {
        let mut inside =
            matches!(stm.exp, Exp::If { .. }) && stm.pattern.iter().any(|bound| bound.ty.rank() > 0);
        for_each_body(&stm.exp, &mut |body| inside = inside || branches(body));
        inside
    })
}
