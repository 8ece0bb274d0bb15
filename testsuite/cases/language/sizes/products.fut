-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] )
def main [n][m] (xss: [n][m]i32) = let ys: [n * m]i32 = flatten xss in (map2 (+) ys (flatten xss), unflatten ys == xss)
-- ---
[2i32, 4i32, 6i32, 8i32, 10i32, 12i32]
true
