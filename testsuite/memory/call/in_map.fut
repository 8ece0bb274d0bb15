-- A function that ends in calls of itself is a loop in the body of a map: it starts from a copy in the row of the result, and stays there.
-- ==
-- input { [[1, 2], [3, 4]] 2i64 } output { [[3i32, 4i32], [5i32, 6i32]] }
-- input { empty([2][0]i32) 2i64 } output { empty([2][0]i32) }
-- structure funmem { Alloc 1 Copy 1 }

-- Adds 1 to each element, k times.
def add [n] (k: i64) (xs: [n]i32): *[n]i32 =
  if k <= 0 then copy xs else add (k - 1) (map (+ 1) xs)

def main [n] [m] (xss: [n][m]i32) (k: i64) = map (add k) xss
