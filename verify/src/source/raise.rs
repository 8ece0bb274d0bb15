//! From FUN to source text: programs, functions and types.
//!
//! What holds throughout: a variable of FUN has a name of its own, and its type in the source is its FUN type with names for
//! the variables. Where a form of the source gives a type whose sizes the checker cannot see to be these, a coercion says so.

use super::code::{Code, nested};
use super::consume::consumed_in;
use super::kit::Kit;
use super::style::{Dice, Feature, Style};
use fun::ir::{Atom, Binder, Body, Exp, Fun, Function, Param, Program, Statement, Type};
use fun::visit::Walk;
use fun::visit::names::use_counts;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

/// How a function of FUN stands in the source.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// What it is called by, modules included.
    pub(super) path: String,
    /// Parameters that are passed; the others are sizes of these.
    pub(super) params: Vec<bool>,
    /// Results that are given back; the others are sizes of these.
    pub(super) results: Vec<bool>,
    /// Whether the parameters are one tuple.
    pub(super) tupled: bool,
    /// Whether it consumes parameters.
    pub(super) consumes: bool,
}

/// The writer of one program.
pub(super) struct Raiser<'p> {
    pub(super) style: Style,
    /// What each variable in scope is written as.
    pub(super) names: BTreeMap<Var, Code>,
    pub(super) types: BTreeMap<Var, Type>,
    /// What the variables that are alone in their pattern are defined by.
    pub(super) definitions: BTreeMap<Var, &'p Exp>,
    pub(super) uses: BTreeMap<Var, usize>,
    /// Variables that types mention: these need names.
    pub(super) sizes: BTreeSet<Var>,
    /// Arrays that are consumed somewhere.
    pub(super) consumed: BTreeSet<Var>,
    pub(super) signatures: BTreeMap<Symbol, Signature>,
    /// Declarations that the program needs beside its functions.
    pub(super) kit: Kit,
    /// Whether what the statement at hand gives must be seen to be fresh.
    pub(super) fresh: bool,
    next: usize,
}

/// Facts about all variables of a program.
#[derive(Default)]
struct Survey {
    types: BTreeMap<Var, Type>,
    sizes: BTreeSet<Var>,
}

impl Walk<Fun> for Survey {
    fn bind(&mut self, var: Var, ty: Option<&Type>) {
        if let Some(ty) = ty {
            self.types.insert(var, ty.clone());
        }
    }
    fn ty(&mut self, ty: &Type) {
        self.sizes.extend(ty.shape().iter().filter_map(|size| size.as_var()));
    }
    fn lambda(&mut self, lambda: &fun::ir::Lambda) {
        lambda.results.iter().for_each(|ty| self.ty(ty));
        fun::visit::walk_lambda(self, lambda);
    }
}

/// The source text of a program, in a style.
pub(super) fn raise(program: &Program, style: Style) -> String {
    let mut survey = Survey::default();
    fun::visit::walk_program(&mut survey, program);
    let mut raiser = Raiser {
        style,
        names: BTreeMap::new(),
        types: survey.types,
        definitions: BTreeMap::new(),
        uses: use_counts(program),
        sizes: survey.sizes,
        consumed: consumed_in(program),
        signatures: BTreeMap::new(),
        kit: Kit::default(),
        fresh: false,
        next: 0,
    };
    let functions: Vec<String> = program.functions.iter().map(|function| raiser.function(function)).collect();
    format!("{}{}\n", raiser.kit.text(), functions.join("\n\n"))
}

/// The variables among these that types among these mention.
pub(super) fn sizes_among<'b>(binders: impl Iterator<Item = &'b Binder> + Clone) -> BTreeSet<Var> {
    let mentioned: BTreeSet<Var> = binders
        .clone()
        .flat_map(|binder| binder.ty.shape().iter().filter_map(|size| size.as_var()))
        .collect();
    binders.map(|binder| binder.var).filter(|var| mentioned.contains(var)).collect()
}

impl<'p> Raiser<'p> {
    /// A name that no variable has: those have an underscore.
    pub(super) fn own(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("{text}{}", self.next);
        // `i8` and its like are modules.
        if PrimType::from_name(&name).is_some() { self.own(text) } else { name }
    }

    /// Gives a variable its name.
    pub(super) fn name(&mut self, var: Var) -> String {
        let mut dice = self.style.dice(var.tag);
        let prime = if dice.takes(Feature::Primes, 5) { "'" } else { "" };
        let name = format!("{var}{prime}");
        self.names.insert(var, Code::atom(name.clone()));
        name
    }

    /// What a variable is written as.
    pub(super) fn var(&self, var: Var) -> Code {
        self.names.get(&var).cloned().unwrap_or_else(|| Code::atom(var.to_string()))
    }

