-- case: run ( [1i32, 2i32] )
def main (xs: *[]i32) = let ps = zip xs xs let ps[0] = (8, 9) in unzip ps
-- ---
[8i32, 2i32]
[9i32, 2i32]
