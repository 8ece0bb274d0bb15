-- case: run ( [1i32, 2i32] )
-- Tracing, breaking, opacity and tuning parameters leave values as they are, in compiled code and on the way to it.
def double (x: i32) = #[trace(double)] x * 2
def main [n] (xs: [n]i32) =
  let ys = #[trace] map double xs
  let (a, b) = #[break] (#[opaque] ys, #[param(size)] n)
  in (trace a, break b, opaque (a[0], b))
-- ---
[2i32, 4i32]
2i64
2i32
2i64
