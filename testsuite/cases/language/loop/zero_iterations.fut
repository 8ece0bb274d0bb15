-- case: run ( 0i32 -3i64 empty([0]i32) )
def main (n: i32) (m: i64) (xs: []i32) =
  (loop s = 7i32 for i < n do s * 2 + i, loop s = 8i64 for i < m do s * 2 + i, loop s = 9 for x in xs do s + x, loop s = 1i32 while false do s + 1)
-- ---
7i32
8i64
9i32
1i32
