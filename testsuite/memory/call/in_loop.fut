-- A loop whose value a function makes that ends in calls of itself: one loop in the other, and each value is made over the one before.
-- ==
-- input { [1, 2] 4i64 } output { [7i32, 8i32] }
-- input { [1, 2] 0i64 } output { [1i32, 2i32] }
-- structure funmem { Alloc 1 Copy 1 }

-- Adds 1 to each element, k times.
def add [n] (k: i64) (xs: [n]i32): *[n]i32 =
  if k <= 0 then copy xs else add (k - 1) (map (+ 1) xs)

def main [n] (xs: [n]i32) (k: i64) = loop xs = copy xs for i < k do add i xs
