//! The walk over definitions and expressions.

use super::alias::{
    Aliases, Name, Names, consumes, first_of, has_function, payload_field, take_in, with_marks, without,
};
use super::errors::{self, Consumption, How, Obstacle};
use super::with_result;
use crate::typed::{DefId, Definition, DimIndex, Exp, ExpKind, Pattern, PatternKind, Program, RangeEnd};
use crate::types::{Arrow, Type};
use fun_base::diag::Diagnostic;
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::source::Span;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of a variable. Names are unique, so entries stay when their scope ends: values that outlive it still
/// share memory with each other.
pub(super) struct Entry {
    pub(super) aliases: Aliases,
    /// How many functions and loops were open where it was bound.
    pub(super) level: usize,
    /// What forbids consuming it even at its own level.
    pub(super) obstacle: Option<Obstacle>,
    /// Where it is bound.
    pub(super) span: Option<Span>,
    /// How messages call it.
    pub(super) text: String,
}

/// A function or loop whose body is being checked.
pub(super) struct Frame {
    is_loop: bool,
    /// Variables from outside that it uses, with the first place.
    pub(super) uses: BTreeMap<Var, Span>,
}

/// The state of the check.
pub(super) struct Checker<'p> {
    program: &'p Program,
    names: NameSource,
    pub(super) entries: BTreeMap<Var, Entry>,
    pub(super) frames: Vec<Frame>,
    pub(super) consumed: OrdMap<Name, Consumption>,
    /// Types of the definitions checked so far, with `*` where the result proved fresh.
    types: Vec<Type>,
    /// The variable that stands for each top-level constant.
    constants: BTreeMap<DefId, Var>,
    pub(super) errors: Vec<Diagnostic>,
}

