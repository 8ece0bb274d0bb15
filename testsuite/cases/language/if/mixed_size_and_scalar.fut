-- case: run ( true 2i64 )
def main (b: bool) (n: i64) = let (xs, k, ys) = if b then (iota n, 1i32, [true]) else ([], 2, replicate n false) in (xs, k, ys)
-- ---
[0i64, 1i64]
1i32
[true]
