-- case: run ( 2i64 )
-- let-bound size used in type
def main (n: i64) = let m = n * 2 let xs: [m]i64 = iota m in zip xs (iota m) |> map (\(a, b) -> a + b)
-- ---
[0i64, 2i64, 4i64, 6i64]
