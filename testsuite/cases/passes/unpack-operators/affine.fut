-- case: run main ( [[2i32, 1i32], [3i32, 0i32], [1i32, 5i32], [0i32, 7i32], [2i32, 2i32], [5i32, 1i32], [1i32, 1i32]] [true, false, false, true, false, true, false] )
-- Affine maps after one another; the same with a scalar beside the array, and with an array from outside.
def after (f: [2]i32) (g: [2]i32) : [2]i32 = [f[0] * g[0], f[1] * g[0] + g[1]]
entry main [n] (a: [n][2]i32) (begins: [n]bool) =
  let flagged (x: ([2]i32, bool)) (y: ([2]i32, bool)) = (if y.1 then y.0 else after x.0 y.0, x.1 || y.1)
  let limits = map (+ 1000) (iota 2)
  let limited (x: [2]i32) (y: [2]i32) = map2 (\v limit -> i32.min v (i32.i64 limit)) (map2 (+) x y) limits
  let (values, flags) = unzip (scan flagged ([1, 0], false) (zip a begins))
  let (last, any) = reduce flagged ([1, 0], false) (zip a begins)
  in (scan after [1, 0] a, values, flags, last, any, reduce limited [0, 0] (map (map (* 300)) a))
-- ---
-- [[2i32, 1i32], [6i32, 3i32], [6i32, 8i32], [0i32, 7i32], [0i32, 16i32], [0i32, 81i32], [0i32, 82i32]]
-- [[2i32, 1i32], [6i32, 3i32], [6i32, 8i32], [0i32, 7i32], [0i32, 16i32], [5i32, 1i32], [5i32, 2i32]]
-- [true, true, true, true, true, true, true]
-- [5i32, 2i32]
-- true
-- [1000i32, 1001i32]
