//! `fun explain`.

mod support;

use support::{Folder, fun, repository};

#[test]
fn pictures_of_small_random_inputs() {
    let folder = Folder::new();
    let program = folder.file("p.fut", "entry main [n] (xs: [n]i32) = map (+ 1) (scan (+) 0 xs)\n");
    let printed = fun(&["explain", &program, "--trace"], b"").printed();
    for part in ["memory of `main` on [", "argument", "█", "alive", "reads", "index xs"] {
        assert!(printed.contains(part), "`{part}` is not in:\n{printed}");
    }
    assert_eq!(printed, fun(&["explain", &program, "--trace"], b"").printed());
}

#[test]
fn figures_of_given_inputs() {
    let folder = Folder::new();
    let program = folder.file("p.fut", "entry twice [n] (xs: [n]i32) = map (* 2) xs\n");
    let input = folder.file("in", "[1, 2, 3]");
    let figure = folder.path("out.svg").display().to_string();
    let arguments = ["explain", &program, "-e", "twice", "-i", &input, "--svg", &figure];
    let printed = fun(&arguments, b"").printed();
    assert!(printed.contains("memory of `twice` on [3]i32"), "{printed}");
    let svg = std::fs::read_to_string(&figure).expect("the figure");
    assert!(svg.starts_with("<svg ") && svg.contains("memory of `twice` on [3]i32"));
}

#[test]
fn no_figure_when_something_is_wrong() {
    let folder = Folder::new();
    let program = folder.file("p.fut", "entry main (xs: []i32) (i: i64) = map (+ xs[i]) xs\n");
    let input = folder.file("in", "[1, 2, 3] 7i64");
    let figure = folder.path("out.svg").display().to_string();
    let refused = |arguments: &[&str], parts: &[&str]| {
        fun(&[&["explain"], arguments, &["--svg", &figure]].concat(), b"").refused_with(parts);
        assert!(!std::path::Path::new(&figure).exists());
    };
    refused(&[&program, "-i", &input], &["out of bounds"]);
    refused(&[&program, "-i", &folder.path("missing").display().to_string()], &["missing"]);
    refused(&[&program, "-e", "mian"], &["did you mean `main`?"]);
    refused(&[&folder.file("p.imp", "")], &["no entry point"]);
    let nowhere = folder.path("no/such/folder.svg").display().to_string();
    let input = folder.file("ok", "[1, 2, 3] 1i64");
    fun(&["explain", &program, "-i", &input, "--svg", &nowhere], b"").refused_with(&["can't write"]);
}

#[test]
fn a_fault_shows_both_accesses_in_the_text() {
    let folder = Folder::new();
    let program = folder.file(
        "p.funmem",
        "entry main : (r_0: i64) = {
  let (a_mem_1: mem) = alloc [2i64] i64
  let (a_2: [2i64]i64 @ a_mem_1 -> 0 + {(2 : 1)}) = replicate [2i64] 1i64
  let (b_3: [1i64]i64 @ a_mem_1 -> 1 + {(1 : 1)}) = replicate [1i64] 2i64
  let (x_4: i64) = index a_2[1i64]
  in (x_4)
}
",
    );
    let outcome = fun(&["explain", &program], b"");
    assert!(outcome.text().contains("a_mem_1"), "{}", outcome.text());
    outcome.refused_with(&[
        "M8: a_2[1] was overwritten through another array",
        "p.funmem:5",
        "reads a_2[1]",
        " 4 │",
        "writes b_3[0]",
        " 2 │",
        "allocates `a_mem_1`, 16 bytes",
    ]);
}

