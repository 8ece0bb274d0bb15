-- Each row is made from the one above by a function that ends in calls of itself, which is a loop. Such a loop might not end, so it is not
-- known in time that there is a row to build its values in.
-- ideal: Alloc 0 Copy 1
-- ==
-- input { [[1, 2], [0, 0], [0, 0], [0, 0]] } output { [[1i32, 2i32], [1i32, 2i32], [2i32, 3i32], [4i32, 5i32]] }
-- input { [[1, 2]] } output { [[1i32, 2i32]] }
-- structure funmem { Alloc 1 Copy 2 }

-- Adds 1 to each element, k times.
def add [n] (k: i64) (xs: [n]i32): *[n]i32 =
  if k <= 0 then copy xs else add (k - 1) (map (+ 1) xs)

def main [n] [m] (out: *[n][m]i32) =
  loop out for i < n - 1 do
    let out[i + 1] = add i out[i]
    in out
