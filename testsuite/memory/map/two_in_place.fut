-- Two arrays are consumed by one map of two results.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2] [3, 4] } output { [4i32, 6i32] [-2i32, -2i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n]i32) (ys: *[n]i32): ([n]i32, [n]i32) = unzip (map2 (\x y -> (x + y, x - y)) xs ys)
