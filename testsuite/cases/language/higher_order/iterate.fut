-- case: run ( 2i32 5i64 )
def iterate 'a (n: i64) (f: a -> a) (x: a) : a = loop x for _i < n do f x
def main (x: i32) (n: i64) = (iterate n (* x) 1, iterate n (\(a, b) -> (b, a + b)) (0i32, 1) |> (.0), iterate n (map (+ 1)) [x, 0])
-- ---
32i32
5i32
[7i32, 5i32]
