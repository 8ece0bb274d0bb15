//! Programs with kernels, on which a backend with a device must give what the interpreter gives.

use super::{Folder, Outcome, fun};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a test runs `fun` with these arguments and this standard input.
pub type Runner<'r> = &'r (dyn Fn(&[&str], &[u8]) -> Outcome + Sync);

/// The same for one of several runs.
pub type NumberedRunner<'r> = &'r (dyn Fn(usize, &[&str], &[u8]) -> Outcome + Sync);

/// Does something with each of these, as many at a time as there are processors: most of what a run takes is a compiler's.
fn for_each_at_once<T: Sync>(items: &[T], f: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            f(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

const PROGRAM: &str = "
entry triple [n] (xs: [n]i32) = map (* 3) xs
entry rows [n][m] (a: [n][m]i32) = map (reduce (+) 0) a
entry sums [n] (xs: [n]i32) = (reduce (+) 0 xs, scan (+) 0 xs)
entry counts [n] (is: [n]i64) = hist (+) 0 4 is (replicate n 1i32)
entry put [n] (is: [n]i64) = scatter (replicate 5 0i64) is (iota n)
entry sorted [n][m] (a: [n][m]i32) = map (\\r -> scan i32.max i32.lowest (reverse r)) a
entry steps [n] (xs: [n]i32) (k: i32) = loop ys = copy xs for i < k do map2 (\\y j -> y + i + ys[n - 1 - j]) ys (iota n)
entry place [n] (xs: *[n]i32) (i: i64) (x: i32) : *[n]i32 = xs with [i] = x
entry half (x: f16) (n: i64) = map (\\i -> x * f16.i64 i) (iota n)
entry divide [n] (xs: [n]i32) (y: i32) = map (/ y) xs
entry at [n] (xs: [n]i32) (is: [n]i64) = map (\\i -> xs[i]) is
entry chased [n] (xs: [n]i64) (is: [n]i64) =
  let ys = map (\\i -> xs[i]) is
  let zs = map (\\y -> xs[y]) ys
  in reduce (+) 0 (map (\\z -> xs[z]) (scan (+) 0 zs))
entry host_after [n] (xs: [n]i64) (i: i64) = let ys = map (\\x -> 7 / x) xs in map (+ xs[i]) ys
entry for_ever [n] (xs: [n]i64) = loop (xs, i) = (xs, 0) while i >= 0i64 do (map (\\x -> 7 / x) xs, i & 1023)
";

const RUNS: [(&str, &str); 12] = [
    ("triple", "[1, -2, 2147483647]"),
    ("triple", "empty([0]i32)"),
    ("rows", "[[1, 2, 3], [4, 5, 6]]"),
    ("rows", "empty([0][3]i32)"),
    ("sums", "[3, 1, 4, 1, 5]"),
    ("counts", "[0i64, 3i64, 3i64, 9i64, -1i64]"),
    ("put", "[4i64, 0i64, 7i64]"),
    ("sorted", "[[3, 1, 2], [7, 9, 8]]"),
    ("steps", "[1, 2, 3] 4"),
    ("place", "[1, 2, 3] 1i64 9"),
    ("half", "1.5f16 5i64"),
    ("divide", "[7, -7] 2"),
];

/// Reductions, scans and histograms that blocks of threads do together.
const TOGETHER: &str = "
def numbers (n: i64) = map (\\i -> i32.i64 (i * i % 1001)) (iota n)
def compose (a: i32, b: i32) (c: i32, d: i32) = (a * c, b * c + d)
entry sum (n: i64) = reduce_comm (+) 0 (numbers n)
entry extremes (n: i64) = (i32.minimum (numbers n), i32.maximum (numbers n))
entry composed (n: i64) = reduce compose (1, 0) (map (\\x -> (x | 1, x)) (numbers n))
entry quotient (n: i64) (y: i32) = reduce (+) 0 (map (/ y) (numbers n))
entry picked (n: i64) (at: i64) = let xs = numbers n in reduce (+) 0 (map (\\i -> xs[i + at]) (iota n))
entry scans (n: i64) = scan (+) 0 (numbers n)
entry composed_scan (n: i64) = unzip (scan compose (1, 0) (map (\\x -> (x | 1, x)) (numbers n)))
entry segments (n: i64) (m: i64) = map (\\k -> reduce (+) 0 (map (+ i32.i64 k) (numbers m))) (iota n)
entry ordered_segments (n: i64) (m: i64) =
  map (\\k -> reduce compose (1, 0) (map (\\x -> (x + i32.i64 k | 1, x)) (numbers m))) (iota n) |> unzip
entry histogram (n: i64) (k: i64) = hist (+) 0 k (map (\\x -> i64.i32 x) (numbers n)) (numbers n)
entry greatest (n: i64) (k: i64) = hist i64.max i64.lowest k (map (\\x -> i64.i32 x % k) (numbers n)) (iota n)
entry put (n: i64) (k: i64) = scatter (replicate k (-1)) (map (\\i -> i * 7 % (k + 1)) (iota n)) (iota n)
entry put_rows (n: i64) (k: i64) =
  scatter (replicate k [0i64, 0, 0]) (map (% k) (iota n)) (map (\\i -> [i, i * i, -i]) (iota n))
entry table (n: i64) (m: i64) = map (\\i -> map (\\j -> map (\\k -> i * 100 + j * 10 + k) (iota 3)) (iota m)) (iota n)
entry scan_rows (n: i64) (m: i64) = map (\\k -> scan (+) 0 (map (+ i32.i64 k) (numbers m))) (iota n)
entry composed_rows (n: i64) (m: i64) =
  map (\\k -> scan compose (1, 0) (map (\\x -> (x + i32.i64 k | 1, x)) (numbers m))) (iota n) |> map unzip |> unzip
entry spread (n: i64) (m: i64) =
  map (\\k -> let xs = scan (+) 0 (map (+ i32.i64 k) (numbers m)) let x = i32.maximum xs in map (x -) xs) (iota n)
entry bytes (n: i64) (k: i64) = hist (*) 1i8 k (map (% k) (iota n)) (map i8.i32 (numbers n))
entry narrow (n: i64) (k: i64) =
  let (is, xs) = (map (\\i -> i * i % k) (iota n), numbers n)
  in (hist (+) 0u8 k is (map u8.i32 xs), hist (^) 0u16 k is (map u16.i32 xs), hist (&) (-1i8) k is (map (\\x -> i8.i32 (x | 64)) xs),
      hist i16.max i16.lowest k is (map i16.i32 xs), hist (||) false k is (map (< 3) xs), hist (&&) true k is (map (> 3) xs),
      hist f16.min f16.inf k is (map f16.i32 xs))
entry coldest (n: i64) (k: i64) =
  let ts = map (\\x -> if x % 97 == 0 then f32.nan else f32.i32 (500 - x) * 0.25) (numbers n)
  in (hist f32.min f32.inf k (map (% k) (iota n)) ts, hist f64.max (-f64.inf) k (map (% k) (iota n)) (map f64.f32 ts))
entry products (n: i64) (k: i64) =
  (hist (*) 1i32 k (map (% k) (iota n)) (map (| 1) (numbers n)),
   hist (*) 1u64 k (map (% k) (iota n)) (map (\\x -> u64.i32 x | 1) (numbers n)))
entry weights (n: i64) (k: i64) = hist (+) 0f32 k (map (\\x -> i64.i32 x - 1) (numbers n)) (map f32.i32 (numbers n))
entry furthest (n: i64) (k: i64) =
  let further (x, i) (y, j) = if x > y || (x == y && i < j) then (x, i) else (y, j: i64)
  in unzip (hist further (i32.lowest, i64.highest) k (map (% k) (iota n)) (zip (numbers n) (iota n)))
entry turned (n: i64) (k: i64) =
  let times (a: i8, b: i8) (c, d) = (a * c - b * d, a * d + b * c)
  in unzip (hist times (1, 0) k (map (\\i -> i * i % (k + 3) - 1) (iota n)) (map (\\x -> (i8.i32 x | 1, i8.i32 x & 6)) (numbers n)))
entry seen (n: i64) (k: i64) =
  let either (a: bool, x: u16) (b, y) = (a || b, if a == b then u16.max x y else if a then x else y)
  in unzip (reduce_by_index (replicate k (false, 7)) either (false, 0) (map (% (k + 1)) (iota n)) (map (\\x -> (x % 13 == 1, u16.i32 x)) (numbers n)))
entry product (n: i64) (m: i64) (p: i64) =
  let a = tabulate_2d n m (\\i k -> i32.i64 (i * 3 - k))
  let b = tabulate_2d m p (\\k j -> i32.i64 (k * j % 11))
  in map (\\row -> map (\\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
entry batch (k: i64) (n: i64) (m: i64) (p: i64) =
  let as = tabulate_3d k n m (\\l i j -> i32.i64 (l * 5 + i * 3 - j))
  let bs = tabulate_3d k m p (\\l i j -> i32.i64 (l + i * j % 11))
  in map2 (\\a b -> map (\\row -> map2 (\\column c -> i32.max 0 (reduce (+) 0 (map2 (*) row column) + c)) (transpose b) (numbers p)) a) as bs
entry chained (k: i64) (n: i64) =
  let times a b = map (\\row -> map (\\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
  in map (\\a -> a `times` transpose a `times` a) (tabulate_3d k n n (\\l i j -> i32.i64 (l * 7 + i * j % 5 - j)))
entry weighted (n: i64) (m: i64) (p: i64) =
  let a = tabulate_2d m n (\\k i -> f64.i64 (i * 3 - k))
  let b = tabulate_2d p m (\\j k -> f64.i64 (k * j % 11))
  in tabulate_2d n p (\\i j -> 2 * reduce (+) 0 (map (\\k -> a[k, i] * b[j, k] * f64.i64 (i - j)) (iota m)))
entry scan_after (n: i64) (y: i64) =
  let a = map (\\i -> 1000000 / (i - y)) (iota n)
  in scan (+) 0 (map (\\i -> a[i * 7 % n]) (iota n))
entry scan_quotients (n: i64) (y: i32) = scan (+) 0 (map (\\i -> 1000000 / (i32.i64 i - y)) (iota n))
entry scan_pieces (n: i64) =
  scan (+) 0 (map (\\i -> let xs = map (+ i) (iota 5) in let ys = scatter (copy xs) (map (% 5) xs) xs in i32.i64 (ys[i % 5] % 9)) (iota n))
entry scan_floats (n: i64) = scan (+) 0 (map (\\x -> f32.i32 x * 0.25) (numbers n))
entry columns (n: i64) (m: i64) =
  let a = tabulate_2d n m (\\i j -> (i32.i64 (i * 3 - j) | 1, i32.i64 i))
  let composed = reduce (map2 (\\(a, b) (c, d) -> (a * c, b * c + d))) (replicate m (1, 0)) a
  in (reduce (map2 i32.max) (replicate m i32.lowest) (map (map (.0)) a), unzip composed)
entry rows_in_cells (n: i64) (m: i64) =
  hist (map2 (+)) (replicate m 0) 7 (map (\\i -> i * i % 9) (iota n)) (tabulate_2d n m (\\i j -> i32.i64 (i - j)))
entry along (n: i64) (m: i64) =
  let a = tabulate_2d n m (\\i j -> i32.i64 (i * 3 - j))
  let digits xs = loop s = 0 for x in xs do s * 3 + x
  in (map digits a, map (\\x -> replicate 5 x) (map digits a))
entry short_rows (n: i64) (m: i64) =
  let a = tabulate_2d n m (\\i j -> i32.i64 (i * 31 + j * j))
  let composed = map (\\row -> reduce compose (1, 0) (map (\\x -> (x | 1, x)) row)) a
  in (map i32.sum a, unzip composed, map (scan i32.max i32.lowest) a, map unzip (map (\\row -> scan compose (1, 0) (map (\\x -> (x | 1, x)) row)) a) |> unzip)
entry known_rows (n: i64) =
  let rows (m: i64) = tabulate_2d n m (\\i j -> i32.i64 (i * 31 - j * j))
  in (map i32.sum (rows 100), map i32.maximum (rows 31), map (scan (+) 0) (rows 32), map (reduce compose (1, 0)) (map (map (\\x -> (x | 1, x))) (rows 128)) |> unzip)
entry short_planes (n: i64) (m: i64) (p: i64) =
  let a = tabulate_3d n m p (\\i j k -> i32.i64 (i * 31 + j * 7 - k * k))
  in (map (map i32.sum) a, map (map (scan (+) 0)) a)
entry row_quotients (n: i64) (m: i64) (y: i64) = tabulate n (\\j -> scan (+) 0 (tabulate m (\\i -> (i * i * 7 % 201 - 100) * m / (i + j + y))))
entry outer [n][m] (xs: [n]i32) (ys: [m]i32) = map (\\x -> map (\\y -> x * y) ys) xs
";

const RUNS_TOGETHER: [(&str, &str); 84] = [
    ("known_rows", "3i64"),
    ("known_rows", "700i64"),
    ("short_rows", "1000i64 8i64"),
    ("short_rows", "70i64 100i64"),
    ("short_rows", "5i64 256i64"),
    ("short_rows", "5i64 257i64"),
    ("short_rows", "500i64 9i64"),
    ("short_rows", "0i64 9i64"),
    ("short_rows", "9i64 0i64"),
    ("short_planes", "7i64 90i64 11i64"),
    ("short_planes", "3i64 1i64 200i64"),
    ("short_planes", "3i64 5i64 7i64"),
    ("segments", "3i64 20000i64"),
    ("ordered_segments", "2i64 17001i64"),
    ("columns", "3i64 5i64"),
    ("columns", "5000i64 37i64"),
    ("columns", "0i64 4i64"),
    ("rows_in_cells", "900i64 13i64"),
    ("rows_in_cells", "3i64 0i64"),
    ("along", "300i64 70i64"),
    ("sum", "0i64"),
    ("sum", "255i64"),
    ("sum", "300001i64"),
    ("extremes", "70000i64"),
    ("composed", "100003i64"),
    ("scans", "3i64"),
    ("scans", "513i64"),
    ("scans", "1000003i64"),
    ("composed_scan", "70001i64"),
    ("scan_quotients", "20000i64 -1"),
    ("scan_pieces", "5000i64"),
    ("scan_floats", "3000i64"),
    ("segments", "7i64 0i64"),
    ("segments", "7i64 1500i64"),
    ("ordered_segments", "5i64 777i64"),
    ("histogram", "5000i64 10i64"),
    ("histogram", "5000i64 9000i64"),
    ("greatest", "5000i64 13i64"),
    ("put", "5000i64 13i64"),
    ("put", "0i64 2i64"),
    ("put_rows", "700i64 5i64"),
    ("table", "70i64 7i64"),
    ("table", "0i64 7i64"),
    ("table", "7i64 0i64"),
    ("scan_rows", "3i64 4000i64"),
    ("scan_rows", "0i64 4000i64"),
    ("scan_rows", "3i64 8000i64"),
    ("composed_rows", "2i64 1801i64"),
    ("row_quotients", "40i64 3000i64 7000i64"),
    ("spread", "3i64 700i64"),
    ("coldest", "5000i64 10i64"),
    ("coldest", "5000i64 3000i64"),
    ("products", "5000i64 10i64"),
    ("products", "5000i64 9000i64"),
    ("spread", "300i64 3i64"),
    ("spread", "3i64 0i64"),
    ("bytes", "5000i64 10i64"),
    ("bytes", "5000i64 3000i64"),
    ("narrow", "30001i64 13i64"),
    ("narrow", "20000i64 9001i64"),
    ("weights", "5000i64 10i64"),
    ("weights", "5000i64 900i64"),
    ("weights", "5000i64 0i64"),
    ("furthest", "5000i64 7i64"),
    ("furthest", "0i64 7i64"),
    ("furthest", "3i64 1i64"),
    ("furthest", "5000i64 70i64"),
    ("furthest", "500i64 9001i64"),
    ("turned", "5000i64 40i64"),
    ("turned", "30001i64 9001i64"),
    ("turned", "5000i64 0i64"),
    ("seen", "5000i64 50i64"),
    ("seen", "20000i64 9001i64"),
    ("product", "70i64 33i64 129i64"),
    ("product", "64i64 16i64 64i64"),
    ("batch", "3i64 70i64 17i64 65i64"),
    ("batch", "2i64 3i64 4i64 5i64"),
    ("batch", "0i64 64i64 16i64 64i64"),
    ("chained", "2i64 65i64"),
    ("chained", "3i64 4i64"),
    ("weighted", "65i64 17i64 70i64"),
    ("weighted", "3i64 4i64 5i64"),
    ("outer", "[1, 2, 3] [4, 5]"),
    ("outer", "[1, 2, 3] empty([0]i32)"),
];

/// Arrays that are copied in another order of their dimensions, through tiles where they are large enough.
const TURNED: &str = "
entry bytes [n][m] (a: [n][m]i8) = transpose a
entry halves [n][m] (a: [n][m]i16) = transpose a
entry words [n][m] (a: [n][m]i32) = transpose a
entry pairs [n][m] (a: [n][m]i64) = transpose a
entry backwards [n][m] (a: [n][m]i32) = reverse (transpose a)
entry some [n][m] (a: [n][m]i32) = transpose a[::-2, ::3]
entry inside [n][m] (a: [n][m]i32) =
  replicate (m + 2) (replicate (n + 3) 0i32) with [1:m + 1, 2:n + 2] = copy (transpose a)
entry by_index [n][m] (a: [n][m]i32) = tabulate_2d m n (\\i j -> a[j, i])
entry matrices [n][m] (a: [n][m]i32) = map transpose [a, map (map (+ 1)) a, map (map (* 2)) a]
entry around [n][m] (a: [n][m]i32) = let c = [a, map (map (+ 1)) a, map (map (* 2)) a] in tabulate_3d n m 3 (\\i j k -> c[k, i, j])
entry given [k][n][m] (a: [k][n][m]i32) = map transpose a
";

/// Sizes that fill tiles, and some that do not.
const TURNED_SIZES: [(i64, i64); 6] = [(33, 70), (16, 17), (15, 40), (32, 64), (1, 50), (0, 20)];

/// Compares a backend with the interpreter on copies in another order.
#[track_caller]
pub fn turn_arrays(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    let program = folder.file("turned.fut", TURNED);
    for (n, m) in TURNED_SIZES {
        let matrix = |ty: &str| {
            if n == 0 {
                return format!("empty([0][{m}]{ty})");
            }
            let row = |i: i64| {
                (0..m).map(|j| format!("{}{ty}", (i * m + j) * 7919 % 121 - 60)).collect::<Vec<_>>().join(",")
            };
            format!("[{}]", (0..n).map(|i| format!("[{}]", row(i))).collect::<Vec<_>>().join(","))
        };
        let of = |entry: &str| match entry {
            "bytes" => matrix("i8"),
            "halves" => matrix("i16"),
            "pairs" => matrix("i64"),
            "given" if n == 0 => format!("empty([2][0][{m}]i32)"),
            "given" => format!("[{0},{0}]", matrix("i32")),
            _ => matrix("i32"),
        };
        let entries = [
            "bytes",
            "halves",
            "words",
            "pairs",
            "backwards",
            "some",
            "inside",
            "by_index",
            "matrices",
            "around",
            "given",
        ];
        for entry in entries {
            let input = of(entry);
            let device = run(&["run", "-w", "--backend", backend, "-e", entry, &program], input.as_bytes());
            let interpreter =
                fun(&["run", "-w", "--backend", "interp", "-e", entry, &program], input.as_bytes());
            assert_eq!(device.printed(), interpreter.printed(), "{entry} {n} {m}");
        }
    }
}

/// Rows and values of each: so many that each row has a block, so few that it has if one asks for it, and rows whose arrays do not fit.
const SIZES_OF_ROWS: [(i64, i64, &[&str]); 3] = [
    (130, 300, &[]),
    (3, 5, &["--param", "device.rows=1", "--param", "device.row_values=1"]),
    (2, 5000, &["--param", "device.rows=1"]),
];

/// Compares a backend with machine code for the host where a block does all that is done with a row.
#[track_caller]
pub fn work_on_rows(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    let case = include_str!("../../../testsuite/cases/language/soacs/rows_in_blocks.fut");
    let program = folder.file("rows.fut", case.split("-- ---\n").next().expect("the program"));
    for (n, m, said) in SIZES_OF_ROWS {
        let row =
            |i: i64| (0..m).map(|j| format!("{}i64", (i * m + j) * 7919 % 31)).collect::<Vec<_>>().join(",");
        let input = format!("[{}]", (0..n).map(|i| format!("[{}]", row(i))).collect::<Vec<_>>().join(","));
        let arguments = ["run", "-w", "--backend", backend].into_iter().chain(said.iter().copied());
        let arguments: Vec<&str> = arguments.chain([program.as_str()]).collect();
        let device = run(&arguments, input.as_bytes());
        let host = fun(&["run", "-w", &program], input.as_bytes());
        assert_eq!(device.printed(), host.printed(), "{n} {m}");
    }
}

/// Compares a backend with the interpreter on all runs of both programs.
#[track_caller]
pub fn agree_with_the_interpreter(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    for (name, text, runs) in
        [("program.fut", PROGRAM, &RUNS[..]), ("together.fut", TOGETHER, &RUNS_TOGETHER)]
    {
        let program = folder.file(name, text);
        for_each_at_once(runs, |(entry, input)| {
            let device = run(&["run", "-w", "--backend", backend, "-e", entry, &program], input.as_bytes());
            let interpreter =
                fun(&["run", "-w", "--backend", "interp", "-e", entry, &program], input.as_bytes());
            assert_eq!(device.printed(), interpreter.printed(), "{entry} {input}");
        });
    }
}

/// Many threads of many blocks take few locks, in several runs.
#[track_caller]
pub fn wait_for_locks(backend: &str, run: NumberedRunner<'_>) {
    let folder = Folder::new();
    let program = folder.file("together.fut", TOGETHER);
    for (entry, input) in [
        ("furthest", "20000i64 1i64"),
        ("turned", "20000i64 1i64"),
        ("turned", "30001i64 3i64"),
        ("seen", "20000i64 2i64"),
    ] {
        let interpreter = fun(&["run", "-w", "--backend", "interp", "-e", entry, &program], input.as_bytes());
        for time in 0..3 {
            // more tables than there may be: so cells have locks however few they are
            let always = ["--param", "device.histogram_tables=10000"];
            let arguments =
                [&["run", "-w", "--backend", backend, "-e", entry], &always[..], &[&program]].concat();
            let device = run(time, &arguments, input.as_bytes());
            assert_eq!(device.printed(), interpreter.printed(), "{entry} {input}, run {time}");
        }
    }
}

/// Sums of floats, whose order shows.
const ROUNDED: &str = "
def parts (n: i64) = map (\\i -> 1 / f32.i64 (i * i % 1009 + 1)) (iota n)
entry sums (n: i64) = let xs = parts n in [reduce (+) 0 xs, loop sum = 0 for x in xs do sum + x]
entry composed (n: i64) =
  let compose (a: f32, b) (c: f32, d) = (a * c, b * c + d) in reduce compose (1, 0) (map (\\x -> (1 - x * 0.001, x)) (parts n))
entry scans (n: i64) = (scan (+) 0 (parts n))[::997]
entry rows (n: i64) = (map (\\k -> scan (+) k (parts n)) [0, 1, 2])[:, ::997]
entry counts (n: i64) (k: i64) = hist (+) 0 k (map (% k) (iota n)) (parts n)
";

/// A backend gives the same bits in each of several runs, though blocks come in other orders.
#[track_caller]
pub fn give_the_same_bits(backend: &str, run: NumberedRunner<'_>) {
    let folder = Folder::new();
    let program = folder.file("rounded.fut", ROUNDED);
    let runs = [
        ("sums", "300001i64"),
        ("composed", "300001i64"),
        ("scans", "1000003i64"),
        ("rows", "100003i64"),
        ("counts", "300001i64 3i64"),
        ("counts", "300001i64 3001i64"),
    ];
    for_each_at_once(&runs, |(entry, input)| {
        let printed = |time: usize| {
            run(time, &["run", "--backend", backend, "-e", entry, &program], input.as_bytes()).printed()
        };
        let first = printed(0);
        for time in 1..5 {
            assert_eq!(printed(time), first, "{entry} {input}, run {time}");
        }
        if *entry == "sums" {
            let both: Vec<&str> = first.trim().trim_matches(['[', ']']).split(", ").collect();
            assert!(both.len() == 2 && both[0] != both[1], "the order of sums does not show in {first}");
        }
    });
}

/// Failures in kernels have a message and a place, also where one thread of a block stops and the others do not wait for it.
#[track_caller]
pub fn fail_with_a_place(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    let [program, together] = [folder.file("program.fut", PROGRAM), folder.file("together.fut", TOGETHER)];
    let failure = |program: &str, entry: &str, input: &str| {
        run(&["run", "-w", "--backend", backend, "-e", entry, program], input.as_bytes())
    };
    failure(&program, "divide", "[1, 2] 0").refused_with(&["division by zero", "program.fut:11"]);
    failure(&program, "at", "[1, 2] [0i64, 5i64]")
        .refused_with(&["Index [5] out of bounds", "program.fut:12"]);
    // of several kernels that fail, or would go on with what another has not computed, the first tells
    failure(&program, "chased", "[1i64, 2i64, 0i64] [1i64, 3i64, 0i64]")
        .refused_with(&["Index [3] out of bounds", "program.fut:14"]);
    failure(&program, "chased", "[1i64, 9i64, 0i64] [1i64, 1i64, 0i64]")
        .refused_with(&["Index [9] out of bounds", "program.fut:15"]);
    failure(&program, "chased", "[1i64, 2i64, 0i64] [2i64, 2i64, 2i64]")
        .refused_with(&["Index [3] out of bounds", "program.fut:16"]);
    failure(&program, "host_after", "[1i64, 0i64] 5i64")
        .refused_with(&["division by zero", "program.fut:17"]);
    failure(&program, "host_after", "[1i64, 1i64] 5i64").refused_with(&["Index [5]", "program.fut:17"]);
    failure(&program, "for_ever", "[1i64, 8i64]").refused_with(&["division by zero", "program.fut:18"]);
    failure(&together, "quotient", "10000i64 0").refused_with(&["division by zero", "together.fut:7"]);
    // blocks that wait for one that has failed end, too
    failure(&together, "scan_quotients", "600000i64 300000")
        .refused_with(&["division by zero", "together.fut:"]);
    // ... and so do blocks that wait in a kernel behind one that has failed
    failure(&together, "scan_after", "600000i64 5i64").refused_with(&["division by zero", "together.fut:63"]);
    // between thread loops all threads fail
    let shared = super::repository("testsuite/cases/kernels/opencl_failures.imp").display().to_string();
    failure(&shared, "main", "128i64 1i64").refused_with(&["thread 1 in main"]);
    failure(&shared, "main", "6400i64 64i64").refused_with(&["division by zero in main"]);
    failure(&together, "picked", "10000i64 1i64")
        .refused_with(&["Index [10000] out of bounds", "together.fut:8"]);
}

/// The stanzas of the examples hold.
#[track_caller]
pub fn examples_hold(backend: &str, run: Runner<'_>) {
    let folder = super::repository("examples").display().to_string();
    run(&["test", "-c", "--backend", backend, "--time", "120", "--file-time", "200", &folder], b"").printed();
}
