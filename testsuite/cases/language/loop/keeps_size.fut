-- case: run ( [1i32, 2i32] 3i32 )
def main [n] (xs: [n]i32) (k: i32) = map2 (-) (loop ys: [n]i32 = xs for i < k do map (+ i) ys) xs
-- ---
[3i32, 3i32]