/// The figure of the book; `BLESS=1` draws it again.
#[test]
fn the_figure_in_the_book_is_this_one() {
    let folder = Folder::new();
    let program = repository("docs/figures/memory.funmem").display().to_string();
    let input = folder.file("in", "[1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32]");
    let (figure, kept) = (folder.path("out.svg"), repository("docs/figures/memory.svg"));
    let out = figure.display().to_string();
    fun(&["explain", &program, "-i", &input, "--svg", &out], b"").printed();
    let drawn = std::fs::read_to_string(figure).expect("the figure");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&kept, &drawn).expect("the figure of the book");
    }
    assert!(drawn == std::fs::read_to_string(kept).expect("the figure of the book"), "{drawn}");
}

/// Why the copies of the programs that must make them are not done without.
#[test]
fn copies_that_remain_have_reasons() {
    for (program, reason) in [
        ("not_fresh", "it lies in an argument"),
        ("not_last_use", "at 10:7 meets the destination"),
        ("destination_later", "the destination, or where in it, is known only at 9:"),
        ("part_of_fresh", "it is a part of what is in its block"),
        // `out[i, 0] = more * 10` is in row 0 if i is 0
        ("destination_written_between", "at 11:7 meets the destination"),
    ] {
        let path = repository(&format!("testsuite/memory/safety/{program}.fut")).display().to_string();
        let printed = fun(&["explain", &path], b"").printed();
        assert_eq!(printed.matches(" by update (").count(), 1, "{printed}");
        assert!(printed.contains(reason), "{printed}");
    }
    let path = repository("testsuite/memory/safety/destination_written_between.fut").display().to_string();
    let printed = fun(&["explain", &path], b"").printed();
    let witness = printed.lines().find(|line| line.contains("meets")).expect("a witness");
    assert!(witness.ends_with("i = 0"), "{witness}");
}

#[test]
fn no_copy_no_reason() {
    let path = repository("testsuite/memory/safety/repeated.fut").display().to_string();
    let printed = fun(&["explain", &path], b"").printed();
    assert!(printed.contains("no array is copied"), "{printed}");
}

/// Two blocks that change places, of which one comes out: from the program, twice `4*n*n`.
#[test]
fn allocations_and_the_peak_are_formulas() {
    let folder = Folder::new();
    let input = folder.file("in", "100i64 10i32");
    let path = repository("examples/heat.fut").display().to_string();
    let printed = fun(&["explain", &path, "-i", &input], b"").printed();
    for part in [
        "peak: 8*n*n bytes\n",
        "measured: 80000 bytes; by the formula: 80000\n",
        ": 4*n*n bytes; allocated once; from line 10 to the end, as a result\n  holds plate (10:3), map (11:5)\n",
        " to the end, as a result\n",
    ] {
        assert!(printed.contains(part), "`{part}` is not in:\n{printed}");
    }
}

#[test]
fn what_only_the_program_knows_is_named() {
    let path = repository("testsuite/memory/loop/growing.fut").display().to_string();
    let printed = fun(&["explain", &path], b"").printed();
    // the old array of m elements and the new one of one more
    assert!(printed.contains("peak: 16*m + 8 bytes\n  computed by the program: m (7:28);"), "{printed}");
    assert!(printed.contains(": 8*m + 8 bytes; allocated in loops at 7:28, at most k times;"), "{printed}");
}

#[test]
fn json_has_the_same() {
    let folder = Folder::new();
    let program = folder.file("p \"1\".fut", "entry main [n] (xs: [n]i32) = map (+ 1) (map (* 2) xs)\n");
    let input = folder.file("in", "[1, 2, 3]");
    let text = fun(&["explain", "--json", &program, "-i", &input], b"").printed();
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["file"], "p \"1\".fut");
    assert_eq!(json["entry"], "main");
    assert_eq!(json["peak"], serde_json::json!(["4*n"]));
    assert_eq!(json["copies"], serde_json::json!([]));
    let measured = serde_json::json!({"peak_bytes": 12, "formula": 12, "formula_with_all_strands": 12});
    assert_eq!(json["measured"], measured);
    let allocations = json["allocations"].as_array().expect("a list");
    let made: Vec<_> = allocations.iter().filter(|allocation| allocation["argument"] == false).collect();
    assert_eq!(made.len(), 1);
    assert_eq!(made[0]["bytes"], serde_json::json!(["4*n"]));
    assert_eq!(made[0]["from"]["line"], 1);
    assert_eq!(made[0]["times"], "1");
    assert_eq!(made[0]["result"], true);
    let copies = repository("testsuite/memory/safety/not_fresh.fut").display().to_string();
    let text = fun(&["explain", "--json", &copies], b"").printed();
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["copies"][0]["reason"], "it lies in an argument");
    assert_eq!(json["copies"][0]["at"]["line"], 9);
    assert_eq!(json["measured"], serde_json::Value::Null);
}

