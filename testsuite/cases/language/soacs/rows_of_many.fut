-- case: run ( [[2i32, 5i32, 3i32, -4i32, -5i32, 0i32, 0i32, -5i32, -4i32, 3i32, 5i32, 2i32, 5i32, 3i32, -4i32, -5i32, 0i32, 0i32, -5i32, -4i32, 3i32, 5i32, 2i32, 5i32, 3i32, -4i32, -5i32, 0i32, 0i32, -5i32, -4i32, 3i32, 5i32]] )
-- The same of one that is longer than that.
def main [n] [m] (xss: [n][m]i32) =
  ( map i32.sum xss
  , map (map (\x -> 2 * x + 1)) xss
  , map (\xs -> i32.sum (map (\x -> i32.sum (map (\y -> i32.abs (x - y)) xs)) xs)) xss
  , map (scan (+) 0) xss
  , map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) xss) xss
  )
-- ---
[0i32]
[[5i32, 11i32, 7i32, -7i32, -9i32, 1i32, 1i32, -9i32, -7i32, 7i32, 11i32, 5i32, 11i32, 7i32, -7i32, -9i32, 1i32, 1i32, -9i32, -7i32, 7i32, 11i32, 5i32, 11i32, 7i32, -7i32, -9i32, 1i32, 1i32, -9i32, -7i32, 7i32, 11i32]]
[4572i32]
[[2i32, 7i32, 10i32, 6i32, 1i32, 1i32, 1i32, -4i32, -8i32, -5i32, 0i32, 2i32, 7i32, 10i32, 6i32, 1i32, 1i32, 1i32, -4i32, -8i32, -5i32, 0i32, 2i32, 7i32, 10i32, 6i32, 1i32, 1i32, 1i32, -4i32, -8i32, -5i32, 0i32]]
[[462i32]]
