-- Numbers after numbers.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 2i64 3i64 } output { [0i64, 1i64, 0i64, 1i64, 2i64] }
-- structure funmem { Alloc 1 Copy 0 }

def main (n: i64) (m: i64): []i64 = iota n ++ iota m
