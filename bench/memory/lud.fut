-- LU decomposition without pivoting, block by block, as in Rodinia's `lud`: the diagonal block, then the blocks right of it and
-- those below it, then all blocks right below lose a product of two of these. The matrix is kept as blocks of blocks.
--
--   echo 1024i64 32i64 | fun run -e bench bench/memory/lud.fut
-- ==
-- input { 1i64 [[4f32, 3f32], [6f32, 3f32]] } output { [[4f32, 3f32], [1.5f32, -1.5f32]] }
-- input { 2i64 [[4f32, 3f32], [6f32, 3f32]] } output { [[4f32, 3f32], [1.5f32, -1.5f32]] }
-- input { 2i64 [[2f32, 1f32, 1f32, 0f32], [4f32, 3f32, 3f32, 1f32], [8f32, 7f32, 9f32, 5f32], [6f32, 7f32, 9f32, 8f32]] }
-- output { [[2f32, 1f32, 1f32, 0f32], [2f32, 1f32, 1f32, 1f32], [4f32, 3f32, 2f32, 2f32], [3f32, 4f32, 1f32, 2f32]] }
-- input { 2i64 [[1f32]] } error: Assertion is false

-- The block on the diagonal: both factors in one.
def diagonal [b] (a: [b][b]f32): *[b][b]f32 =
  loop a = copy a for k < b do
    let below = map (/ a[k, k]) a[k + 1:, k]
    let a[k + 1:, k] = below
    let rest = map2 (\l row -> map2 (\u x -> x - l * u) a[k, k + 1:] row) below a[k + 1:, k + 1:]
    let a[k + 1:, k + 1:] = rest
    in a

-- A block right of the diagonal: the lower factor is taken off, one row after the other.
def right [b] (d: [b][b]f32) (a: [b][b]f32): *[b][b]f32 =
  loop a = copy a for i < b do
    let row = tabulate b (\j -> a[i, j] - (loop sum = 0 for k < i do sum + d[i, k] * a[k, j]))
    let a[i] = row
    in a

-- A block below the diagonal: the upper factor is taken off, each row by itself.
def below [b] (d: [b][b]f32) (a: [b][b]f32): *[b][b]f32 =
  let of_row row =
    loop row = copy row for j < b do
      row with [j] = (row[j] - (loop sum = 0 for k < j do sum + row[k] * d[k, j])) / d[j, j]
  in map of_row a

-- Another block loses the product of the one left of it, below the diagonal, and the one above it, right of the diagonal.
def other [b] (left: [b][b]f32) (above: [b][b]f32) (a: [b][b]f32): *[b][b]f32 =
  tabulate_2d b b (\i j -> a[i, j] - (loop sum = 0 for k < b do sum + left[i, k] * above[k, j]))

def blocked [m] [b] (a: *[m][m][b][b]f32): *[m][m][b][b]f32 =
  loop a for k < m do
    let d = diagonal a[k, k]
    let a[k, k] = d
    let row = map (right d) a[k, k + 1:]
    let a[k, k + 1:] = row
    let column = map (below d) a[k + 1:, k]
    let a[k + 1:, k] = column
    let rest = map2 (\left -> map2 (other left) row) column a[k + 1:, k + 1:]
    let a[k + 1:, k + 1:] = rest
    in a

entry main [n] (b: i64) (a: [n][n]f32): [n][n]f32 =
  let m = if b > 0 && n % b == 0 then n / b else assert false 0
  let a = blocked (tabulate_3d m m b (\i j k -> tabulate b (\l -> a[i * b + k, j * b + l])))
  in tabulate_2d n n (\i j -> a[i / b, j / b, i % b, j % b])

-- A number between 0 and 1 for each index: the hash of the index, the same everywhere.
def random (seed: u32) (i: i64): f32 =
  let x = u32.i64 i * 747796405 + seed * 2891336453 + 1
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in f32.u32 ((x ^ (x >> 16)) >> 8) / 16777216

-- With a heavy diagonal, so that no pivot is small.
def matrix (n: i64) (i: i64) (j: i64): f32 = random 1 (i * n + j) + f32.i64 n * f32.bool (i == j)

-- The factors of the matrix multiply to it.
-- ==
-- entry: test
-- input { 3i64 1i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 4i64 4i64 } output { true }
-- input { 3i64 2i64 } output { true }

entry test (m: i64) (b: i64): bool =
  let n = m * b
  let a = blocked (tabulate_3d m m b (\i j k -> tabulate b (\l -> matrix n (i * b + k) (j * b + l))))
  let at i j = a[i / b, j / b, i % b, j % b]
  let lower i j = if i == j then 1 else if i > j then at i j else 0
  let upper i j = if i <= j then at i j else 0
  let product i j = f32.sum (map (\k -> lower i k * upper k j) (iota n))
  in and (flatten (tabulate_2d n n (\i j -> f32.abs (product i j - matrix n i j) < 0.0001 * f32.i64 n)))

entry bench (n: i64) (b: i64): f64 =
  let m = n / b
  let a = blocked (tabulate_3d m m b (\i j k -> tabulate b (\l -> matrix n (i * b + k) (j * b + l))))
  in f64.sum (flatten (map (\row -> map (\block -> f64.sum (map (\r -> f64.sum (map f64.f32 r)) block)) row) a))
