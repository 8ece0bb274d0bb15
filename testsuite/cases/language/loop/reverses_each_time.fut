-- case: run ( [1i32, 2i32, 3i32] 3i32 )
def main [n] (xs: [n]i32) (k: i32) = loop ys = xs for i < k do if i % 2 == 0 then reverse ys else ys
-- ---
[1i32, 2i32, 3i32]
