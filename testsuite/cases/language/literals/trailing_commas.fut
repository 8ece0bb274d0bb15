-- case: run ()
def main = let (a, b,) = (1, 2,) in let r = {x = a, y = b,} in ([a, b,], r.x)
-- ---
[1i32, 2i32]
1i32
