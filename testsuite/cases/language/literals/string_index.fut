-- case: run ( 1i64 )
def main (i: i64) = (("abc")[i], map (+ 1) "HAL", "abc" == "abc")
-- ---
98u8
[73u8, 66u8, 77u8]
true
