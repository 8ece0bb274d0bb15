-- A call that cannot stop the program builds its result in the row that is updated, before the row is known to exist.
-- ==
-- input { [[0, 0], [0, 0], [3, 4]] [1, 2] } output { [[253857658i32, 486420926i32], [316513046i32, 627032402i32], [3i32, 4i32]] }
-- input { empty([2][0]i32) empty([0]i32) } output { empty([2][0]i32) }
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

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): [n][m]i32 =
  let out[0] = stir 1 xs
  let out[1] = stir 2 xs
  in out
