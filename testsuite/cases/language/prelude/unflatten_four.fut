-- case: run ( 16i64 )
def main (n: i64) = let a: [2][2][1][4]i64 = unflatten_4d (iota n :> [2 * 2 * 1 * 4]i64) in (a[1, 1], map (map (map i64.sum)) a)
-- ---
[[12i64, 13i64, 14i64, 15i64]]
[[[6i64], [22i64]], [[38i64], [54i64]]]
