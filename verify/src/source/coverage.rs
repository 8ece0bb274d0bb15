//! Coverage: which constructs of the source language a text has, by its syntax tree.
//!
//! The tree is walked with matches that name every variant: a construct that is added to the syntax must be counted before this
//! compiles. [`ALL`] lists what generated programs must have.

use fun_base::prim::PrimValue;
use fun_base::source::Source;
use fun_frontend::syntax::{
    Attribute, Declaration, DimIndex, Exp, ExpKind, LetFunction, Liftedness, Literal, LoopForm, ModuleExp,
    ModuleExpKind, ModuleTypeExp, ModuleTypeExpKind, Pattern, PatternKind, QualName, RangeEnd, SizeExp, Spec,
    TypeArg, TypeExp, TypeExpKind, TypeParam, ValueDeclaration,
};
use std::collections::BTreeSet;

/// Names of constructs.
pub type Constructs = BTreeSet<&'static str>;

/// What is counted in source programs. (Other files, and holes, which have no value, are never in them.)
pub const ALL: [&str; 124] = [
    "def",
    "entry",
    "operator definition",
    "constant",
    "inferred result type",
    "documentation comment",
    "attribute on a definition",
    "size parameter",
    "type parameter",
    "size-lifted type parameter",
    "lifted type parameter",
    "type abbreviation",
    "size-lifted abbreviation",
    "lifted abbreviation",
    "module",
    "module type",
    "open",
    "local",
    "module name",
    "structure",
    "module ascription",
    "parametric module",
    "result of a parametric module",
    "module application",
    "module type name",
    "specs",
    "with",
    "parametric module type",
    "val",
    "type spec",
    "lifted type spec",
    "module spec",
    "include",
    "type name",
    "qualified type name",
    "type application to a type",
    "type application to a size",
    "array type",
    "anonymous size",
    "constant size",
    "size expression",
    "tuple type",
    "record type",
    "sum type",
    "unique type",
    "function type",
    "named parameter",
    "existential size",
    "unit type",
    "name pattern",
    "wildcard",
    "tuple pattern",
    "unit pattern",
    "record pattern",
    "punned field pattern",
    "typed pattern",
    "literal pattern",
    "constructor pattern",
    "attribute on a pattern",
    "literal with suffix",
    "integer without suffix",
    "bool literal",
    "character",
    "string",
    "name",
    "qualified name",
    "operator as a function",
    "parentheses",
    "local open of a module",
    "tuple",
    "unit",
    "record",
    "array literal",
    "empty array literal",
    "range a..<b",
    "range a..b..<c",
    "range a..b...c",
    "range a..b..>c",
    "projection",
    "index",
    "several indices",
    "slice",
    "slice with a stride",
    "slice without start",
    "slice without end",
    "application",
    "operator",
    "operator in backticks",
    "operator of a module",
    "operator of the program",
    "short circuit",
    "pipe",
    "negation",
    "not",
    "ascription",
    "coercion",
    "lambda",
    "lambda with result type",
    "right section",
    "left section",
    "field section",
    "index section",
    "let",
    "let with sizes",
    "local function",
    "polymorphic local function",
    "let with update",
    "let with field",
    "update",
    "field update",
    "if",
    "loop for",
    "loop for in",
    "loop while",
    "loop without initial value",
    "match",
    "constructor",
    "constructor with payload",
    "assert",
    "attribute on an expression",
    "float without suffix",
    "punned field",
    "range a...b",
    "range a..>b",
];

/// The constructs in a source text; none if it is not well-formed.
pub fn constructs(source: &Source) -> Constructs {
    let mut counter = Counter::default();
    if let Ok(program) = fun_frontend::parse::parse_program(source, 0) {
        program.declarations.iter().for_each(|declaration| counter.declaration(declaration));
    }
    counter.found
}

#[derive(Default)]
struct Counter {
    found: Constructs,
}

