-- The game of life on a torus, fifty rounds.
-- ==
-- notest script input { cells 512i64 }
-- nobench input { [[0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8]] }
-- output { [[0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8]] }

-- About every third cell lives.
entry cells (n: i64): [n][n]u8 =
  tabulate_2d n n (\i j -> u8.bool ((u32.i64 (i * n + j) * 2654435761 + 12345) >> 16 & 3 == 0))

entry main [h][w] (cells: [h][w]u8): [h][w]u8 =
  let step x = tabulate_2d h w (\i j ->
    let (above, below) = ((i - 1) % h, (i + 1) % h)
    let (left, right) = ((j - 1) % w, (j + 1) % w)
    let around = x[above, left] + x[above, j] + x[above, right] + x[i, left] + x[i, right]
                 + x[below, left] + x[below, j] + x[below, right]
    in u8.bool (around == 3 || (around == 2 && x[i, j] == 1)))
  in iterate 50 step cells
