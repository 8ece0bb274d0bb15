//! `fun compile --lib`: libraries with Futhark's C interface, called from C.

#![allow(clippy::print_stderr, reason = "says what was not tried")]

mod support;

use std::path::Path;
use std::process::Command;
use support::{Folder, Outcome, fun, outcome, repository, without_c_compiler};

/// The library of the program in `libraries/`, as `program.*` in the folder.
fn library() -> Folder {
    library_by(&[])
}

fn library_by(flags: &[&str]) -> Folder {
    let folder = Folder::new();
    let source = std::fs::read_to_string(repository("cli/tests/libraries/program.fut")).expect("the program");
    let program = folder.file("program.fut", source);
    assert_eq!(fun(&[&["compile", "-w", "--lib", &program], flags].concat(), b"").printed(), "");
    folder
}

fn program_that_uses_it() -> String {
    repository("cli/tests/libraries/use.c").canonicalize().expect("the C program").display().to_string()
}

fn compile(folder: &Path, arguments: &[&str]) -> Outcome {
    outcome(Command::new("cc").args(arguments).current_dir(folder), b"")
}

#[test]
fn a_program_in_c_can_do_everything() {
    if without_c_compiler() {
        return;
    }
    let folder = library();
    let user = program_that_uses_it();
    let here = folder.path("");
    let shared = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-I.", &user, "./program.so", "-o", "user"];
    assert_eq!(compile(&here, &shared).printed(), "");
    let run = || outcome(Command::new("./user").current_dir(&here), b"").printed();
    assert_eq!(run(), "all right\n");
    // the same with its source, and an eye on every access
    let sanitized =
        ["-g", "-std=c11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I.", &user];
    let made = compile(&here, &[&sanitized[..], &["program.c", "-o", "user", "-lm"]].concat());
    if made.status == 0 {
        assert_eq!(run(), "all right\n");
    } else {
        eprintln!("skipped: no AddressSanitizer: {}", made.stderr);
    }
}

/// By every compiler that is there: the whole suite is for `testsuite/strict_c.sh`.
#[test]
fn the_c_has_no_warnings() {
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    let case = std::fs::read_to_string(repository("testsuite/cases/language/operators/float_power.fut"));
    let case = case.expect("a case");
    let operators = case.split("\n-- ---").next().expect("its program");
    let operators = folder.file("operators.fut", operators);
    let types = repository("cli/tests/libraries/program.fut").display().to_string();
    for (kind, program) in [("--lib", &types), ("--exe", &types), ("--server", &types), ("--lib", &operators)]
    {
        let c = folder.path("program.c").display().to_string();
        assert_eq!(fun(&["compile", "-w", kind, "--emit", "c", program, "-o", &c], b"").printed(), "");
        for compiler in ["gcc", "clang"] {
            if Command::new(compiler).arg("--version").output().is_err() {
                eprintln!("skipped: no {compiler}");
                continue;
            }
            let flags =
                "-std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -fno-strict-aliasing -c -o /dev/null";
            let made = outcome(Command::new(compiler).args(flags.split(' ')).arg(&c), b"");
            assert_eq!(made.printed(), "", "{kind} {program} by {compiler}");
        }
    }
}

