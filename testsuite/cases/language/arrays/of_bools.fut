-- case: run ( [true, false, true] )
def main (bs: []bool) = (map (\b -> !b) bs, map i32.bool bs, and bs, or bs, map2 (==) bs (reverse bs))
-- ---
[false, true, false]
[1i32, 0i32, 1i32]
false
true
[true, true, true]
