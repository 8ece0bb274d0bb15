-- Parts that are no maps: a scan, equal numbers, and consecutive ones.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [1i32, 3i32, 6i32, 7i32, 7i32, 7i32, 0i32, 1i32, 2i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]i32): []i32 = scan (+) 0 xs ++ replicate n 7 ++ map i32.i64 (iota n)
