-- case: run ( 3i32 )
def main (x: i32) = let add = \(y: i32) -> x + y let twice = \z -> add (add z) in (twice 1, map twice [1, 2])
-- ---
7i32
[7i32, 8i32]
