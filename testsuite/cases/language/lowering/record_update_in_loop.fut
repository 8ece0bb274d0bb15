-- case: run ( 3i32 )
-- record update in loop
def main (n: i32) = let s = loop s = {a = 0i32, b = 1i32} for i < n do s with a = s.a + s.b + i in s.a
-- ---
6i32
