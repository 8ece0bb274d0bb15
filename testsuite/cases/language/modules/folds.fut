-- case: run ( [3i32, -1i32, 2i32] [1.5f64, 2f64] )
def main (xs: []i32) (ys: []f64) =
  (i32.sum xs, i32.product xs, i32.maximum xs, i32.minimum xs, f64.sum ys, f64.product ys, f64.maximum ys, f64.minimum ys)
-- ---
4i32
-6i32
3i32
-1i32
3.5f64
3.0f64
2.0f64
1.5f64
