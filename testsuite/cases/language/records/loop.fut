-- case: run ( 5i32 )
def main (n: i32) = let r = loop r = {a = 0i32, b = 1i32} for _i < n do {a = r.b, b = r.a + r.b} in r.a
-- ---
5i32
