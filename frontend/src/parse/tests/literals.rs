//! Literals of every form.

use super::{check, shown};

#[test]
fn integers() {
    check(&[
        ("0", "0"),
        ("1_000", "1000"),
        ("0x1F", "31"),
        ("0XfF_ff", "65535"),
        ("0b1010_1", "21"),
        ("42i8", "42i8"),
        ("128i8", "-128i8"),
        ("255u8", "255u8"),
        ("0xffi8", "-1i8"),
        ("0xffffu16", "65535u16"),
        ("7i16", "7i16"),
        ("7i32", "7i32"),
        ("9223372036854775807i64", "9223372036854775807i64"),
        ("18446744073709551615u64", "18446744073709551615u64"),
        ("0b11u32", "3u32"),
        ("18446744073709551616", "18446744073709551616"),
        ("-128i8", "(- -128i8)"),
    ]);
}

#[test]
fn floats() {
    check(&[
        ("1.5", "1.5=1.5"),
        ("1_0.2_5", "10.25=10.25"),
        ("1e3", "1e3=1000"),
        ("1.5e-1", "1.5e-1=0.15"),
        ("2E+2", "2E+2=200"),
        ("1f32", "1.0f32"),
        ("1.1f32", "1.1f32"),
        ("0.1f16", "0.1f16"),
        ("1e3f64", "1000.0f64"),
        ("0x1.8p3", "0x1.8p3=12"),
        ("0x1.fp3f64", "15.5f64"),
        ("0x1.8P-1f32", "0.75f32"),
        ("0xA.8p0f16", "10.5f16"),
        // one half of the least subnormal rounds to even, a little more rounds up
        ("0x1.0p-1075f64", "0.0f64"),
        ("0x1.1p-1075f64", "5e-324f64"),
        ("0x1.0p1024f64", "f64.inf"),
        // 53 bits and a half: to even, down and up
        ("0x1.00000000000008p0f64", "1.0f64"),
        ("0x1.00000000000018p0f64", "1.0000000000000004f64"),
        ("0x1.000000000000080000000000000000000000000001p0f64", "1.0000000000000002f64"),
    ]);
}

#[test]
fn characters_and_strings() {
    check(&[
        ("'a'", "'97'"),
        ("'æ'", "'230'"),
        ("' '", "'32'"),
        (r"'\n'", "'10'"),
        (r"'\''", "'39'"),
        (r"'\\'", "'92'"),
        (r"'\65'", "'65'"),
        (r"'\x41'", "'65'"),
        (r#""ab\"c\n""#, "[97, 98, 34, 99, 10]"),
        ("\"ø\"", "[195, 184]"),
        ("\"\"", "[]"),
        ("true", "true"),
        ("false", "false"),
        ("???", "???"),
    ]);
}

#[test]
fn malformed() {
    check(&[
        ("256u8", "1:1: E0103: 256 does not fit the type u8"),
        ("129i8", "1:1: E0103: 129 does not fit the type i8"),
        ("0x1_00u8", "1:1: E0103: 0x1_00 does not fit the type u8"),
        ("1.5i32", "1:1: E0102: a literal written like this cannot have the type i32"),
        ("0x1.8p3u8", "1:1: E0102: a literal written like this cannot have the type u8"),
        (
            "3k",
            "1:1: E0102: `k` is not the suffix of a number; known are i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64",
        ),
        ("0x", "1:1: E0102: 0x needs a hexadecimal digit after it"),
        ("0b2", "1:1: E0102: 0b needs a digit 0 or 1 after it"),
        ("\"abc", "1:1: E0104: this string has no closing `\"` on its line"),
        (
            "\"abc\n\"",
            "1:1: E0104: this string has no closing `\"` on its line; 2:1: E0104: this string has no closing `\"` on its line",
        ),
        (r#""a\qb""#, "1:3: E0106: there is no such escape"),
        (r"'\1114112'", "1:2: E0106: this escape is not the code of a character"),
        (r"'\na'", "1:1: E0105: this character literal has no closing `'`"),
        ("x @ y", "1:3: E0101: the character `@` has no meaning here"),
        ("x \u{7} y", "1:3: E0101: the character U+0007 has no meaning here"),
    ]);
    let huge = "9".repeat(60);
    assert_eq!(shown(&huge), "1:1: E0103: this number is too large for any type");
}
