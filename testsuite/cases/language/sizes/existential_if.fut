-- case: run ( true 3i64 )
def main (b: bool) (n: i64) =
  let xs = if b then iota n else replicate 2 7
  in (length xs, map (+ 1) xs)
-- ---
3i64
[1i64, 2i64, 3i64]
