-- case: run ( [1i32, 3i32, 5i32, 7i32, 9i32] 7i32 )
def main [n] (xs: [n]i32) (x: i32) =
  (loop (lo, hi) = (0, n) while lo < hi do
     let mid = (lo + hi) / 2
     in if xs[mid] < x then (mid + 1, hi) else (lo, mid)).0
-- ---
3i64
