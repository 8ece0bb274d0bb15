-- Each row is made from the one above by a function that ends in calls of itself: a loop in the new row, whose first value is a copy.
-- ==
-- input { [[1, 2], [0, 0], [0, 0], [0, 0]] } output { [[1i32, 2i32], [1i32, 2i32], [2i32, 3i32], [4i32, 5i32]] }
-- input { [[1, 2]] } output { [[1i32, 2i32]] }
-- structure funmem { Alloc 0 Copy 1 }

-- Adds 1 to each element, k times.
def add [n] (k: i64) (xs: [n]i32): *[n]i32 =
  if k <= 0 then copy xs else add (k - 1) (map (+ 1) xs)

def main [n] [m] (out: *[n][m]i32) =
  loop out for i < n - 1 do
    let out[i + 1] = add i out[i]
    in out
