-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] )
def main (xss: [][]i32) = let t = transpose xss in (t[1], t[:, 1], t[1:, ::-1], transpose t[1:])
-- ---
[2i32, 5i32]
[4i32, 5i32, 6i32]
[[5i32, 2i32], [6i32, 3i32]]
[[2i32, 3i32], [5i32, 6i32]]
