-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def deep 'a 'b [n][m] (f: a -> b) (xss: [n][m]a) : [n][m]b = map (map f) xss
def main (xss: [][]i32) = (deep (+ 1) xss, deep (\x -> x > 2) xss, deep (\x -> [x]) xss |> map (map head))
-- ---
[[2i32, 3i32], [4i32, 5i32]]
[[false, false], [true, true]]
[[1i32, 2i32], [3i32, 4i32]]
