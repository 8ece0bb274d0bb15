-- case: run ( [1i32, 2i32, 3i32] )
-- Reference, "Compound types": arrays of constructors without payload through tabulate, unzip and scatter.
type c = #red | #green | #blue
def main (xs: []i32) =
  let cs = map (\x -> match x case 1 -> #red case 2 -> #green case _ -> #blue : c) xs
  let cs[1] = #red
  let t = tabulate 3 (\i -> (cs[i], i))
  let (ds, _) = unzip t
  let r = scatter (copy ds) [2] [#blue]
  in map (\c -> match c case #red -> 1i32 case #green -> 5 case #blue -> 9) r
-- ---
[1i32, 1i32, 9i32]
