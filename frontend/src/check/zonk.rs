//! The last step of a definition: every unknown in the typed tree is replaced by what it turned out to be.

use super::Infer;
use super::recursion::OWN;
use super::unknown::metas_of_size;
use crate::typed::{DimIndex, Exp, ExpKind, Instance, Intrinsic, LoopForm, Pattern, PatternKind, RangeEnd};
use crate::types::{Arrow, Size, Type, TypeArg, map_record, map_sum};
use fun_base::diag::Diagnostic;
use fun_base::prim::{BinOp, PrimType, eval_conv};
use fun_base::source::Span;
use std::sync::Arc;

impl Infer<'_> {
    /// The type without unknowns and abstract types; reports unknowns that nothing decides.
    pub(crate) fn zonk_type(&mut self, t: &Type) -> Type {
        self.zonk_abstract(t).revealed()
    }

    /// The type without unknowns; reports those that nothing decides.
    pub(crate) fn zonk_abstract(&mut self, t: &Type) -> Type {
        match t {
            Type::Prim(_) | Type::Param(_) => t.clone(),
            Type::Meta(meta) => {
                let mut last = *meta;
                while let Some(Type::Meta(next)) = self.metas[last as usize].solution {
                    last = next;
                }
                if last != *meta {
                    // Many may ask that the chain of unknowns is as long as the program.
                    self.metas[*meta as usize].solution = Some(Type::Meta(last));
                }
                match self.metas[last as usize].solution.clone() {
                    Some(solution) => self.zonk_abstract(&solution),
                    None => self.undecided(last),
                }
            }
            Type::Array(size, elem) => Type::array(self.zonk_size(size), self.zonk_abstract(elem)),
            Type::Record(fields) => map_record(fields, |t| self.zonk_abstract(t)),
            Type::Unique(inner) => Type::Unique(Box::new(self.zonk_abstract(inner))),
            Type::Named(name, args) => {
                let mut decided = Vec::new();
                for arg in args {
                    decided.push(match arg {
                        TypeArg::Size(size) => TypeArg::Size(self.zonk_size(size)),
                        TypeArg::Type(t) => TypeArg::Type(self.zonk_abstract(t)),
                    });
                }
                Type::Named(name.clone(), decided)
            }
            Type::Sum(constructors) => map_sum(constructors, |t| self.zonk_abstract(t)),
            Type::Arrow(arrow) => {
                let (param, result) = (self.zonk_abstract(&arrow.param), self.zonk_abstract(&arrow.result));
                Type::Arrow(Arc::new(Arrow { name: arrow.name, param, exts: arrow.exts.clone(), result }))
            }
        }
    }

    /// An unknown that nothing decides and nothing needs is the unit type. One of which something is needed is reported.
    fn undecided(&mut self, meta: u32) -> Type {
        let unknown = self.metas[meta as usize].clone();
        self.metas[meta as usize].solution = Some(Type::unit());
        let constraint = &unknown.constraint;
        let needed =
            constraint.equality || !constraint.fields.is_empty() || !constraint.constructors.is_empty();
        if needed && !unknown.constraint.failed && !self.tainted && self.errors.is_empty() {
            // A field's type arose where the field is asked for.
            let place = match unknown.constraint.fields.first() {
                Some((_, Type::Meta(field))) => self.metas[*field as usize].span,
                _ => unknown.span,
            };
            let d = Diagnostic::error("E0207", "the type of this is ambiguous").at(place);
            let d = match unknown.constraint.fields.first() {
                Some((field, _)) => d.note(format!("it is a record with a field `{field}`")),
                None if !constraint.constructors.is_empty() => {
                    let names = constraint.constructors.iter().map(|(name, _)| format!("`#{name}`"));
                    d.note(format!("it is a sum type with {}", names.collect::<Vec<_>>().join(", ")))
                }
                None => d.note("it is compared with `==`, so it must be decided here"),
            };
            self.errors.push(d.help("give it a type, e.g. `x : i32`"));
        }
        Type::unit()
    }

    fn zonk_size(&mut self, size: &Size) -> Size {
        let size = self.resolve_size(size);
        self.close_size(&size)
    }

    /// A size that nothing decides is that of arrays that no value has: 0.
    fn close_size(&mut self, size: &Size) -> Size {
        let mut pair = |a: &Size, b: &Size| (Box::new(self.close_size(a)), Box::new(self.close_size(b)));
        match size {
            Size::Const(_) | Size::Var(_) => size.clone(),
            Size::Opaque(exp, _) => {
                let mut exp = (**exp).clone();
                self.zonk_exp(&mut exp);
                crate::types::opaque(exp)
            }
            Size::Meta(_) => Size::Const(0),
            Size::Add(a, b) => {
                let (a, b) = pair(a, b);
                Size::Add(a, b)
            }
            Size::Sub(a, b) => {
                let (a, b) = pair(a, b);
                Size::Sub(a, b)
            }
            Size::Mul(a, b) => {
                let (a, b) = pair(a, b);
                Size::Mul(a, b)
            }
        }
    }

    /// The instance at this place without unknowns; its sizes must be decided.
    fn zonk_instance(&mut self, instance: &mut Instance, span: Span) {
        for size in &mut instance.sizes {
            let open = !metas_of_size(&self.resolve_size(size)).is_empty();
            if open && !self.tainted && self.errors.is_empty() {
                let d =
                    Diagnostic::error("E0304", "a size of this function's arguments is ambiguous").at(span);
                self.errors.push(d.help("give the arguments types with sizes, e.g. `[] : [0][3]i32`"));
            }
            *size = self.zonk_size(size);
        }
        for t in &mut instance.types {
            *t = self.zonk_type(t);
        }
    }

    pub(crate) fn zonk_pattern(&mut self, pattern: &mut Pattern) {
        let open = matches!(pattern.ty, Type::Meta(_));
        pattern.ty = self.zonk_type(&pattern.ty);
        match &mut pattern.kind {
            PatternKind::Var(_) | PatternKind::Wildcard => {}
            PatternKind::Constructor(_, parts) => parts.iter_mut().for_each(|p| self.zonk_pattern(p)),
            PatternKind::Literal(value) => {
                if let (true, Type::Prim(t)) = (open, &pattern.ty) {
                    *value = self.literal_value(value.bits(), *t, pattern.span);
                }
            }
            PatternKind::Record(fields) => fields.iter_mut().for_each(|(_, p)| self.zonk_pattern(p)),
        }
    }

    /// The same for a pattern that must match.
    pub(crate) fn zonk_binding(&mut self, pattern: &mut Pattern) {
        self.zonk_pattern(pattern);
        if self.errors.is_empty() && !self.tainted {
            self.check_irrefutable(pattern);
        }
    }

    fn zonk_indices(&mut self, indices: &mut [DimIndex]) {
        for index in indices {
            match index {
                DimIndex::Fix(exp) => {
                    self.zonk_exp(exp);
                    convert_to_i64(exp);
                }
                DimIndex::Slice { start, end, stride } => {
                    [start, end, stride].into_iter().flatten().for_each(|part| self.zonk_exp(part));
                }
            }
        }
    }

    pub(crate) fn zonk_exp(&mut self, exp: &mut Exp) {
        let open = matches!(exp.ty, Type::Meta(_));
        exp.ty = self.zonk_type(&exp.ty).strip_unique();
        match &mut exp.kind {
            ExpKind::Const(value) => {
                if let (true, Type::Prim(t)) = (open, &exp.ty) {
                    *value = self.literal_value(value.bits(), *t, exp.span);
                }
            }
            ExpKind::Bytes(_) | ExpKind::Var(_) | ExpKind::Hole => {}
            ExpKind::Construct(_, args) => args.iter_mut().for_each(|e| self.zonk_exp(e)),
            ExpKind::Match { scrutinee, cases, .. } => {
                self.zonk_exp(scrutinee);
                cases.iter_mut().for_each(|case| self.zonk_pattern(&mut case.pattern));
                if self.errors.is_empty() && !self.tainted {
                    self.check_cases(&scrutinee.ty, cases, exp.span);
                }
                cases.iter_mut().for_each(|case| self.zonk_exp(&mut case.body));
            }
            ExpKind::Def(def, instance) => {
                if *def == OWN {
                    self.close_own_use(def, instance);
                }
                self.zonk_instance(instance, exp.span);
            }
            ExpKind::LocalDef(_, instance) => self.zonk_instance(instance, exp.span),
            ExpKind::Intrinsic(intrinsic, instance) => {
                self.zonk_instance(instance, exp.span);
                if let (Intrinsic::Equal(_), Some(Type::Array(..))) = (&*intrinsic, instance.types.first()) {
                    let message = "comparing arrays with `==` is deprecated";
                    let warning = Diagnostic::warning("W0506", message).at(exp.span);
                    self.warnings.push(warning.help("use `and (map2 (==) xs ys)`"));
                }
                let decided = match (&*intrinsic, instance.types.first()) {
                    (Intrinsic::Bin(op, _), Some(Type::Prim(t))) => Some(Intrinsic::Bin(*op, *t)),
                    (Intrinsic::Un(op, _), Some(Type::Prim(t))) => Some(Intrinsic::Un(*op, *t)),
                    (Intrinsic::Equal(negated), Some(Type::Prim(t))) => {
                        Some(Intrinsic::Bin(if *negated { BinOp::Ne } else { BinOp::Eq }, *t))
                    }
                    _ => None,
                };
                if let Some(decided) = decided {
                    *intrinsic = decided;
                    *instance = Instance::default();
                }
            }
            ExpKind::Record(fields) => fields.iter_mut().for_each(|(_, e)| self.zonk_exp(e)),
            ExpKind::Coerce(inner) => {
                // What is compared with the sizes of the type must be known.
                let mut given = Vec::new();
                if let Type::Sum(_) = self.head(&inner.ty) {
                    self.dims(&inner.ty, &mut given);
                }
                let open = |size: &Size| !metas_of_size(&self.resolve_size(size)).is_empty();
                if given.iter().any(open) && self.errors.is_empty() && !self.tainted {
                    let d = Diagnostic::error("E0304", "a size of this is ambiguous in a size coercion");
                    self.errors.push(d.at(inner.span).help("give it a type with sizes before `:>`"));
                }
                self.zonk_exp(inner);
            }
            ExpKind::Project(inner, _) | ExpKind::Attribute(_, inner) => self.zonk_exp(inner),
            ExpKind::UpdateField(record, _, value) => {
                self.zonk_exp(record);
                self.zonk_exp(value);
            }
            ExpKind::ArrayLiteral(elements) => elements.iter_mut().for_each(|e| self.zonk_exp(e)),
            ExpKind::Range { first, second, end, .. } => {
                self.zonk_exp(first);
                second.iter_mut().for_each(|e| self.zonk_exp(e));
                match end {
                    RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => self.zonk_exp(e),
                }
            }
            ExpKind::Index { array, indices, .. } => {
                self.zonk_exp(array);
                self.zonk_indices(indices);
            }
            ExpKind::Update { array, indices, value } => {
                self.zonk_exp(array);
                self.zonk_indices(indices);
                self.zonk_exp(value);
            }
            ExpKind::Apply { function, args, .. } => {
                self.zonk_exp(function);
                args.iter_mut().for_each(|e| self.zonk_exp(e));
            }
            ExpKind::Lambda { params, body, .. } => {
                params.iter_mut().for_each(|p| self.zonk_binding(p));
                self.zonk_exp(body);
            }
            ExpKind::Let { sizes, pattern, value, body } => {
                for var in sizes.iter() {
                    let alias = self.vars.get(var).and_then(|info| info.alias.clone());
                    if alias.is_some_and(|size| !metas_of_size(&self.resolve_size(&size)).is_empty())
                        && self.errors.is_empty()
                    {
                        let d = Diagnostic::error("E0304", format!("the size {} is ambiguous", var.text))
                            .at(pattern.span);
                        self.errors.push(d);
                    }
                }
                self.zonk_binding(pattern);
                self.zonk_exp(value);
                self.zonk_exp(body);
            }
            ExpKind::LetDef { scheme, value, body, .. } => {
                scheme.ty = self.zonk_type(&scheme.ty);
                self.zonk_exp(value);
                self.zonk_exp(body);
            }
            ExpKind::If { condition, then, otherwise, .. } => {
                [condition, then, otherwise].into_iter().for_each(|e| self.zonk_exp(e));
            }
            ExpKind::Loop { pattern, init, form, body, .. } => {
                self.zonk_binding(pattern);
                self.zonk_exp(init);
                match form {
                    LoopForm::For(_, e) | LoopForm::While(e) => self.zonk_exp(e),
                    LoopForm::ForIn(p, e) => {
                        self.zonk_binding(p);
                        self.zonk_exp(e);
                    }
                }
                self.zonk_exp(body);
            }
            ExpKind::Assert { condition, value, .. } => {
                self.zonk_exp(condition);
                self.zonk_exp(value);
            }
        }
    }
}

/// Indices are `i64`: other integers are converted.
fn convert_to_i64(exp: &mut Exp) {
    let Type::Prim(from) = exp.ty else { return };
    if from == PrimType::I64 {
        return;
    }
    let int = Type::Prim(PrimType::I64);
    if let ExpKind::Const(value) = &exp.kind {
        *exp = Exp { kind: ExpKind::Const(eval_conv(PrimType::I64, *value)), ty: int, span: exp.span };
        return;
    }
    let span = exp.span;
    let ty = Type::arrow(Type::Prim(from), int.clone());
    let kind = ExpKind::Intrinsic(Intrinsic::Convert(PrimType::I64, from), Instance::default());
    let function = Box::new(Exp { kind, ty, span });
    let arg = std::mem::replace(exp, Exp { kind: ExpKind::Record(Vec::new()), ty: int.clone(), span });
    *exp = Exp { kind: ExpKind::Apply { function, args: vec![arg], exts: Vec::new() }, ty: int, span };
}
