-- case: run ( [4i32] )
-- sequential attr
def main [n] (xs: [n]i32) = #[sequential] map (+ 1) xs
-- ---
[5i32]
