-- case: run main ( [[1i32, 2i32, 3i32, 1i32, 2i32], [2i32, 2i32, 1i32, 3i32, 3i32], [3i32, 1i32, 1i32, 2i32, 1i32]] [[2i32, 3i32, 1i32], [2i32, 1i32, 3i32], [1i32, 1i32, 1i32]] 2i64 )
-- Iterations that fill a matrix in place, each cell from those above and to the left: how far two words are apart, with a branch for the first row and column; scores of
-- a second sweep from the last cell of the first; one whose rows wait for a later column above, which has no anti-diagonals; matrices of no columns.
def distance [n] [m] (a: [n]i32) (b: [m]i32): [n + 1][m + 1]i32 =
  let start = tabulate_2d (n + 1) (m + 1) (\i j -> i32.i64 (if i == 0 then j else if j == 0 then i else 0))
  in loop d = start for i < n do
       loop d for j < m do
         let change = d[i, j] + i32.bool (a[i] != b[j])
         in d with [i + 1, j + 1] = i32.min change (1 + i32.min d[i, j + 1] d[i + 1, j])

def relaxed [n] (k: i64) (start: i32) (xs: [n]i32) =
  loop s = replicate k (replicate n start) for i < k do
    loop s for j < n do
      let up = if i == 0 then xs[j] else s[i - 1, j]
      let left = if j == 0 then start else s[i, j - 1]
      in s with [i, j] = (up * 3 + left * 5 + i32.i64 (i * j)) % 101

entry main [n] [m] [l] (words: [n][m]i32) (others: [n][l]i32) (k: i64) =
  let far = map2 (\a b -> (distance a b)[m, l]) words others
  let both = map (\a -> let d = distance a words[0] in (relaxed k d[m, m] a)[k - 1]) words
  let late = map (\a -> loop s = tabulate_2d k m (\i j -> a[j] + i32.i64 i) for i < k - 1 do
                          loop s for j < m - 1 do s with [i + 1, j] = s[i, j + 1] + s[i + 1, j] * 2) words
  let empty = map (\a -> map length (distance a (take (k - k) a))) words
  in (far, both, late, empty)
-- ---
-- [2i32, 2i32, 2i32]
-- [[9i32, 8i32, 81i32, 6i32, 62i32], [98i32, 91i32, 82i32, 80i32, 79i32], [6i32, 71i32, 61i32, 58i32, 63i32]]
-- [[[1i32, 2i32, 3i32, 1i32, 2i32], [6i32, 9i32, 9i32, 6i32, 3i32]], [[2i32, 2i32, 1i32, 3i32, 3i32], [8i32, 7i32, 7i32, 11i32, 4i32]], [[3i32, 1i32, 1i32, 2i32, 1i32], [9i32, 5i32, 6i32, 7i32, 2i32]]]
-- [[1i64, 1i64, 1i64, 1i64, 1i64, 1i64], [1i64, 1i64, 1i64, 1i64, 1i64, 1i64], [1i64, 1i64, 1i64, 1i64, 1i64, 1i64]]
