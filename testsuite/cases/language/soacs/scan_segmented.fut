-- case: run ( [1i32, 2i32, 3i32, 4i32, 5i32] [true, false, true, false, false] )
def segmented [n] (flags: [n]bool) (xs: [n]i32) : [n]i32 =
  scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip flags xs) |> unzip |> (.1)
def main [n] (xs: [n]i32) (flags: [n]bool) = segmented flags xs
-- ---
[1i32, 3i32, 3i32, 7i32, 12i32]