impl<'p> Checker<'p> {
    pub(super) fn new(program: &'p Program) -> Checker<'p> {
        Checker {
            program,
            names: NameSource::starting_at(program.next_tag),
            entries: BTreeMap::new(),
            frames: Vec::new(),
            consumed: OrdMap::new(),
            types: Vec::new(),
            constants: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    /// Checks a definition; gives its errors.
    pub(super) fn definition(&mut self, id: DefId, definition: &Definition) -> Vec<Diagnostic> {
        let (result, _) = self.body(&definition.params, &definition.body, &definition.result, false);
        self.types.push(with_result(definition, result));
        if definition.params.is_empty() {
            let var = self.names.fresh(definition.name);
            let text = format!("`{}`", definition.name);
            let aliases = Aliases::fresh(&definition.result);
            // A function whose results are scalars is code: nothing shares memory with it.
            let code = matches!(definition.result, Type::Arrow(_)) && gives_scalars(&definition.result);
            let aliases = if code { aliases } else { aliases.bound_to(var, &definition.result) };
            let span = Some(definition.span);
            self.entries
                .insert(var, Entry { aliases, level: 0, obstacle: Some(Obstacle::Constant), span, text });
            self.constants.insert(id, var);
        }
        self.consumed = OrdMap::new();
        std::mem::take(&mut self.errors)
    }

    /// Checks the body of a function: gives its result type with `*` at what is fresh, and what it uses from outside.
    pub(super) fn body(
        &mut self,
        params: &[Pattern],
        body: &Exp,
        result: &Type,
        local: bool,
    ) -> (Type, Names) {
        self.frames.push(Frame { is_loop: false, uses: BTreeMap::new() });
        for param in params {
            self.bind_param(param, false, Obstacle::Parameter);
        }
        let before = self.consumed.clone();
        let aliases = self.exp(body);
        self.recheck(&aliases, body.span);
        self.consumed = before;
        self.check_result(params, result, &aliases, body.span);
        let fresh =
            if params.is_empty() && !local { result.clone() } else { self.inferred(result, &aliases) };
        let frame = self.frames.pop();
        let mut captured = Names::new();
        for (var, span) in frame.into_iter().flat_map(|frame| frame.uses) {
            take_in(&mut captured, self.entries.get(&var).map(|e| e.aliases.all()).unwrap_or_default());
            self.note_use(var, span);
        }
        self.release(params);
        (fresh, captured)
    }

    /// Variables of patterns that end here: what still shares memory with them can be consumed.
    fn release(&mut self, patterns: &[Pattern]) {
        for (var, _) in patterns.iter().flat_map(variables) {
            if let Some(entry) = self.entries.get_mut(&var) {
                entry.obstacle = None;
            }
        }
    }

    /// Ends the scope of a loop's element.
    pub(super) fn release_one(&mut self, pattern: &Pattern) {
        self.release(std::slice::from_ref(pattern));
    }

    /// Binds a parameter to something unknown.
    pub(super) fn bind_param(&mut self, param: &Pattern, unique: bool, obstacle: Obstacle) {
        let unique = unique || consumes(&param.ty);
        match &param.kind {
            PatternKind::Var(var) => {
                let obstacle = if unique { None } else { Some(obstacle) };
                self.bind(*var, Aliases::fresh(&param.ty), &param.ty, param.span, obstacle);
            }
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Constructor(_, parts) => {
                parts.iter().for_each(|p| self.bind_param(p, unique, obstacle));
            }
            PatternKind::Record(fields) => {
                fields.iter().for_each(|(_, p)| self.bind_param(p, unique, obstacle))
            }
        }
    }

    /// Binds a variable at the current level.
    pub(super) fn bind(
        &mut self,
        var: Var,
        aliases: Aliases,
        ty: &Type,
        span: Span,
        obstacle: Option<Obstacle>,
    ) {
        let aliases = aliases.bound_to(var, ty);
        let (level, text) = (self.frames.len(), format!("`{}`", var.text));
        self.entries.insert(var, Entry { aliases, level, obstacle, span: Some(span), text });
    }

    /// Binds a pattern to a value.
    pub(super) fn bind_pattern(&mut self, pattern: &Pattern, aliases: Aliases, obstacle: Option<Obstacle>) {
        match &pattern.kind {
            PatternKind::Var(var) => self.bind(*var, aliases, &pattern.ty, pattern.span, obstacle),
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Constructor(name, parts) => {
                for (k, inner) in parts.iter().enumerate() {
                    self.bind_pattern(inner, aliases.field(payload_field(*name, k)), obstacle);
                }
            }
            PatternKind::Record(fields) => {
                for (field, inner) in fields {
                    self.bind_pattern(inner, aliases.field(*field), obstacle);
                }
            }
        }
    }

    /// A name for an intermediate result.
    pub(super) fn intermediate(&mut self, text: String, span: Span) -> Name {
        let var = self.names.fresh("result");
        let level = self.frames.len();
        self.entries
            .insert(var, Entry { aliases: Aliases::none(), level, obstacle: None, span: Some(span), text });
        Name { var, path: Vec::new() }
    }

    fn note_use(&mut self, var: Var, span: Span) {
        let (level, depth) = (self.entries.get(&var).map_or(0, |entry| entry.level), self.frames.len());
        if let Some(frame) = self.frames.last_mut()
            && level < depth
        {
            frame.uses.entry(var).or_insert(span);
        }
    }

    /// How messages call a variable.
    pub(super) fn text(&self, var: Var) -> String {
        self.entries.get(&var).map_or_else(|| format!("`{}`", var.text), |entry| entry.text.clone())
    }

    /// The use of a variable, or of the component of one that these fields lead to.
    fn observe(&mut self, var: Var, path: &[Symbol], ty: &Type, span: Span) -> Aliases {
        let Some(entry) = self.entries.get(&var) else {
            // a size parameter
            return Aliases::fresh(ty);
        };
        let aliases = path.iter().fold(entry.aliases.clone(), |aliases, field| aliases.field(*field));
        self.note_use(var, span);
        if let Some((name, consumption)) = self.first_consumed(&aliases.all()) {
            let through = (name != var).then(|| self.text(name));
            self.errors.push(errors::used_after(&self.text(var), through.as_deref(), span, &consumption));
            self.forgive(&aliases);
        }
        aliases
    }

    /// The first of these names that has been consumed.
    fn first_consumed(&self, names: &Names) -> Option<(Var, Consumption)> {
        first_of(names, &self.consumed).map(|(var, consumption)| (var, consumption.clone()))
    }

    /// Takes a consumption back after it has been reported.
    fn forgive(&mut self, aliases: &Aliases) {
        for name in aliases.all() {
            self.consumed.remove(&name);
        }
    }

    /// Checks that nothing in a value was consumed while the rest of the expression it belongs to was evaluated.
    pub(super) fn recheck(&mut self, aliases: &Aliases, span: Span) {
        if let Some((name, consumption)) = self.first_consumed(&aliases.all()) {
            self.errors.push(errors::used_after(&self.text(name), None, span, &consumption));
            self.forgive(aliases);
        }
    }

    /// Consumes everything with these names.
    pub(super) fn consume(&mut self, names: &Names, span: Span, how: How) {
        let by = Consumption { span, how };
        // of several names the innermost says it best
        let mut refused: Option<(usize, Var, Obstacle)> = None;
        for name in names {
            let Some(entry) = self.entries.get(&name.var) else { continue };
            let outside = entry.level < self.frames.len();
            let obstacle = match entry.obstacle {
                Some(Obstacle::Constant) => Some(Obstacle::Constant),
                _ if outside => Some(self.enclosing(entry.level)),
                obstacle => obstacle,
            };
            if let Some(obstacle) = obstacle
                && refused.is_none_or(|(level, ..)| level < entry.level)
            {
                refused = Some((entry.level, name.var, obstacle));
            }
        }
        if let Some((_, var, obstacle)) = refused {
            let binding = self.entries.get(&var).and_then(|entry| entry.span);
            self.errors.push(errors::not_consumable(&self.text(var), obstacle, binding, &by));
            return;
        }
        if let Some((name, earlier)) = self.first_consumed(names) {
            self.errors.push(errors::used_after(&self.text(name), None, span, &earlier));
        }
        for name in names {
            self.consumed.insert(name.clone(), by.clone());
        }
    }

    /// Whether a function or only loops lie between a variable of this level and here.
    fn enclosing(&self, level: usize) -> Obstacle {
        let loops_only = self.frames.iter().skip(level).all(|frame| frame.is_loop);
        if loops_only { Obstacle::OutsideLoop } else { Obstacle::OutsideFunction }
    }

    /// Opens the body of a loop.
    pub(super) fn open_loop(&mut self) {
        self.frames.push(Frame { is_loop: true, uses: BTreeMap::new() });
    }

    /// Closes it; gives what it uses from outside.
    pub(super) fn close_loop(&mut self) -> BTreeMap<Var, Span> {
        let uses = self.frames.pop().map(|frame| frame.uses).unwrap_or_default();
        for (var, span) in &uses {
            self.note_use(*var, *span);
        }
        uses
    }

    /// Runs `inner` and gives what it newly consumed, which is taken back.
    pub(super) fn contained<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> T,
    ) -> (T, OrdMap<Name, Consumption>) {
        let before = self.consumed.clone();
        let value = inner(self);
        let after = std::mem::replace(&mut self.consumed, before);
        // What both share is not gone through.
        let new = self.consumed.diff(&after).filter_map(|difference| match difference {
            DiffItem::Add(name, consumption) => Some((name.clone(), consumption.clone())),
            DiffItem::Update { .. } | DiffItem::Remove(..) => None,
        });
        let new = new.collect();
        (value, new)
    }

    /// Expressions in the order of their evaluation. A value must outlast the evaluation of those after it.
    fn in_order<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) -> Vec<Aliases> {
        let values: Vec<(Aliases, Span)> = exps.into_iter().map(|exp| (self.exp(exp), exp.span)).collect();
        for (aliases, span) in &values {
            self.recheck(aliases, *span);
        }
        values.into_iter().map(|(aliases, _)| aliases).collect()
    }

    fn indices(&mut self, indices: &[DimIndex]) {
        for index in indices {
            match index {
                DimIndex::Fix(exp) => {
                    self.exp(exp);
                }
                DimIndex::Slice { start, end, stride } => {
                    for part in [start, end, stride].into_iter().flatten() {
                        self.exp(part);
                    }
                }
            }
        }
    }

    /// Checks an expression; gives the aliases of its value.
    pub(super) fn exp(&mut self, exp: &Exp) -> Aliases {
        match &exp.kind {
            ExpKind::Const(_) | ExpKind::Bytes(_) | ExpKind::Intrinsic(..) | ExpKind::Hole => {
                Aliases::fresh(&exp.ty)
            }
            ExpKind::Construct(name, args) => {
                let values = self.in_order(args);
                values.into_iter().enumerate().fold(Aliases::fresh(&exp.ty), |whole, (k, value)| {
                    whole.with_field(&[payload_field(*name, k)], value)
                })
            }
            ExpKind::Match { scrutinee, cases, .. } => {
                let value = self.exp(scrutinee);
                let mut result: Option<Aliases> = None;
                let mut consumed = OrdMap::new();
                for case in cases {
                    let (aliases, new) = self.contained(|c| {
                        c.bind_pattern(&case.pattern, value.clone(), None);
                        c.exp(&case.body)
                    });
                    result = Some(match result {
                        Some(earlier) => earlier.or(aliases),
                        None => aliases,
                    });
                    consumed.extend(new);
                }
                let result = result.unwrap_or_else(Aliases::none);
                let result = result.map_names(&|names| without(names, &consumed));
                self.consumed.extend(consumed);
                result
            }
            ExpKind::Var(var) => self.observe(*var, &[], &exp.ty, exp.span),
            ExpKind::LocalDef(var, _) => match self.observe(*var, &[], &exp.ty, exp.span) {
                Aliases::Function(names, arrow) => {
                    Aliases::of_type(&with_marks(&exp.ty, &Type::Arrow(Arc::new(arrow))), &names)
                }
                other => other,
            },
            ExpKind::Def(id, instance) => match self.constants.get(id) {
                Some(var) if instance.sizes.is_empty() && instance.types.is_empty() => {
                    self.observe(*var, &[], &exp.ty, exp.span)
                }
                _ => match self.types.get(id.0 as usize) {
                    Some(marks) => Aliases::fresh(&with_marks(&exp.ty, marks)),
                    None => Aliases::fresh(&exp.ty),
                },
            },
            ExpKind::Record(fields) => {
                let values = self.in_order(fields.iter().map(|(_, exp)| exp));
                let fields = fields.iter().map(|(f, _)| *f).zip(values).collect();
                Aliases::Record(in_type_order(fields, &exp.ty).into())
            }
            ExpKind::Project(inner, field) => match variable_path(exp) {
                Some((var, path)) => self.observe(var, &path, &exp.ty, exp.span),
                None => self.exp(inner).field(*field),
            },
            ExpKind::UpdateField(record, path, value) => {
                // the value may consume the component that it replaces: `r with x = (r.x with [i] = v)`
                let record = self.exp(record);
                let value = self.exp(value);
                let result = record.with_field(path, value);
                self.recheck(&result, exp.span);
                result
            }
            ExpKind::ArrayLiteral(elements) => {
                self.in_order(elements);
                Aliases::fresh(&exp.ty)
            }
            ExpKind::Range { first, second, end, .. } => {
                self.exp(first);
                if let Some(second) = second {
                    self.exp(second);
                }
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                self.exp(end);
                Aliases::fresh(&exp.ty)
            }
            ExpKind::Index { array, indices, .. } => {
                let aliases = self.exp(array);
                self.indices(indices);
                self.recheck(&aliases, array.span);
                Aliases::of_type(&exp.ty, &aliases.all())
            }
            ExpKind::Update { array, indices, value } => self.update(exp, array, indices, value),
            ExpKind::Apply { function, args, .. } => self.apply(exp, function, args),
            ExpKind::Lambda { params, body, .. } => self.lambda(&exp.ty, params, body),
            ExpKind::Let { pattern, value, body, .. } => {
                let (aliases, new) = self.contained(|c| c.exp(value));
                if !new.is_empty() && has_function(&value.ty) {
                    self.errors.push(errors::function_consumes(value.span));
                }
                self.consumed.extend(new);
                self.bind_pattern(pattern, aliases, None);
                self.exp(body)
            }
            ExpKind::LetDef { var, value, body, .. } => {
                let aliases = self.exp(value);
                self.bind(*var, aliases, &value.ty, value.span, None);
                self.exp(body)
            }
            ExpKind::If { condition, then, otherwise, .. } => {
                self.exp(condition);
                let (a, mut new) = self.contained(|c| c.exp(then));
                let (b, other) = self.contained(|c| c.exp(otherwise));
                new.extend(other);
                // where a branch consumes it, the value of the other branch is its last use
                let result = a.or(b).map_names(&|names| without(names, &new));
                self.consumed.extend(new);
                result
            }
            ExpKind::Loop { pattern, kept, init, form, body, .. } => {
                self.loop_exp(exp, (pattern, kept), init, form, body)
            }
            ExpKind::Coerce(inner) | ExpKind::Attribute(_, inner) => self.exp(inner),
            ExpKind::Assert { condition, value, .. } => {
                self.exp(condition);
                self.exp(value)
            }
        }
    }

    fn update(&mut self, exp: &Exp, array: &Exp, indices: &[DimIndex], value: &Exp) -> Aliases {
        self.indices(indices);
        let new = self.exp(value);
        let old = self.exp(array);
        self.recheck(&new, value.span);
        let old = old.all();
        if new.all().iter().any(|name| old.contains(name)) {
            self.errors.push(errors::value_aliases(value.span, array.span));
        }
        self.consume(&old, exp.span, How::Update);
        Aliases::fresh(&exp.ty)
    }

    fn lambda(&mut self, ty: &Type, params: &[Pattern], body: &Exp) -> Aliases {
        let (_, result) = split_arrows(ty, params.len());
        let result = result.clone();
        let (fresh, captured) = self.body(params, body, &result, true);
        let marks = join_arrows(ty, params, fresh);
        Aliases::of_type(&with_marks(ty, &marks), &captured)
    }

    /// The name that a function is called in messages.
    pub(super) fn function_text(&self, function: &Exp) -> Option<String> {
        match &function.kind {
            ExpKind::Var(var) | ExpKind::LocalDef(var, _) => Some(self.text(*var)),
            ExpKind::Def(id, _) => {
                self.program.definitions.get(id.0 as usize).map(|d| format!("`{}`", d.name))
            }
            ExpKind::Intrinsic(intrinsic, _) => Some(format!("`{}`", snake_case(&format!("{intrinsic:?}")))),
            ExpKind::Apply { function, .. } => self.function_text(function),
            _ => None,
        }
    }
}

/// `ReduceByIndex` as `reduce_by_index`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars().take_while(|c| c.is_ascii_alphanumeric()) {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// The fields in the order of the type.
fn in_type_order(mut fields: Vec<(Symbol, Aliases)>, ty: &Type) -> Vec<(Symbol, Aliases)> {
    if let Type::Record(types) = ty {
        fields.sort_by_cached_key(|(field, _)| types.iter().position(|(f, _)| f == field));
    }
    fields
}

/// `x.f.g` as the variable and the fields, if it is such.
fn variable_path(exp: &Exp) -> Option<(Var, Vec<Symbol>)> {
    match &exp.kind {
        ExpKind::Var(var) => Some((*var, Vec::new())),
        ExpKind::Project(inner, field) => {
            let (var, mut path) = variable_path(inner)?;
            path.push(*field);
            Some((var, path))
        }
        _ => None,
    }
}

/// The variables of a pattern with their types.
pub(super) fn variables(pattern: &Pattern) -> Vec<(Var, &Type)> {
    match &pattern.kind {
        PatternKind::Var(var) => vec![(*var, &pattern.ty)],
        PatternKind::Wildcard | PatternKind::Literal(_) => Vec::new(),
        PatternKind::Constructor(_, parts) => parts.iter().flat_map(variables).collect(),
        PatternKind::Record(fields) => fields.iter().flat_map(|(_, inner)| variables(inner)).collect(),
    }
}

/// The parameters of the first `count` arrows and what they lead to.
pub(super) fn split_arrows(ty: &Type, count: usize) -> (Vec<&Type>, &Type) {
    let mut params = Vec::new();
    let mut rest = ty.without_unique();
    while params.len() < count
        && let Type::Arrow(arrow) = rest
    {
        params.push(&arrow.param);
        rest = if params.len() < count { arrow.result.without_unique() } else { &arrow.result };
    }
    (params, rest)
}

/// The arrows of `ty` with the `*` of the parameters and this result.
fn join_arrows(ty: &Type, params: &[Pattern], result: Type) -> Type {
    match (ty, params.split_first()) {
        (Type::Arrow(arrow), Some((first, rest))) => Type::Arrow(Arc::new(Arrow {
            param: with_marks(&arrow.param, &first.ty),
            result: join_arrows(arrow.result.without_unique(), rest, result),
            ..(**arrow).clone()
        })),
        _ => result,
    }
}

/// Whether a value of this type, or what a function of it gives in the end, consists of scalars.
fn gives_scalars(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) => true,
        Type::Record(fields) => fields.iter().all(|(_, field)| gives_scalars(field)),
        Type::Arrow(arrow) => gives_scalars(&arrow.result),
        Type::Unique(inner) => gives_scalars(inner),
        Type::Array(..) | Type::Sum(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) => false,
    }
}
