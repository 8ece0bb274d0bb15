-- Both results of a function go where they are put.
-- ==
-- input { [1, 2] } output { [253857658i32, 486420926i32, 316513046i32, 627032402i32] [239548150i32, 547526066i32, 316513046i32, 627032402i32] }
-- structure funmem { Alloc 2 Copy 0 }

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

def both [m] (c: i32) (xs: [m]i32): (*[m]i32, *[m]i32) = (stir c xs, stir (c + 1) xs)

def main [n] (xs: [n]i32) =
  let (a, b) = both 1 xs
  let (c, d) = both 2 xs
  in (a ++ c, d ++ b)
