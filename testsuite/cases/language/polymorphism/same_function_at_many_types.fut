-- case: run ( 1i8 )
def twice 'a (f: a -> a) (x: a) = f (f x)
def main (x: i8) = (twice (+ 1) x, twice (* 2) 3u64, twice (\b -> !b) true, twice (map (+ 1)) [1i32, 2])
-- ---
3i8
12u64
true
[3i32, 4i32]
