-- Two calls build the parts of a concatenation, also empty ones.
-- ==
-- input { [1, 2] [3, 4, 5] } output { [253857658i32, 486420926i32, 664030589i32, 922515348i32, 1362975742i32] }
-- input { empty([0]i32) [7] } output { [1541894600i32] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }
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

def main [n] [m] (xs: [n]i32) (ys: [m]i32) = stir 1 xs ++ stir 2 ys
