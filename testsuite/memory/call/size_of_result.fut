-- How large a result is shows only afterwards.
-- ==
-- input { [1, 2, 3] [4, 5, 6] } output { [253857658i32, 486420926i32, 922515348i32, 1362975742i32] }
-- structure funmem { Alloc 5 Copy 2 }

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

def some [m] (c: i32) (xs: [m]i32): *[]i32 = filter (\x -> x % 2 == 0) (stir c xs)

def main [n] (xs: [n]i32) (ys: [n]i32) = some 1 xs ++ some 2 ys
