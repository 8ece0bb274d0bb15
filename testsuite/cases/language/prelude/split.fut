-- case: run ( [1i32, 2i32, 3i32] 1i64 )
def main [n] (xs: [n]i32) (k: i64) =
  let (a, b) = split (xs :> [k + (n - k)]i32)
  in ((a : [k]i32), b)
-- ---
[1i32]
[2i32, 3i32]
