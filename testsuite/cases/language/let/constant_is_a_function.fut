-- case: run ( [1i32, 2i32] )
def sum = i32.sum
def inc: i32 -> i32 = (+ 1)
def main (xs: []i32) = (sum xs, inc 3, map inc xs)
-- ---
3i32
4i32
[2i32, 3i32]
