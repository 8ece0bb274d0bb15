-- case: run ( 3i64 )
-- loop sizes equal across components
def main (n: i64) = loop (a, b) = (iota n, iota n) for i < 2i32 do let c = filter (> 0) a in (c, map (+ 1) c)
-- ---
[1i64, 2i64]
[2i64, 3i64]
