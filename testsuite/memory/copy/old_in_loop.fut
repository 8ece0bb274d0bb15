-- Each iteration keeps a copy of the old array to read while it writes the new one: two blocks in all.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2, 3] 2i64 } output { [5i32, 3i32, 4i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] (xs: *[n]i32) (k: i64): [n]i32 =
  loop a = xs for _i < k do
    let old = copy a
    in loop a for j < n do a with [j] = old[(j + 1) % n] + 1
