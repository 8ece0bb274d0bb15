//! A compact text of syntax trees with all structure visible, for expected results.

use crate::syntax::*;

fn list<T>(items: &[T], show: impl Fn(&T) -> String, between: &str) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(between)
}

pub(super) fn name(q: &QualName) -> String {
    let mut parts: Vec<&str> = q.qualifiers.iter().map(|s| s.as_str()).collect();
    parts.push(q.name.as_str());
    parts.join(".")
}

pub(super) fn literal(l: &Literal) -> String {
    match l {
        Literal::Prim(v) => v.to_string(),
        Literal::Int(v) => v.to_string(),
        Literal::Float(text, v) => format!("{text}={v}"),
        Literal::Char(c) => format!("'{c}'"),
        Literal::String(bytes) => format!("{bytes:?}"),
    }
}

fn option(e: &Option<Exp>) -> String {
    e.as_ref().map(exp).unwrap_or_default()
}

fn indices(ds: &[DimIndex]) -> String {
    let dim = |d: &DimIndex| match d {
        DimIndex::Fix(e) => exp(e),
        DimIndex::Slice { start, end, stride, .. } => {
            format!("{}:{}:{}", option(start), option(end), option(stride))
        }
    };
    format!("[{}]", list(ds, dim, ","))
}

fn fields(fs: &[Ident]) -> String {
    list(fs, |f| f.name.to_string(), ".")
}

pub(super) fn type_param(p: &TypeParam) -> String {
    match p {
        TypeParam::Size(n) => format!("[{}]", n.name),
        TypeParam::Type(n, Liftedness::Unlifted) => format!("'{}", n.name),
        TypeParam::Type(n, Liftedness::SizeLifted) => format!("'~{}", n.name),
        TypeParam::Type(n, Liftedness::Lifted) => format!("'^{}", n.name),
    }
}

pub(super) fn exp(e: &Exp) -> String {
    match &e.kind {
        ExpKind::Literal(l) => literal(l),
        ExpKind::Name(q) => name(q),
        ExpKind::Hole => "???".into(),
        ExpKind::Parens(e) => format!("«{}»", exp(e)),
        ExpKind::LocalOpen(m, e) => format!("{}.({})", name(m), exp(e)),
        ExpKind::Tuple(es) => format!("tuple({})", list(es, exp, ",")),
        ExpKind::Record(fs) => {
            let member = |(f, e): &(Ident, Option<Exp>)| match e {
                Some(e) => format!("{}={}", f.name, exp(e)),
                None => f.name.to_string(),
            };
            format!("{{{}}}", list(fs, member, ","))
        }
        ExpKind::ArrayLiteral(es) => format!("[{}]", list(es, exp, ",")),
        ExpKind::Range { first, second, end } => {
            let second = second.as_ref().map(|e| format!("..{}", exp(e))).unwrap_or_default();
            let end = match end {
                RangeEnd::Inclusive(e) => format!("...{}", exp(e)),
                RangeEnd::UpTo(e) => format!("..<{}", exp(e)),
                RangeEnd::DownTo(e) => format!("..>{}", exp(e)),
            };
            format!("range({}{second}{end})", exp(first))
        }
        ExpKind::Project(e, f) => format!("{}.{}", exp(e), f.name),
        ExpKind::Index(e, ds) => format!("{}{}", exp(e), indices(ds)),
        ExpKind::Apply(f, x) => format!("({} {})", exp(f), exp(x)),
        ExpKind::BinOp(op, a, b) => format!("({} {} {})", exp(a), name(op), exp(b)),
        ExpKind::Negate(e) => format!("(- {})", exp(e)),
        ExpKind::Not(e) => format!("(! {})", exp(e)),
        ExpKind::Ascription(e, t) => format!("({} : {})", exp(e), ty(t)),
        ExpKind::Coercion(e, t) => format!("({} :> {})", exp(e), ty(t)),
        ExpKind::Lambda { params, result, body } => {
            let result = result.as_ref().map(|t| format!(" : {}", ty(t))).unwrap_or_default();
            format!("(\\{}{result} -> {})", list(params, pattern, " "), exp(body))
        }
        ExpKind::SectionRight(op, e) => format!("(_ {} {})", name(op), exp(e)),
        ExpKind::SectionLeft(e, op) => format!("({} {} _)", exp(e), name(op)),
        ExpKind::SectionProject(fs) => format!("(_.{})", fields(fs)),
        ExpKind::SectionIndex(ds) => format!("(_{})", indices(ds)),
        ExpKind::Let { sizes, pattern: p, value, body } => {
            let sizes = list(sizes, |s| format!("[{}] ", s.name), "");
            format!("(let {sizes}{} = {} in {})", pattern(p), exp(value), exp(body))
        }
        ExpKind::LetFunction(f) => {
            let params = list(&f.type_params, |p| format!(" {}", type_param(p)), "");
            let result = f.result.as_ref().map(|t| format!(" : {}", ty(t))).unwrap_or_default();
            let name = f.name.name;
            let patterns = list(&f.params, pattern, " ");
            format!("(let {name}{params} {patterns}{result} = {} in {})", exp(&f.function), exp(&f.body))
        }
        ExpKind::LetWith { name, indices: ds, value, body } => {
            format!("(let {}{} = {} in {})", name.name, indices(ds), exp(value), exp(body))
        }
        ExpKind::LetWithField { name, fields: fs, value, body } => {
            format!("(let {}.{} = {} in {})", name.name, fields(fs), exp(value), exp(body))
        }
        ExpKind::With { array, indices: ds, value } => {
            format!("({} with {} = {})", exp(array), indices(ds), exp(value))
        }
        ExpKind::WithField { record, fields: fs, value } => {
            format!("({} with {} = {})", exp(record), fields(fs), exp(value))
        }
        ExpKind::If(c, a, b) => format!("(if {} then {} else {})", exp(c), exp(a), exp(b)),
        ExpKind::Loop(l) => {
            let sizes = list(&l.sizes, |s| format!("[{}] ", s.name), "");
            let init = l.init.as_ref().map(|e| format!(" = {}", exp(e))).unwrap_or_default();
            let form = match &l.form {
                LoopForm::For(i, n) => format!("for {} < {}", i.name, exp(n)),
                LoopForm::ForIn(p, e) => format!("for {} in {}", pattern(p), exp(e)),
                LoopForm::While(e) => format!("while {}", exp(e)),
            };
            format!("(loop {sizes}{}{init} {form} do {})", pattern(&l.pattern), exp(&l.body))
        }
        ExpKind::Match(e, cases) => {
            let case = |c: &Case| format!(" case {} -> {}", pattern(&c.pattern), exp(&c.body));
            format!("(match {}{})", exp(e), list(cases, case, ""))
        }
        ExpKind::Constructor(c, es) => format!("#{c}({})", list(es, exp, ",")),
        ExpKind::Assert(c, e) => format!("(assert {} {})", exp(c), exp(e)),
        ExpKind::Attribute(a, e) => format!("(#[{}] {})", a.text, exp(e)),
    }
}

