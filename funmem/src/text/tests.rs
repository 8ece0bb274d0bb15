//! Round trips of the text form, and its errors.

use super::parse_program;
use crate::ir::Program;
use fun_base::name::Symbol;
use fun_base::source::Source;

fn parse(text: &str) -> Result<Program, String> {
    let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
    parse_program(&source, 0).map_err(|error| error.to_string())
}

/// The paper's Figure 7.
const FIGURE_7: &str = include_str!("figure7.funmem");
/// Every space, and LMADs of all shapes.
const SPACES: &str = include_str!("spaces.funmem");

#[test]
fn canonical_text_comes_back() {
    for text in [FIGURE_7, SPACES] {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn layout_and_comments_do_not_matter() {
    for text in [FIGURE_7, SPACES] {
        let loose = text.replace('\n', " // note\n\n   ").replace(" @ ", "@").replace(" -> ", "->");
        assert!(parse(&loose) == parse(text));
    }
}

#[test]
fn errors_name_place_and_expectation() {
    let cases = [
        ("fun f (x_1: [3i64]f32) : = { in () }", "t.funmem:1:22: expected `@`, found `)`"),
        ("fun f (x_1: [3i64]f32 @ m_2 -> 0) : = { in () }", "t.funmem:1:33: expected `+`, found `)`"),
        (
            "fun f : = { let (m_1: mem) = alloc [3i64] in () }",
            "t.funmem:1:43: expected a primitive type, found `in`",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).unwrap_err(), message);
    }
}

#[test]
fn erasure_is_figure_2() {
    let erased = crate::erase::erase(&parse(FIGURE_7).unwrap());
    let expected = "\
entry main (x_size_0: i64) (y_size_1: i64) (cond_2: bool) : [z_size_3: i64] [z_mem_4: i64] (z_5: [z_size_3]i64) = {
  let (z_size_6: i64) (z_mem_7: i64) (z_arr_8: [z_size_6]i64) = if cond_2 {
    let (x_mem_9: i64) = 0i64
    let (x_10: [x_size_0]i64) = iota.i64 x_size_0 0i64 1i64
    in (x_size_0, x_mem_9, x_10)
  } else {
    let (y_mem_11: i64) = 0i64
    let (x_12: [y_size_1]i64) = iota.i64 y_size_1 0i64 1i64
    in (y_size_1, y_mem_11, x_12)
  }
  in (z_size_6, z_mem_7, z_arr_8)
}
";
    assert_eq!(erased.to_string(), expected);
}
