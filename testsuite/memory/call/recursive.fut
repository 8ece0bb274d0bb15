-- A function that ends in calls of itself is a loop for each call, in its part of the result from the first value on, which is a copy.
-- ==
-- input { [1, 2] 3i64 } output { [4i32, 5i32, 5i32, 6i32] }
-- input { [1, 2] 0i64 } output { [1i32, 2i32, 2i32, 3i32] }
-- input { empty([0]i32) 2i64 } output { empty([0]i32) }
-- structure funmem { Alloc 1 Copy 2 }

-- Adds 1 to each element, k times.
def add [n] (k: i64) (xs: [n]i32): *[n]i32 =
  if k <= 0 then copy xs else add (k - 1) (map (+ 1) xs)

def main [n] (xs: [n]i32) (k: i64) = add k xs ++ add (k + 1) xs
