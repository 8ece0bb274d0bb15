//! Declarations of every kind, module expressions and module type expressions.

use super::common::{
    In, accept, called, expect, ident, key, nested, next_key, position, qual_name, rule, since,
};
use super::pattern::bound_operator;
use super::problem::Code;
use super::state::{CHAIN_LIMIT, Extra, Failure, Input, Label, P, place};
use super::token::{Key, Kind, Special};
use super::types::{Types, type_param};
use crate::syntax::{
    Attribute, Declaration, Ident, Import, Liftedness, Literal, ModuleExp, ModuleExpKind, ModuleLambda,
    ModuleTypeExp, ModuleTypeExpKind, Refinement, Spec, TypeDeclaration, TypeSpec, ValueSpec,
};
use chumsky::prelude::*;
use fun_base::name::Symbol;
use std::sync::Arc;

/// A parameter of a parametric module.
type Param = (Ident, Arc<ModuleTypeExp>);

/// Any declaration, given definitions of values without attributes.
pub(super) fn declarations<'t>(
    value: P<'t, Declaration>,
    types: &Types<'t>,
    attribute: P<'t, Attribute>,
) -> P<'t, Declaration> {
    let type_declaration = type_declaration(types);
    let signature = signatures(types, attribute.clone());
    let attributes = attribute.repeated().collect::<Vec<_>>().boxed();
    recursive(move |declaration| {
        let declaration: P<'t, Declaration> = nested(counted(declaration.boxed()));
        let module = module_exp(declaration.clone(), signature.clone());
        rule(move |inp: &mut In<'t, '_>| {
            let doc = doc(inp);
            let attributes = inp.parse(&attributes)?;
            let result = match next_key(inp) {
                Some(Key::Type) => return inp.parse(&type_declaration),
                Some(Key::Open) => {
                    inp.next_ref();
                    return Ok(Declaration::Open(inp.parse(&module)?));
                }
                Some(Key::Import) => return Ok(Declaration::Import(inp.parse(import())?)),
                Some(Key::Module) => return module_declaration(inp, &module, &signature),
                Some(Key::Local) => {
                    inp.next_ref();
                    Declaration::Local(Box::new(inp.parse(&declaration)?))
                }
                _ => inp.parse(&value)?,
            };
            Ok(described(result, attributes, doc))
        })
    })
    .boxed()
}

/// The documentation of the declaration that comes next.
fn doc(inp: &mut In<'_, '_>) -> Option<String> {
    let at = position(inp);
    let docs = inp.state().docs;
    let end = docs.partition_point(|(place, _)| *place <= at);
    docs[..end].last().filter(|(place, _)| *place == at).map(|(_, text)| text.clone())
}

/// The declaration with what stands before it.
fn described(declaration: Declaration, mut attributes: Vec<Attribute>, doc: Option<String>) -> Declaration {
    match declaration {
        Declaration::Value(mut value) => {
            attributes.append(&mut value.attributes);
            value.attributes = attributes;
            value.doc = doc.or(value.doc);
            Declaration::Value(value)
        }
        Declaration::Local(inner) => Declaration::Local(Box::new(described(*inner, attributes, doc))),
        other => other,
    }
}

/// A declaration in a module: its chains are counted by themselves.
fn counted<'t>(declaration: P<'t, Declaration>) -> P<'t, Declaration> {
    rule(move |inp: &mut In<'t, '_>| {
        let start = position(inp);
        let before = std::mem::take(&mut inp.state().chained);
        let result = inp.parse(&declaration)?;
        if inp.state().chained > CHAIN_LIMIT {
            let message =
                "this declaration has too long chains of bindings, branches, operators or arguments";
            return Err(Failure::special(start, Code::TooDeep, message));
        }
        inp.state().chained = before;
        Ok(result)
    })
}

/// `^` or `~` after `type`.
fn liftedness<'t>() -> impl Parser<'t, Input<'t>, Liftedness, Extra<'t>> + Clone {
    let hat = select_ref! { Kind::Op(op) if op.special == Some(Special::Hat) => Liftedness::Lifted };
    let lift = key(Key::Tilde).to(Liftedness::SizeLifted).or(hat).or_not();
    lift.map(|lift| lift.unwrap_or(Liftedness::Unlifted))
}

fn type_declaration<'t>(types: &Types<'t>) -> P<'t, Declaration> {
    key(Key::Type)
        .ignore_then(liftedness())
        .then(ident())
        .then(type_param().repeated().collect())
        .then_ignore(key(Key::Equals))
        .then(types.ty.clone())
        .map_with(|(((liftedness, name), params), definition), e| {
            Declaration::Type(TypeDeclaration { name, liftedness, params, definition, span: place(e) })
        })
        .boxed()
}

/// `import "file"`.
fn import<'t>() -> impl Parser<'t, Input<'t>, Import, Extra<'t>> + Clone {
    let path = select_ref! { Kind::Literal(Literal::String(bytes)) => bytes.clone() };
    key(Key::Import).ignore_then(
        path.map_with(|bytes, e| Import {
            path: Symbol::new(&String::from_utf8_lossy(&bytes)),
            span: place(e),
        })
        .labelled(Label::File),
    )
}

