-- case: run ( 3i32 )
def main (x: i32) = let (f, g) = ((+ x), \(y: i32) -> y * x) let t = (f, 5) in (f 1, g 2, t.0 t.1)
-- ---
4i32
6i32
8i32
