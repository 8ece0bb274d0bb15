-- case: run ( 1i32 )
def main (x: i32) = let t = (x, (true, x + 1)) in (t.0, t.1.0, t.1.1, (t.1).1)
-- ---
1i32
true
2i32
2i32
