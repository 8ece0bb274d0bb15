-- case: run ( [3i64, 1i64, 4i64] )
-- An inner function that consumes its array in a loop.
def insert [n] (a: *[n]i64) (x: i64): *[n]i64 =
  let (a, _, _) = loop (a, i, x) = (a, 0, x) while i < n do if a[i] > x then let t = copy a[i] in (a with [i] = x, i + 1, t) else (a, i + 1, x) in a
def main (xs: []i64) = map (\k -> let s = loop s = replicate k 100 for i < k do insert s (k - i) in if k > 3 then s[0] + s[3] else s[k-1]) xs
-- ---
[3i64, 1i64, 5i64]
