-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = let (ps, qs) = unzip (zip (zip xs xs) (map (+ 1) xs)) let (a, b) = unzip ps in (a, b, qs)
-- ---
[1i32, 2i32]
[1i32, 2i32]
[2i32, 3i32]
