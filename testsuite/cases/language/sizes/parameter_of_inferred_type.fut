-- case: run ( [3i64, 1i64, 2i64] )
-- Size parameters may be sizes of types that are written nowhere.
def nothing (n: i64) : [0][n]() = []
def tagged [n] 't (x: t) = {size = nothing n, x}
def size_of [n] 't (r: {size: [0][n](), x: t}) = (n, r.x)
def numbered [n] (xs: []i64) = zip xs (iota n)
def main (xs: []i64) =
  let (n, x) = size_of (tagged 5i64 : {size: [0][7](), x: i64})
  let (ys, is) = unzip (numbered xs)
  in (n, x, ys, is)
-- ---
7i64
5i64
[3i64, 1i64, 2i64]
[0i64, 1i64, 2i64]
