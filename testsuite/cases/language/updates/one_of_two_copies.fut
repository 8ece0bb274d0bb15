-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = let a = copy xs let b = copy xs let a[0] = 10 let b[1] = 20 in map2 (+) a b
-- ---
[11i32, 22i32]
