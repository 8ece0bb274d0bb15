-- case: run ( 3i32 )
-- swap two arrays in loop (double buffer)
def main (n: i32) = let (a, _) = loop (a, b) = (replicate 2 1i32, replicate 2 2i32) for i < n do (b, a) in a
-- ---
[2i32, 2i32]
