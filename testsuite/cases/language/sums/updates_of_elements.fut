-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- Reference, "In-place updates": elements of sum type replaced in a loop.
type t [n] = #a ([n]i32) | #b i32
def main [m][n] (xss: *[m][n]i32) =
  let ts: *[m](t [n]) = map (\xs -> if xs[0] > 0 then #a xs else #b xs[0]) xss
  let ts = loop ts for i < m do ts with [i] = (match copy ts[i] case #a xs -> #a (xs with [1] = 0) case #b k -> #b k)
  in map (\t -> match t case #a xs -> xs case #b k -> replicate n k) ts
-- ---
[[1i32, 0i32], [3i32, 0i32]]