    pub(super) fn type_of(&self, atom: Atom) -> Type {
        match atom {
            Atom::Const(value) => Type::Prim(value.prim_type()),
            Atom::Var(var) => self.types.get(&var).cloned().unwrap_or(Type::Prim(PrimType::I64)),
        }
    }

    /// A size in a type.
    pub(super) fn size(&self, size: Atom) -> String {
        match size {
            Atom::Const(value) => value.as_i64().unwrap_or_default().to_string(),
            Atom::Var(var) => self.var(var).text,
        }
    }

    /// A type.
    pub(super) fn ty(&self, ty: &Type) -> String {
        let sizes = ty.shape().iter().map(|size| format!("[{}]", self.size(*size)));
        format!("{}{}", sizes.collect::<String>(), prim_name(ty.elem()))
    }

    /// A type in which some sizes are not said.
    pub(super) fn ty_without(&self, ty: &Type, unknown: &BTreeSet<Var>) -> String {
        let sizes = ty.shape().iter().map(|size| match size {
            Atom::Var(var) if unknown.contains(var) => "[]".to_owned(),
            _ => format!("[{}]", self.size(*size)),
        });
        format!("{}{}", sizes.collect::<String>(), prim_name(ty.elem()))
    }

    /// A type, perhaps by an abbreviation.
    pub(super) fn ty_in(&mut self, dice: &mut Dice, ty: &Type) -> String {
        if dice.takes(Feature::Abbreviations, 8) {
            let elem = prim_name(ty.elem());
            match ty.shape() {
                [n] => {
                    self.kit.needs("vec");
                    return format!("vec [{}] {elem}", self.size(*n));
                }
                [n, m] => {
                    self.kit.needs("mat");
                    return format!("mat [{}] [{}] {elem}", self.size(*n), self.size(*m));
                }
                _ => {}
            }
        }
        self.ty(ty)
    }

    fn signature(&mut self, function: &Function) -> Signature {
        let mentioned = |params: &[Param]| -> BTreeSet<Var> {
            let explicit = params.iter().filter(|param| !param.implicit);
            explicit
                .flat_map(|param| param.binder.ty.shape().iter().filter_map(|size| size.as_var()))
                .collect()
        };
        let (in_params, in_results) = (mentioned(&function.params), mentioned(&function.results));
        let passed = |params: &[Param], mentioned: &BTreeSet<Var>| -> Vec<bool> {
            let is_passed =
                |param: &Param| !param.implicit || !function.entry && !mentioned.contains(&param.binder.var);
            params.iter().map(is_passed).collect()
        };
        let params = passed(&function.params, &in_params);
        let results = passed(&function.results, &in_results);
        let mut dice = self.style.dice(key(function));
        let plain = function.params.iter().all(|param| !param.unique);
        let several = params.iter().filter(|passed| **passed).count() > 1;
        let free = plain
            && sizes_among(function.params.iter().map(|param| &param.binder)).iter().all(|size| {
                function
                    .params
                    .iter()
                    .zip(&params)
                    .any(|(param, passed)| param.binder.var == *size && !passed)
            });
        let tupled = dice.takes(Feature::TupledParameters, 20) && !function.entry && free && several;
        Signature { path: function.name.to_string(), params, results, tupled, consumes: !plain }
    }

