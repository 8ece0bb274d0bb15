-- case: run ( 3i32 true )
def pair '^a '^b '^c (x: a) (y: b) = \(k: a -> b -> c) -> k x y
def main (x: i32) (b: bool) = (pair x b (\p _ -> p), pair x b (\_ q -> q))
-- ---
3i32
true
