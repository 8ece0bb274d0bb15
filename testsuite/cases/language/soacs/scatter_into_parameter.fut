-- case: run ( [1i32, 2i32, 3i32] empty([0]i64) )
def main [n] (dest: *[]i32) (is: [n]i64) = let a = scatter dest is (replicate n 9) in scatter a [2] [7]
-- ---
[1i32, 2i32, 7i32]
