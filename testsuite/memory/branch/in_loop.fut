-- A branch in a loop chooses how the next array is computed: two blocks that swap their roles.
-- ideal: Alloc 2 Copy 0
-- ==
-- input { [1, 2, 3] 2i64 } output { [1i32, 3i32, 2i32] }
-- input { [1, 2, 3] 3i64 } output { [3i32, 2i32, 1i32] }
-- structure funmem { Alloc 2 Copy 0 }

def main [n] (xs: [n]i32) (k: i64): [n]i32 =
  loop a = map (+ 0) xs for i < k do
    if i % 2 == 0 then map (\j -> a[(j + 1) % n]) (iota n) else map (\j -> a[n - 1 - j]) (iota n)
