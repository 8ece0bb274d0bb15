-- case: run ( 10i32 )
-- while with array state
def main (n: i32) = (loop (xs, i) = (replicate 3 0i32, 0i32) while i < n && xs[0] < 5 do (map (+ 2) xs, i + 1)).0
-- ---
[6i32, 6i32, 6i32]
