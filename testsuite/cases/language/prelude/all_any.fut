-- case: run ( [1i32, 2i32, 3i32] empty([0]i32) )
def main (xs: []i32) (none: []i32) = (all (> 0) xs, any (> 2) xs, all (> 1) xs, any (> 3) xs, all (> 0) none, any (> 0) none)
-- ---
true
true
false
false
true
false
