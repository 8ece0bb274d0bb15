//! The text form: canonical programs parse and print back to themselves; errors name their place.

use fun_base::source::Source;
use imp::check::check;
use imp::ir::Program;
use imp::text::{parse_program, print_program};

fn source(text: &str) -> Source {
    Source { name: "test.imp".into(), text: text.into() }
}

fn parse(text: &str) -> Program {
    parse_program(&source(text)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The paper's Figure 13 in this grammar.
const FIGURE_13: &str = "\
proc choose(z_cond_0: bool, x_size_1: i64, y_size_2: i64): (i64, mem) {
  var z_size_3: i64
  var z_mem_4: mem
  if z_cond_0 {
    alloc x_mem_5: i64[x_size_1]
    view x_6: i64 @ x_mem_5 -> 0 + {(x_size_1 : 1)}
    for i_7: i64 < x_size_1 par {
      x_6[i_7] := i_7
    }
    z_size_3 := x_size_1
    z_mem_4 := x_mem_5
  } else {
    alloc y_mem_8: i64[y_size_2]
    view y_9: i64 @ y_mem_8 -> 0 + {(y_size_2 : 1)}
    for i_10: i64 < y_size_2 par {
      y_9[i_10] := i_10
    }
    z_size_3 := y_size_2
    z_mem_4 := y_mem_8
  }
  return (z_size_3, z_mem_4)
}
";

/// Every statement, expression and interface form.
const EVERYTHING: &str = "\
proc helper(m_0: mem device): () {
  return ()
}

entry proc main(xs_mem_1: mem, n_2: i64, x_3: f32, d_4: mem device): (mem, i64, mem \"tile\")
  takes (*f32[@1][3] @ 0, f32 @ 2, u8[4] @ 3)
  gives (f32[@1] @ 0)
{
  let a_5: i64 = add.i64(n_2, mul.i64(-3i64, n_2)) # \"a \\\"b\\\".fut\":3:14
  var b_6: i64 = a_5
  var m_7: mem
  var u_8: unit = ()
  m_7 := xs_mem_1
  b_6 := select(lt.i64(a_5, 0i64), convert.i64.i32(7i32), b_6)
  alloc t_9: f16[n_2][4i64] in \"tile\"
  alloc s_10: bool in stack
  share m_7
  free m_7
  view v_11: f32 @ m_7 -> -1*n_2*b_6 + 2*n_2 + 5 + {(n_2 : 3)(3 : 1)}
  view w_12: f32 @ m_7 -> 0 + {}
  window row_13 = v_11[0i64, 0i64 : 3i64 : 1i64]
  v_11[0i64, 1i64] := sqrt.f32(v_11[1i64, 2i64])
  w_12[] += f32.nan
  copy row_13 <- row_13
  for i_14: i64 < n_2 seq {
    for j_15: i64 < n_2 par {}
    for j_16: i64 < n_2 simd {}
    for j_17: i8 < 4i8 unroll {}
  }
  while isnan.f32(x_3) {
    assert false \"no\\nway\"
  } # \"f.fut\":1:2
  if true {
    call = helper(d_4)
  }
  return (m_7, b_6, t_9)
}
";

#[test]
fn canonical_texts_round_trip() {
    for text in [FIGURE_13, EVERYTHING] {
        assert_eq!(print_program(&parse(text)), text);
    }
}

#[test]
fn canonical_texts_check() {
    for text in [FIGURE_13, EVERYTHING] {
        assert_eq!(check(&parse(text)), Ok(()), "{text}");
    }
}

#[test]
fn errors_name_their_place() {
    let cases = [
        (
            "proc p(): () { let x_1: i64 = add.i64(1i64) return () }",
            "test.imp:1:38: expected 2 operands, found 1",
        ),
        ("proc p(): () { x_1 = 2i64 return () }", "test.imp:1:20: expected `:=` or `[`, found `=`"),
        ("proc p(): (i64) { return () }", "test.imp:1:26: 0 results for 1 types"),
        ("proc p(): () { jump return () }", "test.imp:1:16: expected a statement, found `jump`"),
        (
            "proc p(): () { for i_1: i64 < 2i64 {} return () }",
            "test.imp:1:36: expected the kind of the loop, found `{`",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(parse_program(&source(text)).unwrap_err().to_string(), wanted);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    // unoptimised frames are large: as in the `fun` command, on a large stack
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(deep_nesting).unwrap();
    run.join().unwrap();
}

fn deep_nesting() {
    let many = 100_000;
    let exps =
        format!("proc p(): (bool) {{ return ({}true{}) }}", "not.bool(".repeat(many), ")".repeat(many));
    let blocks = format!("proc p(): () {{ {} {} return () }}", "if true {".repeat(many), "}".repeat(many));
    for text in [exps, blocks] {
        assert!(parse_program(&source(&text)).expect_err("too deep").message.contains("nested deeper"));
    }
}
