-- case: run ( [3i32, 1i32, 2i32] )
def main [n] (xs: [n]i32) = let s = scan (+) 0 xs in map (\i -> if i == 0 then 0 else s[i - 1]) (iota n)
-- ---
[0i32, 3i32, 4i32]
