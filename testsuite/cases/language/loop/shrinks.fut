-- case: run ( [5i32, 3i32, 8i32, 1i32] )
def main (xs: []i32) = (loop (ys, s) = (xs, 0i32) while length ys > 1 do (tail ys, s + head ys)).1
-- ---
16i32
