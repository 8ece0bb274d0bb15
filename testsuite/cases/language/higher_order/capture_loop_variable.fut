-- case: run ( 3i32 )
def main (n: i32) = loop xs = [0, 0] for i < n do map (\x -> x * i + n) xs
-- ---
[15i32, 15i32]
