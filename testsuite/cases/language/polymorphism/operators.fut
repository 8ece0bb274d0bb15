-- case: run ( [1i32, 2i32, 3i32] )
def fold_pairs 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a) = foldl op ne xs
def main (xs: []i32) = (fold_pairs (+) 0 xs, fold_pairs (&&) true (map (> 0) xs), fold_pairs (\x y -> y - x) 0 xs)
-- ---
6i32
true
2i32
