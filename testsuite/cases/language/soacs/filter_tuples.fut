-- case: run ( [3i32, -1i32, 4i32] [true, true, false] )
def main [n] (xs: [n]i32) (bs: [n]bool) =
  let (ys, cs) = filter (\(x, b) -> b && x > 0) (zip xs bs) |> unzip
  in (ys, cs, filter (.1) (zip xs bs) |> map (.0))
-- ---
[3i32]
[true]
[3i32, -1i32]