impl Counter {
    fn note(&mut self, name: &'static str) {
        self.found.insert(name);
    }

    fn note_if(&mut self, condition: bool, name: &'static str) {
        if condition {
            self.note(name);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Value(value) => self.value(value),
            Declaration::Type(declared) => {
                self.note(match declared.liftedness {
                    Liftedness::Unlifted => "type abbreviation",
                    Liftedness::SizeLifted => "size-lifted abbreviation",
                    Liftedness::Lifted => "lifted abbreviation",
                });
                self.type_params(&declared.params);
                self.ty(&declared.definition);
            }
            Declaration::Module(_, module) => {
                self.note("module");
                self.module(module);
            }
            Declaration::ModuleType(_, ty) => {
                self.note("module type");
                self.module_type(ty);
            }
            Declaration::Open(module) => {
                self.note("open");
                self.module(module);
            }
            // One text has no other files.
            Declaration::Import(_) => {}
            Declaration::Local(inner) => {
                self.note("local");
                self.declaration(inner);
            }
        }
    }

    fn value(&mut self, value: &ValueDeclaration) {
        self.note(if value.entry { "entry" } else { "def" });
        self.note_if(
            !value.name.name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_'),
            "operator definition",
        );
        self.note_if(value.params.is_empty() && !value.entry, "constant");
        self.note_if(value.result.is_none(), "inferred result type");
        self.note_if(value.doc.is_some(), "documentation comment");
        self.note_if(!value.attributes.is_empty(), "attribute on a definition");
        self.type_params(&value.type_params);
        value.params.iter().for_each(|param| self.pattern(param));
        value.result.iter().for_each(|ty| self.ty(ty));
        self.exp(&value.body);
    }

    fn type_params(&mut self, params: &[TypeParam]) {
        for param in params {
            self.note(match param {
                TypeParam::Size(_) => "size parameter",
                TypeParam::Type(_, Liftedness::Unlifted) => "type parameter",
                TypeParam::Type(_, Liftedness::SizeLifted) => "size-lifted type parameter",
                TypeParam::Type(_, Liftedness::Lifted) => "lifted type parameter",
            });
        }
    }

    fn module(&mut self, module: &ModuleExp) {
        match &module.kind {
            ModuleExpKind::Name(_) => self.note("module name"),
            ModuleExpKind::Structure(declarations) => {
                self.note("structure");
                declarations.iter().for_each(|declaration| self.declaration(declaration));
            }
            ModuleExpKind::Import(_) => {}
            ModuleExpKind::Ascription(module, ty) => {
                self.note("module ascription");
                self.module(module);
                self.module_type(ty);
            }
            ModuleExpKind::Lambda(lambda) => {
                self.note("parametric module");
                self.note_if(lambda.result.is_some(), "result of a parametric module");
                self.module_type(&lambda.signature);
                lambda.result.iter().for_each(|ty| self.module_type(ty));
                self.module(&lambda.body);
            }
            ModuleExpKind::Apply(function, argument) => {
                self.note("module application");
                self.module(function);
                self.module(argument);
            }
        }
    }

    fn module_type(&mut self, ty: &ModuleTypeExp) {
        match &ty.kind {
            ModuleTypeExpKind::Name(_) => self.note("module type name"),
            ModuleTypeExpKind::Specs(specs) => {
                self.note("specs");
                specs.iter().for_each(|spec| self.spec(spec));
            }
            ModuleTypeExpKind::With(ty, refinement) => {
                self.note("with");
                self.module_type(ty);
                self.type_params(&refinement.params);
                self.ty(&refinement.definition);
            }
            ModuleTypeExpKind::Parametric(_, param, result) => {
                self.note("parametric module type");
                self.module_type(param);
                self.module_type(result);
            }
        }
    }

