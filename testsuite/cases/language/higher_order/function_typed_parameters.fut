-- case: run ( 2i32 )
def apply2 (f: (x: i32) -> (y: i32) -> i32) (p: (i32, i32)) = f p.0 p.1
def main (x: i32) = (apply2 (\a b -> a - b) (x, 5), apply2 (let k = x in \a b -> a * b + k) (x, 5))
-- ---
-3i32
12i32
