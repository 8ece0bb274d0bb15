-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main (xs: []i32) =
  let [n] (ys: [n]i32) = filter (> 1) xs
  in (n, map2 (*) ys (map i32.i64 (iota n)))
-- ---
3i64
[0i32, 3i32, 8i32]