    fn spec(&mut self, spec: &Spec) {
        match spec {
            Spec::Value(value) => {
                self.note("val");
                self.type_params(&value.type_params);
                self.ty(&value.ty);
            }
            Spec::Type(ty) => {
                self.note("type spec");
                self.note_if(ty.liftedness != Liftedness::Unlifted, "lifted type spec");
                self.type_params(&ty.params);
                ty.definition.iter().for_each(|ty| self.ty(ty));
            }
            Spec::Module(_, ty) => {
                self.note("module spec");
                self.module_type(ty);
            }
            Spec::Include(ty) => {
                self.note("include");
                self.module_type(ty);
            }
        }
    }

    fn ty(&mut self, ty: &TypeExp) {
        match &ty.kind {
            TypeExpKind::Name(name) => {
                self.note(if name.qualifiers.is_empty() { "type name" } else { "qualified type name" });
            }
            TypeExpKind::Apply(ty, TypeArg::Size(size)) => {
                self.note("type application to a size");
                self.ty(ty);
                self.size(size);
            }
            TypeExpKind::Apply(ty, TypeArg::Type(argument)) => {
                self.note("type application to a type");
                self.ty(ty);
                self.ty(argument);
            }
            TypeExpKind::Array(size, elem) => {
                self.note("array type");
                self.size(size);
                self.ty(elem);
            }
            TypeExpKind::Tuple(parts) => {
                self.note(if parts.is_empty() { "unit type" } else { "tuple type" });
                parts.iter().for_each(|part| self.ty(part));
            }
            TypeExpKind::Record(fields) => {
                self.note("record type");
                fields.iter().for_each(|(_, ty)| self.ty(ty));
            }
            TypeExpKind::Sum(constructors) => {
                self.note("sum type");
                constructors.iter().flat_map(|(_, payload)| payload).for_each(|ty| self.ty(ty));
            }
            TypeExpKind::Unique(ty) => {
                self.note("unique type");
                self.ty(ty);
            }
            TypeExpKind::Arrow(name, param, result) => {
                self.note("function type");
                self.note_if(name.is_some(), "named parameter");
                self.ty(param);
                self.ty(result);
            }
            TypeExpKind::Exists(_, ty) => {
                self.note("existential size");
                self.ty(ty);
            }
        }
    }

    fn size(&mut self, size: &SizeExp) {
        match size {
            SizeExp::Any(_) => self.note("anonymous size"),
            SizeExp::Exp(exp) => match &exp.kind {
                ExpKind::Name(_) => {}
                ExpKind::Literal(_) => self.note("constant size"),
                _ => {
                    self.note("size expression");
                    self.exp(exp);
                }
            },
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Name(_) => self.note("name pattern"),
            PatternKind::Wildcard => self.note("wildcard"),
            PatternKind::Tuple(parts) => {
                self.note(if parts.is_empty() { "unit pattern" } else { "tuple pattern" });
                parts.iter().for_each(|part| self.pattern(part));
            }
            PatternKind::Record(fields) => {
                self.note("record pattern");
                for (_, field) in fields {
                    match field {
                        Some(pattern) => self.pattern(pattern),
                        None => self.note("punned field pattern"),
                    }
                }
            }
            PatternKind::Ascription(pattern, ty) => {
                self.note("typed pattern");
                self.pattern(pattern);
                self.ty(ty);
            }
            PatternKind::Literal(literal) => {
                self.note("literal pattern");
                self.literal(literal);
            }
            PatternKind::Constructor(_, parts) => {
                self.note("constructor pattern");
                parts.iter().for_each(|part| self.pattern(part));
            }
            PatternKind::Attribute(_, pattern) => {
                self.note("attribute on a pattern");
                self.pattern(pattern);
            }
        }
    }

    fn literal(&mut self, literal: &Literal) {
        self.note(match literal {
            Literal::Prim(PrimValue::Bool(_)) => "bool literal",
            Literal::Prim(_) => "literal with suffix",
            Literal::Int(_) => "integer without suffix",
            Literal::Float(..) => "float without suffix",
            Literal::Char(_) => "character",
            Literal::String(_) => "string",
        });
    }

