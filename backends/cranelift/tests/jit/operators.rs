//! Every operator and conversion on every type, against the evaluation that the interpreters use.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_fma, eval_un};
use fun_base::value::Value;
use fun_cranelift::{Compiled, Options, RunControl, compile};
use imp::ir::{Exp, ImpType, Interface, InterfaceValue, Procedure, Program};

const TYPES: [PrimType; 13] = [
    PrimType::I8,
    PrimType::I16,
    PrimType::I32,
    PrimType::I64,
    PrimType::U8,
    PrimType::U16,
    PrimType::U32,
    PrimType::U64,
    PrimType::F16,
    PrimType::F32,
    PrimType::F64,
    PrimType::Bool,
    PrimType::Unit,
];

/// Values at which operators change what they do.
fn edges(ty: PrimType) -> Vec<PrimValue> {
    let bits: Vec<u64> = match ty {
        PrimType::Unit => vec![0],
        PrimType::Bool => vec![0, 1],
        PrimType::F16 | PrimType::F32 | PrimType::F64 => {
            let numbers = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                -0.5,
                1.5,
                2.5,
                -2.5,
                3.7,
                -3.7,
                7.0,
                1e-3,
                -1e-3,
                127.5,
                -128.9,
                255.9,
                256.0,
                65504.0,
                2147483648.0,
                -2147483649.0,
                9.3e18,
                -9.3e18,
                1.9e19,
                1e-30,
                -1e30,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
            ];
            let convert = |x: &f64| eval_conv(ty, PrimValue::F64(*x)).bits();
            // the smallest and largest denormals, and the smallest normal number
            let special: &[u64] = match ty {
                PrimType::F16 => &[1, 0x3ff, 0x400, 0x8001],
                PrimType::F32 => &[1, 0x7f_ffff, 0x80_0000, 0x8000_0001],
                _ => &[1, 0xf_ffff_ffff_ffff, 0x10_0000_0000_0000, 0x8000_0000_0000_0001],
            };
            numbers.iter().map(convert).chain(special.iter().copied()).collect()
        }
        _ => {
            let top = 1u64 << (ty.bits() - 1);
            let width = u64::from(ty.bits());
            vec![
                0,
                1,
                2,
                3,
                7,
                8,
                10,
                width - 1,
                width,
                width + 1,
                u64::MAX,
                u64::MAX - 1,
                u64::MAX - 6,
                top,
                top - 1,
                top + 1,
                0x5a5a_5a5a_5a5a_5a5a,
            ]
        }
    };
    bits.into_iter().map(|bits| PrimValue::from_bits(ty, bits)).collect()
}

/// An entry point that computes an expression of its parameters.
fn entry(name: String, params: &[PrimType], result: PrimType, exp: impl FnOnce(&[Exp]) -> Exp) -> Procedure {
    let scalar = |(at, ty): (usize, &PrimType)| InterfaceValue::Scalar { at, ty: *ty };
    let vars: Vec<Var> = (0..params.len()).map(|i| Var::new("x", i as u32)).collect();
    let args: Vec<Exp> = vars.iter().map(|var| Exp::Var(*var)).collect();
    Procedure {
        name: name.as_str().into(),
        interface: Some(Interface {
            takes: params.iter().enumerate().map(scalar).collect(),
            gives: vec![InterfaceValue::Scalar { at: 0, ty: result }],
        }),
        params: vars.into_iter().zip(params).map(|(var, ty)| (var, ImpType::Prim(*ty))).collect(),
        body: Vec::new(),
        results: vec![(exp(&args), ImpType::Prim(result))],
    }
}

fn compiled(procedures: Vec<Procedure>) -> Compiled {
    compile(&Program { procedures }, Options::default()).unwrap()
}

/// Runs an entry point; the error's message if it fails.
fn call(code: &Compiled, name: &str, args: &[PrimValue]) -> Result<Value, String> {
    let args: Vec<Value> = args.iter().map(|x| Value::Prim(*x)).collect();
    let results = code.run(name, &args, &RunControl::new()).map_err(|error| error.message)?;
    Ok(results.into_iter().next().unwrap())
}

fn agree(found: Result<Value, String>, expected: Result<PrimValue, String>, what: &str) {
    match (&found, &expected) {
        (Ok(found), Ok(expected)) => {
            assert!(found.same(&Value::Prim(*expected)), "{what}: {found:?}, not {expected:?}");
        }
        (Err(found), Err(expected)) => assert_eq!(found, expected, "{what}"),
        (found, expected) => panic!("{what}: {found:?}, not {expected:?}"),
    }
}

