-- case: run ( [1i32, 2i32] 3i64 )
-- Reference, "In-place updates": a loop that consumes the payload of its parameter.
type t [n] = #a ([n]i32) | #b
def main [n] (xs: *[n]i32) (k: i64) =
  let r = loop (s: *t [n]) = #a xs for i < k do
    match s case #a ys -> let ys = loop ys for j < n do ys with [j] = i32.i64 i + 1 in #a ys
            case #b -> #b
  in match r case #a ys -> ys case #b -> replicate n 0
-- ---
[3i32, 3i32]
