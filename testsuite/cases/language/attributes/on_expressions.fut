-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = #[sequential] map (+ 1) (#[unsafe] (map (* 2) xs))
-- ---
[3i32, 5i32]
