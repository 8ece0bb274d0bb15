-- case: run ( 40i64 )
-- Each element takes its own number of steps; neighbours run side by side, and those that are done wait.
def main (n: i64): [n]i32 =
  tabulate n (\i ->
    let (_, k) = loop (y, k) = (i32.i64 i + 1, 0i32) while y < 5000 do (y * 2, k + 1)
    in k)
-- ---
-- [13i32, 12i32, 11i32, 11i32, 10i32, 10i32, 10i32, 10i32, 10i32, 9i32, 9i32, 9i32, 9i32, 9i32, 9i32, 9i32, 9i32, 9i32, 9i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 8i32, 7i32]
