-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] )
def main (xss: [][]i32) = (map i32.sum (transpose xss), map (map (* 2)) (transpose xss), map reverse xss, map (map (+ 1)) xss[::-1])
-- ---
[5i32, 7i32, 9i32]
[[2i32, 8i32], [4i32, 10i32], [6i32, 12i32]]
[[3i32, 2i32, 1i32], [6i32, 5i32, 4i32]]
[[5i32, 6i32, 7i32], [2i32, 3i32, 4i32]]
