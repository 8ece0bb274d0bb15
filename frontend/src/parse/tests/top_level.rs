//! Declarations, documentation comments, recovery, and the input of a REPL.

use super::{listed, show, source};
use crate::parse::{Input, is_incomplete, parse_declaration_or_expression, parse_program};
use crate::syntax::{
    Declaration, Liftedness, ModuleExp, ModuleExpKind, ModuleTypeExp, ModuleTypeExpKind, Spec, TypeParam,
};

/// One line for each declaration.
fn shown(text: &str) -> Vec<String> {
    let program = match parse_program(&source(text), 0) {
        Ok(program) => program,
        Err(problems) => return listed(text, &problems),
    };
    program.declarations.iter().map(line).collect()
}

fn line(d: &Declaration) -> String {
    match d {
        Declaration::Value(v) => {
            let mut line = if v.entry { "entry".to_string() } else { "def".into() };
            line += &v.attributes.iter().map(|a| format!(" #[{}]", a.text)).collect::<String>();
            line += &format!(" {}", v.name.name);
            line += &v.type_params.iter().map(|p| format!(" {}", show::type_param(p))).collect::<String>();
            line += &v.params.iter().map(|p| format!(" {}", show::pattern(p))).collect::<String>();
            line += &v.result.as_ref().map(|t| format!(" : {}", show::ty(t))).unwrap_or_default();
            line += &format!(" = {}", show::exp(&v.body));
            line + &v.doc.as_ref().map(|doc| format!(" -- {doc:?}")).unwrap_or_default()
        }
        Declaration::Type(t) => {
            let params: String = t.params.iter().map(|p| format!(" {}", show::type_param(p))).collect();
            format!("type{} {}{params} = {}", lift(t.liftedness), t.name.name, show::ty(&t.definition))
        }
        Declaration::Module(name, exp) => format!("module {} = {}", name.name, module(exp)),
        Declaration::ModuleType(name, exp) => format!("module type {} = {}", name.name, module_type(exp)),
        Declaration::Open(exp) => format!("open {}", module(exp)),
        Declaration::Import(import) => format!("import {:?}", import.path.as_str()),
        Declaration::Local(inner) => format!("local {}", line(inner)),
    }
}

fn module(e: &ModuleExp) -> String {
    match &e.kind {
        ModuleExpKind::Name(q) => show::name(q),
        ModuleExpKind::Structure(ds) => format!("{{{}}}", ds.iter().map(line).collect::<Vec<_>>().join("; ")),
        ModuleExpKind::Import(import) => format!("import {:?}", import.path.as_str()),
        ModuleExpKind::Ascription(e, s) => format!("({} : {})", module(e), module_type(s)),
        ModuleExpKind::Lambda(lambda) => {
            let result = lambda.result.as_ref().map(|s| format!(" : {}", module_type(s))).unwrap_or_default();
            let signature = module_type(&lambda.signature);
            format!("(\\({} : {signature}){result} -> {})", lambda.param.name, module(&lambda.body))
        }
        ModuleExpKind::Apply(f, x) => format!("({} {})", module(f), module(x)),
    }
}

fn module_type(s: &ModuleTypeExp) -> String {
    let params =
        |params: &[TypeParam]| params.iter().map(|p| format!(" {}", show::type_param(p))).collect::<String>();
    match &s.kind {
        ModuleTypeExpKind::Name(q) => show::name(q),
        ModuleTypeExpKind::Specs(specs) => {
            let spec = |spec: &Spec| match spec {
                Spec::Value(v) => {
                    format!("val {}{} : {}", v.name.name, params(&v.type_params), show::ty(&v.ty))
                }
                Spec::Type(t) => {
                    let definition = t.definition.as_ref().map(|t| format!(" = {}", show::ty(t)));
                    format!(
                        "type{} {}{}{}",
                        lift(t.liftedness),
                        t.name.name,
                        params(&t.params),
                        definition.unwrap_or_default()
                    )
                }
                Spec::Module(name, s) => format!("module {} : {}", name.name, module_type(s)),
                Spec::Include(s) => format!("include {}", module_type(s)),
            };
            format!("{{{}}}", specs.iter().map(spec).collect::<Vec<_>>().join("; "))
        }
        ModuleTypeExpKind::With(s, r) => format!(
            "({} with {}{} = {})",
            module_type(s),
            show::name(&r.name),
            params(&r.params),
            show::ty(&r.definition)
        ),
        ModuleTypeExpKind::Parametric(name, s, t) => {
            let name = name.map(|name| format!("{} : ", name.name)).unwrap_or_default();
            format!("(({name}{}) -> {})", module_type(s), module_type(t))
        }
    }
}

fn lift(liftedness: Liftedness) -> &'static str {
    match liftedness {
        Liftedness::Unlifted => "",
        Liftedness::SizeLifted => "~",
        Liftedness::Lifted => "^",
    }
}

