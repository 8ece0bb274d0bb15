-- case: run ( empty([2][0]i32) )
-- The same of empty rows.
def main [n] [m] (xss: [n][m]i32) =
  ( map i32.sum xss
  , map (map (\x -> 2 * x + 1)) xss
  , map (\xs -> i32.sum (map (\x -> i32.sum (map (\y -> i32.abs (x - y)) xs)) xs)) xss
  , map (scan (+) 0) xss
  , map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) xss) xss
  )
-- ---
[0i32, 0i32]
empty([2][0]i32)
[0i32, 0i32]
empty([2][0]i32)
[[0i32, 0i32], [0i32, 0i32]]
