-- case: run ( 3i32 )
type pair 'a 'b = (a, b)
type twice 'a = pair a a
def f (p: twice i32) : pair i32 bool = (p.0, p.0 == p.1)
def main (x: i32) = f (x, 3)
-- ---
3i32
true
