-- case: run ( false 3i32 )
def main (b: bool) (x: i32) = let (p, q) = if b then (x, x + 1) else (-x, 0) in (p, q)
-- ---
-3i32
0i32
