-- case: run ( [5i32, 0i32, 3i32, 0i32, 1i32] )
def main [n] (xs: [n]i32) =
  let keep = map (!= 0) xs
  let offsets = scan (+) 0 (map i64.bool keep)
  let is = map2 (\k o -> if k then o - 1 else -1) keep offsets
  in scatter (replicate offsets[n - 1] 0) is xs
-- ---
[5i32, 3i32, 1i32]
