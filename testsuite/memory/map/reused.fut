-- The second array has the size of the first, which is not used any more: it takes its block.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1i64, 2i64, 3i64] } output { [6i64, 12i64, 18i64] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]i64): [n]i64 =
  let a = scan (+) 0 xs
  let most = i64.maximum a
  in map (\x -> x * most) xs
