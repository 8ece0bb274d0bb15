-- case: run ( 3i32 )
def main (x: i32) = let _ = x / x let _y = x let (_, _) = (x, x) in x
-- ---
3i32
