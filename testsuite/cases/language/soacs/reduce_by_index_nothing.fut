-- case: run ( empty([0]i64) )
def main [n] (is: [n]i64) = (reduce_by_index [1i32, 2] (+) 0 is (replicate n 1), reduce_by_index ([] :> []i32) (+) 0 [0, 1] [1, 2])
-- ---
[1i32, 2i32]
empty([0]i32)
