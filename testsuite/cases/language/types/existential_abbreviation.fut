-- case: run ( [1i32, 5i32] )
type~ some = ?[k].[k]i32
def big (xs: []i32) : some = filter (> 2) xs
def main (xs: []i32) = big xs
-- ---
[5i32]
