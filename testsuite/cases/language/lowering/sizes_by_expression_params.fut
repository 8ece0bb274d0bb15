-- case: run ( [1i32, 2i32] )
-- sizes by expression params
def f [n] (xs: [n + 1]i32): [n]i32 = init xs :> [n]i32 def main [m] (ys: [m]i32) = f (ys :> [(m - 1) + 1]i32)
-- ---
[1i32]
