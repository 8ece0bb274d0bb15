//! The code as text: readable and the same each time.

use crate::common::program;
use fun_base::prim::PrimValue;
use fun_cranelift::{Compiled, Options, asm_text, clif_text, compile};
use imp::ir::{Exp, Procedure, Program, Statement, StatementKind};

const TEXT: &str = "proc half(x_0: f32): (f32) { return (mul.f32(x_0, 0.5f32)) }
  entry proc main(n_1: i64, xs_2: mem): (i64, mem) takes (f32[@0]@1) gives (f32[@0]@1) {
    alloc ys_3: f32[n_1]
    view X_4: f32 @ xs_2 -> 0 + {(n_1 : 1)}
    view Y_5: f32 @ ys_3 -> 0 + {(n_1 : 1)}
    for i_6: i64 < n_1 par {
      var r_7: f32
      call r_7 = half(mod.f32(X_4[i_6], 3.0f32))
      Y_5[i_6] := r_7 }
    return (n_1, ys_3) }";

#[test]
fn listings_name_functions_and_do_not_change() {
    let program = program(TEXT);
    let clif = clif_text(&program).unwrap();
    let asm = asm_text(&program).unwrap();
    for name in ["; half", "; main", "; main.par6", "; main.entry"] {
        assert!(clif.contains(name) && asm.contains(name), "{name} in\n{clif}\n{asm}");
    }
    for name in ["%half", "%fun_binary_f32", "%fun_parallel_for"] {
        assert!(clif.contains(name) && asm.contains(name), "{name} in\n{clif}\n{asm}");
    }
    assert!(asm.contains("ret"), "{asm}");
    assert_eq!(clif, clif_text(&program).unwrap());
    assert_eq!(asm, asm_text(&program).unwrap());
}

#[test]
fn compiled_programs_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Compiled>();
}

#[test]
fn deep_nesting_is_refused_or_compiled() {
    let nested = |depth: usize| {
        let mut body = Vec::new();
        for _ in 0..depth {
            let condition = Exp::Const(PrimValue::Bool(true));
            let kind = StatementKind::If { condition, then: body, otherwise: Vec::new() };
            body = vec![Statement { kind, loc: None }];
        }
        let procedure =
            Procedure { name: "main".into(), interface: None, params: Vec::new(), body, results: Vec::new() };
        Program { procedures: vec![procedure] }
    };
    assert!(compile(&nested(500), Options::default()).is_ok());
    let error = compile(&nested(5000), Options::default()).unwrap_err();
    assert!(error.to_string().contains("nested"), "{error}");
}
