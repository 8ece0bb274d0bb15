-- case: run ( 3i64 )
def main (n: i64) = let ts = replicate n (0i32, true) let ts[1] = (4, false) let ts[2] = (ts[1].0 + 1, true) in unzip ts
-- ---
[0i32, 4i32, 5i32]
[true, false, true]
