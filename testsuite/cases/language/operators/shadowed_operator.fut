-- case: run ( 5i32 3i32 )
def (+) (x: i32) (y: i32) = x - y
def main (x: i32) (y: i32) = x + y
-- ---
2i32
