-- case: run ( true 2i32 )
def main (b: bool) (x: i32) = (1 + (if b then x else 0), x * if b then 10 else 20 + x, [if b then 1 else x])
-- ---
3i32
20i32
[1i32]
