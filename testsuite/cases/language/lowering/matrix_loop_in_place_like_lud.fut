-- case: run ( [[1f32, 2f32], [3f32, 4f32]] )
-- matrix loop in place like lud
def main [n] (a: *[n][n]f32) = loop a for k < n do let a[k, k] = a[k, k] * 2 in a
-- ---
[[2.0f32, 2.0f32], [3.0f32, 8.0f32]]
