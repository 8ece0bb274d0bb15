-- case: run ( 3i32 )
def main (n: i32) = let xs = loop xs = [1i32] for i < n do xs ++ map (+ i) xs in (length xs, xs)
-- ---
8i64
[1i32, 1i32, 2i32, 2i32, 3i32, 3i32, 4i32, 4i32]
