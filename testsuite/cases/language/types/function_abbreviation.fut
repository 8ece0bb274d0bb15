-- case: run ( 3i32 )
type^ fn 'a = a -> a
def twice (f: fn i32) : fn i32 = \x -> f (f x)
def main (x: i32) = twice (+ 1) x
-- ---
5i32