#[test]
fn libraries_by_machine_code_can_do_everything_and_leave_no_c() {
    if without_c_compiler() {
        return;
    }
    let (user, flags) = (program_that_uses_it(), ["-std=c99", "-I."]);
    for (kind, file) in [(&[][..], "./program.so"), (&["--static"][..], "./program.a")] {
        let folder = library_by(&[&["--backend", "cranelift"], kind].concat());
        let here = folder.path("");
        let made = [&flags[..], &[&user, file, "-o", "user", "-pthread", "-lm"]].concat();
        assert_eq!(compile(&here, &made).printed(), "");
        assert_eq!(outcome(Command::new("./user").current_dir(&here), b"").printed(), "all right\n");
        let names =
            std::fs::read_dir(&here).expect("the folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        let mut wanted = ["program.fut", "program.h", "program.json", &file[2..], "user"];
        wanted.sort_unstable();
        assert_eq!(names, wanted);
        let manifest =
            |folder: &Folder| std::fs::read_to_string(folder.path("program.json")).expect("a manifest");
        assert_eq!(manifest(&folder), manifest(&library()));
    }
}

/// Nothing of a closed library stays: what it mapped, and the threads that it started.
#[test]
#[cfg(target_os = "linux")]
fn libraries_unload() {
    if without_c_compiler() {
        return;
    }
    let unload = repository("cli/tests/libraries/unload.c").canonicalize().expect("the C program");
    // (the matrix stays zero, tile by tile)
    let source = "def main (n: i64): i64 =
        let xs = map (\\i -> i64.f64 (f64.cos (f64.i64 i) * 0) + 1) (iota n)
        let side = i64.min n 300
        let none = tabulate_2d (side + 1) (side + 1) (\\_ _ -> 0i64)
        let swept = loop a = none for i < side do loop a for j < side do a with [i + 1, j + 1] = i64.max a[i, j + 1] a[i + 1, j]
        in i64.sum xs + swept[side, side]";
    for backend in ["c", "cranelift"] {
        let folder = Folder::new();
        let program = folder.file("unloaded.fut", source);
        assert_eq!(fun(&["compile", "-w", "--lib", "--backend", backend, &program], b"").printed(), "");
        let here = folder.path("");
        let made = compile(&here, &["-std=c11", unload.to_str().expect("a path"), "-o", "unload", "-ldl"]);
        assert_eq!(made.printed(), "");
        let run = outcome(Command::new("./unload").arg("./unloaded.so").current_dir(&here), b"");
        assert_eq!(run.printed(), "0 mappings, 1 threads\n", "{backend}");
    }
}

#[test]
fn a_linker_alone_makes_libraries_by_machine_code() {
    let linker = ["/usr/bin/ld", "/bin/ld"].into_iter().find(|path| Path::new(path).exists());
    let Some(linker) = linker.filter(|_| cfg!(target_os = "linux")) else {
        eprintln!("skipped: no ld");
        return;
    };
    let folder = Folder::new();
    let program =
        folder.file("program.fut", "entry roots (xs: []f64) = map (\\x -> f64.exp x + f64.sqrt x) xs\n");
    let tools = folder.path("tools");
    std::fs::create_dir(&tools).expect("a folder");
    std::os::unix::fs::symlink(linker, tools.join("ld")).expect("a link");
    let by = |backend: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fun"));
        command
            .args(["compile", "--lib", "--backend", backend, &program])
            .env("PATH", &tools)
            .env_remove("CC");
        outcome(&mut command, b"")
    };
    by("c").refused_with(&["no C compiler"]);
    assert_eq!(by("cranelift").printed(), "");
    assert!(folder.path("program.so").exists());
    let emit = ["compile", "--lib", "--backend", "cranelift", "--emit", "c", &program];
    fun(&emit, b"").refused_with(&["--emit c goes with --backend c"]);
}

#[test]
fn headers_are_c99_and_cpp_and_sources_have_no_warnings() {
    if without_c_compiler() {
        return;
    }
    let folder = library();
    let here = folder.path("");
    let flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"];
    folder.file("include.c", "#include \"program.h\"\n#include \"program.h\"\nint nothing;\n");
    assert_eq!(compile(&here, &[&flags[..], &["-std=c99", "include.c"]].concat()).printed(), "");
    if Command::new("c++").arg("--version").output().is_ok() {
        folder.file("include.cpp", "#include \"program.h\"\n#include \"program.h\"\n");
        let made = outcome(Command::new("c++").args(flags).arg("include.cpp").current_dir(&here), b"");
        assert_eq!(made.printed(), "");
    }
    let source = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-c", "program.c"];
    assert_eq!(compile(&here, &source).printed(), "");
    // one that can't fail and needs little of what is there
    let small = folder.file("small.fut", "entry next (x: i32) = x + 1\n");
    for what in ["--lib", "--server", "--exe"] {
        let text = fun(&["compile", what, "--emit", "c", &small], b"").printed();
        folder.file("program.c", text);
        assert_eq!(compile(&here, &source).printed(), "", "{what}");
    }
}

