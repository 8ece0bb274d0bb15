-- Columns and reversed rows are passed as they lie.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [486420926i32, 1144256102i32] [1523329643i32, 1362975742i32, 922515348i32] }
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

def main [n] [m] (xs: [n][m]i32) = (stir 1 xs[:, 1], stir 2 (reverse xs[1]))
