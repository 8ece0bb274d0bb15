-- case: run ( [3f32, 1f32, 2f32] )
def main [n] (xs: [n]f32) = let (s, c) = reduce (\(s, c) (t, d) -> (s + t, c + d)) (0, 0) (map (\x -> (x, 1i64)) xs) in (s / f32.i64 c, c == n)
-- ---
2.0f32
true
