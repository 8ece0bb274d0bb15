-- A function is told where a column lies: a second version of it takes the strides of its result.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8] } output { [[1338040465i32, 1541894600i32, 3i32], [1999781851i32, 1661178899i32, 6i32]] }
-- structure funmem { Alloc 0 Copy 0 }

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

def main [n] [m] (out: *[n][m]i32) (xs: [n]i32): [n][m]i32 =
  let out[:, 0] = stir 1 xs
  let out[:, 1] = stir 2 xs
  in out
