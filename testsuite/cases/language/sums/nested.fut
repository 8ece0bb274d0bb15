-- case: run ( 4i32 )
-- Reference, "match": patterns inside of patterns.
type leaf = #one i32 | #two i32 i32
type tree = #leaf leaf | #node {left: leaf, right: (leaf, bool)}
def sum (t: tree) : i32 =
  match t
  case #leaf (#one x) -> x
  case #leaf (#two x y) -> x + y
  case #node {left = #one x, right = (#one y, true)} -> x * y
  case #node {left = _, right = (_, b)} -> if b then -1 else -2
def main (x: i32) =
  (sum (#leaf (#one x)), sum (#leaf (#two x x)), sum (#node {left = #one x, right = (#one 3, true)}),
   sum (#node {left = #two x x, right = (#one x, false)}))
-- ---
4i32
8i32
12i32
-2i32
