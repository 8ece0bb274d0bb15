-- Blocks lose the product of a block left of them and one above: each thread reads its own block and two that none writes.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[[1]], [[2]]], [[[3]], [[4]]]] 0i64 } output { [[[[1i32]], [[2i32]]], [[[3i32]], [[-2i32]]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [m] [b] (a: *[m][m][b][b]i32) (k: i64): [m][m][b][b]i32 =
  let product x y z = map2 (\r q -> map2 (\c s -> s - i32.sum (map2 (*) r c)) (transpose y) q) x z
  let new = map2 (\left row -> map2 (product left) a[k, k + 1:] row) a[k + 1:, k] a[k + 1:, k + 1:]
  let a[k + 1:, k + 1:] = new
  in a
