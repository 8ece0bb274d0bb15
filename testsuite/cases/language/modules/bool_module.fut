-- case: run ( [true, false] )
def main (bs: []bool) = (map i64.bool bs, bool.i64 3, bool.bool true)
-- ---
[1i64, 0i64]
true
true