/// There is something to say of programs in every language; only IMP has no picture.
#[test]
fn programs_of_all_stages_are_explained() {
    let folder = Folder::new();
    let source = folder.file("p.fut", "entry main [n] (xs: [n]i32) = map (+ 1) xs\n");
    for stage in ["fun", "funmem", "imp"] {
        let text = fun(&["compile", "--emit", stage, &source], b"").printed();
        let program = folder.file(&format!("p.{stage}"), text);
        let printed = fun(&["explain", &program], b"").printed();
        assert!(printed.contains("peak: 4*n bytes"), "{printed}");
        assert_eq!(printed.contains("alive"), stage != "imp", "{printed}");
    }
    let program = folder.path("p.imp").display().to_string();
    let figure = folder.path("out.svg").display().to_string();
    fun(&["explain", &program, "--svg", &figure], b"").refused_with(&["in IMP"]);
}

#[test]
fn no_formula_has_a_reason() {
    let folder = Folder::new();
    let program = folder.file(
        "p.imp",
        "proc f (m_1: i64) : (i64) { alloc a_2: i8[m_1] var r_3: i64 call r_3 = f(m_1) free a_2 return (r_3) }
entry proc main (n_4: i64) : (i64) takes (i64 @ 0) gives (i64 @ 0) { var r_5: i64 call r_5 = f(n_4) return (r_5) }
",
    );
    let printed = fun(&["explain", &program], b"").printed();
    assert!(printed.contains("peak: no formula: `f` calls itself"), "{printed}");
}

/// The accesses of a program's kernels that are inside the most loops of their kernel: array, what is done, and the step as JSON.
fn hottest(program: &str, entry: &str) -> Vec<(String, String, serde_json::Value)> {
    let printed = fun(&["explain", "--kernels", "--json", "-e", entry, program], b"").printed();
    let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let accesses = report["accesses"].as_array().expect("a list").clone();
    let kernel = |access: &serde_json::Value| (access["procedure"].clone(), access["kernel"].clone());
    let loops = |access: &serde_json::Value| access["loops"].as_i64().expect("a number");
    let hot = accesses.iter().filter(|access| {
        let same = accesses.iter().filter(|other| kernel(other) == kernel(access));
        same.map(loops).max() == Some(loops(access))
    });
    let word = |value: &serde_json::Value| value.as_str().expect("a word").to_owned();
    hot.map(|access| (word(&access["array"]), word(&access["does"]), access["step"].clone())).collect()
}

#[test]
fn neighbouring_threads_touch_neighbouring_cells_in_the_kernels_of_the_bench() {
    // a histogram combines cells where its values say
    let programs = ["blur", "dot", "exp_sum", "histogram", "jacobi", "lu", "matmul", "nw", "scan", "triad"];
    for name in programs {
        let program = repository(&format!("bench/kernels/{name}.fut")).display().to_string();
        let accesses = hottest(&program, "main");
        assert!(!accesses.is_empty(), "{name} has no kernels");
        for (array, does, step) in accesses {
            // the column of multipliers, which is divided once in front of each elimination of a matrix of rows
            let is_column = name == "lu" && step == "n";
            let near = step.as_i64().is_some_and(|step| (-1..=1).contains(&step));
            // threads that sweep over a matrix have a row each, and are on an anti-diagonal
            let is_diagonal = name == "nw" && step.as_str().is_some_and(|step| step.ends_with(" + -1"));
            assert!(near || is_column || is_diagonal, "{name} {does} {array}: {step}");
        }
    }
}

