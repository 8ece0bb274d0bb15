//! Thresholds of programs for devices are numbers of the run: of executables, servers and libraries, here on the stand-in for CUDA. Which version runs
//! is seen by floats, whose order of adding differs.

mod support;

use std::ffi::OsStr;
use std::process::Command;
use support::stand_in::StandIn;
use support::{Folder, Outcome, outcome};

const PROGRAM: &str = "
entry sums [n][m] (a: [n][m]f32) (b: [n][m]f32) = (map f32.sum a, map (f32.sum >-> f32.sqrt) b)
entry other [n][m] (a: [n][m]f32) = map f32.sum a
entry scans [n][m] (a: [n][m]i32) = map (scan (+) 0) a
entry fixed (a: [600][600]f32) = map f32.sum a
";

/// In order nothing is added to 2^24; a block adds ones up first.
const ROWS: &str = "[[16777216f32, 1, 1, 1, 1, 1]]";
const BY_THREAD: &str = "[16777216.0f32]\n";
const BY_BLOCK: &str = "[16777220.0f32]\n";

/// Makes this of the program, in a folder, and what it runs on; none without a compiler.
fn made(what: &str) -> Option<(StandIn, Folder)> {
    let cuda = StandIn::whole()?;
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    assert_eq!(cuda.run(&["compile", what, "--backend", "cuda", &program], b"").printed(), "");
    Some((cuda, folder))
}

/// A command that has the stand-in.
fn on(cuda: &StandIn, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", cuda.path());
    command
}

#[test]
fn executables_are_told_thresholds() {
    let Some((cuda, folder)) = made("--exe") else { return };
    let run = |arguments: &[&str], input: &str| -> Outcome {
        outcome(on(&cuda, folder.path("program")).args(arguments), input.as_bytes())
    };
    let params = run(&["--print-params"], "").printed();
    for line in [
        "sums.device.piece_values_2 (threshold(16384, ))",
        "sums.device.segment_values_2 (threshold(256, !sums.device.piece_values_2))",
        "other.device.segments_1 (threshold(4194304, !other.device.piece_values_1 other.device.segment_values_1))",
        "scans.device.segments_1 (threshold(4194304, !scans.device.scan_tiles_1 scans.device.segment_values_1))",
    ] {
        assert!(params.lines().any(|found| found == line), "{line}: {params}");
    }
    assert!(!params.contains("fixed"), "{params}");
    let other = |said: &[&str]| {
        let said = said.iter().flat_map(|said| ["--param", said]);
        run(&["-e", "other"].into_iter().chain(said).collect::<Vec<_>>(), ROWS).printed()
    };
    assert_eq!(other(&[]), BY_THREAD);
    assert_eq!(other(&["device.segment_values=6"]), BY_BLOCK);
    assert_eq!(other(&["device.segment_values=7"]), BY_THREAD);
    assert_eq!(other(&["other.device.segment_values_1=6"]), BY_BLOCK);
    // rows that share a block are combined in a tree too
    assert_eq!(other(&["device.shared_values=6"]), BY_BLOCK);
    assert_eq!(other(&["device.shared_values=7"]), BY_THREAD);
    assert_eq!(other(&["sums.device.segment_values_1=6"]), BY_THREAD);
    // what is said of a place counts there, whatever comes behind it
    let own = "other.device.segment_values_1=7";
    assert_eq!(other(&["device.segment_values=6", own]), BY_THREAD);
    assert_eq!(other(&[own, "device.segment_values=6"]), BY_THREAD);
    assert_eq!(other(&[own, "device.segment_values=6", "other.device.segment_values_1=-1"]), BY_BLOCK);
    assert_eq!(other(&["device.segment_values=6", "device.segments=1"]), BY_THREAD);
    let tuning =
        folder.file("t.tuning", "-- by hand\n\nother.device.segment_values_1 = 6\ndevice.segments=2\n");
    assert_eq!(run(&["-e", "other", "--tuning", &tuning], ROWS).printed(), BY_BLOCK);
    let logged = run(&["-e", "other", "-L", "--param", "device.segment_values=6"], ROWS);
    for line in [
        "Compared other.device.segment_values_1 <= 6: true.",
        "Compared other.device.segments_1 <= 1: false.",
    ] {
        assert!(logged.stderr.contains(line), "{line}: {}", logged.stderr);
    }
    for [number, tiles] in [["0", "0"], ["9", "0"], ["0", "9"], ["9", "9"]] {
        let said = [format!("device.segment_values={number}"), format!("device.scan_tiles={tiles}")];
        let found = run(&["-e", "scans", "--param", &said[0], "--param", &said[1]], "[[1, 2, 3], [4, 5, 6]]");
        assert_eq!(found.printed(), "[[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]]\n", "{said:?}");
    }
    run(&["--param", "device.tiles=3"], "").refused_with(&["Unknown size: device.tiles"]);
    run(&["--param", "fixed.device.segments_1=3"], "")
        .refused_with(&["Unknown size: fixed.device.segments_1"]);
    run(&["--param", "device.segments=many"], "").refused_with(&["Invalid argument for size option"]);
    let tuning = folder.file("t.tuning", "\nnothing=3\n");
    run(&["--tuning", &tuning], "").refused_with(&["Unknown name 'nothing' on line 2"]);
    let tuning = folder.file("t.tuning", "device.segments\n");
    run(&["--tuning", &tuning], "").refused_with(&["Invalid line 1"]);
}

