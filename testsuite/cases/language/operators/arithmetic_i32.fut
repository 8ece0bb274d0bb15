-- case: run ( 17i32 5i32 )
def main (x: i32) (y: i32) = (x + y, x - y, x * y, x / y, x % y, x ** y)
-- ---
22i32
12i32
85i32
3i32
2i32
1419857i32