    /// A function.
    fn function(&mut self, function: &'p Function) -> String {
        let signature = self.signature(function);
        let mut dice = self.style.dice(key(function).wrapping_add(1));
        self.signatures.insert(function.name, signature.clone());
        for param in function.params.iter().chain(&function.results) {
            self.name(param.binder.var);
        }
        let mut sizes = String::new();
        let mut first: Vec<String> = Vec::new();
        for (param, passed) in function.params.iter().zip(&signature.params) {
            let name = self.var(param.binder.var).text;
            let mentioned = function.params.iter().any(|other| {
                !other.implicit && other.binder.ty.shape().contains(&Atom::Var(param.binder.var))
            });
            match *passed {
                false if mentioned => sizes.push_str(&format!(" [{name}]")),
                // Of an entry point, and no size of an argument: the interpreters take it for 0.
                false => first.push(format!("let {name} = 0i64")),
                true => {}
            }
        }
        // A size that is passed as a number may stand in types after it only.
        let mut known: BTreeSet<Var> = function
            .params
            .iter()
            .zip(&signature.params)
            .filter(|(_, passed)| **passed)
            .map(|(param, _)| param.binder.var)
            .collect();
        let mut params = Vec::new();
        for (param, passed) in function.params.iter().zip(&signature.params) {
            if !passed {
                continue;
            }
            known.remove(&param.binder.var);
            let (name, star) = (self.var(param.binder.var).text, if param.unique { "*" } else { "" });
            let ty = self.ty_without(&param.binder.ty, &known);
            params.push(format!("{name}: {star}{ty}"));
            if param.binder.ty.shape().iter().filter_map(|size| size.as_var()).any(|var| known.contains(&var))
            {
                first.push(format!("let {name} = {name} :> {}", self.ty(&param.binder.ty)));
            }
        }
        let params = match (params.is_empty(), signature.tupled) {
            (true, _) if function.entry => String::new(),
            (true, _) => " ()".to_owned(),
            (false, true) => format!(" ({})", params.join(", ")),
            (false, false) => params.iter().map(|param| format!(" ({param})")).collect(),
        };
        let result = self.result_type(function, &signature);
        let delivered: Vec<Atom> = function
            .body
            .results
            .iter()
            .zip(&signature.results)
            .filter(|(_, given)| **given)
            .map(|(atom, _)| *atom)
            .collect();
        let body = self.body_with(&function.body, first, |raiser| {
            let parts: Vec<Code> = delivered.iter().map(|atom| raiser.atom(&mut dice, *atom)).collect();
            Code::tuple(&parts)
        });
        let keyword = if function.entry { "entry" } else { "def" };
        let doc = if dice.takes(Feature::Comments, 8) { "-- | What was generated.\n" } else { "" };
        let attribute = match dice.form(Feature::Attributes, 12) {
            1 => "#[inline]\n",
            2 => "#[noinline]\n",
            _ => "",
        };
        let body = nested(&body.text);
        let text =
            format!("{doc}{attribute}{keyword} {}{sizes}{params}: {result} =\n  {body}", function.name);
        if function.entry { text } else { self.in_module(&mut dice, function, &sizes, &result, text) }
    }

    /// The type of what a function gives back.
    fn result_type(&mut self, function: &Function, signature: &Signature) -> String {
        let among = sizes_among(function.results.iter().map(|result| &result.binder));
        let mut exists = String::new();
        let mut valued = BTreeSet::new();
        let mut parts = Vec::new();
        for (result, given) in function.results.iter().zip(&signature.results) {
            let var = result.binder.var;
            if !*given && among.contains(&var) {
                exists.push_str(&format!("[{}]", self.var(var).text));
            } else if among.contains(&var) {
                valued.insert(var);
            }
        }
        for (result, given) in function.results.iter().zip(&signature.results) {
            if *given {
                // A constant is given away by nobody.
                let constant = function.entry && signature.params.iter().all(|passed| !passed);
                let star = if result.unique && !constant { "*" } else { "" };
                parts.push(format!("{star}{}", self.ty_without(&result.binder.ty, &valued)));
            }
        }
        let whole = if parts.len() == 1 { parts.remove(0) } else { format!("({})", parts.join(", ")) };
        if exists.is_empty() { whole } else { format!("?{exists}.{whole}") }
    }

    /// Some declarations, the statements of a body, and then what is made of its results.
    pub(super) fn body_with(
        &mut self,
        body: &'p Body,
        first: Vec<String>,
        result: impl FnOnce(&mut Raiser<'p>) -> Code,
    ) -> Code {
        let mut lines: Vec<(String, bool)> = first.into_iter().map(|line| (line, false)).collect();
        for statement in &body.statements {
            self.statement(statement, &mut lines);
        }
        let result = result(self);
        if lines.is_empty() {
            return result;
        }
        let mut text = String::new();
        for (line, with_in) in &lines {
            text.push_str(line);
            text.push_str(if *with_in { " in\n" } else { "\n" });
        }
        // The last declaration needs `in`, unless it has it.
        let last_has_in = lines.last().is_some_and(|(_, with_in)| *with_in);
        text.push_str(if last_has_in { "" } else { "in " });
        text.push_str(&nested(&result.tail()));
        Code::open(text)
    }

    /// Remembers what a variable is defined by.
    pub(super) fn define(&mut self, statement: &'p Statement) {
        if let [binder] = &statement.pattern[..] {
            self.definitions.insert(binder.var, &statement.exp);
        }
    }
}

/// What choices about a function depend on: the tag of its first variable, away from those of the variables.
fn key(function: &Function) -> u32 {
    let first = function.params.iter().chain(&function.results).map(|param| param.binder.var.tag).min();
    first.unwrap_or_default().wrapping_add(1 << 30)
}

/// How the source writes a primitive type.
pub(super) fn prim_name(t: PrimType) -> &'static str {
    if t == PrimType::Unit { "()" } else { t.name() }
}
