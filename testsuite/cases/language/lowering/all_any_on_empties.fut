-- case: run ( 0i64 )
-- all any on empties
def main (n: i64) = (all (> 0) (iota n), any (> 0) (iota n))
-- ---
true
false
