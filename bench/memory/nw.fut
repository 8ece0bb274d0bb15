-- Needleman-Wunsch alignment of two sequences, as Rodinia's `nw`: each score is the best of those above, left of and above left of
-- it, with a penalty or the similarity of the two letters. The blocks of an anti-diagonal are computed together from
-- the edges of blocks of the two before, and put into the matrix of scores in place.
--
-- The matrix is kept as an array of blocks, with a row and a column of blocks before it that hold the scores at the edges. A
-- step from one block of an anti-diagonal to the next is a fixed number of blocks, so that the anti-diagonal is a slice.
--
--   echo 2048i64 64i64 | fun run -e bench bench/memory/nw.fut
-- ==
-- input { 10i32 1i64 [[5i32, -3i32, -4i32], [-3i32, 6i32, 1i32], [2i32, 0i32, 7i32]] }
-- output { [[0i32, -10i32, -20i32, -30i32], [-10i32, 5i32, -5i32, -15i32], [-20i32, -5i32, 11i32, 1i32], [-30i32, -15i32, 1i32, 18i32]] }
-- input { 10i32 2i64 [[1i32]] } error: Assertion is false: .q > 2

-- A block from the row above it, the column left of it, the score between these, and the similarities.
def block [b] (penalty: i32) (above: [b]i32) (left: [b]i32) (corner: i32) (similar: i64 -> i64 -> i32): *[b][b]i32 =
  loop scores = replicate b (replicate b 0) for i < b do
    loop scores for j < b do
      let up = if i == 0 then above[j] else scores[i - 1, j]
      let back = if j == 0 then left[i] else scores[i, j - 1]
      let diagonal = if i == 0 then (if j == 0 then corner else above[j - 1])
                     else (if j == 0 then left[i - 1] else scores[i - 1, j - 1])
      in scores with [i, j] = i32.max (diagonal + similar i j) (i32.max up back - penalty)

-- The scores at the edges, in blocks of their own: row 0 of blocks ends in the first row of scores, column 0 in the first column.
def edge (penalty: i32) (b: i64) (row: i64) (column: i64) (i: i64) (j: i64): i32 =
  if row == 0 && i == b - 1 && column > 0 then -penalty * i32.i64 ((column - 1) * b + j + 1)
  else if column == 0 && j == b - 1 && row > 0 then -penalty * i32.i64 ((row - 1) * b + i + 1)
  else 0

-- All blocks, (q + 1) rows of as many. Blocks of one anti-diagonal are q apart; those left of and above them are 1 and q + 1 before.
def align (penalty: i32) (q: i64) (b: i64) (similar: i64 -> i64 -> i32): *[(q + 1) * (q + 1)][b][b]i32 =
  let edges = flatten (tabulate_2d (q + 1) (q + 1) (\row column -> tabulate_2d b b (edge penalty b row column)))
  -- The block at this place, which is i-th from above and j-th from the left.
  let next (scores: [(q + 1) * (q + 1)][b][b]i32) at i j =
    block penalty scores[at - q - 1, b - 1] scores[at - 1, :, b - 1] scores[at - q - 2, b - 1, b - 1]
          (\x y -> similar (i * b + x) (j * b + y))
  -- Anti-diagonals that begin in the first row, ever longer ones.
  let scores =
    loop scores = edges for d < q do
      let start = q + 2 + d
      let new = tabulate (d + 1) (\k -> next scores (start + k * q) k (d - k))
      in scores with [start:start + d * q + 1:q] = new
  -- And those that end in the last row, ever shorter ones.
  in loop scores for d < q - 1 do
       let start = (d + 2) * q + (q + d + 2)
       let new = tabulate (q - 1 - d) (\k -> next scores (start + k * q) (d + 1 + k) (q - 1 - k))
       in scores with [start:start + (q - 2 - d) * q + 1:q] = new

-- How many blocks of size b there are in a row; at least three, so that no block reads its own anti-diagonal.
def blocks (n: i64) (b: i64): i64 =
  let q = assert (b > 0) (n / b)
  let q = assert (q > 2) q
  in assert (q * b == n) q

def score [q] (b: i64) (scores: [q * q][b][b]i32) (i: i64) (j: i64): i32 =
  let place x = if x == 0 then (0, b - 1) else (1 + (x - 1) / b, (x - 1) % b)
  let ((i, k), (j, l)) = (place i, place j)
  in scores[i * q + j, k, l]

entry main [n] (penalty: i32) (b: i64) (similarities: [n][n]i32): [n + 1][n + 1]i32 =
  let scores = align penalty (blocks n b) b (\i j -> similarities[i, j])
  in tabulate_2d (n + 1) (n + 1) (score b scores)

-- A number for each index: the hash of the index, the same everywhere.
def random (seed: u32) (i: i64): u32 =
  let x = u32.i64 i * 747796405 + seed * 2891336453 + 1
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

-- How similar letters of an alphabet of 24 are: like letters much, others little or not, the same in both orders.
def similarities (n: i64): [n][n]i32 =
  let letter seed i = i64.u32 (random seed i % 24)
  let like x y = if x == y then 5 else i32.u32 (random 3 (i64.min x y * 24 + i64.max x y) % 6) - 4
  in tabulate_2d n n (\i j -> like (letter 1 i) (letter 2 j))

-- Against the same row by row.
-- ==
-- entry: test
-- input { 3i64 1i64 } output { true }
-- input { 4i64 1i64 } output { true }
-- input { 3i64 2i64 } output { true }
-- input { 4i64 3i64 } output { true }

entry test (q: i64) (b: i64): bool =
  let n = q * b
  let similar = similarities n
  let penalty = 3
  let plain =
    loop scores = tabulate_2d (n + 1) (n + 1) (\i j -> if i == 0 || j == 0 then -penalty * i32.i64 (i + j) else 0)
    for at < n * n do
      let (i, j) = (1 + at / n, 1 + at % n)
      let best = i32.max (scores[i - 1, j - 1] + similar[i - 1, j - 1]) (i32.max scores[i - 1, j] scores[i, j - 1] - penalty)
      in scores with [i, j] = best
  let scores = align penalty (blocks n b) b (\i j -> similar[i, j])
  in and (flatten (tabulate_2d (n + 1) (n + 1) (\i j -> score b scores i j == plain[i, j])))

entry bench (n: i64) (b: i64): (i32, i64) =
  let similar = similarities n
  let q = blocks n b
  let scores = align 10 q b (\i j -> similar[i, j])
  in (score b scores n n, i64.sum (flatten_3d (map (map (map i64.i32)) scores)))
