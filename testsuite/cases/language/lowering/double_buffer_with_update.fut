-- case: run ( 2i32 )
-- double buffer with update
def main (n: i32) = let (a, b) = loop (a, b) = (replicate 2 1i32, replicate 2 2i32) for i < n do let a[0] = i in (b, a) in (a, b)
-- ---
[0i32, 1i32]
[1i32, 2i32]
