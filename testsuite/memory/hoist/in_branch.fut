-- The destination is made in the branch where the row, which was made before, goes.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1, 2] true 2i64 } output { 10i32 }
-- input { [1, 2] false 2i64 } output { 5i32 }
-- structure funmem { Alloc 2 Copy 1 }

def main [m] (xs: [m]i32) (c: bool) (n: i64): i32 =
  let row = map (+ 1) xs
  in if c then let out = replicate n (replicate m 1)
               let out[0] = row
               in i32.sum (flatten (map (scan (+) 0) out))
     else i32.sum row
