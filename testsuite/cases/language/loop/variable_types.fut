-- case: run ( 5i8 4i16 )
-- The variable has the type of the bound.
def main (n: i8) (m: i16) = (loop s = 0i8 for i < n do s + i * i, loop s = 0 for i < m do s * 2 + i, loop s = 0 for i < 3i64 do s * 2 + i)
-- ---
30i8
11i16
4i64
