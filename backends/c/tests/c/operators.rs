//! Every operator and conversion on every type, against the evaluation that the interpreters use.

use crate::common::compile_all;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_fma, eval_un};
use fun_base::value::Value;
use fun_c::{Compiled, RunControl};
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
    compile_all(&Program { procedures })
}

/// How many floats of the type lie between two, if both are numbers of one sign.
fn distance(x: PrimValue, y: PrimValue) -> Option<u64> {
    let (a, b) = (x.as_f64()?, y.as_f64()?);
    (a.is_sign_negative() == b.is_sign_negative()).then(|| x.bits().abs_diff(y.bits()))
}

/// The C library's functions and those of the interpreters are at most so many floats apart, on the values here.
/// `docs/backends.md` has a table for more values.
fn tolerance(exact: bool) -> u64 {
    if exact { 0 } else { 4 }
}

/// Whether an operator has the same bits on all machines.
fn is_exact(op: UnOp) -> bool {
    let own = matches!(
        op,
        UnOp::Sinpi
            | UnOp::Cospi
            | UnOp::Tanpi
            | UnOp::Asinpi
            | UnOp::Acospi
            | UnOp::Atanpi
            | UnOp::Erf
            | UnOp::Erfc
            | UnOp::Gamma
            | UnOp::Lgamma
    );
    UnOp::ALL[..8].contains(&op) || op == UnOp::Rsqrt || UnOp::ALL[40..].contains(&op) || own
}

/// Runs an entry point; the error's message if it fails.
fn call(code: &Compiled, name: &str, args: &[PrimValue]) -> Result<Value, String> {
    let args: Vec<Value> = args.iter().map(|x| Value::Prim(*x)).collect();
    let results = code.run(name, &args, &RunControl::new()).map_err(|error| error.message)?;
    Ok(results.into_iter().next().unwrap())
}

fn agree(found: Result<Value, String>, expected: Result<PrimValue, String>, what: &str) {
    agree_within(0, found, expected, what);
}

fn agree_within(ulps: u64, found: Result<Value, String>, expected: Result<PrimValue, String>, what: &str) {
    match (&found, &expected) {
        (Ok(Value::Prim(found)), Ok(expected))
            if ulps > 0 && distance(*found, *expected).is_some_and(|d| d <= ulps) => {}
        (Ok(found), Ok(expected)) => {
            assert!(found.same(&Value::Prim(*expected)), "{what}: {found:?}, not {expected:?}");
        }
        (Err(found), Err(expected)) => assert_eq!(found, expected, "{what}"),
        (found, expected) => panic!("{what}: {found:?}, not {expected:?}"),
    }
}

#[test]
fn binary_operators() {
    if crate::common::skipped() {
        return;
    }
    let ops = |ty| BinOp::ALL.into_iter().filter_map(move |op: BinOp| Some((op, op.result_type(ty)?)));
    let mut procedures = Vec::new();
    for ty in TYPES {
        procedures.extend(ops(ty).map(|(op, result)| {
            entry(format!("{op:?}_{ty}"), &[ty, ty], result, |args| {
                Exp::Bin(op, ty, Box::new(args[0].clone()), Box::new(args[1].clone()))
            })
        }));
    }
    let code = compiled(procedures);
    for ty in TYPES {
        for (op, _) in ops(ty) {
            let exact = !matches!(op, BinOp::Pow | BinOp::Atan2 | BinOp::Hypot);
            for x in edges(ty) {
                for y in edges(ty) {
                    let expected = eval_bin(op, x, y).map_err(|error| error.to_string());
                    let found = call(&code, &format!("{op:?}_{ty}"), &[x, y]);
                    agree_within(tolerance(exact), found, expected, &format!("{op:?} {x:?} {y:?}"));
                }
            }
        }
    }
}

#[test]
fn integer_operators_on_constants() {
    if crate::common::skipped() {
        return;
    }
    let mut procedures = Vec::new();
    let types = || TYPES.into_iter().filter(|ty| ty.is_int() || *ty == PrimType::Bool);
    let ops = |ty| BinOp::ALL.into_iter().filter_map(move |op: BinOp| Some((op, op.result_type(ty)?)));
    for ty in types() {
        for (op, result) in ops(ty) {
            for (i, y) in edges(ty).into_iter().enumerate() {
                procedures.push(entry(format!("{op:?}{i}_{ty}"), &[ty], result, |args| {
                    Exp::Bin(op, ty, Box::new(args[0].clone()), Box::new(Exp::Const(y)))
                }));
            }
        }
    }
    let code = compiled(procedures);
    for ty in types() {
        for (op, _) in ops(ty) {
            for (i, y) in edges(ty).into_iter().enumerate() {
                for x in edges(ty) {
                    let expected = eval_bin(op, x, y).map_err(|error| error.to_string());
                    let found = call(&code, &format!("{op:?}{i}_{ty}"), &[x]);
                    agree(found, expected, &format!("{op:?} {x:?} {y:?}"));
                }
            }
        }
    }
}

