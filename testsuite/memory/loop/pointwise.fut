-- Each iteration computes each element from the one at its place: in place.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3] 3 } output { [4i32, 5i32, 6i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n]i32) (k: i32): [n]i32 = loop a = xs for i < k do map (+ i) a
