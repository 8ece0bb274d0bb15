//! `#[param(name)]`: values given when a program is run or tested.

mod support;

use support::{Folder, fun};

const PROGRAM: &str = "-- ==
-- input { 2i64 } output { 9i64 }

def main (n: i64) = #[param(factor)] n * 3
";

#[test]
fn parameters_replace_values() {
    let folder = Folder::new();
    let path = folder.file("program.fut", PROGRAM);
    assert_eq!(fun(&["run", &path], b"2").printed(), "6i64\n");
    assert_eq!(fun(&["run", "--param", "factor=7", "--param", "other=1", &path], b"2").printed(), "7i64\n");
    fun(&["run", "--param", "factor", &path], b"2").refused_with(&["`factor` is not `NAME=NUMBER`"]);
    let tuning = folder.file("program.fut.tuning", "factor = 9\n\n");
    assert_eq!(fun(&["run", "--tuning", &tuning, &path], b"2").printed(), "9i64\n");
    assert_eq!(fun(&["run", "--tuning", &tuning, "--param", "factor=1", &path], b"2").printed(), "1i64\n");
    assert!(fun(&["test", &path], b"").printed().contains(" passed, 0 failed"));
    folder.file("program.fut.tuning", "factor = nine\n");
    assert_eq!(fun(&["test", &path], b"").status, 1);
}

/// Reductions whose order shows: one after the other each 1 is lost, in a tree they come to 2 first.
const ROWS: &str = r"entry sums [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]f32) : (*res_9: [n_0]f32) = {
  let (s_3: [n_0]f32) = kernel (i_4 < n_0, j_5 < m_1) reduce \(x_6: f32) (y_7: f32) : f32 {
    let (z_8: f32) = add.f32 x_6 y_7
    in (z_8)
  } (0.0f32) {
    let (e_10: f32) = index a_2[i_4, j_5]
    in (e_10)
  }
  in (s_3)
}

entry scans [n_11: i64] [m_12: i64] (a_13: [n_11][m_12]i32) : (*res_14: [n_11][m_12]i32) = {
  let (s_15: [n_11][m_12]i32) = kernel (i_16 < n_11, j_17 < m_12) scan \(x_18: i32) (y_19: i32) : i32 {
    let (z_20: i32) = add.i32 x_18 y_19
    in (z_20)
  } (0i32) {
    let (e_21: i32) = index a_13[i_16, j_17]
    in (e_21)
  }
  in (s_15)
}

";