fn module_declaration<'t>(
    inp: &mut In<'t, '_>,
    module: &P<'t, ModuleExp>,
    signature: &P<'t, Arc<ModuleTypeExp>>,
) -> Result<Declaration, Failure> {
    inp.next_ref();
    if accept(inp, Key::Type) {
        let name = inp.parse(ident())?;
        expect(inp, Key::Equals)?;
        return Ok(Declaration::ModuleType(name, inp.parse(signature)?));
    }
    let name = inp.parse(ident())?;
    let params = params(inp, signature)?;
    let result = if accept(inp, Key::Colon) { Some(inp.parse(signature)?) } else { None };
    expect(inp, Key::Equals)?;
    let body = inp.parse(module)?;
    Ok(Declaration::Module(name, parametric(params, result, body)))
}

/// `(p: S) (q: T)`.
fn params<'t>(inp: &mut In<'t, '_>, signature: &P<'t, Arc<ModuleTypeExp>>) -> Result<Vec<Param>, Failure> {
    let mut params = Vec::new();
    while accept(inp, Key::LeftParen) {
        let name = inp.parse(ident())?;
        expect(inp, Key::Colon)?;
        params.push((name, inp.parse(signature)?));
        expect(inp, Key::RightParen)?;
    }
    inp.state().chain(params.len());
    Ok(params)
}

/// A module with parameters and perhaps a module type for the result.
fn parametric(params: Vec<Param>, result: Option<Arc<ModuleTypeExp>>, body: ModuleExp) -> ModuleExp {
    let span = |name: &Ident, body: &ModuleExp| name.span.to(body.span);
    let mut result = result;
    let mut params = params.into_iter().rev();
    let Some((param, signature)) = params.next() else {
        return match result {
            Some(result) => ascription(body, result),
            None => body,
        };
    };
    let lambda = |param: Ident, signature, result, body: ModuleExp| ModuleExp {
        span: span(&param, &body),
        kind: ModuleExpKind::Lambda(Arc::new(ModuleLambda { param, signature, result, body })),
    };
    let innermost = lambda(param, signature, result.take(), body);
    params.fold(innermost, |body, (param, signature)| lambda(param, signature, None, body))
}

fn ascription(module: ModuleExp, signature: Arc<ModuleTypeExp>) -> ModuleExp {
    let span = module.span.to(signature.span);
    ModuleExp { kind: ModuleExpKind::Ascription(Box::new(module), signature), span }
}

fn module_exp<'t>(declaration: P<'t, Declaration>, signature: P<'t, Arc<ModuleTypeExp>>) -> P<'t, ModuleExp> {
    recursive(move |inner| {
        let inner: P<'t, ModuleExp> = nested(inner.boxed());
        let atom = module_atom(declaration, inner.clone());
        let whole = rule(move |inp: &mut In<'t, '_>| {
            if next_key(inp) == Some(Key::Backslash) {
                inp.next_ref();
                if next_key(inp) != Some(Key::LeftParen) {
                    expect(inp, Key::LeftParen)?;
                }
                let params = params(inp, &signature)?;
                let result = if accept(inp, Key::Colon) { Some(simple(inp, &signature)?) } else { None };
                expect(inp, Key::Arrow)?;
                let body = inp.parse(&inner)?;
                return Ok(parametric(params, result, body));
            }
            let mut result = inp.parse(&atom)?;
            let mut links = 0;
            while let Some(Kind::Name(_) | Kind::Key(Key::LeftParen | Key::LeftBrace)) = inp.peek_ref() {
                let arg = inp.parse(&atom)?;
                let span = result.span.to(arg.span);
                result = ModuleExp { kind: ModuleExpKind::Apply(Box::new(result), Box::new(arg)), span };
                links += 1;
            }
            while accept(inp, Key::Colon) {
                result = ascription(result, inp.parse(&signature)?);
                links += 1;
            }
            inp.state().chain(links);
            Ok(result)
        });
        called(Label::Module, whole)
    })
    .boxed()
}

/// The module type of a lambda's result: the arrow after it is the lambda's.
fn simple<'t>(
    inp: &mut In<'t, '_>,
    signature: &P<'t, Arc<ModuleTypeExp>>,
) -> Result<Arc<ModuleTypeExp>, Failure> {
    inp.state().no_arrow = true;
    let result = inp.parse(signature);
    inp.state().no_arrow = false;
    result
}

