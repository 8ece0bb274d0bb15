-- case: run ( [1i32, 2i32] )
-- reduce with vector operator and tuple
def main [n] (xs: [n]i32) = reduce_comm (\(a, b) (c, d) -> (a + c, i32.max b d)) (0, i32.lowest) (map (\x -> (x, x)) xs)
-- ---
3i32
2i32
