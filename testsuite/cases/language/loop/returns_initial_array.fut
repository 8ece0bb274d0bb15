-- case: run ( [1i32, 2i32, 3i32] 0i32 )
def main [n] (xs: [n]i32) (k: i32) = (loop ys = xs for i < k do map (+ i) ys, map (* 2) xs)
-- ---
[1i32, 2i32, 3i32]
[2i32, 4i32, 6i32]
