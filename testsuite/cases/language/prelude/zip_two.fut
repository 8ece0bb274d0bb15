-- case: run ( [1i32, 2i32] [true, false] )
def main [n] (xs: [n]i32) (bs: [n]bool) = let ps = zip xs bs let (a, b) = unzip ps in (a, b, ps[1].0, (unzip (reverse ps)).1)
-- ---
[1i32, 2i32]
[true, false]
2i32
[false, true]
