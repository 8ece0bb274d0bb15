-- case: run ( [true, false, true, true] )
def main (bs: []bool) = (scan (+) 0 (map i64.bool bs), scan (||) false (map (!= true) bs), map (* 2) (scan (+) 0 (map i32.bool bs)))
-- ---
[1i64, 1i64, 2i64, 3i64]
[false, true, true, true]
[2i32, 2i32, 4i32, 6i32]
