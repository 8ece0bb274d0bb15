//! `--backend cuda`: the host's calls and the text of kernels, on a stand-in for the driver that runs kernels on the processor
//! (`testsuite/cuda/stand_in.c`). It needs a C and a C++ compiler; where one is missing the tests say so and do nothing. No GPU takes part.

#![allow(clippy::print_stderr, reason = "says what is missing")]

mod support;

use std::path::Path;
use std::process::Command;
use support::stand_in::StandIn;
use support::{Folder, fun, kept, kernels, outcome, python, repository, stencils, without_c_compiler};

#[test]
fn compiled_kernels_are_kept() {
    let Some(cuda) = StandIn::whole() else { return };
    kept::in_the_folder("cuda", &|program, variables, arguments, input| {
        cuda.run_with(program, variables, arguments, input)
    });
}

#[test]
fn compiled_kernels_are_kept_by_executables() {
    let Some(cuda) = StandIn::whole() else { return };
    kept::by_executables("cuda", &|program, variables, arguments, input| {
        cuda.run_with(program, variables, arguments, input)
    });
}

/// Code is for a device and a driver; PTX is kept as machine code is. The compiler is called as often as a run says.
#[test]
fn kept_kernels_are_those_of_a_device_and_a_driver() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let program = folder.file("twice.fut", TWICE);
    let (caches, list) = (folder.path("caches").display().to_string(), folder.path("compiled"));
    let compiled = || std::fs::read_to_string(&list).unwrap_or_default().lines().count();
    let run = |capability: &str, version: &str| {
        let variables = [
            ("XDG_CACHE_HOME", caches.as_str()),
            ("STAND_IN_COMPILED", list.to_str().expect("a path in UTF-8")),
            ("STAND_IN_CAPABILITY", capability),
            ("STAND_IN_VERSION", version),
        ];
        let arguments = ["run", "--backend", "cuda", &program];
        assert_eq!(
            cuda.run_with(Path::new(""), &variables, &arguments, b"[1, 2]").printed(),
            "[2i32, 4i32]\n"
        );
        compiled()
    };
    let counts = [
        ("90", "13000"),
        ("90", "13000"),
        ("80", "13000"),
        ("90", "13010"),
        ("100", "13000"),
        ("100", "13000"),
    ];
    assert_eq!(counts.map(|(capability, version)| run(capability, version)), [1, 1, 2, 3, 4, 4]);
    assert_eq!(run("90", "13000"), 4);
}

#[test]
fn kernels_give_what_the_interpreter_gives() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::agree_with_the_interpreter("cuda", &|arguments, input| cuda.run(arguments, input));
}

#[test]
fn each_run_gives_the_same_bits() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::give_the_same_bits("cuda", &|time, arguments, input| {
        let seed = (time * 0x9e37_79b9).to_string();
        cuda.run_with(Path::new(""), &[("STAND_IN_SEED", &seed)], arguments, input)
    });
}

#[test]
fn many_threads_take_few_locks() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::wait_for_locks("cuda", &|time, arguments, input| {
        let seed = (time * 0x9e37_79b9).to_string();
        cuda.run_with(Path::new(""), &[("STAND_IN_SEED", &seed)], arguments, input)
    });
}

#[test]
fn failures_in_kernels_have_a_message_and_a_place() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::fail_with_a_place("cuda", &|arguments, input| cuda.run(arguments, input));
}

#[test]
fn examples_hold_with_kernels() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::examples_hold("cuda", &|arguments, input| cuda.run(arguments, input));
}

#[test]
fn arrays_are_turned() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::turn_arrays("cuda", &|arguments, input| cuda.run(arguments, input));
}

#[test]
fn blocks_work_on_rows() {
    let Some(cuda) = StandIn::whole() else { return };
    kernels::work_on_rows("cuda", &|arguments, input| cuda.run(arguments, input));
}

#[test]
fn stencils_share_tiles() {
    let Some(cuda) = StandIn::whole() else { return };
    stencils::share_tiles("cuda", &|arguments, input| cuda.run(arguments, input));
}

const TWICE: &str = "entry main [n] (xs: [n]i32) = map (* 2) xs";

#[test]
fn devices_that_the_compiler_does_not_know() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let program = folder.file("twice.fut", TWICE);
    let run = |capability: &str| cuda.run_as(capability, &["run", "--backend", "cuda", &program], b"[1, 2]");
    // a newer one takes PTX, an older one nothing
    assert_eq!(run("100").printed(), "[2i32, 4i32]\n");
    run("61").refused_with(&["no CUDA", "compute capability 6.1"]);
    run("0").refused_with(&["no CUDA device", "CUDA_ERROR_NO_DEVICE"]);
}

