-- A loop of which nobody knows how often it runs: two blocks.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [127i32, 128i32, 129i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: *[n]i32): [n]i32 =
  loop a = xs while a[0] < 100 do map (\i -> a[(i + 1) % n] + a[i]) (iota n)
