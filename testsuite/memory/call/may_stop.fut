-- A call that may stop the program must not write before the row is known to exist.
-- ==
-- input { [[1, 2], [3, 4]] [5, 6] 0i64 1i64 } output { [[1495866283i32, 1338040465i32], [1504592033i32, 1306436435i32]] }
-- structure funmem { Alloc 1 Copy 2 }

-- Too large to be part of its callers.
def pick [m] (k: i64) (xs: [m]i32): *[m]i32 =
  map (\x ->
         let x = (x ^ (x >> 3)) * 5 + xs[m - k]
         let x = (x ^ (x >> 4)) * 7 + 1
         let x = (x ^ (x >> 5)) * 9 + 2
         let x = (x ^ (x >> 3)) * 11 + 3
         let x = (x ^ (x >> 4)) * 13 + 4
         let x = (x ^ (x >> 5)) * 15 + 5
         let x = (x ^ (x >> 3)) * 17 + 6
         let x = (x ^ (x >> 4)) * 19 + 7
         in x)
      xs

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32) (k: i64) (l: i64) =
  let out[k] = pick (k + 1) xs
  let out[l] = pick (l + 1) xs
  in out
