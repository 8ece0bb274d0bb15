-- case: run ( [3i64, 1i64, 4i64] )
-- Reference, "Compound types": arrays of sums with arrays in their payloads; equality of them.
type t [m] = #arr ([m]i64) | #neg | #pair i64 ([m]bool)
def f [m] (x: t [m]) (y: t[m]): i64 = match (x, y) case (#arr a, #arr b) -> i64.sum (map2 (*) a b) case (#neg, #neg) -> -3 case (_, #pair k b) -> k + i64.bool b[0] case (_, _) -> -1
def main (xs: []i64) =
  let ts: [](t [2]) = map (\x -> if x == 3 then #arr [x - 1, x - 1] else if x == 1 then #neg else #pair x [false, true]) xs
  let us = map (\t -> match t case #arr a -> #arr (map (/2) a) case other -> other) ts
  in (map2 f ts us, ts == copy ts, ts == us)
-- ---
[4i64, -3i64, 4i64]
true
false
