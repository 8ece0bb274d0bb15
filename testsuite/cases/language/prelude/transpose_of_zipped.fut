-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = let t = transpose (map (\xs -> zip xs (reverse xs)) xss) in (map (map (.0)) t, map (map (.1)) t)
-- ---
[[1i32, 3i32], [2i32, 4i32]]
[[2i32, 4i32], [1i32, 3i32]]
