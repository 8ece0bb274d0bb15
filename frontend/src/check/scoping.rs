//! Where sizes are known: each size that a place needs must have been decided by what is evaluated before it.
//!
//! Arguments are evaluated before the function is applied, a `let`'s value before its body. What a branch or a function's
//! body decides is known only there.

use crate::typed::{Definition, DimIndex, Exp, ExpKind, Instance, LoopForm, Pattern, PatternKind, RangeEnd};
use crate::types::{Size, Type, free_in_size, free_sizes};
use fun_base::name::Var;
use fun_base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The sizes that the definition needs at places where they are not known. `known` are the sizes of earlier constants.
/// `function_first` are the places of the applications whose function is evaluated before the arguments.
pub(crate) fn unknown_sizes(
    definition: &Definition,
    function_first: &BTreeSet<Span>,
    known: impl Fn(Var) -> bool,
) -> Vec<(Var, Span)> {
    let known = &known;
    let mut walk =
        Walk { known, function_first, scope: BTreeMap::new(), entered: Vec::new(), faults: Vec::new() };
    definition.scheme.sizes.iter().for_each(|var| walk.enter(*var));
    definition.params.iter().for_each(|param| walk.param(param));
    walk.exp(&definition.body);
    walk.faults
}

struct Walk<'k> {
    known: &'k dyn Fn(Var) -> bool,
    function_first: &'k BTreeSet<Span>,
    /// How often each variable has been entered.
    scope: BTreeMap<Var, u32>,
    entered: Vec<Var>,
    faults: Vec<(Var, Span)>,
}

