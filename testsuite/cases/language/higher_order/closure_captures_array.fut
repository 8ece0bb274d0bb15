-- case: run ( [10i32, 20i32, 30i32] 1i64 )
def lookup (xs: []i32) = \(i: i64) -> xs[i]
def main (xs: []i32) (k: i64) = let f = lookup xs let g = lookup (map (+ k |> i32.i64) xs) in (f k, g 2, map f [0, 2])
-- ---
20i32
31i32
[10i32, 30i32]
