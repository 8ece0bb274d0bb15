-- case: run ( 5i32 )
def main (x: i32) = let ts = [(x, true), (x + 1, false), (1, x > 3)] in (map (.0) ts, map (\(_, b) -> b) ts)
-- ---
[5i32, 6i32, 1i32]
[true, false, true]
