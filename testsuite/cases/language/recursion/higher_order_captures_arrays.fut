-- case: run ( [10i32, 20i32, 30i32] [[1i32, 2i32], [3i32, 4i32]] )
-- What the function has captured, its sizes included, reaches every call.
def walk 'a (n: i64) (f: i64 -> a -> a) (x: a): a = if n == 0 then x else walk (n - 1) f (f n x)
def main [k] [n] [m] (xs: [k]i32) (yss: [n][m]i32) =
  let step (i: i64) (acc: [m]i32): [m]i32 = map2 (\a ys -> a + xs[i - 1] + reduce (+) 0 (map (\ys -> ys[0]) yss) * ys) acc (iota m |> map i32.i64)
  in walk k step (replicate m 0)
-- ---
[60i32, 72i32]