#[test]
fn nothing_but_the_interface_is_visible_so_that_libraries_live_together() {
    if without_c_compiler() {
        return;
    }
    let seen = |backend| {
        let folder = library_by(&["--backend", backend]);
        let mut command = Command::new("nm");
        let symbols = command.args(["-D", "--defined-only"]).arg(folder.path("program.so")).output().ok()?;
        let text = String::from_utf8_lossy(&symbols.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.split(' ').next_back());
        Some(names.map(str::to_owned).collect::<Vec<String>>())
    };
    let Some(names) = seen("c") else { return };
    assert!(names.contains(&"futhark_entry_main".to_owned()), "{names:?}");
    let declared = |name: &String| name.starts_with("futhark_") || name.starts_with("fun_");
    assert!(names.iter().all(declared), "{names:?}");
    assert_eq!(Some(names), seen("cranelift"));
}

#[test]
fn manifests_describe_the_interface() {
    if without_c_compiler() {
        return;
    }
    let folder = library();
    let text = std::fs::read_to_string(folder.path("program.json")).expect("the manifest");
    let header = std::fs::read_to_string(folder.path("program.h")).expect("the header");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(manifest["backend"], "c");
    let entry = &manifest["entry_points"]["main"];
    assert_eq!(entry["cfun"], "futhark_entry_main");
    assert_eq!(entry["doc"], "Doc of main.");
    assert_eq!(entry["output"]["type"], "([]i32, i32)");
    assert_eq!(entry["outputs"][0], entry["output"]);
    assert_eq!(entry["inputs"][0], serde_json::json!({"name": "xs", "type": "[]i32", "unique": false}));
    assert_eq!(manifest["entry_points"]["upd"]["inputs"][0]["unique"], true);
    assert_eq!(manifest["entry_points"]["upd"]["output"]["unique"], true);
    let types = &manifest["types"];
    assert_eq!(types["[][]f64"]["rank"], 2);
    assert_eq!(types["[][]f64"]["ctype"], "struct futhark_f64_2d *");
    let fields = &types["r"]["record"]["fields"];
    assert_eq!(
        fields[1],
        serde_json::json!({"name": "b", "type": "[]f32", "project": "futhark_project_opaque_r_b"})
    );
    assert_eq!(types["s"]["sum"]["variants"][2]["payload"], serde_json::json!(["[]i32", "bool"]));
    assert_eq!(types["[]pt"]["record_array"]["elemtype"], "pt");
    // each function that it names is declared
    let mut named = 0;
    for word in text.split('"').filter(|word| word.starts_with("futhark_")) {
        named += 1;
        assert!(header.contains(&format!("{word}(")), "{word}");
    }
    assert!(named > 60, "{named}");
}

#[test]
fn types_that_modules_rename_have_their_names() {
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    folder.file("shapes.fut", "type point = {x: f32, y: f32}\ndef norm (p: point) = p.x * p.x + p.y * p.y\n");
    let program = folder.file(
        "program.fut",
        "module shapes = import \"shapes\"\ntype point = shapes.point\nentry norm (p: point) : f32 = shapes.norm p\n",
    );
    assert_eq!(fun(&["compile", "-w", "--lib", &program], b"").printed(), "");
    let header = std::fs::read_to_string(folder.path("program.h")).expect("the header");
    assert!(header.contains("struct futhark_opaque_point"), "{header}");
}
