//! Branches, loops and calls.

use super::code::{Code, nested};
use super::consume::{Consumed, Consumption};
use super::raise::{Raiser, sizes_among};
use super::scalar::bare;
use super::statement::{Plan, given};
use super::style::{Dice, Feature};
use fun::ir::{Atom, Binder, Body, Exp, LoopForm, LoopParam, Statement, Type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use std::collections::BTreeSet;

impl<'p> Raiser<'p> {
    /// An expression that may have several results, together.
    pub(super) fn values(
        &mut self,
        dice: &mut Dice,
        statement: &'p Statement,
        plan: &mut Plan,
        fields: &[Var],
    ) -> Option<Code> {
        match &statement.exp {
            Exp::If { condition, then, otherwise } => {
                Some(self.choice(dice, *condition, then, otherwise, plan, fields))
            }
            Exp::Loop { params, form, body } => Some(self.repeated(dice, params, form, body, plan, fields)),
            Exp::Call { function, args } => Some(self.call(dice, *function, args)),
            exp => self.combination(dice, exp),
        }
    }

    fn choice(
        &mut self,
        dice: &mut Dice,
        condition: Atom,
        then: &'p Body,
        otherwise: &'p Body,
        plan: &Plan,
        fields: &[Var],
    ) -> Code {
        let condition = self.atom(dice, condition);
        let yes = nested(&self.delivered(dice, then, Vec::new(), plan, fields).tail());
        let no = nested(&self.delivered(dice, otherwise, Vec::new(), plan, fields).tail());
        let plain = format!("if {}\nthen {yes}\nelse {no}", condition.text);
        if dice.takes(Feature::Sums, 10) {
            self.kit.needs("answer");
            let answer = format!("(if {} then #yes else #no : answer)", condition.ascribed());
            return Code::open(match dice.coin() {
                true => format!("match {answer}\ncase #yes -> {yes}\ncase #no -> {no}"),
                false => format!("match {answer}\ncase #no -> {no}\ncase _ -> {yes}"),
            });
        }
        if dice.takes(Feature::Sums, 6) {
            self.kit.needs("option");
            let option = format!("(if {} then #some true else #none : option bool)", condition.ascribed());
            return Code::open(format!("match {option}\ncase #none -> {no}\ncase #some _ -> {yes}"));
        }
        Code::open(match dice.form(Feature::Match, 14) {
            1 => format!("match {}\ncase true -> {yes}\ncase false -> {no}", condition.text),
            2 => format!("match {}\ncase true -> {yes}\ncase _ -> {no}", condition.text),
            3 => {
                format!("match ({}, 1i32)\ncase (false, _) -> {no}\ncase (true, _) -> {yes}", condition.text)
            }
            5 => format!(
                "match {{c = {}, k = 3u8}}\ncase {{c = false, k = 3}} -> {no}\ncase {{c = _, k = _}} -> {yes}",
                condition.text
            ),
            6 => format!("match i32.bool {}\ncase 0 -> {no}\ncase _ -> {yes}", condition.arg()),
            4 => format!("if !{}\nthen {no}\nelse {yes}", condition.arg()),
            _ => plain,
        })
    }

    fn call(&mut self, dice: &mut Dice, function: Symbol, args: &[Atom]) -> Code {
        let Some(signature) = self.signatures.get(&function).cloned() else {
            return Code::atom(function.to_string());
        };
        let passed: Vec<Atom> =
            args.iter().zip(&signature.params).filter(|(_, passed)| **passed).map(|(arg, _)| *arg).collect();
        let mut passed: Vec<Code> = passed.iter().map(|arg| self.atom(dice, *arg)).collect();
        if passed.is_empty() {
            return Code::call(&signature.path, &[Code::atom("()")]);
        }
        if signature.tupled {
            return Code::call(&signature.path, &[Code::tuple(&passed)]);
        }
        match dice.form(Feature::Pipes, 8) {
            // What a pipe gives may be what it is given; nor may it take what consumes.
            _ if self.fresh || signature.consumes => Code::call(&signature.path, &passed),
            1 => {
                let last = passed.pop().unwrap_or_else(|| Code::atom("()"));
                let rest = Code::call(&signature.path, &passed);
                Code::operator(format!("{} |> {}", last.operand(), rest.text))
            }
            2 => {
                let last = passed.pop().unwrap_or_else(|| Code::atom("()"));
                let rest = Code::call(&signature.path, &passed);
                Code::operator(format!("{} <| {}", rest.text, last.operand()))
            }
            _ => Code::call(&signature.path, &passed),
        }
    }

    fn repeated(
        &mut self,
        dice: &mut Dice,
        params: &'p [LoopParam],
        form: &'p LoopForm,
        body: &'p Body,
        plan: &Plan,
        fields: &[Var],
    ) -> Code {
        let binders: Vec<Binder> = params.iter().map(|param| param.binder.clone()).collect();
        let among = sizes_among(binders.iter());
        let inits: Vec<Code> = params.iter().map(|param| self.atom(dice, param.init)).collect();
        let bound = match form {
            LoopForm::For { bound, .. } => Some(self.atom(dice, *bound)),
            LoopForm::While(_) => None,
        };
        let from_scope = self.named_alike(params) && plan.given.iter().all(|given| *given);
        let from_scope = from_scope && !plan.record && dice.takes(Feature::Loops, 50);
        let init = self.together(dice, &inits, plan, fields);
        let consumption = Consumption::of_body(body);
        let mut first = Vec::new();
        let mut patterns = Vec::new();
        for (binder, field) in given(&binders, &plan.given).zip(fields) {
            let name = if from_scope {
                let init = params.iter().find(|param| param.binder.var == binder.var);
                let code = init.and_then(|param| param.init.as_var()).map(|var| self.var(var));
                code.inspect(|code| drop(self.names.insert(binder.var, code.clone())))
                    .map_or_else(String::new, |code| code.text)
            } else {
                self.name(binder.var)
            };
            let said = !dice.takes(Feature::Ascription, 30);
            let untyped = !said || consumption.of(binder.var) == Consumed::Maybe;
            if untyped && binder.ty.rank() > 0 && !mentions(&binder.ty, &among) {
                // The sizes of a parameter without a type are found out from its uses, but not from all of them.
                first.push(format!("let {name}: {} = {name}", self.ty(&binder.ty)));
            }
            let typed = match consumption.of(binder.var) {
                _ if !said => name.clone(),
                // The checker finds out by itself whether such a parameter is consumed.
                Consumed::Maybe if binder.ty.rank() > 0 => name.clone(),
                Consumed::Yes => format!("{name}: *{}", self.ty_without(&binder.ty, &among)),
                Consumed::Maybe | Consumed::No => format!("{name}: {}", self.ty_without(&binder.ty, &among)),
            };
            patterns.push(if plan.record { format!("{} = {typed}", self.var(*field).text) } else { typed });
        }
        for binder in &binders {
            if mentions(&binder.ty, &among) {
                let name = self.var(binder.var).text;
                first.push(format!("let {name} = {name} :> {}", self.ty(&binder.ty)));
            }
        }
        let pattern = match (plan.record, patterns.len()) {
            (true, _) => format!("{{{}}}", patterns.join(", ")),
            (false, 1) => patterns.remove(0),
            (false, _) => format!("({})", patterns.join(", ")),
        };
        let pattern = if pattern.contains(": ") && !pattern.starts_with(['(', '{']) {
            format!("({pattern})")
        } else {
            pattern
        };
        let driver = match (form, bound) {
            (LoopForm::For { var, ty, bound: limit }, Some(bound)) => {
                self.types.insert(*var, Type::Prim(*ty));
                let counter = self.name(*var);
                let natural = *ty == PrimType::I64 && self.is_natural(*limit);
                let last = limit.as_const().and_then(PrimValue::as_i64).filter(|n| natural && *n > 0);
                match (dice.form(Feature::Loops, 11), last.map(|n| n - 1)) {
                    (8, Some(last)) => format!("for {counter} in 0...{last}"),
                    (9, Some(last)) => format!("for {counter} in reverse ({last}..>(-1))"),
                    (10, Some(last)) => {
                        format!("for {counter} in reverse ({last}..{}..>(-1))", bare(last - 1).operand())
                    }
                    (form, _) => match form {
                        1 if natural => format!("for {counter} in iota {}", bound.arg()),
                        2 if natural => format!("for {counter} in 0..<{}", bound.operand()),
                        3 if natural => {
                            let other = self.own("i");
                            format!("for ({counter}, {other}) in zip (iota {0}) (iota {0})", bound.arg())
                        }
                        4 if natural => format!("for ({counter}: i64) in 0..1..<{}", bound.operand()),
                        _ => format!("for {counter} < {}", bound.text),
                    },
                }
            }
            (LoopForm::While(var), _) => format!("while {}", self.var(*var).text),
            (LoopForm::For { .. }, None) => String::new(),
        };
        let next = self.delivered(dice, body, first, plan, fields);
        let init = if from_scope { String::new() } else { format!(" = {}", init.ascribed()) };
        Code::open(format!("loop {pattern}{init} {driver} do\n  {}", nested(&next.text)))
    }

    /// Whether the initial values of a loop are variables that nothing else uses: their names may be those of the parameters.
    fn named_alike(&self, params: &[LoopParam]) -> bool {
        params.iter().all(|param| {
            // Written as an expression, such as a projection, it cannot name a parameter.
            let is_name = |text: &str| {
                let letters = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
                let literal = text.starts_with(|c: char| c.is_numeric()) || ["true", "false"].contains(&text);
                text.chars().all(letters) && !literal
            };
            let alone = |var: Var| self.uses.get(&var) == Some(&1) && is_name(&self.var(var).text);
            param.init.as_var().is_some_and(alone) && !self.sizes.contains(&param.binder.var)
        })
    }

    /// Whether a bound is known not to be negative.
    fn is_natural(&self, bound: Atom) -> bool {
        match bound {
            Atom::Const(value) => value.as_i64().is_some_and(|n| n >= 0),
            Atom::Var(var) => self.sizes.contains(&var),
        }
    }

    /// A body that gives what the plan asks for.
    fn delivered(
        &mut self,
        dice: &mut Dice,
        body: &'p Body,
        first: Vec<String>,
        plan: &Plan,
        fields: &[Var],
    ) -> Code {
        let chosen: Vec<Atom> = body
            .results
            .iter()
            .zip(&plan.given)
            .filter(|(_, given)| **given)
            .map(|(atom, _)| *atom)
            .collect();
        self.body_with(body, first, |raiser| {
            let parts: Vec<Code> = chosen.iter().map(|atom| raiser.atom(dice, *atom)).collect();
            raiser.together(dice, &parts, plan, fields)
        })
    }
}

fn mentions(ty: &Type, vars: &BTreeSet<Var>) -> bool {
    ty.shape().iter().filter_map(|size| size.as_var()).any(|var| vars.contains(&var))
}
