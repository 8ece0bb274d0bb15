-- case: run ( 1i32 true )
def pair x y = (x, y)
def main (x: i32) (b: bool) = let (p, q) = pair (pair x b) (pair b x) in (p.0, p.1, q.0, q.1)
-- ---
1i32
true
true
1i32
