-- case: run main ( 3i32 )
def f (x: i32) = x + 1
def main x = f x
-- ---
4i32
