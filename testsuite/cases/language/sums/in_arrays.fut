-- case: run ( [1i32, -2i32, 3i32] )
-- Reference, "Compound types": arrays of sums.
type t = #neg i32 | #pos i64 | #none
def main (xs: []i32) =
  let ts: []t = map (\x -> if x < 0 then #neg x else #pos (i64.i32 x)) xs
  let ts = ts with [0] = #none
  in (map (\t -> match t case #neg x -> x case #pos x -> i32.i64 x case #none -> 100) ts, ts[1] == #neg (-2), ts == copy ts)
-- ---
[100i32, -2i32, 3i32]
true
true
