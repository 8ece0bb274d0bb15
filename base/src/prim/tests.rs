//! Scalars against their definitions: integers exhaustively at 8 bits, texts by every 16-bit pattern.

use super::*;
use half::f16;
use quickcheck::{TestResult, quickcheck};

/// Every type, unit included.
fn types() -> impl Iterator<Item = PrimType> {
    PrimType::NUMERIC_AND_BOOL.into_iter().chain([PrimType::Unit])
}

fn bin(op: BinOp, x: &str, y: &str) -> String {
    let read = |text| PrimValue::parse(text).expect("a literal");
    match eval_bin(op, read(x), read(y)) {
        Ok(z) => z.to_string(),
        Err(e) => e.to_string(),
    }
}

fn un(op: UnOp, x: &str) -> String {
    match eval_un(op, PrimValue::parse(x).expect("a literal")) {
        Ok(z) => z.to_string(),
        Err(e) => e.to_string(),
    }
}

fn conv(to: PrimType, x: &str) -> String {
    eval_conv(to, PrimValue::parse(x).expect("a literal")).to_string()
}

/// What an operator on integers means, on unbounded integers; the caller wraps. `width` for shifts and mulhi.
fn int_meaning(op: BinOp, x: i128, y: i128, signed: bool) -> Result<i128, EvalError> {
    let unsigned = |n: i128| n & 0xff;
    let zero_divides = matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem) && y == 0;
    if zero_divides {
        return Err(EvalError::DivisionByZero);
    }
    let floor = || {
        let q = x.abs() / y.abs();
        if (x < 0) == (y < 0) { q } else { -q - i128::from(x % y != 0) }
    };
    Ok(match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => floor(),
        BinOp::Mod => x - y * floor(),
        BinOp::Quot => x / y,
        BinOp::Rem => x % y,
        BinOp::Pow if y < 0 => return Err(EvalError::NegativeExponent),
        BinOp::Pow => (0..y).fold(1, |p, _| (p * x) & 0xff),
        BinOp::Min => {
            if x < y {
                x
            } else {
                y
            }
        }
        BinOp::Max => {
            if x > y {
                x
            } else {
                y
            }
        }
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => {
            if unsigned(y) < 8 {
                x << y
            } else {
                0
            }
        }
        BinOp::Shr => {
            if unsigned(y) < 8 {
                x >> y
            } else if signed && x < 0 {
                -1
            } else {
                0
            }
        }
        BinOp::ShrLogical => {
            if unsigned(y) < 8 {
                unsigned(x) >> y
            } else {
                0
            }
        }
        BinOp::MulHi => (x * y) >> 8,
        BinOp::Eq => (x == y).into(),
        BinOp::Ne => (x != y).into(),
        BinOp::Lt => (x < y).into(),
        BinOp::Le => (x <= y).into(),
        BinOp::Gt => (x > y).into(),
        BinOp::Ge => (x >= y).into(),
        BinOp::Atan2 | BinOp::Hypot | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => {
            return Err(EvalError::Type);
        }
    })
}

#[test]
fn eight_bit_integers_exhaustively() {
    for t in [PrimType::I8, PrimType::U8] {
        for (x, y) in (0..256).flat_map(|x| (0..256).map(move |y| (x, y))) {
            let (x, y) = (PrimValue::from_bits(t, x), PrimValue::from_bits(t, y));
            let (a, b) = (x.as_int().unwrap(), y.as_int().unwrap());
            for op in BinOp::ALL {
                let result = op.result_type(t).unwrap_or(t);
                let expected =
                    int_meaning(op, a, b, t.is_signed()).map(|z| PrimValue::from_bits(result, z as u64));
                assert_eq!(eval_bin(op, x, y), expected, "{op} {x} {y}");
            }
        }
    }
}