#[test]
fn numbers_of_the_compiler_are_those_that_nobody_says_others_for() {
    let Some(cuda) = StandIn::whole() else { return };
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    let tuning = folder.file("program.fut.tuning", "other.device.segment_values_1=6\n");
    let compile = ["compile", "--exe", "--backend", "cuda", "--tuning", &tuning, &program];
    assert_eq!(cuda.run(&compile, b"").printed(), "");
    let run = |said: &str| {
        outcome(on(&cuda, folder.path("program")).args(["-e", "other", "--param", said]), ROWS.as_bytes())
            .printed()
    };
    assert_eq!(run("device.segments=9"), BY_BLOCK);
    assert_eq!(run("other.device.segment_values_1=7"), BY_THREAD);
    // where no pass asks, nothing is known of places
    assert_eq!(
        cuda.run(&["run", "-e", "other", "--tuning", &tuning, &program], ROWS.as_bytes()).printed(),
        BY_THREAD
    );
}

#[test]
fn servers_are_told_thresholds() {
    let Some((cuda, folder)) = made("--server") else { return };
    folder.file("rows", ROWS);
    let commands = "tuning_params other\ntuning_params fixed\ntuning_param_class other.device.segments_1\n\
                    restore rows a [][]f32\ncall other b a\nstore before b\n\
                    set_tuning_param other.device.segment_values_1 6\ncall other c a\nstore after c\n\
                    set_tuning_param nothing 8\ntuning_param_class nothing\n";
    let mut server = on(&cuda, folder.path("program"));
    let text = outcome(server.current_dir(folder.path("")), commands.as_bytes()).printed();
    assert!(
        text.contains("other.device.segments_1\nother.device.shared_values_1\nother.device.shared_segments_1\n%%% OK\n%%% OK\nthreshold("),
        "{text}"
    );
    assert!(
        text.contains("threshold(4194304, !other.device.piece_values_1 other.device.segment_values_1)\n"),
        "{text}"
    );
    assert_eq!(text.matches("%%% FAILURE").count(), 2, "{text}");
    assert!(text.contains("Failed to set tuning parameter nothing to 8"), "{text}");
    assert!(text.contains("Unknown tuning parameter: nothing"), "{text}");
    let show = |file: &str| {
        let stored = std::fs::read(folder.path(file)).expect("what the server stored");
        f32::from_le_bytes(stored[stored.len() - 4..].try_into().expect("four bytes"))
    };
    assert_eq!((show("before"), show("after")), (16_777_216.0, 16_777_220.0));
}

const CALLER: &str = r#"
#include "program.h"
#include <stdio.h>
static void show(struct futhark_context *context) {
    const float given[6] = {16777216, 1, 1, 1, 1, 1};
    float got = 0;
    struct futhark_f32_2d *a = futhark_new_f32_2d(context, given, 1, 6);
    struct futhark_f32_1d *b = NULL;
    if (futhark_entry_other(context, &b, a) != 0 || futhark_values_f32_1d(context, b, &got) != 0) {
        printf("failed\n");
    }
    printf("%.1f\n", (double)got);
    futhark_free_f32_2d(context, a);
    futhark_free_f32_1d(context, b);
}
int main(void) {
    struct futhark_context_config *config = futhark_context_config_new();
    struct futhark_context *context = futhark_context_new(config);
    show(context);
    printf("%d\n", futhark_context_config_set_tuning_param(config, "device.segment_values", 6));
    show(context);
    printf("%d\n", futhark_context_config_set_tuning_param(config, "other.device.segment_values_1", 7));
    show(context);
    printf("%d\n", futhark_context_config_set_tuning_param(config, "nothing", 8) != 0);
    for (const int *k = futhark_tuning_params_for_other(); *k >= 0; k++) {
        printf("%s: %s\n", futhark_get_tuning_param_name(*k), futhark_get_tuning_param_class(*k));
    }
    printf("%d %d\n", *futhark_tuning_params_for_fixed(), futhark_get_tuning_param_count());
    printf("%d\n", futhark_get_tuning_param_name(futhark_get_tuning_param_count()) == NULL);
    futhark_context_free(context);
    futhark_context_config_free(config);
    return 0;
}
"#;

#[test]
fn libraries_are_told_thresholds() {
    let Some((cuda, folder)) = made("--lib") else { return };
    folder.file("caller.c", CALLER);
    let mut compile = Command::new("cc");
    compile.args(["-Wall", "-Werror", "caller.c", "./program.so", "-o", "caller"]);
    assert_eq!(outcome(compile.current_dir(folder.path("")), b"").printed(), "");
    let found = outcome(on(&cuda, "./caller").current_dir(folder.path("")), b"").printed();
    let wanted = "16777216.0\n0\n16777220.0\n0\n16777216.0\n1\n\
                  other.device.piece_values_1: threshold(16384, )\n\
                  other.device.piece_segments_1: threshold(512, other.device.piece_values_1)\n\
                  other.device.segment_values_1: threshold(256, !other.device.piece_values_1)\n\
                  other.device.segments_1: threshold(4194304, !other.device.piece_values_1 other.device.segment_values_1)\n\
                  other.device.shared_values_1: threshold(8, !other.device.piece_values_1 !other.device.segment_values_1)\n\
                  other.device.shared_segments_1: threshold(16384, !other.device.piece_values_1 !other.device.segment_values_1 other.device.shared_values_1)\n-1 23\n1\n";
    assert_eq!(found, wanted);
    let manifest = std::fs::read_to_string(folder.path("program.json")).expect("the manifest");
    assert!(manifest.contains("\"other.device.segment_values_1\",\n"), "{manifest}");
}
