-- case: run ( [5i32, 3i32, 8i32] 8i32 )
def main [n] (xs: [n]i32) (x: i32) = (loop (found, i) = (false, 0) while !found && i < n do if xs[i] == x then (true, i) else (found, i + 1)).1
-- ---
2i64
