-- case: run ( [1i32, 2i32] )
-- Language reference, "Recursive functions": type parameters stay as they are.
def nth 'a [n] (i: i64) (xs: [n]a): a = if i == 0 then xs[0] else nth (i - 1) (xs[1:])
def main (xs: []i32) = (nth 1 xs, nth 2 [[1u8], [2], [3]], nth 1 (zip xs xs))
-- ---
2i32
[3u8]
2i32
2i32
