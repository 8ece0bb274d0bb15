-- The block of what a loop gives depends on how often it runs: the function has it, and the caller copies.
-- ideal: Alloc 3 Copy 0
-- ==
-- input { [1, 2, 3] 2i64 } output { [1537607461i32, 1764979365i32, 91017844i32, 2012234130i32, -1457410166i32, -1707454574i32] }
-- structure funmem { Alloc 3 Copy 3 }

-- Too large to be part of its callers.
def stir [m] (c: i32) (xs: [m]i32): *[m]i32 =
  map (\x ->
         let x = (x ^ (x >> 3)) * 5 + c
         let x = (x ^ (x >> 4)) * 7 + 1
         let x = (x ^ (x >> 5)) * 9 + 2
         let x = (x ^ (x >> 3)) * 11 + 3
         let x = (x ^ (x >> 4)) * 13 + 4
         let x = (x ^ (x >> 5)) * 15 + 5
         let x = (x ^ (x >> 3)) * 17 + 6
         let x = (x ^ (x >> 4)) * 19 + 7
         in x)
      xs

def steps [m] (k: i64) (xs: [m]i32): *[m]i32 = loop xs = copy xs for i < k do stir (i32.i64 i) (reverse xs)

def main [n] (xs: [n]i32) (k: i64) = steps k xs ++ steps (k + 1) xs