quickcheck! {
    /// At 64 bits the wide types differ from those at 8.
    fn sixty_four_bit_division_and_products(x: i64, y: i64) -> TestResult {
        if y == 0 {
            return TestResult::discard();
        }
        let (a, b) = (PrimValue::I64(x), PrimValue::I64(y));
        let (u, v) = (PrimValue::U64(x as u64), PrimValue::U64(y as u64));
        let high = (i128::from(x) * i128::from(y)) >> 64;
        let unsigned_high = (u128::from(x as u64) * u128::from(y as u64)) >> 64;
        let (Ok(PrimValue::I64(q)), Ok(PrimValue::I64(r))) = (eval_bin(BinOp::Div, a, b), eval_bin(BinOp::Mod, a, b)) else {
            return TestResult::failed();
        };
        TestResult::from_bool(
            q.wrapping_mul(y).wrapping_add(r) == x && (r == 0 || (r < 0) == (y < 0)) && r.unsigned_abs() < y.unsigned_abs()
                && eval_bin(BinOp::MulHi, a, b) == Ok(PrimValue::I64(high as i64))
                && eval_bin(BinOp::MulHi, u, v) == Ok(PrimValue::U64(unsigned_high as u64)),
        )
    }

    /// Whatever the bits, the operator tables and the evaluation agree on types.
    fn results_have_the_declared_type(x: u64, y: u64) -> bool {
        types().all(|t| {
            let (x, y) = (PrimValue::from_bits(t, x), PrimValue::from_bits(t, y));
            let bins = BinOp::ALL.into_iter().all(|op| match eval_bin(op, x, y) {
                Ok(z) => op.result_type(t) == Some(z.prim_type()),
                Err(EvalError::Type) => op.result_type(t).is_none(),
                Err(_) => op.can_fail(t),
            });
            let uns = UnOp::ALL.into_iter().all(|op| match eval_un(op, x) {
                Ok(z) => op.result_type(t) == Some(z.prim_type()),
                Err(_) => op.result_type(t).is_none(),
            });
            bins && uns && types().all(|to| eval_conv(to, x).prim_type() == to)
        })
    }

    fn texts_read_back(bits: u64) -> bool {
        types().all(|t| {
            let x = PrimValue::from_bits(t, bits);
            PrimValue::parse(&x.to_string()) == Some(x)
        })
    }
}

#[test]
fn every_sixteen_bit_pattern_reads_back() {
    for t in [PrimType::I8, PrimType::U8, PrimType::I16, PrimType::U16, PrimType::F16] {
        for bits in 0..=0xffff {
            let x = PrimValue::from_bits(t, bits);
            assert_eq!(PrimValue::parse(&x.to_string()), Some(x), "{x}");
        }
    }
}

#[test]
fn operands_of_different_types_are_refused() {
    assert_eq!(eval_bin(BinOp::Add, PrimValue::I32(1), PrimValue::I64(1)), Err(EvalError::Type));
}

#[test]
fn integers_wrap_at_their_extremes() {
    assert_eq!(bin(BinOp::Quot, "-2147483648i32", "-1i32"), "-2147483648i32");
    assert_eq!(bin(BinOp::Div, "-9223372036854775808i64", "-1i64"), "-9223372036854775808i64");
    assert_eq!(bin(BinOp::Mod, "-128i8", "-1i8"), "0i8");
    assert_eq!(bin(BinOp::Pow, "3i32", "40i32"), "689956897i32");
    assert_eq!(bin(BinOp::Pow, "0i32", "0i32"), "1i32");
    assert_eq!(bin(BinOp::Pow, "2i32", "-1i32"), "negative exponent");
    assert_eq!(bin(BinOp::Div, "1u8", "0u8"), "division by zero");
    assert_eq!(bin(BinOp::Shr, "-5i64", "64i64"), "-1i64");
    assert_eq!(bin(BinOp::Shr, "-5i64", "-1i64"), "-1i64");
    assert_eq!(bin(BinOp::Shl, "1i64", "63i64"), "-9223372036854775808i64");
    assert_eq!(un(UnOp::Abs, "-128i8"), "-128i8");
    assert_eq!(un(UnOp::Neg, "1u16"), "65535u16");
    assert_eq!(un(UnOp::Sgn, "-7i64"), "-1i64");
    assert_eq!(un(UnOp::Sgn, "7u64"), "1u64");
    assert_eq!(un(UnOp::Popc, "-1i16"), "16i32");
    assert_eq!(un(UnOp::Clz, "1u64"), "63i32");
    assert_eq!(un(UnOp::Ctz, "0u8"), "8i32");
}

