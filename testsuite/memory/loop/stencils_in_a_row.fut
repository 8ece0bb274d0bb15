-- Loops one after the other, each with a buffer: what one leaves spare is the buffer of the next, so there is one in all. The argument is
-- consumed, and one of the two blocks.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3, 4] 3 } output { [35208i32, 36072i32, 36936i32, 36072i32] }
-- input { [1, 2, 3, 4] 0 } output { [1i32, 2i32, 3i32, 4i32] }
-- structure funmem { Alloc 1 Copy 0 }

def step [n] (a: [n]i32): [n]i32 = map (\i -> a[(i + 1) % n] + a[i]) (iota n)

def main [n] (xs: *[n]i32) (k: i32): [n]i32 =
  let a = loop a = xs for _i < k do step a
  let b = loop b = a for _i < k do map (+ 1) (step b)
  in loop c = b for _i < k do map (* 3) (step c)
