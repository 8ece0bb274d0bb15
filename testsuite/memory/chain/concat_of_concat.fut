-- Concatenations within a concatenation: all parts are computed in the outer one.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] [10] } output { [2i32, 3i32, 12i32, 13i32, 5i32, 6i32] }
-- input { empty([0]i32) [1] } output { [3i32, 4i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32) (ys: []i32): []i32 =
  (map (+ 1) xs ++ map (+ 2) ys) ++ (map (+ 3) ys ++ map (+ 4) xs)
