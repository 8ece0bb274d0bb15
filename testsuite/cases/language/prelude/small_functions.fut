-- case: run ( 3i32 )
def main (x: i32) = (id x, const x true, curry (\(a, b) -> a - b) x 1, uncurry (-) (x, 2), and [true, false], or [true, false])
-- ---
3i32
3i32
2i32
1i32
false
true
