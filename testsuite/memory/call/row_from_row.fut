-- A call reads one row of a matrix and builds another: the rows are apart.
-- ==
-- input { [[1, 2], [3, 4]] } output { [[305566235i32, 1790429623i32], [253857658i32, 486420926i32]] }
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

def main [n] [m] (out: *[n][m]i32): [n][m]i32 =
  let out[1] = stir 1 out[0]
  let out[0] = stir 2 out[1]
  in out
