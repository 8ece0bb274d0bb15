-- case: run ( [-5i32, 0i32, 5i32, 50i32] )
def size (x: i32) = if x < 0 then -1i8 else if x == 0 then 0 else if x < 10 then 1 else 2
def main (xs: []i32) = map size xs
-- ---
[-1i8, 0i8, 1i8, 2i8]
