//! Statements: declarations by `let`, and what stands where a variable is used.

use super::code::{Code, nested};
use super::raise::{Raiser, sizes_among};
use super::style::{Dice, Feature};
use fun::ir::{Atom, Binder, Exp, Statement};
use fun_base::name::Var;
use std::collections::BTreeSet;

/// A scalar that is longer than this gets a name.
const LONGEST_OPERAND: usize = 48;

/// What the source text of an expression with one result is, and whether its type is seen to be that of the pattern.
pub(super) struct Value {
    pub(super) code: Code,
    pub(super) exact: bool,
}

impl Value {
    pub(super) fn exact(code: Code) -> Value {
        Value { code, exact: true }
    }

    /// Of a type whose sizes the checker does not see.
    pub(super) fn sized(code: Code) -> Value {
        Value { code, exact: false }
    }
}

/// How the results of an expression with several come.
pub(super) struct Plan {
    /// Which of them the expression gives.
    pub(super) given: Vec<bool>,
    /// Sizes that the pattern binds.
    bound: BTreeSet<Var>,
    /// Whether they come as a record.
    pub(super) record: bool,
    /// Whether they come out of one array of tuples, or out of a derivative.
    zipped: bool,
    /// What arrays among the results may be, as the source sees it: operands and results of a reduction.
    operands: Vec<Var>,
}

impl<'p> Raiser<'p> {
    /// The declarations of a statement.
    pub(super) fn statement(&mut self, statement: &'p Statement, lines: &mut Vec<(String, bool)>) {
        self.define(statement);
        let fresh = statement.pattern.iter().any(|binder| self.consumed.contains(&binder.var));
        let around = std::mem::replace(&mut self.fresh, fresh);
        self.declared(statement, lines);
        self.fresh = around;
    }

    fn declared(&mut self, statement: &'p Statement, lines: &mut Vec<(String, bool)>) {
        let tag = statement.pattern.first().map_or(0, |binder| binder.var.tag);
        let mut dice = self.style.dice(tag.wrapping_add(2 << 28));
        let with_in = dice.takes(Feature::In, 4);
        if dice.takes(Feature::Comments, 3) {
            lines.push((format!("-- {}", statement.exp_name()), true));
            if let Some((line, _)) = lines.last_mut() {
                // A comment ends its line; `in` may not stand in it.
                line.push('\n');
            }
            let (comment, _) = lines.pop().unwrap_or_default();
            let before = lines.len();
            self.declare(&mut dice, statement, with_in, lines);
            if let Some((line, _)) = lines.get_mut(before) {
                *line = format!("{comment}{line}");
            }
            return;
        }
        self.declare(&mut dice, statement, with_in, lines);
    }

    fn declare(
        &mut self,
        dice: &mut Dice,
        statement: &'p Statement,
        with_in: bool,
        lines: &mut Vec<(String, bool)>,
    ) {
        match (&statement.pattern[..], &statement.exp) {
            ([], Exp::Assert { condition, .. }) => {
                let condition = self.atom(dice, *condition);
                lines.push((format!("let _ = assert {} ()", condition.arg()), with_in));
            }
            ([], Exp::Trace { args, .. }) => {
                let args: Vec<Code> = args.iter().map(|arg| self.atom(dice, *arg)).collect();
                lines.push((format!("let _ = #[trace] {}", Code::tuple(&args).arg()), with_in));
            }
            // What gives nothing does nothing but fail and tell, which generated programs do not rely on.
            ([], _) => {}
            ([binder], exp) => {
                if let Some(value) = self.value(dice, exp, binder) {
                    self.declare_one(dice, binder, exp, value, with_in, lines);
                } else {
                    self.declare_several(dice, statement, with_in, lines);
                }
            }
            _ => self.declare_several(dice, statement, with_in, lines),
        }
    }

