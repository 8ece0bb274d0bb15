-- case: run ( 5i32 )
def ops (k: i32) = {add = \x -> x + k, mul = \(x: i32) -> x * k}
def main (x: i32) = let o = ops 3 in (o.add x, o.mul x, (o with mul = (+ 1)).mul x)
-- ---
8i32
15i32
6i32
