-- Conway's game of life on a torus.
--
--   echo '[[0u8,1u8,0u8],[0u8,1u8,0u8],[0u8,1u8,0u8]] 1i32' | fun run examples/life.fut
-- ==
-- input { [[0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8],
--          [0u8, 0u8, 0u8, 0u8, 0u8]] 1i32 }
-- output { [[0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 1u8, 1u8, 1u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8],
--           [0u8, 0u8, 0u8, 0u8, 0u8]] }

def step [n] [m] (board: [n][m]u8): [n][m]u8 =
  let rows = map3 (\a b c -> map3 (\x y z -> x + y + z) a b c) (rotate (-1) board) board (rotate 1 board)
  let sums = map (\row -> map3 (\x y z -> x + y + z) (rotate (-1) row) row (rotate 1 row)) rows
  -- `sum` counts the cell itself
  in map2 (map2 (\sum cell -> if sum == 3 || (sum == 4 && cell == 1) then 1 else 0)) sums board

def main [n] [m] (board: [n][m]u8) (generations: i32): [n][m]u8 =
  loop board for _g < generations do step board