#[test]
fn binary_operators() {
    for ty in TYPES {
        let ops: Vec<_> = BinOp::ALL.into_iter().filter_map(|op| Some((op, op.result_type(ty)?))).collect();
        let code = compiled(
            ops.iter()
                .map(|(op, result)| {
                    entry(format!("{op:?}"), &[ty, ty], *result, |args| {
                        Exp::Bin(*op, ty, Box::new(args[0].clone()), Box::new(args[1].clone()))
                    })
                })
                .collect(),
        );
        for (op, _) in ops {
            for x in edges(ty) {
                for y in edges(ty) {
                    let expected = eval_bin(op, x, y).map_err(|error| error.to_string());
                    agree(call(&code, &format!("{op:?}"), &[x, y]), expected, &format!("{op:?} {x:?} {y:?}"));
                }
            }
        }
    }
}

#[test]
fn integer_operators_on_constants() {
    let ops = [
        BinOp::Div,
        BinOp::Mod,
        BinOp::Quot,
        BinOp::Rem,
        BinOp::Pow,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::ShrLogical,
    ];
    for ty in TYPES.into_iter().filter(|ty| ty.is_int()) {
        let mut procedures = Vec::new();
        for op in ops {
            for (i, y) in edges(ty).into_iter().enumerate() {
                procedures.push(entry(format!("{op:?}{i}"), &[ty], ty, |args| {
                    Exp::Bin(op, ty, Box::new(args[0].clone()), Box::new(Exp::Const(y)))
                }));
            }
        }
        let code = compiled(procedures);
        for op in ops {
            for (i, y) in edges(ty).into_iter().enumerate() {
                for x in edges(ty) {
                    let expected = eval_bin(op, x, y).map_err(|error| error.to_string());
                    agree(call(&code, &format!("{op:?}{i}"), &[x]), expected, &format!("{op:?} {x:?} {y:?}"));
                }
            }
        }
    }
}

#[test]
fn unary_operators() {
    for ty in TYPES {
        let ops: Vec<_> = UnOp::ALL.into_iter().filter_map(|op| Some((op, op.result_type(ty)?))).collect();
        let code = compiled(
            ops.iter()
                .map(|(op, result)| {
                    entry(format!("{op:?}"), &[ty], *result, |args| {
                        Exp::Un(*op, ty, Box::new(args[0].clone()))
                    })
                })
                .collect(),
        );
        for (op, _) in ops {
            for x in edges(ty) {
                let expected = eval_un(op, x).map_err(|error| error.to_string());
                agree(call(&code, &format!("{op:?}"), &[x]), expected, &format!("{op:?} {x:?}"));
            }
        }
    }
}

#[test]
fn conversions() {
    for from in TYPES {
        let code = compiled(
            TYPES
                .into_iter()
                .map(|to| {
                    entry(format!("{to}"), &[from], to, |args| Exp::Convert {
                        to,
                        from,
                        value: Box::new(args[0].clone()),
                    })
                })
                .collect(),
        );
        for to in TYPES {
            for x in edges(from) {
                let expected = Ok(eval_conv(to, x));
                agree(call(&code, &format!("{to}"), &[x]), expected, &format!("{to} of {x:?}"));
            }
        }
    }
}

#[test]
fn multiply_and_add() {
    for ty in [PrimType::F16, PrimType::F32, PrimType::F64] {
        let code = compiled(vec![entry("main".into(), &[ty, ty, ty], ty, |args| {
            let [x, y, z] = args else { unreachable!("three parameters") };
            imp::build::fma(ty, x.clone(), y.clone(), z.clone())
        })]);
        for x in edges(ty) {
            for y in edges(ty).into_iter().step_by(3) {
                for z in edges(ty).into_iter().step_by(2) {
                    let expected = eval_fma(x, y, z).map_err(|error| error.to_string());
                    agree(call(&code, "main", &[x, y, z]), expected, &format!("fma {x:?} {y:?} {z:?}"));
                }
            }
        }
    }
}

#[test]
fn selection_on_every_type() {
    for ty in TYPES {
        let code = compiled(vec![entry("main".into(), &[PrimType::Bool, ty, ty], ty, |args| {
            let [c, x, y] = args else { unreachable!("three parameters") };
            Exp::Select(Box::new(c.clone()), Box::new(x.clone()), Box::new(y.clone()))
        })]);
        for x in edges(ty) {
            let y = edges(ty)[0];
            for c in [false, true] {
                let found = call(&code, "main", &[PrimValue::Bool(c), x, y]);
                agree(found, Ok(if c { x } else { y }), &format!("{c} {x:?}"));
            }
        }
    }
}
