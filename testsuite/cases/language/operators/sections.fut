-- case: run ( 10i32 3i32 )
def main (x: i32) (y: i32) = ((+ y) x, (x -) y, (- y) - x, (/ y) x, (x /) y, (-) x y, (`i32.max` y) x, (x <) y)
-- ---
13i32
7i32
-13i32
3i32
3i32
7i32
10i32
false