#[test]
fn floats_follow_ieee() {
    for (op, x, y, z) in [
        (BinOp::Div, "1.0f32", "-0.0f32", "-f32.inf"),
        (BinOp::Mod, "-5.5f64", "2.0f64", "-1.5f64"),
        (BinOp::Mod, "5.5f32", "-2.0f32", "1.5f32"),
        (BinOp::Min, "f32.nan", "1.0f32", "1.0f32"),
        (BinOp::Max, "1.0f64", "f64.nan", "1.0f64"),
        (BinOp::Min, "0.0f32", "-0.0f32", "-0.0f32"),
        (BinOp::Min, "-0.0f32", "0.0f32", "-0.0f32"),
        (BinOp::Max, "-0.0f64", "0.0f64", "0.0f64"),
        (BinOp::Max, "0.0f16", "-0.0f16", "0.0f16"),
        (BinOp::Eq, "f32.nan", "f32.nan", "false"),
        (BinOp::Ne, "f32.nan", "f32.nan", "true"),
        (BinOp::Ge, "f64.nan", "1.0f64", "false"),
        (BinOp::Eq, "0.0f64", "-0.0f64", "true"),
        (BinOp::Add, "65504.0f16", "16.0f16", "f16.inf"),
        (BinOp::Add, "1.0f16", "0.00048828125f16", "1.0f16"),
        (BinOp::Ldexp, "1.5f32", "4.9f32", "24.0f32"),
        (BinOp::Ldexp, "1.5f32", "f32.inf", "1.5f32"),
        (BinOp::CopySign, "1.5f16", "-0.0f16", "-1.5f16"),
        (BinOp::NextAfter, "0.0f16", "-1.0f16", "-6e-8f16"),
        (BinOp::NextAfter, "1.0f16", "2.0f16", "1.001f16"),
        (BinOp::NextAfter, "-1.0f16", "0.0f16", "-0.9995f16"),
        (BinOp::NextAfter, "f16.inf", "0.0f16", "65500.0f16"),
        (BinOp::NextAfter, "0.0f32", "1.0f32", "1e-45f32"),
        (BinOp::Pow, "2.0f32", "-1.0f32", "0.5f32"),
        (BinOp::Hypot, "3.0f64", "4.0f64", "5.0f64"),
        (BinOp::Atan2, "0.0f64", "-1.0f64", "3.141592653589793f64"),
    ] {
        assert_eq!(bin(op, x, y), z, "{op} {x} {y}");
    }
    for (op, x, z) in [
        (UnOp::Round, "2.5f32", "2.0f32"),
        (UnOp::Round, "-3.5f64", "-4.0f64"),
        (UnOp::Neg, "0.0f64", "-0.0f64"),
        (UnOp::Abs, "-0.0f32", "0.0f32"),
        (UnOp::Sgn, "f32.nan", "f32.nan"),
        (UnOp::Sgn, "-0.0f32", "0.0f32"),
        (UnOp::Sgn, "-f64.inf", "-1.0f64"),
        (UnOp::Sqrt, "2.0f16", "1.414f16"),
        (UnOp::Rsqrt, "4.0f32", "0.5f32"),
        (UnOp::Sinpi, "1.0f32", "0.0f32"),
        (UnOp::Sinpi, "-2.0f64", "-0.0f64"),
        (UnOp::Sinpi, "1.5f64", "-1.0f64"),
        (UnOp::Sinpi, "-0.5f64", "-1.0f64"),
        (UnOp::Cospi, "0.5f64", "0.0f64"),
        (UnOp::Cospi, "-3.0f32", "-1.0f32"),
        (UnOp::Cospi, "9007199254740993.0f64", "1.0f64"),
        (UnOp::Tanpi, "0.25f32", "1.0f32"),
        (UnOp::Acospi, "-1.0f64", "1.0f64"),
        (UnOp::Gamma, "5.0f64", "24.0f64"),
        (UnOp::Exp10, "3.0f32", "1000.0f32"),
        (UnOp::IsNan, "f16.nan", "true"),
        (UnOp::IsInf, "-f16.inf", "true"),
        (UnOp::SignBit, "-0.0f32", "true"),
        (UnOp::ToBits, "1.0f32", "1065353216u32"),
        (UnOp::FromBits, "15360u16", "1.0f16"),
        (UnOp::Sinpi, "f64.inf", "f64.nan"),
    ] {
        let result = un(op, x);
        // The payload of a NaN is open.
        let result = if result.contains("nan:") { z.to_owned() } else { result };
        assert_eq!(result, z, "{op} {x}");
    }
}

