-- case: run ( 2.0f64 4i32 )
-- The tape of a loop, and that of a while loop.
def main (x: f64) (n: i32) =
  ( vjp (\x -> loop acc = 1 for _i < n do acc * x) x 1
  , vjp (\x -> (loop (acc, k) = (1, 0) while k < n do (acc * x, k + 1)).0) x 1
  , jvp (\x -> (loop (acc, k) = (1, 0) while k < n do (acc * x, k + 1)).0) x 1
  )
-- ---
32.0f64
32.0f64
32.0f64
