//! What the tests share.
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;
use fun_base::source::Source;
use fun_base::value::{ArrayValue, Value};
use fun_c::{Compiled, Compiler, Options, RunControl, compile};
use imp::ir::Program;

/// The program that a text is; it must be correct.
pub(crate) fn program(text: &str) -> Program {
    let source = Source { name: "test.imp".into(), text: text.into() };
    let program = match imp::text::parse_program(&source) {
        Ok(program) => program,
        Err(error) => panic!("{error:?} in\n{text}"),
    };
    if let Err(errors) = imp::check::check(&program) {
        panic!("{errors:?} in\n{text}");
    }
    program
}

/// A compiler at level 1: that is what tests have time for.
pub(crate) fn compiler() -> Option<Compiler> {
    compiler_at(1)
}

/// A compiler whose warnings are errors. None, with a message, where there is none.
pub(crate) fn compiler_at(level: u8) -> Option<Compiler> {
    let options = Options { level, strict: true };
    match Compiler::find(options) {
        Ok(compiler) => Some(compiler.with_cache(None)),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// The program as code. Tests that come here begin with [`skipped`].
pub(crate) fn compile_all(program: &Program) -> Compiled {
    compile(program, &compiler().unwrap()).unwrap()
}

/// Whether there is no C compiler, so that a test can only pass.
pub(crate) fn skipped() -> bool {
    compiler().is_none()
}

pub(crate) fn compiled(text: &str) -> Compiled {
    compile_all(&program(text))
}

/// Runs `main`, also with the interpreter, which must agree.
pub(crate) fn run(text: &str, args: &[Value]) -> Result<Vec<Value>, RunError> {
    let program = program(text);
    let compiled = compile_all(&program);
    let result = compiled.run("main", args, &RunControl::new());
    let expected = imp::interp::run(&program, "main", args, fun_base::run::Limits::default());
    match (&result, &expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.same(expected), "C {found:?}, interpreter {expected:?} of\n{text}");
            }
        }
        (Err(found), Err(expected)) => {
            assert_eq!(found.kind, expected.kind, "{found} {expected}");
            assert_eq!(found.loc, expected.loc, "{found} {expected}");
        }
        (found, expected) => panic!("C {found:?}, interpreter {expected:?} of\n{text}"),
    }
    result
}

pub(crate) fn i64(n: i64) -> Value {
    Value::Prim(PrimValue::I64(n))
}

pub(crate) fn i64s(elements: impl IntoIterator<Item = i64>) -> Value {
    ArrayValue::from_prims(PrimType::I64, elements.into_iter().map(PrimValue::I64)).unwrap().into()
}

pub(crate) fn array(elem: PrimType, shape: &[i64], elements: impl IntoIterator<Item = i64>) -> Value {
    let data = ArrayValue::from_prims(elem, elements.into_iter().map(|n| elem.of_i64(n))).unwrap();
    Value::from(ArrayValue::new(shape.to_vec(), data.data).unwrap())
}
