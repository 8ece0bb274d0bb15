-- The same on an argument that must not change: it is only read, in the first iteration. Two blocks take turns after that, or two
-- halves of one; what the last one leaves free takes the copy that is the result.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] 3 } output { [17i32, 16i32, 15i32] }
-- input { [1, 2, 3] 0 } output { [1i32, 2i32, 3i32] }
-- structure funmem { Alloc 2 Copy 1 }

def main [n] (xs: [n]i32) (k: i32): [n]i32 =
  loop a = xs for _i < k do map (\i -> a[(i + 1) % n] + a[i]) (iota n)
