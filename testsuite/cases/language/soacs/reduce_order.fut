-- case: run ( [2i32, 3i32, 5i32, 7i32] )
-- Composition of x -> a*x + b is associative but does not commute: the order of the elements matters.
def main (xs: []i32) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x, x + 1)) xs)
-- ---
210i32
505i32
