-- case: run ( 1i32 )
def main (x: i32) = let r = {a = x, b = {c = x + 1, d = true}} in (r.a, r.b.c, r.b.d)
-- ---
1i32
2i32
true
