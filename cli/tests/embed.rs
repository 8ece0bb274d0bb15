//! Kernels in other programs: the Python modules of `fun compile --python`, static libraries, and the examples in `examples/embed/`.

#![allow(clippy::print_stderr, reason = "says what was not tried")]

mod support;

use std::path::Path;
use std::process::Command;
use support::{Folder, fun, outcome, python, repository, without_c_compiler};

/// Compiles a program of the repository as `FOLDER/NAME` with these options.
fn compile(program: &str, options: &[&str], folder: &Path, name: &str) {
    let (program, made) =
        (repository(program).display().to_string(), folder.join(name).display().to_string());
    let arguments = [&["compile", "-w", "--lib", &program, "-o", &made], options].concat();
    assert_eq!(fun(&arguments, b"").printed(), "");
}

#[test]
fn python_modules_do_everything() {
    let Some(python) = python().filter(|_| !without_c_compiler()) else { return };
    let user = repository("cli/tests/libraries/use.py");
    for backend in ["c", "cranelift"] {
        let folder = Folder::new();
        let options = ["--python", "--backend", backend];
        compile("cli/tests/libraries/program.fut", &options, &folder.path(""), "program");
        let run = outcome(Command::new(&python).arg(&user).arg(folder.path("")), b"");
        assert_eq!(run.printed(), "all right\n", "{backend}");
    }
}

#[test]
fn python_modules_copy_nothing_that_can_stay_where_it_is() {
    let Some(python) = python().filter(|_| !without_c_compiler()) else { return };
    let user = repository("cli/tests/libraries/views.py");
    for backend in ["c", "cranelift"] {
        let folder = Folder::new();
        let options = ["--python", "--backend", backend];
        compile("cli/tests/libraries/views.fut", &options, &folder.path(""), "views");
        let run = outcome(Command::new(&python).arg(&user).arg(folder.path("")), b"");
        assert_eq!(run.printed(), "all right\n", "{backend}");
    }
}

#[test]
fn python_modules_avoid_names_that_are_taken() {
    let Some(python) = python().filter(|_| !without_c_compiler()) else { return };
    let folder = Folder::new();
    let program = folder.file(
        "names.fut",
        "type usage = {self: i32, lambda: bool}\n\
         -- | Ends with a \"quote\" and \\.\n\
         entry max (class: i32) (x': i32) : i32 = i32.max class x'\n\
         entry _c (_: i32) (_: bool) : usage = {self = 1, lambda = true}\n\
         entry unit (x: ()) : () = x\n",
    );
    assert_eq!(fun(&["compile", "-w", "--lib", "--python", &program], b"").printed(), "");
    let test = "import names as n; assert n.max_(class_=1, x=2) == 2; assert n.max_.__doc__.startswith('Ends with a \"quote\" and \\\\.')\n\
                u = n._c_(0, False); assert type(u) is n.Usage_ and u.self_ == 1 and u.lambda_ is True and n.unit(()) == ()";
    let run = outcome(Command::new(python).args(["-c", test]).current_dir(folder.path("")), b"");
    assert_eq!(run.printed(), "");
}

#[test]
fn the_example_in_python_runs() {
    let Some(python) = python().filter(|_| !without_c_compiler()) else { return };
    let folder = Folder::new();
    for name in ["options", "blur"] {
        compile(&format!("examples/embed/{name}.fut"), &["--python"], &folder.path(""), name);
    }
    let example = std::fs::read_to_string(repository("examples/embed/python/price.py")).expect("the example");
    folder.file("price.py", example);
    let text = outcome(Command::new(python).arg(folder.path("price.py")), b"").printed();
    assert!(
        text.contains("no bytes copied\n")
            && text.contains("; 0 bytes copied")
            && text.contains("a strike below zero: Assertion is false"),
        "{text}"
    );
}

#[test]
fn the_example_with_the_data_of_a_benchmark_runs() {
    let Some(python) = python().filter(|_| !without_c_compiler()) else { return };
    let data = repository("../shared/data/option_pricing");
    if !data.exists() {
        eprintln!("skipped: no {}", data.display());
        return;
    }
    let folder = Folder::new();
    compile("examples/embed/monte_carlo.fut", &["--python"], &folder.path(""), "monte_carlo");
    let example =
        std::fs::read_to_string(repository("examples/embed/python/finpar.py")).expect("the example");
    folder.file("finpar.py", example);
    let run = outcome(Command::new(python).arg(folder.path("finpar.py")).arg(data), b"");
    assert!(run.printed().starts_with("8388608 paths: 167.06, no bytes copied"), "{}", run.stderr);
}

#[test]
fn the_example_in_c_runs_with_both_kinds_of_libraries() {
    if without_c_compiler() {
        return;
    }
    let (folder, example) = (Folder::new(), repository("examples/embed/c/main.c"));
    let example = example.canonicalize().expect("the example").display().to_string();
    for (options, library) in [(&[][..], "./blur.so"), (&["--static"][..], "blur.a")] {
        compile("examples/embed/blur.fut", options, &folder.path(""), "blur");
        let flags =
            ["-Wall", "-Wextra", "-Werror", "-I.", &example, library, "-pthread", "-lm", "-o", "main"];
        let made = outcome(Command::new("cc").args(flags).current_dir(folder.path("")), b"");
        assert_eq!(made.printed(), "");
        let text = outcome(Command::new("./main").current_dir(folder.path("")), b"").printed();
        assert_eq!(text, "0 bytes copied\nblurred as expected: yes\n");
    }
}

/// With cargo, for nothing but what is in the repository.
#[test]
fn the_example_in_rust_runs() {
    if without_c_compiler() {
        return;
    }
    let (folder, cargo) = (Folder::new(), std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let mut run = Command::new(cargo);
    run.args(["run", "--quiet", "--offline", "--target-dir"]).arg(folder.path("target"));
    run.env("FUN", env!("CARGO_BIN_EXE_fun")).env("RUSTFLAGS", "-Dwarnings");
    let text = outcome(run.current_dir(repository("examples/embed/rust")), b"").printed();
    assert!(text.contains("cost 971.42, 0 bytes copied") && text.contains("; 0 bytes copied"), "{text}");
}

#[test]
fn options_that_need_a_library_say_so() {
    let folder = Folder::new();
    let program = folder.file("program.fut", "entry main (x: i32) = x\n");
    for option in ["--python", "--static"] {
        let refused = fun(&["compile", option, "--exe", &program], b"");
        assert!(refused.status == 2 && refused.stderr.contains("--lib"), "{}", refused.stderr);
    }
}
