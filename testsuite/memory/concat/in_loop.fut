-- A concatenation in each iteration, of equal size: its block can be made once.
-- ideal: Alloc 2 Copy 0
-- ==
-- input { [1, 2, 3, 4] 2i64 } output { [3i32, 5i32, 8i32, 16i32] }
-- structure funmem { Alloc 2 Copy 1 }

def main [n] (xs: [n]i32) (k: i64): [n]i32 =
  let h = n / 2
  in loop a = copy xs for _i < k do
       let (even, odd) = (map (\i -> a[2 * i]) (iota h), map (\i -> a[2 * i + 1]) (iota h))
       in (map (+ 1) even ++ map (* 2) odd) :> [n]i32
