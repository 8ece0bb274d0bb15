//! The lexer and the cursor.

use super::*;

fn source(text: &str) -> Source {
    Source { name: Symbol::new("t.fun"), text: text.into() }
}

fn tokens(text: &str) -> Vec<Token> {
    let source = source(text);
    let mut cursor = Cursor::new(&source, 0).unwrap();
    let mut tokens = Vec::new();
    while *cursor.peek() != Token::End {
        tokens.push(cursor.advance());
    }
    tokens
}

fn error(text: &str) -> String {
    Cursor::new(&source(text), 0).err().unwrap().to_string()
}

#[test]
fn words_numbers_and_punctuation() {
    let word = |w: &str| Token::Word(Symbol::new(w));
    let var = |text: &str, tag| Token::Var(Var::new(text, tag));
    assert_eq!(
        tokens("add.i64 x_1 y_01"),
        [word("add"), Token::Punct("."), word("i64"), var("x", 1), word("y_01")]
    );
    assert_eq!(
        tokens("-3*n_1 // note\n-> :="),
        [Token::Int(-3), Token::Punct("*"), var("n", 1), Token::Punct("->"), Token::Punct(":=")]
    );
    assert_eq!(
        tokens("-1i8 true"),
        [Token::Literal(PrimValue::I8(-1)), Token::Literal(PrimValue::Bool(true))]
    );
}

#[test]
fn float_literals_keep_their_bits() {
    for bits in
        [0u32, 1, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7fc0_0001, 0xffc0_0000, 0x7f7f_ffff]
    {
        let value = PrimValue::F32(f32::from_bits(bits));
        assert_eq!(tokens(&format!("{value} ")), [Token::Literal(value)], "{value}");
    }
    assert_eq!(tokens("1e-7f64"), [Token::Literal(PrimValue::F64(1e-7))]);
    let convert = tokens("convert.f32.i64");
    assert_eq!(convert.len(), 5);
}

#[test]
fn strings_come_back() {
    for text in ["", "plain", "quote \" backslash \\ newline \n tab \t", "bell \u{7} é"] {
        assert_eq!(tokens(&quote(text)), [Token::Text(text.to_owned())]);
    }
}

#[test]
fn errors_name_their_place() {
    assert_eq!(error("x_1\n  ?"), "t.fun:2:3: the character '?' has no meaning here");
    assert_eq!(error("\"abc"), "t.fun:1:1: the string does not end");
    assert_eq!(error("300u8"), "t.fun:1:1: `300u8` is no number, or too large");
    assert_eq!(error("\"\\q\""), "t.fun:1:3: unknown escape 'q'");
}

#[test]
fn variables_have_canonical_tags() {
    for (text, good) in [
        ("x_1", true),
        ("a_b_0", true),
        ("x", false),
        ("x_01", false),
        ("_1", false),
        ("x_9999999999", false),
    ] {
        let source = source(text);
        assert_eq!(Cursor::new(&source, 0).unwrap().var().is_ok(), good, "{text}");
    }
}

#[test]
fn nesting_is_limited() {
    fn parse(cursor: &mut Cursor<'_>) -> Parse<()> {
        cursor.nested(|cursor| if cursor.eat_punct("(") { parse(cursor) } else { Ok(()) })
    }
    let deep = source(&"(".repeat(NESTING_LIMIT + 1));
    let error = parse(&mut Cursor::new(&deep, 0).unwrap()).unwrap_err();
    assert!(error.message.contains("nested deeper"), "{error}");
}
