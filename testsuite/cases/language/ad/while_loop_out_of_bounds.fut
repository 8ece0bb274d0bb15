-- case: run ( 100000000i64 [1f64, 2f64] )
-- What a loop asserts is asserted when its iterations are counted, too: that is when it runs first.
def main (n: i64) (xs: []f64) =
  vjp (\x -> (loop (r, i, b) = (x, 0i64, true) while b do (r * xs[i], i + 1, i + 1 < n)).0) 2f64 1f64
-- ---
-- Index [2] out of bounds for array of shape [2] at while_loop_out_of_bounds.fut:4:64 in main
