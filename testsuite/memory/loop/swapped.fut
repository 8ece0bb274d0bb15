-- Two arrays change places in each iteration: their blocks do, and nothing moves.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2] [3, 4] 3 } output { 12i32 }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n]i32) (ys: *[n]i32) (k: i32): i32 =
  let (a, b) = loop (a, b) = (xs, ys) for i < k do (b, a with [0] = i)
  in a[0] * 10 + b[0]