#[test]
fn what_is_missing_is_named() {
    let folder = Folder::new();
    let program = folder.file("twice.fut", TWICE);
    let outcome = fun(&["run", "--backend", "cuda", &program], b"[1, 2]");
    if without_c_compiler() || outcome.status == 0 {
        eprintln!("skipped: no C compiler, or this machine has CUDA");
        return;
    }
    outcome.refused_with(&["no CUDA"]);
    if outcome.stderr.contains("libcuda.so.1") {
        let Some(driver) = StandIn::new(&["libcuda.so.1"]) else { return };
        let outcome = driver.run(&["run", "--backend", "cuda", &program], b"[1, 2]");
        // a machine may have the compiler without a driver
        if outcome.status != 0 {
            outcome.refused_with(&["no CUDA", "libnvrtc.so.13"]);
        }
    }
}

const CALLER: &str = r#"
#include "twice.h"
#include <stdio.h>
int main(void) {
    struct futhark_context_config *config = futhark_context_config_new();
    struct futhark_context *context = futhark_context_new(config);
    if (futhark_context_get_error(context) != NULL) {
        return 2;
    }
    const int32_t given[] = {1, -2, 3};
    int32_t got[3] = {0};
    struct futhark_i32_1d *xs = futhark_new_i32_1d(context, given, 3), *ys = NULL;
    const int failed = futhark_entry_main(context, &ys, xs);
    if (failed != 0) {
        char *message = futhark_context_get_error(context);
        printf("%s\n", message);
        return 1;
    }
    futhark_values_i32_1d(context, ys, got);
    futhark_context_sync(context);
    printf("%d %d %d\n", (int)got[0], (int)got[1], (int)got[2]);
    futhark_free_i32_1d(context, xs);
    futhark_free_i32_1d(context, ys);
    futhark_context_free(context);
    futhark_context_config_free(config);
    return 0;
}
"#;

#[test]
fn libraries_and_executables_call_the_driver() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let program = folder.file("twice.fut", TWICE);
    let caller = folder.file("caller.c", CALLER);
    let library = folder.path("twice").display().to_string();
    fun(&["compile", "--lib", "--backend", "cuda", &program, "-o", &library], b"").printed();
    let linked = Command::new("cc")
        .args([&caller, "-o"])
        .arg(folder.path("caller"))
        .arg(folder.path("twice.so"))
        .status()
        .expect("the C compiler starts");
    assert!(linked.success(), "the caller is C");
    let with = |command: &str, input: &[u8]| {
        outcome(Command::new(folder.path(command)).env("LD_LIBRARY_PATH", cuda.path()), input)
    };
    assert_eq!(with("caller", b"").printed(), "2 -4 6\n");
    let executable = folder.path("command").display().to_string();
    fun(&["compile", "--exe", "--backend", "cuda", &program, "-o", &executable], b"").printed();
    assert_eq!(with("command", b"[4, 5]").printed(), "[8i32, 10i32]\n");
}

/// A program in C calls a library whose arrays stay on the device, and counts what makes the host wait: nothing that it did not ask for is copied.
#[test]
fn arrays_of_libraries_stay_on_the_device() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let program = repository("cli/tests/libraries/device.fut").display().to_string();
    let user = repository("cli/tests/libraries/device.c").canonicalize().expect("the C program");
    let library = folder.path("resident").display().to_string();
    fun(&["compile", "-w", "--lib", "--backend", "cuda", &program, "-o", &library], b"").printed();
    let driver = cuda.path().join("libcuda.so.1");
    let build = |arguments: &[&str]| {
        let mut command = Command::new("cc");
        command.args(["-I."]).arg(&user).args(arguments).arg(&driver).current_dir(folder.path(""));
        outcome(&mut command, b"")
    };
    let run = || {
        let list = folder.path("waits");
        let _ = std::fs::remove_file(&list);
        let mut command = Command::new("./user");
        command.current_dir(folder.path(""));
        outcome(command.env("LD_LIBRARY_PATH", cuda.path()).env("STAND_IN_WAITS", list), b"").printed()
    };
    let flags = "-std=c99 -Wall -Wextra -Werror ./resident.so -o user";
    assert_eq!(build(&flags.split(' ').collect::<Vec<_>>()).printed(), "");
    assert_eq!(run(), "all right\n");
    let flags = "-g -w -std=c11 -fsanitize=address,undefined -fno-sanitize-recover=all resident.c -pthread -lm -o user";
    let made = build(&flags.split(' ').collect::<Vec<_>>());
    if made.status == 0 {
        assert_eq!(run(), "all right\n");
    } else {
        eprintln!("skipped: no AddressSanitizer: {}", made.stderr);
    }
}

/// The same from Python, and arrays of other libraries by DLPack. There is NumPy alone, so what stands for these is in the program.
#[test]
fn modules_for_python_hand_arrays_on_the_device_over() {
    let (Some(cuda), Some(python)) = (StandIn::whole(), python()) else { return };
    let folder = Folder::new();
    let program = repository("cli/tests/libraries/device.fut").display().to_string();
    let user = repository("cli/tests/libraries/device.py").canonicalize().expect("the program");
    let module = folder.path("resident").display().to_string();
    fun(&["compile", "-w", "--lib", "--python", "--backend", "cuda", &program, "-o", &module], b"").printed();
    let list = folder.path("waits");
    let mut command = Command::new(python);
    command.arg(user).arg(folder.path("")).env("LD_LIBRARY_PATH", cuda.path()).env("STAND_IN_WAITS", list);
    assert_eq!(outcome(&mut command, b"").printed(), "all right\n");
}

