-- case: run ( [1i32, 2i32, 3i32] )
-- loop carrying filter & array literal
def main [n] (xs: [n]i32) = loop ys = xs for i < 2i32 do filter (\y -> y > i) ys
-- ---
[2i32, 3i32]
