//! Stencils, whose blocks of threads share tiles on a device: it must give what the interpreter gives.

use super::kernels::Runner;
use super::{Folder, fun};

const STENCILS: &str = "
def numbers (n: i64) (m: i64) = tabulate_2d n m (\\i j -> (i * 31 + j * j * 7 + i * j) % 201 - 100)
def near 't (n: i64) (m: i64) (a: [n][m]t) (i: i64) (j: i64) = a[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
entry inner (n: i64) (m: i64) =
  let a = map (map f32.i64) (numbers (n + 2) (m + 2))
  in tabulate_2d n m (\\i j -> let row k = a[i + k, j] + a[i + k, j + 1] + a[i + k, j + 2] in (row 0 + row 1 + row 2) * 0.125)
entry plate (n: i64) (m: i64) =
  loop a = map (map (\\x -> f64.i64 x * 0.5)) (numbers n m) for _t < 3i32 do
    tabulate_2d n m (\\i j ->
      if i > 0 && i < n - 1 && j > 0 && j < m - 1
      then 0.25 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] - a[i, j + 1])
      else a[i, j])
entry life (n: i64) (m: i64) =
  let a = map (map (> 20)) (numbers n m)
  in tabulate_2d n m (\\i j ->
       let alive k l = i32.bool a[(i + k - 1) % n, (j + l - 1) % m]
       let around = alive 0 0 + alive 0 1 + alive 0 2 + alive 1 0 + alive 1 2 + alive 2 0 + alive 2 1 + alive 2 2
       in around == 3 || around == 2 && a[i, j])
entry median (n: i64) (m: i64) =
  let a = map (map i8.i64) (numbers n m)
  in tabulate_2d n m (\\i j ->
       let swapped (x: i8) y = (i8.min x y, i8.max x y)
       let (x, y) = swapped (near n m a (i - 1) j) (near n m a i (j - 2))
       let (z, w) = swapped (near n m a i (j + 2)) (near n m a (i + 3) j)
       in i8.max (i8.min (i8.max x z) a[i, j]) (i8.min y w))
entry weighted (n: i64) (m: i64) =
  let a = map (map f16.i64) (numbers n m)
  let w = [[1, 2, 1], [0, 3, 0], [2, 1, 1f16]]
  in tabulate_2d n m (\\i j ->
       loop s = 0 for k < 3 do loop s for l < 3 do
         let (x, y) = (i + k - 1, j + l - 1)
         in if x >= 0 && x < n && y >= 0 && y < m then s + w[k, l] * (a[x, y] / 64) else s)
entry layers (k: i64) (n: i64) (m: i64) =
  let a = tabulate_3d k n m (\\l i j -> i16.i64 ((l * 5 + i * 3 + j * j) % 91))
  in tabulate_3d k n m (\\l i j ->
       let at (c: bool) x y z = if c then a[x, y, z] else 0
       in at (l > 0) (l - 1) i j + 2 * at (l < k - 1) (l + 1) i j - at (i > 0) l (i - 1) j + at (i < n - 1) l (i + 1) j
          + at (j > 0) l i (j - 1) - 3 * at (j < m - 1) l i (j + 1) + a[l, i, j])
entry long (n: i64) =
  let a = map (\\i -> i * i % 1001) (iota (n + 16))
  in map (\\i -> i64.sum (map (\\k -> a[i + k] * (k - 7)) (iota 17))) (iota n)
entry quotients (n: i64) (y: i64) =
  let a = numbers n n
  in tabulate_2d n n (\\i j -> near n n a (i - 1) j / (i + j - y) + near n n a (i + 1) j + near n n a i (j - 1) + near n n a i (j + 1) - a[i, j])
";

const RUNS: [(&str, &str); 18] = [
    ("inner", "33i64 70i64"),
    ("inner", "64i64 32i64"),
    ("inner", "5i64 3i64"),
    ("inner", "0i64 40i64"),
    ("plate", "32i64 65i64"),
    ("plate", "70i64 33i64"),
    ("plate", "1i64 1i64"),
    ("life", "33i64 34i64"),
    ("life", "64i64 40i64"),
    ("median", "40i64 41i64"),
    ("weighted", "37i64 50i64"),
    ("layers", "3i64 33i64 40i64"),
    ("layers", "1i64 32i64 32i64"),
    ("layers", "0i64 32i64 32i64"),
    ("long", "1024i64"),
    ("long", "2500i64"),
    ("long", "10i64"),
    ("quotients", "40i64 200i64"),
];

/// Compares a backend with the interpreter where all stencils are tiled that fill a tile, and fails in a tile as anywhere.
#[track_caller]
pub fn share_tiles(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    let program = folder.file("stencils.fut", STENCILS);
    let on_device = |entry: &str, input: &str| {
        let tiled = ["--param", "device.stencil_cells=1"];
        let arguments = [&["run", "-w", "--backend", backend, "-e", entry], &tiled[..], &[&program]].concat();
        run(&arguments, input.as_bytes())
    };
    for (entry, input) in RUNS {
        let interpreter = fun(&["run", "-w", "--backend", "interp", "-e", entry, &program], input.as_bytes());
        assert_eq!(on_device(entry, input).printed(), interpreter.printed(), "{entry} {input}");
    }
    on_device("quotients", "40i64 50i64").refused_with(&["division by zero", "stencils.fut:44"]);
}