    /// Whether a scalar may stand where it is used.
    fn may_nest(&self, binder: &Binder, exp: &Exp, code: &Code) -> bool {
        let pure =
            matches!(exp, Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } | Exp::Atom(_));
        pure && binder.ty.rank() == 0
            && self.uses.get(&binder.var) == Some(&1)
            && !self.sizes.contains(&binder.var)
            && code.text.len() <= LONGEST_OPERAND
            && !code.text.contains('\n')
    }

    fn declare_one(
        &mut self,
        dice: &mut Dice,
        binder: &Binder,
        exp: &'p Exp,
        value: Value,
        with_in: bool,
        lines: &mut Vec<(String, bool)>,
    ) {
        if self.may_nest(binder, exp, &value.code) && dice.takes(Feature::Nesting, 60) {
            self.names.insert(binder.var, value.code);
            return;
        }
        let name = self.name(binder.var);
        let code = &value.code;
        let line = if value.exact {
            match dice.form(Feature::Ascription, 4) {
                0 => format!("let {name}: {} = {}", self.ty_in(dice, &binder.ty), nested(&code.text)),
                1 => format!("let {name} = {}", nested(&code.text)),
                2 => {
                    let ty = self.ty_in(dice, &binder.ty);
                    format!("let {name} = {} : {ty}", nested(&code.ascribed()))
                }
                _ => {
                    let ty = self.ty_in(dice, &binder.ty);
                    format!("let ({name}: {ty}) = {}", nested(&code.text))
                }
            }
        } else {
            let ty = self.ty_in(dice, &binder.ty);
            let coerced = format!("{} :> {ty}", nested(&code.ascribed()));
            if dice.takes(Feature::Ascription, 30) {
                format!("let {name}: {ty} = {coerced}")
            } else {
                format!("let {name} = {coerced}")
            }
        };
        lines.push((line, with_in));
    }

    fn declare_several(
        &mut self,
        dice: &mut Dice,
        statement: &'p Statement,
        with_in: bool,
        lines: &mut Vec<(String, bool)>,
    ) {
        let mut plan = self.plan(dice, statement);
        let fields: Vec<Var> = given(&statement.pattern, &plan.given).map(|binder| binder.var).collect();
        for binder in &statement.pattern {
            self.name(binder.var);
        }
        let Some(code) = self.values(dice, statement, &mut plan, &fields) else { return };
        self.bind(dice, &statement.pattern, &plan, code, with_in, lines);
    }

    /// Decides how the results of a statement come.
    fn plan(&mut self, dice: &mut Dice, statement: &Statement) -> Plan {
        let pattern = &statement.pattern;
        let mut plan = Plan {
            given: vec![true; pattern.len()],
            bound: BTreeSet::new(),
            record: false,
            zipped: false,
            operands: Vec::new(),
        };
        let among = sizes_among(pattern.iter());
        let free = match &statement.exp {
            Exp::Call { function, .. } => {
                if let Some(signature) = self.signatures.get(function) {
                    plan.given = signature.results.clone();
                }
                for (binder, given) in pattern.iter().zip(&plan.given) {
                    if !*given {
                        plan.bound.insert(binder.var);
                    }
                }
                return plan;
            }
            Exp::If { .. } => true,
            Exp::Loop { form, .. } => !matches!(form, fun::ir::LoopForm::While(_)),
            exp => {
                if let Exp::Reduce { neutral, arrays, .. } = exp {
                    plan.operands
                        .extend(pattern.iter().map(|binder| binder.var).chain(arrays.iter().copied()));
                    plan.operands.extend(neutral.iter().filter_map(|atom| atom.as_var()));
                }
                plan.zipped = true;
                return plan;
            }
        };
        plan.record = dice.takes(Feature::Records, 15) && pattern.len() > 1;
        // Each size that one dimension alone has can be bound by the pattern.
        let times = |var: Var| {
            let sizes = pattern.iter().flat_map(|binder| binder.ty.shape());
            sizes.filter(|size| **size == Atom::Var(var)).count()
        };
        let once = among.iter().all(|var| times(*var) == 1);
        let is_if = matches!(statement.exp, Exp::If { .. });
        if free && is_if && once && !among.is_empty() && dice.takes(Feature::SizeBinding, 50) {
            for (binder, given) in pattern.iter().zip(&mut plan.given) {
                *given = !among.contains(&binder.var);
            }
            plan.bound = among;
            plan.record = plan.record && plan.given.iter().filter(|given| **given).count() > 1;
        }
        plan
    }

    /// Takes the components of an expression apart.
    fn bind(
        &mut self,
        dice: &mut Dice,
        pattern: &[Binder],
        plan: &Plan,
        code: Code,
        with_in: bool,
        lines: &mut Vec<(String, bool)>,
    ) {
        let unknown: BTreeSet<Var> = sizes_among(pattern.iter()).difference(&plan.bound).copied().collect();
        let mentions = |binder: &Binder, vars: &BTreeSet<Var>| {
            binder.ty.shape().iter().filter_map(|size| size.as_var()).any(|var| vars.contains(&var))
        };
        let parts: Vec<&Binder> = given(pattern, &plan.given).collect();
        let coerced = |binder: &Binder| mentions(binder, &unknown);
        let sizes: String = plan.bound.iter().map(|var| format!("[{}] ", self.var(*var).text)).collect();
        let projected = plan.bound.is_empty() && parts.len() > 1 && dice.takes(Feature::Projections, 12);
        if projected {
            let whole = self.own("t");
            lines.push((format!("let {whole} = {}", nested(&code.text)), with_in));
            for (k, binder) in parts.iter().enumerate() {
                let name = self.var(binder.var).text;
                let field = if plan.record { name.clone() } else { k.to_string() };
                lines.push((format!("let {name} = {whole}.{field}"), false));
            }
        } else {
            let mut patterns = Vec::new();
            for binder in &parts {
                let name = self.var(binder.var).text;
                let must = mentions(binder, &plan.bound);
                let typed = must || !coerced(binder) && !dice.takes(Feature::Ascription, 40);
                let pattern =
                    if typed { format!("{name}: {}", self.ty_in(dice, &binder.ty)) } else { name.clone() };
                patterns.push(match (plan.record, typed) {
                    (true, true) => format!("{name} = {pattern}"),
                    (true, false) if dice.coin() => format!("{name} = {name}"),
                    (true, false) | (false, _) => pattern,
                });
            }
            let whole = match (plan.record, parts.len()) {
                (true, _) => format!("{{{}}}", patterns.join(", ")),
                (false, 1) if sizes.is_empty() => patterns.remove(0),
                (false, _) => format!("({})", patterns.join(", ")),
            };
            lines.push((format!("let {sizes}{whole} = {}", nested(&code.text)), with_in));
        }
        // The source takes the arrays of one array of tuples for possibly the same.
        let several = parts.iter().filter(|binder| binder.ty.rank() > 0).count() > 1;
        for binder in parts {
            let consumed = |var: &Var| self.consumed.contains(var);
            if several && plan.zipped && consumed(&binder.var)
                || binder.ty.rank() > 0 && plan.operands.iter().any(consumed)
            {
                let name = self.var(binder.var).text;
                lines.push((format!("let {name} = copy {name}"), false));
            }
            if coerced(binder) {
                let name = self.var(binder.var).text;
                let ty = self.ty_in(dice, &binder.ty);
                lines.push((format!("let {name} = {name} :> {ty}"), false));
            }
        }
    }

    /// The components of a result, as a tuple or as a record with fields of these names.
    pub(super) fn together(&mut self, dice: &mut Dice, parts: &[Code], plan: &Plan, fields: &[Var]) -> Code {
        if !plan.record {
            return Code::tuple(parts);
        }
        let mut texts = Vec::new();
        for (part, field) in parts.iter().zip(fields) {
            let name = self.var(*field).text;
            texts.push(format!("{name} = {}", part.text));
        }
        if dice.coin() {
            texts.reverse();
        }
        Code::atom(format!("{{{}}}", texts.join(", ")))
    }
}

/// The binders that are given.
pub(super) fn given<'b>(pattern: &'b [Binder], given: &'b [bool]) -> impl Iterator<Item = &'b Binder> {
    pattern.iter().zip(given).filter(|(_, given)| **given).map(|(binder, _)| binder)
}

/// Names for kinds of statements, for comments.
trait Named {
    fn exp_name(&self) -> &'static str;
}

impl Named for Statement {
    fn exp_name(&self) -> &'static str {
        match &self.exp {
            Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => "a number",
            Exp::If { .. } => "one or the other | in",
            Exp::Loop { .. } => "again and again {",
            Exp::Map { .. } | Exp::Reduce { .. } | Exp::Scan { .. } => "all at once -- let x = (",
            _ => "the next step",
        }
    }
}
