-- case: run ( 2i32 )
def f' (x': i32) = let x'' = x' + 1 in x''
def main (x: i32) = let x_1 = f' x in x_1 * 2
-- ---
6i32
