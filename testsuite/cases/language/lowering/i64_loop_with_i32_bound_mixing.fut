-- case: run ( 4i32 )
-- i64 loop with i32 bound mixing
def main (n: i32) = loop s = 0i64 for i < n do s + i64.i32 i
-- ---
6i64
