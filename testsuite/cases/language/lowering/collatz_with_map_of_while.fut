-- case: run ( 4i64 )
-- collatz with map of while
def collatz (n: i32) = (loop (x, c) = (n, 0i32) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, c + 1)).1
def main (n: i64) = map (\i -> collatz (i32.i64 i + 1)) (iota n)
-- ---
[0i32, 1i32, 7i32, 2i32]
