-- case: run ( [1i32, 2i32] )
-- Reference, "In-place updates": the payload of a consumed sum may be consumed.
type t [n] = #own ([n]i32) | #no
def upd [n] (x: *t [n]): *t [n] = match x case #own a -> #own (a with [1] = 9) case #no -> #no
def main [n] (xs: *[n]i32) =
  let y = match upd (#own (copy xs)) case #own a -> a case #no -> replicate n 0
  let z = match (#own xs : t [n]) case #own b -> b with [0] = 5 case #no -> replicate n 1
  in (y, z)
-- ---
[1i32, 9i32]
[5i32, 2i32]
