-- case: run ( 3i32 )
def main (#[a] x: i32) = let (#[b] y) = x + 1 in y
-- ---
4i32
