-- case: run ( [3i32, -1i32, 4i32] )
-- Sums as elements and operands of reduce, scan, filter, reduce_by_index and updates.
type o = #some i32 | #none
def plus (a: o) (b: o): o = match (a, b) case (#some x, #some y) -> #some (x + y) case (#none, y) -> y case (x, #none) -> x
def get (a: o): i32 = match a case #some x -> x case #none -> -1
def main (xs: []i32) =
  let os = map (\x -> if x < 0 then #none else #some x) xs
  let s = reduce plus #none os
  let k = length (filter (\o -> match o case #some _ -> true case #none -> false) os)
  let h = reduce_by_index (replicate 2 #none) plus #none [1, 1, 1] os
  let sc = scan plus #none os
  in (get s, k, map get h, map get (sc with [1] = #some 0))
-- ---
7i32
2i64
[-1i32, 7i32]
[3i32, 0i32, 7i32]
