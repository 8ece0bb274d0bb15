-- case: run ( [1i32, 2i32] true )
-- Reference, "In-place updates": the array may be in the payload of either constructor.
type t = #a ([2]i32) | #b ([2]i32) i32
def f (x: *t): *t = match x case #a xs -> #b xs 1 case #b ys k -> #a (ys with [1] = k)
def main (xs: *[2]i32) (b: bool): [2]i32 =
  let t: t = if b then #b xs 7 else #a xs
  let u = f t
  in match u case #a xs -> xs case #b xs _ -> xs
-- ---
[1i32, 7i32]
