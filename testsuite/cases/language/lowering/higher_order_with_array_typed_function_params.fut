-- case: run ( [[1i32, 2i32]] )
-- higher order with array-typed function params
def foldrows [n][m] (f: [m]i32 -> i32) (xs: [n][m]i32): [n]i32 = map f xs
def main [n][m] (xs: [n][m]i32) = foldrows (reduce (+) 0) xs
-- ---
[3i32]
