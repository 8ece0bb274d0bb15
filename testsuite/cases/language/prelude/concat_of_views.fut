-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main (xs: []i32) = (xs[::-1] ++ xs[::2], take 1 xs ++ drop 3 xs, zip xs xs ++ [(0, 1)] |> map (.1))
-- ---
[4i32, 3i32, 2i32, 1i32, 1i32, 3i32]
[1i32, 4i32]
[1i32, 2i32, 3i32, 4i32, 1i32]
