-- Needleman-Wunsch alignment: each score is the best of three neighbours that are computed before it, row by row in place.
-- ==
-- notest script input { similarities 2048i64 }
-- nobench input { [[5i32, -3i32, -4i32], [-3i32, 6i32, 1i32], [2i32, 0i32, 7i32]] }
-- output { [[0i32, -10i32, -20i32, -30i32], [-10i32, 5i32, -5i32, -15i32], [-20i32, -5i32, 11i32, 1i32], [-30i32, -15i32, 1i32, 18i32]] }

def penalty: i32 = 10

-- How like the letters are, from -8 to 7, in an order that repeats late.
entry similarities (n: i64): [n][n]i32 =
  tabulate_2d n n (\i j -> i32.u32 ((u32.i64 (i * n + j) * 2654435761 + 12345) >> 28) - 8)

entry main [n] (similar: [n][n]i32): [n + 1][n + 1]i32 =
  let edges = tabulate_2d (n + 1) (n + 1) (\i j -> -penalty * i32.i64 (i64.max i j))
  in loop scores = edges for i < n do
       loop scores for j < n do
         let diagonal = scores[i, j] + similar[i, j]
         let gap = i32.max scores[i, j + 1] scores[i + 1, j] - penalty
         in scores with [i + 1, j + 1] = i32.max diagonal gap