pub(super) fn pattern(p: &Pattern) -> String {
    match &p.kind {
        PatternKind::Name(n) => n.to_string(),
        PatternKind::Wildcard => "_".into(),
        PatternKind::Tuple(ps) => format!("tuple({})", list(ps, pattern, ",")),
        PatternKind::Record(fs) => {
            let member = |(f, p): &(Ident, Option<Pattern>)| match p {
                Some(p) => format!("{}={}", f.name, pattern(p)),
                None => f.name.to_string(),
            };
            format!("{{{}}}", list(fs, member, ","))
        }
        PatternKind::Ascription(p, t) => format!("({} : {})", pattern(p), ty(t)),
        PatternKind::Literal(l) => literal(l),
        PatternKind::Constructor(c, ps) => format!("#{c}({})", list(ps, pattern, ",")),
        PatternKind::Attribute(a, p) => format!("(#[{}] {})", a.text, pattern(p)),
    }
}

fn size(s: &SizeExp) -> String {
    match s {
        SizeExp::Any(_) => "[]".into(),
        SizeExp::Exp(e) => format!("[{}]", exp(e)),
    }
}

pub(super) fn ty(t: &TypeExp) -> String {
    match &t.kind {
        TypeExpKind::Name(q) => name(q),
        TypeExpKind::Apply(f, TypeArg::Size(s)) => format!("({} {})", ty(f), size(s)),
        TypeExpKind::Apply(f, TypeArg::Type(a)) => format!("({} {})", ty(f), ty(a)),
        TypeExpKind::Array(s, t) => format!("{}{}", size(s), ty(t)),
        TypeExpKind::Tuple(ts) => format!("tuple({})", list(ts, ty, ",")),
        TypeExpKind::Record(fs) => format!("{{{}}}", list(fs, |(f, t)| format!("{}:{}", f.name, ty(t)), ",")),
        TypeExpKind::Sum(cs) => {
            let clause = |(c, ts): &(Ident, Vec<TypeExp>)| format!("#{}({})", c.name, list(ts, ty, ","));
            list(cs, clause, "|")
        }
        TypeExpKind::Unique(t) => format!("*{}", ty(t)),
        TypeExpKind::Arrow(Some(x), a, b) => format!("(({} : {}) -> {})", x.name, ty(a), ty(b)),
        TypeExpKind::Arrow(None, a, b) => format!("({} -> {})", ty(a), ty(b)),
        TypeExpKind::Exists(xs, t) => format!("?{}.{}", list(xs, |x| format!("[{}]", x.name), ""), ty(t)),
    }
}
