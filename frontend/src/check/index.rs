//! Indexing, slices, updates and ranges.

use super::Infer;
use super::report::Why;
use super::scope::Scope;
use super::size::Poly;
use super::unknown::{Constraint, PrimSet};
use crate::syntax;
use crate::typed::{DimIndex, Exp, ExpKind, RangeEnd};
use crate::types::{Size, Type};
use fun_base::diag::Diagnostic;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_base::source::Span;

/// What an index does to a dimension.
enum Dim {
    Fixed,
    /// Of a size that is known, or not.
    Sliced(Option<Size>),
}

impl Infer<'_> {
    /// `array[indices]`.
    pub(crate) fn index(
        &mut self,
        scope: &Scope,
        array: Exp,
        indices: &[syntax::DimIndex],
        span: Span,
    ) -> Exp {
        let Some((sizes, elem)) = self.dimensions(&array, indices.len(), span) else {
            self.indices(scope, indices, None);
            return self.failed(span);
        };
        let (indices, dims) = self.indices(scope, indices, Some(&sizes));
        let mut exts: Vec<Var> = Vec::new();
        let mut ty = elem;
        for dim in dims.into_iter().rev() {
            if let Dim::Sliced(size) = dim {
                let size = size.unwrap_or_else(|| {
                    let var = self.fresh_var("k", Some((span, "the size of this slice".to_owned())));
                    exts.insert(0, var);
                    Size::Var(var)
                });
                ty = Type::array(size, ty);
            }
        }
        Exp { kind: ExpKind::Index { array: Box::new(array), indices, exts }, ty, span }
    }

    /// The first sizes of an array's type, and what is left after them.
    fn dimensions(&mut self, array: &Exp, count: usize, span: Span) -> Option<(Vec<Size>, Type)> {
        let mut ty = array.ty.clone();
        let mut sizes = Vec::new();
        for i in 0..count {
            match self.head(&ty) {
                Type::Array(size, elem) => {
                    sizes.push(size);
                    ty = *elem;
                }
                Type::Meta(_) if self.is_failed(&ty) => return None,
                Type::Meta(_) => {
                    let elem = self.fresh_constrained(
                        Constraint { first_order: true, unlifted: true, ..Constraint::default() },
                        span,
                    );
                    let size = self.fresh_size();
                    let known = Type::array(size.clone(), elem.clone());
                    if !self.expect(&ty, &known, Why::at(array.span)) {
                        return None;
                    }
                    sizes.push(size);
                    ty = elem;
                }
                _ => {
                    let text = crate::types::type_to_string(&self.resolve(&array.ty));
                    let message = match i {
                        0 => format!("a value of type {text} cannot be indexed"),
                        _ => format!("{count} indices are too many for a value of type {text}"),
                    };
                    self.errors.push(Diagnostic::error("E0216", message).at(span));
                    return None;
                }
            }
        }
        Some((sizes, ty))
    }

    fn indices(
        &mut self,
        scope: &Scope,
        indices: &[syntax::DimIndex],
        sizes: Option<&[Size]>,
    ) -> (Vec<DimIndex>, Vec<Dim>) {
        let int = Type::Prim(PrimType::I64);
        let mut dims = Vec::new();
        let typed = indices.iter().enumerate().map(|(i, index)| match index {
            syntax::DimIndex::Fix(exp) => {
                let exp = self.infer(scope, exp);
                let integer =
                    Constraint { prims: Some(PrimSet::of(PrimType::is_int)), ..Constraint::default() };
                if let Err(mismatch) = self.constrain(&exp.ty, &integer) {
                    self.report(&mismatch, &int, &exp.ty, Why::at(exp.span));
                }
                dims.push(Dim::Fixed);
                DimIndex::Fix(exp)
            }
            syntax::DimIndex::Slice { start, end, stride, .. } => {
                let mut part = |part: &Option<syntax::Exp>| {
                    part.as_ref().map(|part| {
                        let part = self.infer(scope, part);
                        let why = Why::at(part.span).because(part.span, "slices are given by i64 values");
                        self.expect(&int, &part.ty, why);
                        part
                    })
                };
                let (start, end, stride) = (part(start), part(end), part(stride));
                if sizes.is_some() {
                    start.iter().chain(&end).for_each(|part| self.warn_of_binding(part));
                }
                let whole = sizes.and_then(|sizes| sizes.get(i));
                let size =
                    whole.and_then(|n| self.slice_size(n, start.as_ref(), end.as_ref(), stride.as_ref()));
                dims.push(Dim::Sliced(size));
                DimIndex::Slice { start, end, stride }
            }
        });
        let typed = typed.collect();
        (typed, dims)
    }

    /// The size of a slice of `n` elements. That it lies inside is checked when the program runs.
    fn slice_size(
        &self,
        n: &Size,
        start: Option<&Exp>,
        end: Option<&Exp>,
        stride: Option<&Exp>,
    ) -> Option<Size> {
        let stride = match stride {
            None => 1,
            Some(stride) => self.constant_int(stride)?,
        };
        let size = match (stride, start, end) {
            (1, None, None) | (-1, None, None) => n.clone(),
            (1, start, end) => {
                let start = start.map_or(Some(Size::Const(0)), |start| self.exp_to_size(start))?;
                let end = end.map_or(Some(n.clone()), |end| self.exp_to_size(end))?;
                Size::Sub(Box::new(end), Box::new(start))
            }
            _ => return None,
        };
        Some(self.resolve_size(&size))
    }

    /// `array with [indices] = value`.
    pub(crate) fn update(
        &mut self,
        scope: &Scope,
        array: Exp,
        indices: &[syntax::DimIndex],
        value: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let Some((sizes, elem)) = self.dimensions(&array, indices.len(), span) else {
            self.indices(scope, indices, None);
            self.infer(scope, value);
            return self.failed(span);
        };
        let (indices, dims) = self.indices(scope, indices, Some(&sizes));
        // Whether the value has the slice's size is checked when the program runs.
        let wanted = dims.iter().rev().fold(elem, |elem, dim| match dim {
            Dim::Fixed => elem,
            Dim::Sliced(_) => Type::array(self.fresh_size(), elem),
        });
        let value = self.infer(scope, value);
        let why = Why::at(value.span).because(array.span, "what is replaced has the type {}");
        self.expect(&wanted, &value.ty, why);
        let ty = array.ty.clone();
        Exp { kind: ExpKind::Update { array: Box::new(array), indices, value: Box::new(value) }, ty, span }
    }

    /// `first..second...end` and the like.
    pub(crate) fn range(
        &mut self,
        scope: &Scope,
        first: &syntax::Exp,
        second: Option<&syntax::Exp>,
        end: &syntax::RangeEnd,
        span: Span,
    ) -> Exp {
        let integer = Constraint { prims: Some(PrimSet::of(PrimType::is_int)), ..Constraint::default() };
        let elem = self.fresh_constrained(integer, span);
        let bound = |this: &mut Self, exp: &syntax::Exp| {
            let exp = this.infer(scope, exp);
            this.expect(
                &elem,
                &exp.ty,
                Why::at(exp.span).because(span, "the bounds of this range are integers of one type"),
            );
            exp
        };
        let first = bound(self, first);
        let second = second.map(|second| bound(self, second));
        let end = match end {
            syntax::RangeEnd::Inclusive(end) => RangeEnd::Inclusive(Box::new(bound(self, end))),
            syntax::RangeEnd::UpTo(end) => RangeEnd::UpTo(Box::new(bound(self, end))),
            syntax::RangeEnd::DownTo(end) => RangeEnd::DownTo(Box::new(bound(self, end))),
        };
        let mut exts = Vec::new();
        let size = self.range_size(&first, second.as_ref(), &end).unwrap_or_else(|| {
            let var = self.fresh_var("k", Some((span, "the size of this range".to_owned())));
            exts.push(var);
            Size::Var(var)
        });
        let ty = Type::array(size, elem);
        Exp {
            kind: ExpKind::Range { first: Box::new(first), second: second.map(Box::new), end, exts },
            ty,
            span,
        }
    }

    /// The number of elements, where it can be told. A range that does not reach its end stops the program.
    fn range_size(&self, first: &Exp, second: Option<&Exp>, end: &RangeEnd) -> Option<Size> {
        let from = self.exp_to_size(first)?;
        let minus = |a: Size, b: Size| Size::Sub(Box::new(a), Box::new(b));
        let second = second.map(|second| self.constant_int(second));
        let size = match (end, second, &from) {
            // With a step that is written only the forms of the language reference are known.
            (RangeEnd::UpTo(end), Some(Some(1)), Size::Const(0))
            | (RangeEnd::Inclusive(end), Some(Some(2)), Size::Const(1)) => self.exp_to_size(end)?,
            (RangeEnd::UpTo(end), None, _) => minus(self.exp_to_size(end)?, from),
            (RangeEnd::Inclusive(end), None, _) => {
                let count = minus(self.exp_to_size(end)?, from);
                let count = Size::Add(Box::new(count), Box::new(Size::Const(1)));
                // (nobody wrote this sum)
                Poly::of_size(&self.resolve_size(&count)).to_size()
            }
            (RangeEnd::DownTo(end), None, _) => minus(from, self.exp_to_size(end)?),
            _ => return None,
        };
        match self.resolve_size(&size) {
            Size::Const(n) if n < 0 => None,
            size => Some(size),
        }
    }
}
