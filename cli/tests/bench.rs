//! `fun bench` from outside: what is in its results, and what it refuses. Nothing here depends on how long anything takes.

mod support;

use serde_json::Value;
use std::process::Command;
use support::{Folder, Outcome, fun, outcome, without_c_compiler};

/// Doubles, in an array of its own for each round; and sums.
const PROGRAM: &str = "\
-- ==
-- entry: rounds
-- input { 3i64 [1i32, 2i32] } output { [8i32, 16i32] }
-- \"large\" random input { 2i64 [300000]i32 }
-- nobench input { 1i64 [1i32] } output { [2i32] }
-- input { -1i64 [1i32] } error: negative

-- ==
-- entry: total
-- script input { ones 10i64 } output { 10i32 }

entry ones (n: i64): [n]i32 = replicate n 1

entry rounds [n] (count: i64) (xs: [n]i32): [n]i32 =
  loop xs for _i < assert (count >= 0) count do map (* 2) xs

entry total [n] (xs: [n]i32): i32 = i32.sum xs
";

/// Runs with a cache of the test's own.
fn bench(folder: &Folder, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fun"));
    command.arg("bench").args(arguments).env("XDG_CACHE_HOME", folder.path("cache"));
    outcome(&mut command, b"")
}

fn read(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("results")).expect("JSON")
}

/// What must hold of the results of [`PROGRAM`], whatever compiled it.
#[track_caller]
fn check(results: &Value, backend: &str) {
    assert_eq!(results["threads"], 1);
    let program = &results["programs"][0];
    assert_eq!(
        (program["backend"].as_str(), program["errors"].as_array()),
        (Some(backend), Some(&Vec::new()))
    );
    let passes = program["compile"]["passes"].as_array().expect("passes");
    let of_passes: f64 = passes.iter().map(|pass| pass["ms"].as_f64().expect("a time")).sum();
    assert!(passes.len() > 10 && passes.iter().any(|pass| pass["name"] == "machine code"));
    assert!(program["compile"]["total_ms"].as_f64().is_some_and(|total| of_passes > 0.0 && total > 0.0));
    let rows = program["benchmarks"].as_array().expect("rows");
    let name = |row: &Value| {
        let text = |key: &str| row[key].as_str().expect("a text").to_owned();
        format!("{} {} {}", row["line"], text("entry"), text("data"))
    };
    let names: Vec<String> = rows.iter().map(name).collect();
    assert_eq!(names, ["3 rounds #0", "4 rounds large", "10 total ones 10i64"]);
    for row in rows {
        assert_eq!((&row["error"], row["times"]["runs"].as_u64()), (&Value::Null, Some(4)));
        let times: Vec<f64> =
            row["times"]["all_us"].as_array().expect("times").iter().filter_map(Value::as_f64).collect();
        assert!(times.len() == 4 && times.iter().all(|time| *time > 0.0), "{times:?}");
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(row["times"]["min_us"].as_f64(), Some(least));
        assert_eq!(row["peers"], Value::Object(serde_json::Map::new()));
        let memory = |what: &str| row["memory"][what].as_u64().expect(what);
        // all that is there at once has been allocated
        assert!(memory("allocated_bytes") >= memory("peak_bytes"));
        assert!(memory("allocations") >= memory("allocations_in_loops"));
        memory("copied_bytes");
    }
    // the result at least; and nothing for a sum
    assert!(rows[1]["memory"]["allocated_bytes"].as_u64() >= Some(1_200_000));
    assert_eq!(rows[2]["memory"]["allocated_bytes"], 0);
}

#[test]
fn results_have_what_the_documents_say() {
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    let json = folder.path("results.json").display().to_string();
    let arguments = ["--runs", "4", "--threads", "1", "--json", &json, &program];
    let printed = bench(&folder, &arguments).printed();
    assert!(
        printed.contains("(jit; compiled in ") && printed.contains("  rounds large: median "),
        "{printed}"
    );
    check(&read(&json), "jit");
    // a large random array is kept, and taken from there the next time
    let kept = folder.path("cache/fun/data/300000.i32.seed2.v1");
    let bytes = std::fs::read(&kept).expect("data are kept");
    assert_eq!(bytes.len(), 15 + 4 * 300_000);
    std::fs::write(&kept, &bytes[..1000]).expect("a file");
    bench(&folder, &arguments).printed();
    assert!(std::fs::read(&kept).expect("data are kept") == bytes);
    if !without_c_compiler() {
        bench(&folder, &[&arguments[..], &["--backend", "c"]].concat()).printed();
        check(&read(&json), "c");
        bench(&folder, &[&arguments[..], &["--entry", "total"]].concat()).printed();
        assert_eq!(read(&json)["programs"][0]["benchmarks"].as_array().map(Vec::len), Some(1));
    }
}

