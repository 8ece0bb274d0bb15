-- case: run ( [1i32, 2i32] 3i32 )
def f (a: i32) (b: i32) (c: i32) = a * b + c
def main (xs: []i32) (k: i32) = (map (f k 1) xs, map2 (f k) xs xs, map (\x -> (f k x) 1) xs)
-- ---
[4i32, 5i32]
[4i32, 8i32]
[4i32, 7i32]
