-- case: run ( 27i32 )
def main (n: i32) = loop (x, steps) = (n, 0i32) while x != 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)
-- ---
1i32
111i32
