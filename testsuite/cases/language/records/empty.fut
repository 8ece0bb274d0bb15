-- case: run ( 5i32 )
def main (x: i32) = let {} = {} let r = {u = (), x} in (r.x, r.u == ())
-- ---
5i32
true
