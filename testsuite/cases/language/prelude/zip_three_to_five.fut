-- case: run ( [1i32, 2i32] [true, false] )
def main [n] (xs: [n]i32) (bs: [n]bool) =
  let (a, b, c) = unzip3 (zip3 xs bs xs)
  let (d, e, f, g) = unzip4 (zip4 b a b xs)
  let (h, i, j, k, l) = unzip5 (zip5 a b c d e)
  in (a, b, c, d, e, f, g, h, i, j, k, l)
-- ---
[1i32, 2i32]
[true, false]
[1i32, 2i32]
[true, false]
[1i32, 2i32]
[true, false]
[1i32, 2i32]
[1i32, 2i32]
[true, false]
[1i32, 2i32]
[true, false]
[1i32, 2i32]
