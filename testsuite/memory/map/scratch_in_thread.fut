-- Each thread needs an array for itself: it is made once for all of them, before.
-- ideal: /Kernel/Alloc 0 Copy 0
-- ==
-- input { [1i64, 2i64, 3i64] 3i64 } output { [4i64, 5i64, 8i64] }
-- structure funmem { /Kernel/Alloc 1 Copy 0 }

def main [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\x -> let a = loop a = replicate k 0 for i < k do a with [(i * x) % k] = i
             in loop s = 0 for i < k do s * 2 + a[i]) xs