impl Walk<'_> {
    fn enter(&mut self, var: Var) {
        *self.scope.entry(var).or_insert(0) += 1;
        self.entered.push(var);
    }

    /// Runs `f`; what it entered is forgotten afterwards.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        let before = self.entered.len();
        f(self);
        for var in self.entered.split_off(before) {
            if let Some(count) = self.scope.get_mut(&var) {
                *count -= 1;
            }
        }
    }

    fn need(&mut self, free: BTreeSet<Var>, span: Span) {
        for var in free {
            let entered = self.scope.get(&var).is_some_and(|count| *count > 0);
            if !entered && !(self.known)(var) && self.faults.iter().all(|(other, _)| *other != var) {
                self.faults.push((var, span));
            }
        }
    }

    fn need_type(&mut self, t: &Type, span: Span) {
        self.need(free_sizes(t), span);
    }

    fn instance(&mut self, instance: &Instance, span: Span) {
        for size in &instance.sizes {
            self.need_size(size, span);
        }
        instance.types.iter().for_each(|t| self.need_type(t, span));
    }

    fn need_size(&mut self, size: &Size, span: Span) {
        let mut free = BTreeSet::new();
        free_in_size(size, &mut free);
        self.need(free, span);
    }

    /// A parameter: its sizes must be known, or be parameters.
    fn param(&mut self, pattern: &Pattern) {
        self.need_type(&pattern.ty, pattern.span);
        self.pattern(pattern);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Var(var) => self.enter(*var),
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Constructor(_, parts) => parts.iter().for_each(|part| self.pattern(part)),
            PatternKind::Record(fields) => fields.iter().for_each(|(_, part)| self.pattern(part)),
        }
    }

    fn indices(&mut self, indices: &[DimIndex]) {
        for index in indices {
            match index {
                DimIndex::Fix(exp) => self.exp(exp),
                DimIndex::Slice { start, end, stride } => {
                    [start, end, stride].into_iter().flatten().for_each(|exp| self.exp(exp));
                }
            }
        }
    }

    fn exp(&mut self, exp: &Exp) {
        let span = exp.span;
        match &exp.kind {
            ExpKind::Const(_) | ExpKind::Bytes(_) | ExpKind::Var(_) => {}
            ExpKind::Hole => self.need_type(&exp.ty, span),
            ExpKind::Construct(_, args) => args.iter().for_each(|e| self.exp(e)),
            ExpKind::Match { scrutinee, cases, exts } => {
                self.exp(scrutinee);
                for case in cases {
                    self.inside(|this| {
                        this.pattern(&case.pattern);
                        this.exp(&case.body);
                    });
                }
                exts.iter().for_each(|var| self.enter(*var));
            }
            ExpKind::Def(_, instance) | ExpKind::Intrinsic(_, instance) | ExpKind::LocalDef(_, instance) => {
                self.instance(instance, span);
            }
            ExpKind::Record(fields) => fields.iter().for_each(|(_, e)| self.exp(e)),
            ExpKind::Project(inner, _) | ExpKind::Attribute(_, inner) => self.exp(inner),
            ExpKind::Coerce(inner) => {
                self.exp(inner);
                self.need_type(&exp.ty, span);
            }
            ExpKind::UpdateField(record, _, value) => {
                self.exp(record);
                self.exp(value);
            }
            ExpKind::ArrayLiteral(elements) => {
                elements.iter().for_each(|e| self.exp(e));
                if elements.is_empty() {
                    self.need_type(&exp.ty, span);
                }
            }
            ExpKind::Range { first, second, end, exts } => {
                self.exp(first);
                second.iter().for_each(|e| self.exp(e));
                match end {
                    RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => self.exp(e),
                }
                exts.iter().for_each(|var| self.enter(*var));
            }
            ExpKind::Index { array, indices, exts } => {
                self.exp(array);
                self.indices(indices);
                exts.iter().for_each(|var| self.enter(*var));
            }
            ExpKind::Update { array, indices, value } => {
                self.exp(array);
                self.indices(indices);
                self.exp(value);
            }
            ExpKind::Apply { function, args, exts } if self.function_first.contains(&span) => {
                self.need_type(&function.ty, function.span);
                self.exp(function);
                args.iter().for_each(|arg| self.exp(arg));
                exts.iter().for_each(|var| self.enter(*var));
            }
            ExpKind::Apply { function, args, exts } => {
                // Functions among the arguments run when the others are known.
                let is_function = |arg: &&Exp| matches!(arg.ty, Type::Arrow(_));
                args.iter().filter(|arg| !is_function(arg)).for_each(|arg| self.exp(arg));
                args.iter().filter(is_function).for_each(|arg| self.exp(arg));
                // The instance of a lifted type parameter may have sizes that this application decides.
                exts.iter().for_each(|var| self.enter(*var));
                self.exp(function);
            }
            ExpKind::Lambda { params, body, .. } => self.inside(|this| {
                params.iter().for_each(|param| this.param(param));
                this.exp(body);
            }),
            ExpKind::Let { sizes, pattern, value, body } => {
                self.exp(value);
                sizes.iter().for_each(|var| self.enter(*var));
                self.pattern(pattern);
                self.exp(body);
            }
            ExpKind::LetDef { scheme, value, body, .. } => {
                self.inside(|this| {
                    scheme.sizes.iter().for_each(|var| this.enter(*var));
                    this.exp(value);
                });
                self.exp(body);
            }
            ExpKind::If { condition, then, otherwise, exts } => {
                self.exp(condition);
                self.inside(|this| this.exp(then));
                self.inside(|this| this.exp(otherwise));
                exts.iter().for_each(|var| self.enter(*var));
            }
            ExpKind::Loop { sizes, pattern, kept: _, init, form, body, exts } => {
                self.exp(init);
                match form {
                    LoopForm::For(_, bound) | LoopForm::ForIn(_, bound) => self.exp(bound),
                    LoopForm::While(_) => {}
                }
                self.inside(|this| {
                    sizes.iter().for_each(|var| this.enter(*var));
                    this.pattern(pattern);
                    match form {
                        LoopForm::For(var, _) => this.enter(*var),
                        LoopForm::ForIn(element, _) => this.pattern(element),
                        LoopForm::While(condition) => this.inside(|this| this.exp(condition)),
                    }
                    this.exp(body);
                });
                exts.iter().for_each(|var| self.enter(*var));
            }
            ExpKind::Assert { condition, value, .. } => {
                self.exp(condition);
                self.exp(value);
            }
        }
    }
}
