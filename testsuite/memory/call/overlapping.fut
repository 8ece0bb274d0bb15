-- A call reads what the destination overlaps, so it builds its result elsewhere: nobody knows when it reads.
-- ==
-- input { [1, 2, 3, 4] } output { [1i32, 316513046i32, 305566235i32, 1790429623i32] }
-- input { [5] } output { [5i32] }
-- structure funmem { Alloc 1 Copy 2 }

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

def main [n] (out: *[n]i32): [n]i32 =
  let out[1:n] = stir 1 out[0:n-1]
  let out[1:n] = stir 2 out[0:n-1]
  in out
