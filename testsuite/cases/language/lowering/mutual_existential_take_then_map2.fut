-- case: run ( 1i64 [3i32, 4i32] )
-- mutual existential: take then map2
def main [n] (k: i64) (xs: [n]i32) = map2 (*) (take k xs) (drop 0 (take k xs) :> [k]i32)
-- ---
[9i32]