#[test]
fn multiples_of_pi_agree_with_the_functions() {
    for i in -400..400 {
        let x = f64::from(i) / 97.0;
        let angle = x * std::f64::consts::PI;
        assert!((math::f64::sinpi(x) - angle.sin()).abs() < 1e-14, "sinpi {x}");
        assert!((math::f64::cospi(x) - angle.cos()).abs() < 1e-14, "cospi {x}");
        assert!((f64::from(math::f32::sinpi(x as f32)) - angle.sin()).abs() < 2e-6, "sinpi {x}");
    }
}

/// The nearest `f16` by search: ties to the even representation.
fn nearest_f16(x: f64) -> f16 {
    let bits = (0..0x7c00u16).min_by(|a, b| {
        let distance = |bits: u16| (f16::from_bits(bits).to_f64() - x.abs()).abs();
        distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1)))
    });
    let magnitude = if x.abs() >= 65520.0 { f16::INFINITY } else { f16::from_bits(bits.unwrap()) };
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

#[test]
fn f64_rounds_to_f16_once() {
    let tie = 1.0 + 2f64.powi(-11);
    let mut cases =
        vec![tie, tie + 2f64.powi(-40), tie - 2f64.powi(-40), -tie - 2f64.powi(-52), 65519.99999999, 65520.0];
    cases.extend([
        1e300,
        2f64.powi(-25),
        2f64.powi(-25) * (1.0 + 2f64.powi(-30)),
        3.0 * 2f64.powi(-25),
        5e-324,
        0.1,
    ]);
    for x in cases {
        assert_eq!(math::f16_from_f64(x), nearest_f16(x), "{x:?}");
    }
}

#[test]
fn conversions() {
    for (to, x, z) in [
        (PrimType::I64, "255u8", "255i64"),
        (PrimType::U64, "-1i8", "18446744073709551615u64"),
        (PrimType::I8, "300i32", "44i8"),
        (PrimType::I32, "-1.9f32", "-1i32"),
        (PrimType::I32, "f32.nan", "0i32"),
        (PrimType::I32, "1e10f64", "2147483647i32"),
        (PrimType::U8, "-3.0f64", "253u8"),
        (PrimType::I64, "f16.inf", "0i64"),
        (PrimType::U8, "-f32.inf", "0u8"),
        (PrimType::I32, "f64.inf", "0i32"),
        (PrimType::U64, "1e19f64", "10000000000000000000u64"),
        (PrimType::I64, "9223372036854775808.0f64", "9223372036854775807i64"),
        (PrimType::U64, "-1e300f64", "9223372036854775808u64"),
        (PrimType::U8, "1e300f64", "255u8"),
        (PrimType::U8, "-0.5f64", "0u8"),
        (PrimType::U32, "-3.5f32", "4294967293u32"),
        (PrimType::F32, "16777217i32", "16777216.0f32"),
        (PrimType::F16, "65520i32", "f16.inf"),
        (PrimType::F16, "2049u64", "2048.0f16"),
        (PrimType::F32, "18446744073709551615u64", "1.8446744e19f32"),
        (PrimType::F64, "true", "1.0f64"),
        (PrimType::U8, "false", "0u8"),
        (PrimType::Bool, "f32.nan", "true"),
        (PrimType::Bool, "-0.0f64", "false"),
        (PrimType::Bool, "9223372036854775807i64", "true"),
        (PrimType::Bool, "1e-320f64", "true"),
        (PrimType::F16, "1e5f32", "f16.inf"),
    ] {
        assert_eq!(conv(to, x), z, "{to} of {x}");
    }
}

