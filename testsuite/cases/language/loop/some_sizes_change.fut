-- case: run ( [[1i32, 2i32], [3i32, 4i32]] [[2i32, 0i32], [0i32, 2i32]] 3i64 )
-- Two parameters keep their sizes, and must to be rows of either; another grows, and a fourth is what that was before.
def main [n][m] (a: [n][m]i32) (b: [n][m]i32) (k: i64) =
  loop (a, b, log, before) = (a, b, [0], [0]) for i < k do
    let c = map2 (\x y -> if x[0] > y[0] then x else y) a b
    in (b, c, log ++ [i], log)
-- ---
-- [[2i32, 0i32], [3i32, 4i32]]
-- [[2i32, 0i32], [3i32, 4i32]]
-- [0i64, 0i64, 1i64, 2i64]
-- [0i64, 0i64, 1i64]