/// Results of one data set with these times.
fn results(data: &str, times: &[u32]) -> String {
    let row = serde_json::json!({ "entry": "main", "data": data, "times": { "all_us": times } });
    let program = serde_json::json!({ "program": "a.fut", "backend": "jit", "benchmarks": [row] });
    serde_json::json!({ "programs": [program] }).to_string()
}

#[test]
fn two_files_are_compared() {
    let folder = Folder::new();
    let times = |from: u32| (from..from + 20).collect::<Vec<_>>();
    let old = folder.file("old.json", results("#0", &times(200)));
    let new = folder.file("new.json", results("#0", &times(100)));
    let other = folder.file("other.json", results("#1", &times(100)));
    let said = |old: &str, new: &str| fun(&["bench", "--compare", old, new], b"").printed();
    // medians 209.5 and 109.5
    assert!(said(&old, &new).starts_with("a.fut jit main #0  209.5 µs -> 109.5 µs: 1.91x, faster"));
    assert!(said(&new, &old).contains(": 0.52x, slower"));
    assert!(said(&new, &new).contains(": 1.00x, no significant difference"));
    assert_eq!(
        said(&old, &other),
        "a.fut jit main #1  only in the new file\na.fut jit main #0  only in the old file\n"
    );
    let text = folder.file("text.json", "{}");
    fun(&["bench", "--compare", &old, &text], b"").refused_with(&["text.json: no results of `fun bench`"]);
    fun(&["bench", "--compare", &old, &folder.path("none").display().to_string()], b"")
        .refused_with(&["none"]);
}

#[test]
fn others_run_between() {
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    let json = folder.path("results.json").display().to_string();
    let with = |peer: &str| {
        let arguments = ["--runs", "3", "--entry", "total", "--json", &json, "--vs", peer, &program];
        bench(&folder, &arguments)
    };
    // a peer that is told what to do, and always takes 7 microseconds
    let told = folder.path("told").display().to_string();
    let peer = format!("seven=echo \"$FUN_ENTRY $FUN_DATA\" > '{told}'; while read -r _; do echo 7; done");
    let printed = with(&peer).printed();
    assert!(printed.contains("    seven: median 7.0 µs"), "{printed}");
    let peers = &read(&json)["programs"][0]["benchmarks"][0]["peers"];
    assert_eq!(peers["seven"]["all_us"], serde_json::json!([7.0, 7.0, 7.0]));
    assert_eq!(std::fs::read_to_string(told).expect("it was told"), "total ones 10i64\n");
    let refused = |peer: &str, why: &str| {
        let outcome = with(peer);
        assert_eq!(outcome.status, 1);
        assert!(outcome.text().contains(why), "{}", outcome.text());
        assert_eq!(read(&json)["programs"][0]["benchmarks"][0]["times"], Value::Null);
    };
    refused("silent=true", "`silent` ");
    refused(
        "wrong=while read -r _; do echo soon; done",
        "`wrong` prints `soon` where a time in microseconds is expected",
    );
    refused("none=while read -r _; do echo 0; done", "`none` prints `0`");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    let wrong =
        folder.file("wrong.fut", "-- ==\n-- input { 2i32 } output { 5i32 }\ndef main (x: i32) = x * 2\n");
    let outcome = bench(&folder, &["--runs", "3", &wrong]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.text().contains("main #0: wrong result: 4i32 instead of 5i32"), "{}", outcome.text());
    bench(&folder, &["--backend", "interp", &wrong]).refused_with(&["times compiled code"]);
    bench(&folder, &["--entry", "other", &wrong]).refused_with(&["no data set of `other` to time"]);
    let without = folder.file("without.fut", "def main (x: i32) = x * 2\n");
    bench(&folder, &[&without]).refused_with(&["without.fut: no data set to time"]);
    let outcome = bench(&folder, &["--compare", &wrong, &wrong, "--json", &without]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("cannot be used with"), "{}", outcome.stderr);
    bench(&folder, &["--json", &wrong, &wrong]).refused_with(&["would replace the input"]);
    assert!(std::fs::read_to_string(&wrong).expect("it is there").contains("def main"));
    let broken = folder.file("broken.fut", "def main = x\n");
    bench(&folder, &[&broken]).refused_with(&["broken.fut"]);
    let stanza = folder.file("stanza.fut", "-- ==\n-- random input { [9]f31 }\ndef main (x: []f32) = x\n");
    let outcome = bench(&folder, &[&stanza]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stderr.contains("`f31` is no type of elements"), "{}", outcome.stderr);
    for flags in [&["--runs", "0"][..], &["--threads", "0"], &["--precision", "-1"]] {
        assert_ne!(bench(&folder, &[flags, &[&wrong]].concat()).status, 0, "{flags:?}");
    }
}
