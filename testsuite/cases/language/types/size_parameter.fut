-- case: run ( [1f32, 2f32] )
type vec [n] = [n]f32
type mat [n][m] = [n](vec [m])
def outer [n][m] (xs: vec [n]) (ys: vec [m]) : mat [n][m] = map (\x -> map (* x) ys) xs
def main (xs: []f32) = outer xs [1, 2, 3]
-- ---
[[1.0f32, 2.0f32, 3.0f32], [2.0f32, 4.0f32, 6.0f32]]
