-- case: run ( 2i32 )
-- function in tuple pattern param
def ap (f: i32 -> i32, x: i32) = f x def main (x: i32) = ap ((+ 1), x)
-- ---
3i32
