-- A result that is used after its place has changed stays where it was made.
-- ==
-- input { [[1, 2], [3, 4]] [5, 6] } output { [[1i32, 1495866283i32], [801184517i32, -982331620i32]] }
-- structure funmem { Alloc 1 Copy 1 }

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

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32) =
  let a = stir 1 xs
  let out[0] = a
  let out[0, 0] = 1
  let out[1] = stir 2 a
  in out