    fn name(&mut self, name: &QualName) {
        let symbol = !name.name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.note(match (symbol, name.qualifiers.is_empty()) {
            (true, _) => "operator as a function",
            (false, true) => "name",
            (false, false) => "qualified name",
        });
    }

    fn binary(&mut self, op: &QualName) {
        let text = op.name.as_str();
        let symbol = !text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.note(match text {
            _ if !symbol => "operator in backticks",
            _ if !op.qualifiers.is_empty() => "operator of a module",
            "|>" | "<|" | ">->" | "<-<" => "pipe",
            "&&" | "||" => "short circuit",
            "+" | "-" | "*" | "/" | "%" | "//" | "%%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>"
            | "==" | "!=" | "<" | "<=" | ">" | ">=" | "++" => "operator",
            _ => "operator of the program",
        });
    }

    fn indices(&mut self, indices: &[DimIndex]) {
        self.note_if(indices.len() > 1, "several indices");
        for index in indices {
            match index {
                DimIndex::Fix(index) => self.exp(index),
                DimIndex::Slice { start, end, stride, span: _ } => {
                    self.note("slice");
                    self.note_if(stride.is_some(), "slice with a stride");
                    self.note_if(start.is_none(), "slice without start");
                    self.note_if(end.is_none(), "slice without end");
                    start.iter().chain(end).chain(stride).for_each(|part| self.exp(part));
                }
            }
        }
    }

    fn attribute(&mut self, _: &Attribute) {
        self.note("attribute on an expression");
    }

    fn range(&mut self, second: Option<&Exp>, end: &RangeEnd) {
        let (name, last) = match (second.is_some(), end) {
            (true, RangeEnd::Inclusive(last)) => ("range a..b...c", last),
            (true, RangeEnd::UpTo(last)) => ("range a..b..<c", last),
            (true, RangeEnd::DownTo(last)) => ("range a..b..>c", last),
            (false, RangeEnd::Inclusive(last)) => ("range a...b", last),
            (false, RangeEnd::UpTo(last)) => ("range a..<b", last),
            (false, RangeEnd::DownTo(last)) => ("range a..>b", last),
        };
        self.note(name);
        second.into_iter().for_each(|second| self.exp(second));
        self.exp(last);
    }

