-- case: run ( 3u64 13i32 )
def main (x: u64) (k: i32) = (loop (acc, x, k) = (1, x, k) while k > 0 do (if k & 1 == 1 then acc * x else acc, x * x, k >> 1)).0
-- ---
1594323u64