#[test]
fn steps_between_threads_follow_from_index_functions() {
    let folder = Folder::new();
    let text = "entry rows [n][m] (a: [n][m]i64) = map (\\row -> loop s = 0 for i < m do s * 3 + row[m - 1 - i]) a\n\
                entry back [n] (a: [n]i64) = map (\\i -> a[n - 1 - i] + 1) (iota n)\n\
                entry every [n] (a: [n]i64) = map (\\i -> a[2 * i] + a[i / 2]) (iota (n / 2))\n\
                entry where_it_says [n] (a: [n]i64) (at: [n]i64) = map (\\i -> a[i]) at\n";
    let program = folder.file("p.fut", text);
    let steps = |entry: &str, of: &str| -> Vec<String> {
        let found = hottest(&program, entry).into_iter().filter(|(array, _, _)| array.starts_with(of));
        found.map(|(_, _, step)| step.to_string()).collect()
    };
    assert_eq!(steps("rows", "a"), ["\"m\""]);
    assert_eq!(steps("back", "a"), ["-1"]);
    assert_eq!(steps("every", "a"), ["2", "null"]);
    assert_eq!(steps("where_it_says", "at"), ["1"]);
    assert!(steps("where_it_says", "a").contains(&"null".to_owned()));
}

#[test]
fn tiles_of_stencils_are_read_along_rows() {
    for (name, array) in [("blur", "image"), ("jacobi", "plate")] {
        let program = repository(&format!("bench/kernels/{name}.fut")).display().to_string();
        let printed = fun(&["explain", "--kernels", "--json", "-e", "main", &program], b"").printed();
        let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
        let accesses = report["accesses"].as_array().expect("a list");
        let reads: Vec<&serde_json::Value> = accesses
            .iter()
            .filter(|access| access["kernel"] == 1 && access["does"] == "reads" && access["array"] == array)
            .collect();
        // all else is read from the tile, which lies within the array or not: its rows, and what is right of the threads of a row
        assert_eq!(reads.len(), 4, "{name}: {printed}");
        assert_eq!(reads.iter().filter(|read| read["step"] == 1).count(), 2, "{name}: {printed}");
    }
}

#[test]
fn what_fusion_leaves_and_why() {
    let folder = Folder::new();
    let source = "def main [n] (xs: [n]f64) (k: i64) =
  let ys = map (\\x -> f64.exp (f64.sin x)) xs
  let zs = map (\\i -> ys[i] * ys[(i + k) % n]) (iota n)
  let ws = scan (+) 0 (map (* 2) zs)
  in map2 (+) zs ws\n";
    let program = folder.file("p.fut", source);
    let printed = fun(&["explain", "--fusion", &program], b"").printed();
    let parts = [
        "map (2:12), read in 3:12\n  elements would be computed more than once",
        // (the last map is the epilogue of the scan, which reads the array, too)
        "map (3:12), read in 4:12\n  it is used otherwise",
    ];
    for part in parts {
        assert!(printed.contains(part), "`{part}` is not in:\n{printed}");
    }
    let json = fun(&["explain", "--fusion", "--json", &program], b"").printed();
    let parts = [
        r#""kept":[{"function":"main","array":"map""#,
        r#""reason":"elements would be computed more than once"#,
    ];
    for part in parts {
        assert!(json.contains(part), "`{part}` is not in:\n{json}");
    }
    let fused = folder.file("q.fut", "def main (xs: []i32) = reduce (+) 0 (map (* 2) (map (+ 1) xs))\n");
    assert!(fun(&["explain", "--fusion", &fused], b"").printed().contains("there are none"));
    fun(&["explain", "--fusion", &folder.file("p.imp", "")], b"").refused_with(&["no entry point"]);
}
