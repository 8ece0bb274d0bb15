-- case: run ( [[1f32, 2f32]] [[3f32], [4f32]] )
-- matmul polymorphic
def mm [n][m][p] 'a (add: a -> a -> a) (mul: a -> a -> a) (zero: a) (A: [n][m]a) (B: [m][p]a): [n][p]a = map (\r -> map (\c -> reduce add zero (map2 mul r c)) (transpose B)) A def main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) = mm (+) (*) 0 a b
-- ---
[[11.0f32]]
