-- case: run ( 2i32 )
-- records with functions
def main (x: i32) = let r = {f = \(y: i32) -> x + y, g = \(y: i32) -> x * y} in r.f 3 + r.g 4
-- ---
13i32
