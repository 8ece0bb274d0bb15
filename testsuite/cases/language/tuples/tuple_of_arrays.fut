-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = let t = (xs, map (+ 1) xs) in (t.1[0], t.0 ++ t.1)
-- ---
2i32
[1i32, 2i32, 2i32, 3i32]
