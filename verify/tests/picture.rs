//! Pictures and tables of a run's memory, in full.

use fun_base::name::Symbol;
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_verify::picture;
use funmem::trace::Trace;

const PROGRAM: &str = "entry main [a_mem_0: mem] (a_1: [4i64]i64 @ a_mem_0 -> 0 + {(4 : 1)}) : (r_2: i64) = {
  let (b_mem_3: mem) = alloc [8i64] i64 # \"t.fut\":2:11
  let (b_4: [4i64]i64 @ b_mem_3 -> 0 + {(4 : 2)}) = copy a_1 # \"t.fut\":2:11
  let (s_5: i64) = loop (t_6: i64 = 0i64) for i_7: i64 < 20i64 {
    let (c_mem_8: mem) = alloc stack [1i64] i64
    let (c_9: [1i64]i64 @ c_mem_8 -> 0 + {(1 : 1)}) = replicate [1i64] t_6
    let (d_10: i64) = index c_9[0i64]
    in (d_10)
  }
  let (x_11: i64) = index b_4[3i64]
  in (x_11)
}";

fn trace() -> Trace {
    let source = Source { name: Symbol::new("t.funmem"), text: PROGRAM.into() };
    let program = funmem::text::parse_program(&source, 0).expect("a program");
    let argument =
        fun_base::value::ValueReader::new(b"[1i64, 2i64, 3i64, 4i64]").read_all().expect("a value");
    let (outcome, trace) = funmem::interp::run_traced(&program, "main", &argument, Limits::default());
    outcome.expect("results");
    trace
}

#[test]
fn as_text() {
    let text = picture::text(&trace(), 80);
    assert_eq!(
        text,
        "\
22 blocks, 256 B in all, at most 104 B at once
time goes right; ░ nothing written yet   █ from first write to last use   ▒ no longer used

a_mem_0                      32 B █████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     argument
  a_1 [4]i64                      ├───────┤
b_mem_3                      64 B     ░░░░█████████████████        2:11
  b_4 [4]i64                              ├───────────────┤
c_mem_8                       8 B             ░░░░█████            stack ×20
  c_9 [1]i64                                      ├───┤            ×20
alive                       104 B ▃▃▃▃████████████████████▃▃▃▃     at the peak
"
    );
    assert!(text.lines().skip(2).all(|line| line.chars().count() <= 80));
}

#[test]
fn as_a_table() {
    assert_eq!(
        picture::table(&trace(), 80),
        "\
22 blocks, 256 B in all, at most 104 B at once

block        size       reads      writes  from
a_mem_0      32 B           4           4  argument
b_mem_3      64 B           1           4  2:11
c_mem_8       8 B          20          20  stack ×20
all         104 B          25          28  size at the peak

a_mem_0, an argument
                     4 writes  a_1          (arguments and results)
        4 reads                a_1    2:11  b_4 = copy a_1

b_mem_3 = alloc [8i64] i64
                     4 writes  b_4    2:11  b_4 = copy a_1
         1 read                b_4          x_11 = index b_4[3i64]

c_mem_8 = alloc stack [1i64] i64
                    20 writes  c_9          c_9 = replicate [1i64] t_6
       20 reads                c_9          d_10 = index c_9[0i64]
"
    );
}

#[test]
fn as_a_figure() {
    let svg = picture::svg(&trace(), "a < b & \"c\"");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("a &lt; b &amp; &quot;c&quot;"));
    // A block and its arrays: each shape says what it is.
    assert_eq!(svg.matches("<title>").count(), svg.matches("</title>").count());
    assert!(
        svg.contains(
            "<title>b_mem_3: 64 B\nlet (b_mem_3: mem) = alloc [8i64] i64 (t.fut:2:11)\nallocated at 1,"
        ),
        "{svg}"
    );
    assert!(svg.contains("c_9 [1]i64 in c_mem_8"), "{svg}");
    for tag in ["rect", "text", "title", "path", "svg"] {
        let opened = svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
        let closed = svg.matches(&format!("</{tag}>")).count();
        assert!(opened == closed || tag == "rect", "{tag}: {opened} opened, {closed} closed");
    }
}

#[test]
fn nothing_in_memory() {
    let source =
        Source { name: Symbol::new("t.funmem"), text: "entry main : (r_0: i64) = { in (1i64) }".into() };
    let program = funmem::text::parse_program(&source, 0).expect("a program");
    let (_, trace) = funmem::interp::run_traced(&program, "main", &[], Limits::default());
    assert_eq!(picture::text(&trace, 80), "no blocks: there are only scalars\n");
    assert_eq!(picture::table(&trace, 80), "no blocks: there are only scalars\n");
    assert!(picture::svg(&trace, "nothing").contains("only scalars"));
}

#[test]
fn what_a_scatter_writes_twice_is_listed() {
    let text = "entry main [a_mem_0: mem] (*a_1: [3i64]i32 @ a_mem_0 -> 0 + {(3 : 1)}) : (r_2: i32) = {
  let (b_3: [3i64]i32 @ a_mem_0 -> 0 + {(3 : 1)}) = kernel (i_4 < 3i64) scatter (a_1) {
    let (v_5: i32) = convert.i32.i64 i_4
    in (1i64, v_5)
  }
  let (x_6: i32) = index b_3[1i64]
  in (x_6)
}";
    let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
    let program = funmem::text::parse_program(&source, 0).unwrap_or_else(|error| panic!("{error}"));
    let argument = fun_base::value::ValueReader::new(b"[7i32, 7i32, 7i32]").read_all().expect("a value");
    let (outcome, trace) = funmem::interp::run_traced(&program, "main", &argument, Limits::default());
    outcome.expect("results");
    let table = picture::table(&trace, 96);
    let listed = "written twice by one scatter, with different values; the last one counts:
  a_1[1] in iterations 0 and 1  b_3 = kernel (i_4 < 3i64) scatter (a_1) { …
  a_1[1] in iterations 1 and 2  b_3 = kernel (i_4 < 3i64) scatter (a_1) { …
";
    assert!(table.contains(listed), "{table}");
}