#[test]
fn declarations() {
    for (text, expected) in [
        ("", &[][..]),
        ("-- nothing", &[]),
        ("def x = 1", &["def x = 1"]),
        ("def x: i32 = 1", &["def x : i32 = 1"]),
        ("let x = 1\nlet f y = x", &["def x = 1", "def f y = x"]),
        ("let x =\nlet y = 1\nin y", &["def x = (let y = 1 in y)"]),
        ("entry main (x: i32) = x", &["entry main (x : i32) = x"]),
        (
            "def f [n] 'a '~b '^c (x: [n]a) _ (): b = x",
            &["def f [n] 'a '~b '^c (x : [n]a) _ tuple() : b = x"],
        ),
        ("def f[n] (x: [n]a) = x", &["def f [n] (x : [n]a) = x"]),
        ("def (+^) x y = x", &["def +^ x y = x"]),
        ("def (x, y) +^ (z: t) = x", &["def +^ tuple(x,y) (z : t) = x"]),
        ("def x <+> y = x", &["def <+> x y = x"]),
        ("def x `plus` y = x", &["def plus x y = x"]),
        ("def f (+) (_: i32) 1 #c {a, b: t} = 1", &["def f + (_ : i32) 1 #c() {a,b=(b : t)} = 1"]),
        ("#[inline] #[x(1)] def f x = x", &["def #[inline] #[x(1)] f x = x"]),
        ("type t = i32", &["type t = i32"]),
        ("type~ t 'a [n] = [n]a", &["type~ t 'a [n] = [n]a"]),
        ("type^ t '^a = a -> a", &["type^ t '^a = (a -> a)"]),
        ("local def x = 1", &["local def x = 1"]),
        (
            "open M\nmodule m = { def x = 1 type t = i32 }\nmodule type s = { val x : i32 }\nimport \"a\"\n\
             module n = import \"b\"\nopen import \"c\"\nlocal open M.N\ndef x = 1",
            &[
                "open M",
                "module m = {def x = 1; type t = i32}",
                "module type s = {val x : i32}",
                "import \"a\"",
                "module n = import \"b\"",
                "open import \"c\"",
                "local open M.N",
                "def x = 1",
            ],
        ),
    ] {
        assert_eq!(shown(text), expected, "for {text}");
    }
}

#[test]
fn documentation() {
    let text = "-- | The file.\n\n-- | One.\n--\n--   Two.\n-- three\ndef x = 1 -- not\n-- plain\ndef y = 2\n-- | Z\nentry z = 3";
    assert_eq!(
        shown(text),
        ["def x = 1 -- \"One.\\n\\n  Two.\\nthree\"", "def y = 2", "entry z = 3 -- \"Z\""]
    );
}

#[test]
fn spans_cover_the_text() {
    let text = "def f (x: i32) = g (x + 1) * 2";
    let program = parse_program(&source(text), 7).unwrap();
    let Declaration::Value(f) = &program.declarations[0] else { panic!("a value") };
    let part = |span: fun_base::source::Span| {
        assert_eq!(span.file, 7);
        &text[span.start as usize..span.end as usize]
    };
    assert_eq!(part(f.span), text);
    assert_eq!(part(f.name.span), "f");
    assert_eq!(part(f.params[0].span), "(x: i32)");
    assert_eq!(part(f.body.span), "g (x + 1) * 2");
    let crate::syntax::ExpKind::BinOp(op, left, _) = &f.body.kind else { panic!("a product") };
    assert_eq!((part(op.span), part(left.span)), ("*", "g (x + 1)"));
}

#[test]
fn goes_on_after_errors() {
    let text = "def a = (1 +\ndef b = 2\ndef c x = = x\nlet d = [1, 2\nlet e = let y = 1\ntype t =\nentry f = ]\ndef ok = 1\n";
    assert_eq!(
        shown(text),
        [
            "1:9: E0112: this `(` is never closed",
            "3:11: E0110: expected an expression, found `=`",
            "4:9: E0112: this `[` is never closed",
            "6:1: E0113: expected `in` and a body after this `let` binding, found the keyword `type`",
            "7:1: E0110: expected a type, found the keyword `entry`",
            "7:11: E0112: this `]` closes nothing",
        ]
    );
}

#[test]
fn input_of_a_repl() {
    let kind = |text: &str| match parse_declaration_or_expression(&source(text), 0) {
        Ok(Input::Declarations(p)) => format!("{} declarations", p.declarations.len()),
        Ok(Input::Expression(e)) => show::exp(&e),
        Err(problems) => listed(text, &problems).join("; "),
    };
    for (text, expected) in [
        ("", "0 declarations"),
        ("1 + 2", "(1 + 2)"),
        ("let x = 1", "1 declarations"),
        ("let x = 1 in x", "(let x = 1 in x)"),
        ("let x = 1 let y = 2", "2 declarations"),
        ("let f x = x\ndef g = 1", "2 declarations"),
        ("def f x = x", "1 declarations"),
        ("type t = i32", "1 declarations"),
        ("#[opaque] 1", "(#[opaque] 1)"),
        ("#[inline] def x = 1", "1 declarations"),
        ("let x = )", "1:9: E0112: this `)` closes nothing"),
    ] {
        assert_eq!(kind(text), expected, "for {text}");
    }
}

#[test]
fn incomplete_input() {
    for text in [
        "1 +",
        "(1",
        "def f x =",
        "let x =",
        "let x = 1 in",
        "f [1,",
        "if a then b",
        "map (\\x ->",
        "def f (x: i32)",
        "loop x = 1",
    ] {
        assert!(is_incomplete(text), "{text} goes on");
    }
    for text in ["", "1", "let x = 1", "f x)", "1 + * 2", "\"abc", "def 1 = 2", "let x = 1 in x"] {
        assert!(!is_incomplete(text), "{text} is complete or wrong");
    }
}

#[test]
fn the_prelude_has_no_errors() {
    let text = include_str!("../../prelude/prelude.fut");
    let program = parse_program(&source(text), 0).map_err(|problems| listed(text, &problems)).unwrap();
    assert_eq!(program.declarations.len(), text.lines().filter(|line| line.starts_with("def ")).count());
}
