-- case: run ( empty([0]i8) empty([0]f32) )
def main (xs: []i8) (ys: []f32) =
  (i8.sum xs, i8.product xs, i8.maximum xs, i8.minimum xs, f32.sum ys, f32.maximum ys, f32.minimum ys)
-- ---
0i8
1i8
-128i8
127i8
0.0f32
-f32.inf
f32.inf
