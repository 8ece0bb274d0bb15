-- case: run ( [0i32, 1i32] 4611686018427387904i64 )
-- 4 * 2^62 is 0 modulo 2^64, and still outside.
def main (xs: []i32) (stride: i64) = intrinsics.flat_index_2d xs 0 5 stride 2 1
-- ---
-- Flat slice 0 + {(5 : 4611686018427387904)(2 : 1)} out of bounds for array of shape [2] at flat_index_far.fut:3:38 in main
