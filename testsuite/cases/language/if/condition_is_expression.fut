-- case: run ( 3i32 )
def main (x: i32) = if let y = x * x in y > 5 && y < 10 then true else false
-- ---
true