/// By `max(y, k)`, which is never zero, and mostly not `k`.
#[test]
fn division_by_what_is_not_less_than_a_constant() {
    if crate::common::skipped() {
        return;
    }
    let ops = [BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem];
    let types = || TYPES.into_iter().filter(|ty| ty.is_int());
    let least = |ty: PrimType| [1, 4, 7].map(|k| ty.of_i64(k));
    let mut procedures = Vec::new();
    for ty in types() {
        for op in ops {
            for (i, k) in least(ty).into_iter().enumerate() {
                procedures.push(entry(format!("{op:?}{i}_{ty}"), &[ty, ty], ty, |args| {
                    let bounded =
                        Exp::Bin(BinOp::Max, ty, Box::new(args[1].clone()), Box::new(Exp::Const(k)));
                    Exp::Bin(op, ty, Box::new(args[0].clone()), Box::new(bounded))
                }));
            }
        }
    }
    let code = compiled(procedures);
    for ty in types() {
        for op in ops {
            for (i, k) in least(ty).into_iter().enumerate() {
                for x in edges(ty) {
                    for y in edges(ty) {
                        let bounded = eval_bin(BinOp::Max, y, k).expect("two integers");
                        let expected = eval_bin(op, x, bounded).map_err(|error| error.to_string());
                        let found = call(&code, &format!("{op:?}{i}_{ty}"), &[x, y]);
                        agree(found, expected, &format!("{op:?} {x:?} max({y:?}, {k:?})"));
                    }
                }
            }
        }
    }
}

#[test]
fn unary_operators_conversions_and_constants() {
    if crate::common::skipped() {
        return;
    }
    let ops = |ty| UnOp::ALL.into_iter().filter_map(move |op: UnOp| Some((op, op.result_type(ty)?)));
    let mut procedures = Vec::new();
    for ty in TYPES {
        procedures.extend(ops(ty).map(|(op, result)| {
            entry(format!("{op:?}_{ty}"), &[ty], result, |args| Exp::Un(op, ty, Box::new(args[0].clone())))
        }));
        procedures.extend(TYPES.map(|to| {
            entry(format!("{to}_{ty}"), &[ty], to, |args| Exp::Convert {
                to,
                from: ty,
                value: Box::new(args[0].clone()),
            })
        }));
        for (i, x) in edges(ty).into_iter().enumerate() {
            procedures.push(entry(format!("constant{i}_{ty}"), &[], ty, |_| Exp::Const(x)));
        }
    }
    let code = compiled(procedures);
    for ty in TYPES {
        for (i, x) in edges(ty).into_iter().enumerate() {
            agree(call(&code, &format!("constant{i}_{ty}"), &[]), Ok(x), &format!("{x:?}"));
            for to in TYPES {
                let expected = Ok(eval_conv(to, x));
                agree(call(&code, &format!("{to}_{ty}"), &[x]), expected, &format!("{to} of {x:?}"));
            }
            for (op, _) in ops(ty) {
                if op == UnOp::Acosh && x.as_f64().is_some_and(|x| x < 1.0) {
                    // the interpreters' function gives numbers for some arguments where there is none
                    continue;
                }
                let expected = eval_un(op, x).map_err(|error| error.to_string());
                let found = call(&code, &format!("{op:?}_{ty}"), &[x]);
                agree_within(tolerance(is_exact(op)), found, expected, &format!("{op:?} {x:?}"));
            }
        }
    }
}

#[test]
fn multiply_and_add_and_selection() {
    if crate::common::skipped() {
        return;
    }
    let mut procedures = Vec::new();
    let floats = [PrimType::F16, PrimType::F32, PrimType::F64];
    for ty in floats {
        procedures.push(entry(format!("fma_{ty}"), &[ty, ty, ty], ty, |args| {
            let [x, y, z] = args else { unreachable!("three parameters") };
            imp::build::fma(ty, x.clone(), y.clone(), z.clone())
        }));
    }
    for ty in TYPES {
        procedures.push(entry(format!("select_{ty}"), &[PrimType::Bool, ty, ty], ty, |args| {
            let [c, x, y] = args else { unreachable!("three parameters") };
            Exp::Select(Box::new(c.clone()), Box::new(x.clone()), Box::new(y.clone()))
        }));
    }
    let code = compiled(procedures);
    for ty in floats {
        for x in edges(ty) {
            for y in edges(ty).into_iter().step_by(3) {
                for z in edges(ty).into_iter().step_by(2) {
                    let expected = eval_fma(x, y, z).map_err(|error| error.to_string());
                    let found = call(&code, &format!("fma_{ty}"), &[x, y, z]);
                    agree(found, expected, &format!("fma {x:?} {y:?} {z:?}"));
                }
            }
        }
    }
    for ty in TYPES {
        for x in edges(ty) {
            let y = edges(ty)[0];
            for c in [false, true] {
                let found = call(&code, &format!("select_{ty}"), &[PrimValue::Bool(c), x, y]);
                agree(found, Ok(if c { x } else { y }), &format!("{c} {x:?}"));
            }
        }
    }
}