fn module_atom<'t>(declaration: P<'t, Declaration>, inner: P<'t, ModuleExp>) -> P<'t, ModuleExp> {
    let name = qual_name().map(|name| ModuleExp { span: name.span, kind: ModuleExpKind::Name(name) });
    let structure = rule(move |inp: &mut In<'t, '_>| {
        let start = position(inp);
        expect(inp, Key::LeftBrace)?;
        let mut declarations = Vec::new();
        while !accept(inp, Key::RightBrace) {
            if !matches!(inp.peek_ref(), Some(Kind::Key(key)) if key.starts_declaration() || *key == Key::HashBracket)
            {
                // What follows a declaration is most likely more of it; at the start it is no declaration at all.
                expect(inp, Key::RightBrace)?;
            }
            declarations.push(inp.parse(&declaration)?);
        }
        Ok(ModuleExp { kind: ModuleExpKind::Structure(Arc::new(declarations)), span: since(inp, start) })
    });
    let import =
        import().map_with(|import, e| ModuleExp { kind: ModuleExpKind::Import(import), span: place(e) });
    let group = inner.delimited_by(key(Key::LeftParen), key(Key::RightParen));
    choice((name, structure, import, group)).boxed()
}

fn signatures<'t>(types: &Types<'t>, attribute: P<'t, Attribute>) -> P<'t, Arc<ModuleTypeExp>> {
    // The arrow after `with` belongs to the module type; after `?[n].` a type can only go on.
    let exists = key(Key::Question).rewind().ignore_then(types.ty.clone());
    let refinement = key(Key::With)
        .ignore_then(qual_name())
        .then(type_param().repeated().collect())
        .then_ignore(key(Key::Equals))
        .then(exists.or(types.term.clone()))
        .map(|((name, params), definition)| Refinement { name, params, definition })
        .boxed();
    let types = types.clone();
    recursive(move |inner| {
        let inner: P<'t, Arc<ModuleTypeExp>> = nested(inner.boxed());
        let name = qual_name()
            .map(|name| Arc::new(ModuleTypeExp { span: name.span, kind: ModuleTypeExpKind::Name(name) }));
        let spec = spec(inner.clone(), &types, attribute);
        let specs =
            spec.repeated().collect().delimited_by(key(Key::LeftBrace), key(Key::RightBrace)).map_with(
                |specs, e| Arc::new(ModuleTypeExp { kind: ModuleTypeExpKind::Specs(specs), span: place(e) }),
            );
        let group = inner.clone().delimited_by(key(Key::LeftParen), key(Key::RightParen));
        let atom = choice((name, specs, group)).boxed();
        let named = key(Key::LeftParen)
            .ignore_then(ident())
            .then_ignore(key(Key::Colon))
            .then(inner.clone())
            .then_ignore(key(Key::RightParen))
            .boxed();
        let whole = rule(move |inp: &mut In<'t, '_>| {
            let start = position(inp);
            let no_arrow = std::mem::take(&mut inp.state().no_arrow);
            let before = inp.save();
            if next_key(inp) == Some(Key::LeftParen)
                && let Ok((param, signature)) = inp.parse(&named)
            {
                expect(inp, Key::Arrow)?;
                let result = inp.parse(&inner)?;
                let kind = ModuleTypeExpKind::Parametric(Some(param), signature, result);
                return Ok(Arc::new(ModuleTypeExp { kind, span: since(inp, start) }));
            }
            inp.rewind(before);
            let mut result = inp.parse(&atom)?;
            let mut links = 0;
            while next_key(inp) == Some(Key::With) {
                let refinement = Arc::new(inp.parse(&refinement)?);
                let kind = ModuleTypeExpKind::With(result, refinement);
                result = Arc::new(ModuleTypeExp { kind, span: since(inp, start) });
                links += 1;
            }
            inp.state().chain(links);
            if !no_arrow && accept(inp, Key::Arrow) {
                let kind = ModuleTypeExpKind::Parametric(None, result, inp.parse(&inner)?);
                result = Arc::new(ModuleTypeExp { kind, span: since(inp, start) });
            }
            Ok(result)
        });
        called(Label::ModuleType, whole)
    })
    .boxed()
}

fn spec<'t>(
    signature: P<'t, Arc<ModuleTypeExp>>,
    types: &Types<'t>,
    attribute: P<'t, Attribute>,
) -> P<'t, Spec> {
    let operator = bound_operator().map_with(|name, e| Ident { name, span: place(e) }).boxed();
    let name =
        ident().or(operator.clone().delimited_by(key(Key::LeftParen), key(Key::RightParen))).or(operator);
    let value = key(Key::Val)
        .ignore_then(name)
        .then(type_param().repeated().collect())
        .then_ignore(key(Key::Colon))
        .then(types.ty.clone())
        .map(|((name, type_params), ty)| Spec::Value(ValueSpec { name, type_params, ty }));
    let definition = key(Key::Equals).ignore_then(types.ty.clone()).or_not();
    let ty = key(Key::Type)
        .ignore_then(liftedness())
        .then(ident())
        .then(type_param().repeated().collect())
        .then(definition)
        .map(|(((liftedness, name), params), definition)| {
            Spec::Type(TypeSpec { name, liftedness, params, definition })
        });
    let module = key(Key::Module)
        .ignore_then(ident())
        .then_ignore(key(Key::Colon))
        .then(signature.clone())
        .map(|(name, signature)| Spec::Module(name, signature));
    let include = key(Key::Include).ignore_then(signature).map(Spec::Include);
    attribute.repeated().ignore_then(choice((value, ty, module, include))).boxed()
}
