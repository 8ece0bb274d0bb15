-- case: run ( false [1i32, 2i32, 3i32, 4i32] )
def main [n] (b: bool) (xs: [n]i32) = let f c = if c then xs[::2] else xs[n - 1:0:-1] in (f b, f (!b))
-- ---
[4i32, 3i32, 2i32]
[1i32, 3i32]