/// Conjugate gradients, whose dot products only kernels use.
const GRADIENTS: &str = "
def dot [n] (x: [n]f32) (y: [n]f32) = f32.sum (map2 (*) x y)
entry main [n] (a: [n][n]f32) (b: [n]f32) (steps: i32) =
  let (x, _, _, _) = loop (x, r, p, rho) = (replicate n 0, b, b, dot b b) for _i < steps do
    let q = map (\\row -> dot row p) a
    let alpha = rho / dot p q
    let x = map2 (\\x p -> x + alpha * p) x p
    let r = map2 (\\r q -> r - alpha * q) r q
    let rho' = dot r r
    let p = map2 (\\r p -> r + rho' / rho * p) r p
    in (x, r, p, rho')
  in x
";
const SOFTMAX: &str = "
entry main [n] (x: [n]f32) =
  let m = f32.maximum x
  let e = map (\\x -> f32.exp (x - m)) x
  in map (/ f32.sum e) e
";
const GATHERS: &str = "
entry main [n] (xs: [n]i64) =
  loop ys = xs for _i < 5i32 do map (\\y -> xs[y]) ys
";
/// The host has to know when to stop.
const HALVES: &str = "
entry main [n] (xs: [n]f64) = loop xs while f64.sum xs > 1 do map (/ 2) xs
";

/// The host waits for the device where arguments and results are copied, where it needs a scalar, and once for failures.
#[test]
fn the_host_waits_for_what_it_needs() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let list = folder.path("waits");
    let runs = [
        // two arrays, and the result
        (GRADIENTS, "[[4f32, 1f32], [1f32, 3f32]] [1f32, 2f32] 2", 3),
        (GRADIENTS, "[[4f32, 1f32], [1f32, 3f32]] [1f32, 2f32] 20", 3),
        (SOFTMAX, "[1f32, 2f32, 3f32]", 2),
        // an array, the words for failures, the result, and a look whether any kernel failed
        (GATHERS, "[1i64, 2i64, 0i64]", 4),
        // an array, the result, and a sum each time
        (HALVES, "[1f64, 2f64, 3f64, 2f64]", 6),
    ];
    for (text, input, waits) in runs {
        let program = folder.file("waits.fut", text);
        let _ = std::fs::remove_file(&list);
        let variables = [("STAND_IN_WAITS", list.to_str().expect("a path in UTF-8"))];
        let arguments = ["run", "-w", "--backend", "cuda", &program];
        let device = cuda.run_with(Path::new(""), &variables, &arguments, input.as_bytes());
        let interpreter = fun(&["run", "-w", "--backend", "interp", &program], input.as_bytes());
        assert_eq!(device.printed(), interpreter.printed(), "{text}");
        let counted = std::fs::read_to_string(&list).unwrap_or_default();
        assert_eq!(counted.lines().count(), waits, "{text}{counted}");
    }
}

/// Three scans, each of the one before.
const SCANS: &str = "
entry main [n] (xs: [n]f32) = scan f32.min f32.inf (scan f32.max (-f32.inf) (scan (+) 0 xs))
";
/// The same with numbers of another type between.
const CONVERTED: &str = "
entry main [n] (xs: [n]f32) = scan f32.min f32.inf (map f32.i32 (scan i32.max i32.lowest (map i32.f32 (scan (+) 0 xs))))
";

/// What an array is made in may have been that of another one with elements of its type, which nothing reads any more.
#[test]
fn blocks_of_the_device_are_used_again() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let list = folder.path("blocks");
    let numbers: Vec<String> = (0..10_000).map(|k| format!("{}f32", k * 7 % 13)).collect();
    let input = format!("[{}]", numbers.join(", "));
    // the argument and one array for all scans; and one for the integers
    for (text, arrays) in [(SCANS, 2), (CONVERTED, 3)] {
        let program = folder.file("scans.fut", text);
        let _ = std::fs::remove_file(&list);
        let variables = [("STAND_IN_BLOCKS", list.to_str().expect("a path in UTF-8"))];
        let arguments = ["run", "-w", "--backend", "cuda", &program];
        let device = cuda.run_with(Path::new(""), &variables, &arguments, input.as_bytes());
        let interpreter = fun(&["run", "-w", "--backend", "interp", &program], input.as_bytes());
        assert_eq!(device.printed(), interpreter.printed(), "{text}");
        let counted = std::fs::read_to_string(&list).unwrap_or_default();
        let bytes: usize = counted.lines().filter_map(|line| line.parse::<usize>().ok()).sum();
        // words of the scans' tiles are few bytes
        assert_eq!(bytes / 40_000, arrays, "{text}{counted}");
    }
}
