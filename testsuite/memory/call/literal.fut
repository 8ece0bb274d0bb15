-- Rows of an array literal.
-- ==
-- input { [1, 2, 3] } output { [[253857658i32, 486420926i32, 1014494139i32], [316513046i32, 627032402i32, 664030589i32]] }
-- structure funmem { Alloc 1 Copy 0 }

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

def main [m] (xs: [m]i32): [2][m]i32 = [stir 1 xs, stir 2 xs]
