-- case: run ( [[1f32, 2f32], [3f32, 4f32]] )
type matrix [n][m] = {rows: [n][m]f32, scale: f32}
def value [n][m] (x: matrix [n][m]) = map (map (* x.scale)) x.rows
def main [n][m] (xss: [n][m]f32) = value {rows = xss, scale = 2}
-- ---
[[2.0f32, 4.0f32], [6.0f32, 8.0f32]]