const PRODUCTS: &str = "
entry products [n][m][p] (a: [n][m]i32) (b: [m][p]i32) =
  map (\\row -> map (\\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
";

#[test]
fn thresholds_choose_versions() {
    let folder = Folder::new();
    let path = folder.file("program.fun", ROWS);
    let source = folder.file("products.fut", PRODUCTS);
    let with_in = |path: &str, entry: &str, said: &[&str], input: &str| {
        let said = said.iter().flat_map(|said| ["--param", said]);
        let arguments = ["run", "--pipeline", "gpu", "-e", entry].into_iter().chain(said).chain([path]);
        fun(&arguments.collect::<Vec<_>>(), input.as_bytes()).printed()
    };
    let with = |entry: &str, said: &[&str], input: &str| with_in(&path, entry, said, input);
    let rows = format!("[{0}, {0}]", "[16777216f32, 1, 1, 1, 1, 1, 1, 1]");
    let (thread, block) = ("[16777216.0f32, 16777216.0f32]\n", "[16777222.0f32, 16777222.0f32]\n");
    let alone = "device.shared_values=9";
    assert_eq!(with("sums", &[alone], &rows), thread);
    assert_eq!(with("sums", &[alone, "device.segment_values=9"], &rows), thread);
    assert_eq!(with("sums", &[alone, "device.segment_values=8"], &rows), block);
    assert_eq!(with("sums", &[alone, "device.segment_values=8", "device.segments=3"], &rows), block);
    assert_eq!(with("sums", &[alone, "device.segment_values=8", "device.segments=2"], &rows), thread);
    // rows that share a block are combined in a tree too
    assert_eq!(with("sums", &[], &rows), block);
    assert_eq!(with("sums", &["device.shared_values=8", "device.segment_values=9"], &rows), block);
    let tuning = folder.file("program.fut.tuning", "device.segment_values = 8\n");
    let tuned = fun(&["run", "--pipeline", "gpu", "-e", "sums", "--tuning", &tuning, &path], rows.as_bytes());
    assert_eq!(tuned.printed(), block);
    for said in ["device.scan_tiles=0", "device.scan_tiles=1", "device.scan_rows=0"] {
        assert_eq!(
            with("scans", &[said], "[[1, 2, 3], [4, 5, 6]]"),
            "[[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]]\n"
        );
    }
    for said in
        [0, 2, 3].map(|least| ["rows", "columns", "depth"].map(|of| format!("device.product_{of}={least}")))
    {
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let found = with_in(&source, "products", &said, "[[1, 2], [3, 4]] [[5, 6], [7, 8]]");
        assert_eq!(found, "[[19i32, 22i32], [43i32, 50i32]]\n");
    }
    fun(&["run", "--param", "device.tiles=3", &path], b"")
        .refused_with(&["there is no threshold `device.tiles`", "device.segment_values"]);
    fun(&["run", "--param", "device.segments=-1", &path], b"").refused_with(&["sizes are not negative"]);
    let kernels = |least: &str| {
        let said = format!("device.scan_tiles={least}");
        fun(&["compile", "--exe", "--backend", "opencl", "--emit", "c", "--param", &said, &path], b"")
            .printed()
    };
    assert_ne!(kernels("0"), kernels("5"));
    let listed = fun(&["dev", "--thresholds"], b"").printed();
    assert!(listed.contains("device.segment_values = 256"), "{listed}");
}

/// Rows of two kinds, whose sums show who adds them up.
const TWICE: &str = "
entry sums [n][m] (a: [n][m]f32) (b: [n][m]f32) = (map f32.sum a, map (f32.sum >-> f32.sqrt) b)
entry other [n][m] (a: [n][m]f32) = map f32.sum a
";

#[test]
fn places_have_thresholds_of_their_own() {
    let folder = Folder::new();
    let path = folder.file("twice.fut", TWICE);
    let listed = fun(&["dev", "--thresholds", &path], b"").printed();
    for (name, line) in [
        ("sums.device.segment_values_1", 2),
        ("sums.device.segments_1", 2),
        ("sums.device.shared_values_2", 2),
        ("sums.device.segment_values_2", 2),
        ("other.device.segment_values_1", 3),
    ] {
        let place = format!("twice.fut:{line}:");
        let found = listed.lines().find(|line| line.starts_with(&format!("{name} = ")));
        assert!(found.is_some_and(|found| found.contains(&place)), "{name}: {listed}");
    }
    let rows = "[[16777216f32, 1, 1, 1, 1, 1, 1, 1]]";
    let input = format!("{rows} {rows}");
    let with = |said: &[&str]| {
        let said = ["device.shared_values=9"].iter().chain(said).flat_map(|said| ["--param", said]);
        let arguments =
            ["run", "--pipeline", "gpu", "-e", "sums"].into_iter().chain(said).chain([path.as_str()]);
        fun(&arguments.collect::<Vec<_>>(), input.as_bytes())
    };
    // in order nothing is added to 2^24; a block adds ones up first
    let (thread, block) = ("[16777216.0f32]", "[16777222.0f32]");
    let (root, other) = ("[4096.0f32]", "[4096.0005f32]");
    let gives = |said: &[&str], first: &str, second: &str| {
        assert_eq!(with(said).printed(), format!("{first}\n{second}\n"), "{said:?}");
    };
    gives(&[], thread, root);
    gives(&["sums.device.segment_values_1=8"], block, root);
    gives(&["sums.device.segment_values_2=8"], thread, other);
    gives(&["device.segment_values=8", "sums.device.segment_values_2=9"], block, root);
    gives(&["device.segment_values=8", "sums.device.segments_1=1"], thread, other);
    // of an entry point that is left out nothing is known
    gives(&["other.device.segment_values_7=8"], thread, root);
    for name in ["sums.device.segment_values_3", "others.device.segments_1", "sums.device.scan_rows_1"] {
        with(&[&format!("{name}=1")]).refused_with(&[name, "fun dev --thresholds"]);
    }
    with(&["sums.device.tiles_1=1"]).refused_with(&["there is no threshold `sums.device.tiles_1`"]);
    let checked = fun(
        &[
            "compile",
            "--exe",
            "--backend",
            "opencl",
            "--emit",
            "c",
            "--param",
            "other.device.segments_2=1",
            &path,
        ],
        b"",
    );
    checked.refused_with(&["other.device.segments_2"]);
}
