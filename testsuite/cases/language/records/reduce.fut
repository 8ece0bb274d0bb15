-- case: run ( [3i32, 1i32, 2i32] )
def merge (a: {lo: i32, hi: i32}) (b: {lo: i32, hi: i32}) = {lo = i32.min a.lo b.lo, hi = i32.max a.hi b.hi}
def main (xs: []i32) =
  let r = reduce merge {lo = i32.highest, hi = i32.lowest} (map (\x -> {lo = x, hi = x}) xs)
  in (r.lo, r.hi)
-- ---
1i32
3i32