    fn exps<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) {
        exps.into_iter().for_each(|exp| self.exp(exp));
    }

    fn exp(&mut self, exp: &Exp) {
        match &exp.kind {
            ExpKind::Literal(literal) => self.literal(literal),
            ExpKind::Name(name) => self.name(name),
            // A hole has no value.
            ExpKind::Hole => {}
            ExpKind::Parens(inner) => {
                self.note("parentheses");
                self.exp(inner);
            }
            ExpKind::LocalOpen(_, inner) => {
                self.note("local open of a module");
                self.exp(inner);
            }
            ExpKind::Tuple(parts) => {
                self.note(if parts.is_empty() { "unit" } else { "tuple" });
                self.exps(parts);
            }
            ExpKind::Record(fields) => {
                self.note("record");
                for (_, field) in fields {
                    match field {
                        Some(exp) => self.exp(exp),
                        None => self.note("punned field"),
                    }
                }
            }
            ExpKind::ArrayLiteral(elems) => {
                self.note(if elems.is_empty() { "empty array literal" } else { "array literal" });
                self.exps(elems);
            }
            ExpKind::Range { first, second, end } => {
                self.exp(first);
                self.range(second.as_deref(), end);
            }
            ExpKind::Project(record, _) => {
                self.note("projection");
                self.exp(record);
            }
            ExpKind::Index(array, indices) => {
                self.note("index");
                self.exp(array);
                self.indices(indices);
            }
            ExpKind::Apply(function, argument) => {
                self.note("application");
                self.exps([&**function, argument]);
            }
            ExpKind::BinOp(op, left, right) => {
                self.binary(op);
                self.exps([&**left, right]);
            }
            ExpKind::Negate(inner) => {
                self.note("negation");
                self.exp(inner);
            }
            ExpKind::Not(inner) => {
                self.note("not");
                self.exp(inner);
            }
            ExpKind::Ascription(inner, ty) => {
                self.note("ascription");
                self.exp(inner);
                self.ty(ty);
            }
            ExpKind::Coercion(inner, ty) => {
                self.note("coercion");
                self.exp(inner);
                self.ty(ty);
            }
            ExpKind::Lambda { params, result, body } => {
                self.note("lambda");
                self.note_if(result.is_some(), "lambda with result type");
                params.iter().for_each(|param| self.pattern(param));
                result.iter().for_each(|ty| self.ty(ty));
                self.exp(body);
            }
            ExpKind::SectionRight(_, operand) => {
                self.note("right section");
                self.exp(operand);
            }
            ExpKind::SectionLeft(operand, _) => {
                self.note("left section");
                self.exp(operand);
            }
            ExpKind::SectionProject(_) => self.note("field section"),
            ExpKind::SectionIndex(indices) => {
                self.note("index section");
                self.indices(indices);
            }
            ExpKind::Let { sizes, pattern, value, body } => {
                self.note(if sizes.is_empty() { "let" } else { "let with sizes" });
                self.pattern(pattern);
                self.exps([&**value, body]);
            }
            ExpKind::LetFunction(function) => self.local_function(function),
            ExpKind::LetWith { name: _, indices, value, body } => {
                self.note("let with update");
                self.indices(indices);
                self.exps([&**value, body]);
            }
            ExpKind::LetWithField { name: _, fields: _, value, body } => {
                self.note("let with field");
                self.exps([&**value, body]);
            }
            ExpKind::With { array, indices, value } => {
                self.note("update");
                self.exp(array);
                self.indices(indices);
                self.exp(value);
            }
            ExpKind::WithField { record, fields: _, value } => {
                self.note("field update");
                self.exps([&**record, value]);
            }
            ExpKind::If(condition, then, otherwise) => {
                self.note("if");
                self.exps([&**condition, then, otherwise]);
            }
            ExpKind::Loop(repeated) => {
                self.note_if(repeated.init.is_none(), "loop without initial value");
                self.pattern(&repeated.pattern);
                self.exps(&repeated.init);
                match &repeated.form {
                    LoopForm::For(_, bound) => {
                        self.note("loop for");
                        self.exp(bound);
                    }
                    LoopForm::ForIn(pattern, array) => {
                        self.note("loop for in");
                        self.pattern(pattern);
                        self.exp(array);
                    }
                    LoopForm::While(condition) => {
                        self.note("loop while");
                        self.exp(condition);
                    }
                }
                self.exp(&repeated.body);
            }
            ExpKind::Match(subject, cases) => {
                self.note("match");
                self.exp(subject);
                for case in cases {
                    self.pattern(&case.pattern);
                    self.exp(&case.body);
                }
            }
            ExpKind::Constructor(_, payload) => {
                self.note(if payload.is_empty() { "constructor" } else { "constructor with payload" });
                self.exps(payload);
            }
            ExpKind::Assert(condition, value) => {
                self.note("assert");
                self.exps([&**condition, value]);
            }
            ExpKind::Attribute(attribute, inner) => {
                self.attribute(attribute);
                self.exp(inner);
            }
        }
    }

    fn local_function(&mut self, function: &LetFunction) {
        self.note("local function");
        self.note_if(!function.type_params.is_empty(), "polymorphic local function");
        self.type_params(&function.type_params);
        function.params.iter().for_each(|param| self.pattern(param));
        function.result.iter().for_each(|ty| self.ty(ty));
        self.exps([&function.function, &function.body]);
    }
}
