//! Walks over the typed tree.

use super::{DimIndex, Exp, ExpKind, LoopForm, RangeEnd};

impl Exp {
    /// Calls `f` on each expression directly inside, in the order of the text.
    pub(crate) fn for_each_child<'e>(&'e self, f: &mut dyn FnMut(&'e Exp)) {
        match &self.kind {
            ExpKind::Const(_)
            | ExpKind::Bytes(_)
            | ExpKind::Var(_)
            | ExpKind::Def(..)
            | ExpKind::Intrinsic(..)
            | ExpKind::LocalDef(..)
            | ExpKind::Hole => {}
            ExpKind::Construct(_, args) => args.iter().for_each(f),
            ExpKind::Match { scrutinee, cases, exts: _ } => {
                f(scrutinee);
                cases.iter().for_each(|case| f(&case.body));
            }
            ExpKind::Record(fields) => fields.iter().for_each(|(_, exp)| f(exp)),
            ExpKind::Project(inner, _) | ExpKind::Coerce(inner) | ExpKind::Attribute(_, inner) => f(inner),
            ExpKind::UpdateField(record, _, value) => {
                f(record);
                f(value);
            }
            ExpKind::ArrayLiteral(elements) => elements.iter().for_each(f),
            ExpKind::Range { first, second, end, exts: _ } => {
                f(first);
                second.iter().for_each(|second| f(second));
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                f(end);
            }
            ExpKind::Index { array, indices, exts: _ } => {
                f(array);
                indices.iter().for_each(|index| index.for_each(f));
            }
            ExpKind::Update { array, indices, value } => {
                f(array);
                indices.iter().for_each(|index| index.for_each(f));
                f(value);
            }
            ExpKind::Apply { function, args, exts: _ } => {
                f(function);
                args.iter().for_each(f);
            }
            ExpKind::Lambda { params: _, body, exts: _ } => f(body),
            ExpKind::Let { sizes: _, pattern: _, value, body }
            | ExpKind::LetDef { var: _, scheme: _, value, body } => {
                f(value);
                f(body);
            }
            ExpKind::If { condition, then, otherwise, exts: _ } => {
                f(condition);
                f(then);
                f(otherwise);
            }
            ExpKind::Loop { sizes: _, pattern: _, kept: _, init, form, body, exts: _ } => {
                f(init);
                match form {
                    LoopForm::For(_, exp) | LoopForm::ForIn(_, exp) | LoopForm::While(exp) => f(exp),
                }
                f(body);
            }
            ExpKind::Assert { condition, text: _, value } => {
                f(condition);
                f(value);
            }
        }
    }
}

impl DimIndex {
    fn for_each<'e>(&'e self, f: &mut dyn FnMut(&'e Exp)) {
        match self {
            DimIndex::Fix(exp) => f(exp),
            DimIndex::Slice { start, end, stride } => {
                [start, end, stride].into_iter().flatten().for_each(f);
            }
        }
    }
}
