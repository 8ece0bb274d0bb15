-- case: run ( [1i32, -2i32, 3i32] )
def positive (xs: []i32) : ?[k].[k]i32 = filter (> 0) xs
def main (xs: []i32) = let ps = positive xs in (ps, map2 (*) ps ps, length ps)
-- ---
[1i32, 3i32]
[1i32, 9i32]
2i64
