-- case: run ( 1i32 )
def f (r: {b: i32, a: bool}) = r.b + i32.bool r.a
def main (x: i32) = (f {a = true, b = x}, {a = 1i32, b = 2i32} == {b = 2, a = 1})
-- ---
2i32
true
