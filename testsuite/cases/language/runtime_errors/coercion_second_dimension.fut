-- case: run ( [[1i32, 2i32]] )
def main [n][m] (xss: [n][m]i32) = (xss :> [n][3]i32)[0]
-- ---
-- Value cannot match shape of type: expected "[1][3]i32", found "[1][2]i32" at coercion_second_dimension.fut:2:36 in main
