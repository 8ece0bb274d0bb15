-- case: run ( 2i64 )
-- array update with tuple index expr and field
def main (n: i64) = let r = {a = replicate n 0i32, b = 3i32} let r.a[1] = r.b in r.a
-- ---
[0i32, 3i32]
