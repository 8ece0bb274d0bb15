-- case: run ( [1i32, 2i32, 3i32] )
def flip 'a 'b 'c (f: a -> b -> c) (x: b) (y: a) = f y x
def fold2 (op: i32 -> i32 -> i32) (xs: []i32) = foldl op 100 xs
def main (xs: []i32) = (fold2 (-) xs, fold2 (flip (-)) xs, fold2 i32.min xs, fold2 (\_ y -> y) xs)
-- ---
94i32
-98i32
1i32
3i32
