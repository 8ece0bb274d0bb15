-- case: run ( [[1i64, 2i64, 3i64, 4i64], [5i64, 0i64, 1i64, 2i64], [-3i64, 40i64, 6i64, 1i64]] 9i64 )
-- Arrays that take turns by way of a branch: each step makes a new one and takes it or keeps the old one, as step control and line searches do.
-- The new one is made before the branch or in its arms, of sizes that are known or not; two change together; and one is kept beside the value before.
def turned [m] (ys: [m]i64): [m]i64 = map (\i -> 2 * ys[(i + 1) % m] - ys[i]) (iota m)

def steps [m] (start: [m]i64) (k: i64): [m]i64 =
  let (ys, _) = loop (ys, left) = (start, k) while left > 0 do
    let new = turned ys
    in if i64.sum (map i64.abs new) < 100 then (new, left - 1) else (ys, left - 3)
  in ys

def arms [m] (start: [m]i64) (k: i64): [m]i64 =
  loop ys = copy start for i < k do
    if i % 3 == 0 then ys else if ys[0] > 20 then map (/ 2) (reverse ys) else turned ys

def pairs (x: i64) (k: i64): [2]i64 =
  let (ys, zs) = loop (ys, zs) = ([x, 1], [x, x]) for i < k do
    let new = turned ys
    let other = map2 (-) (reverse zs) new
    in if (x + i) % 3 != 0 then (new, other) else (ys, zs)
  in map2 (+) ys zs

def lagging (x: i64) (k: i64): [3]i64 =
  let (ys, zs) = loop (ys, zs) = ([x, 1, 2], [0, x, 0]) for i < k do
    let new = map2 (-) (turned ys) zs
    in (if (x + i) % 3 != 0 then new else ys, ys)
  in map2 (+) ys zs

def main [n] [m] (xss: [n][m]i64) (k: i64): ([n][m]i64, [n][m]i64, [n][4]i64, [n][2]i64, [n][3]i64) =
  ( map (\xs -> steps xs k) xss
  , map (\xs -> arms xs k) xss
  , map (\xs -> steps [xs[0], 1, 0, xs[m - 1]] k) xss
  , map (\xs -> pairs xs[0] k) xss
  , map (\xs -> lagging xs[0] k) xss
  )
-- ---
-- [[7i64, -24i64, 25i64, 2i64], [9i64, 4i64, 13i64, -18i64], [-3i64, 40i64, 6i64, 1i64]]
-- [[-61i64, 22i64, -58i64, 101i64], [139i64, -180i64, 104i64, -60i64], [-77i64, 146i64, -303i64, 244i64]]
-- [[-3i64, 17i64, -12i64, 4i64], [17i64, 15i64, -40i64, 16i64], [-7i64, 5i64, -16i64, 17i64]]
-- [[-4i64, -4i64], [-736i64, 716i64], [728i64, -724i64]]
-- [[-212i64, 458i64, -248i64], [-497i64, -946i64, 1446i64], [203i64, 1351i64, -1554i64]]