#[test]
fn literals() {
    let read = |text: &str| PrimValue::parse(text);
    for (bits, text) in [
        (0x7fc0_0000u32, "f32.nan"),
        (0x7fc0_0001, "f32.nan:0x7fc00001"),
        (0xffc0_0000, "f32.nan:0xffc00000"),
    ] {
        assert_eq!(PrimValue::F32(f32::from_bits(bits)).to_string(), text);
    }
    assert_eq!(PrimValue::F32(1.0).to_string(), "1.0f32");
    assert_eq!(PrimValue::F16(f16::from_f32(0.1)).to_string(), "0.1f16");
    assert_eq!(read("1.5e-3f64"), Some(PrimValue::F64(0.0015)));
    assert_eq!(read("-5i8"), Some(PrimValue::I8(-5)));
    assert_eq!(read("255u8"), Some(PrimValue::U8(255)));
    assert_eq!(read("()"), Some(PrimValue::Unit));
    for wrong in [
        "",
        "i32",
        "-",
        "1",
        "1.5",
        "256u8",
        "-129i8",
        "-1u8",
        "1.5i32",
        "1e40f32",
        "65520f16",
        "+1i32",
        "--1i32",
        "0x1i32",
        "1 i32",
        "inff32",
        "nanf32",
        "f32.nan:0x7f800000",
        "f32.nan:0x",
        "f32.nan:0x17fc00001",
        "-f32.nan",
        "i32.inf",
        "True",
        "f32.",
        "f16.nan:0x+7e01",
    ] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
}

#[test]
fn names_read_back_and_differ() {
    for t in types() {
        assert_eq!(t.to_string().parse(), Ok(t));
    }
    for op in BinOp::ALL {
        assert_eq!(BinOp::from_name(op.name()), Some(op));
        assert_eq!(UnOp::from_name(op.name()), None);
    }
    for op in UnOp::ALL {
        assert_eq!(UnOp::from_name(op.name()), Some(op));
    }
    assert_eq!("i33".parse::<PrimType>(), Err(text::UnknownType));
}

#[test]
fn fused_multiply_and_add_rounds_once() {
    let fma = |a: &str, b: &str, c: &str| {
        let [a, b, c] = [a, b, c].map(|text| PrimValue::parse(text).expect(text));
        eval_fma(a, b, c).map(|value| value.to_string())
    };
    for (a, b, c, result) in [
        // (1 + 2^-52)^2 = 1 + 2^-51 + 2^-104
        (
            "1.0000000000000002f64",
            "1.0000000000000002f64",
            "-1.0000000000000004f64",
            "4.930380657631324e-32f64",
        ),
        ("1.0000001f32", "1.0000001f32", "-1.0000002f32", "1.4210855e-14f32"),
        // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20
        ("1.001f16", "1.001f16", "-1.002f16", "9.5e-7f16"),
        // 2049 lies in the middle of two neighbours: what is added decides, however small.
        ("2048.0f16", "1.0f16", "1.0f16", "2048.0f16"),
        ("683.0f16", "3.0f16", "6e-8f16", "2050.0f16"),
        ("683.0f16", "3.0f16", "-6e-8f16", "2048.0f16"),
        ("-683.0f16", "3.0f16", "-6e-8f16", "-2050.0f16"),
        ("65504.0f16", "65504.0f16", "f16.nan", "f16.nan"),
        ("f64.inf", "-2.0f64", "1.0f64", "-f64.inf"),
        ("1e308f64", "10.0f64", "-f64.inf", "-f64.inf"),
    ] {
        assert_eq!(fma(a, b, c).as_deref(), Ok(result), "fma {a} {b} {c}");
    }
    assert!(fma("1i32", "1i32", "1i32").is_err());
}
