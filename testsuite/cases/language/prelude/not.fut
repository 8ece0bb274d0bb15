-- case: run ( [true, false] )
def main (bs: []bool) = (map (\b -> !b) bs, filter (\b -> not b) bs, map not bs)
-- ---
[false, true]
[false]
[false, true]
