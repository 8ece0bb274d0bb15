-- case: run ( [3i32, 1i32, 2i32] )
def parts (p: i32) (xs: []i32) : ([]i32, []i32) = (filter (< p) xs, filter (>= p) xs)
def main (xs: []i32) = let (a, b) = parts 2 xs in (a, b, length a + length b, a ++ b)
-- ---
[1i32]
[3i32, 2i32]
3i64
[1i32, 3i32, 2i32]
