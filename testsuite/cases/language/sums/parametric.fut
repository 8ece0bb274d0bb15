-- case: run ( 2i32 )
-- Reference, "Type abbreviations": sums over type parameters, nested.
type option 'a = #some a | #none
def map_opt 'a 'b (f: a -> b) (o: option a): option b = match o case #some x -> #some (f x) case #none -> #none
def or 'a (o: option a) (x: a): a = match o case #some y -> y case #none -> x
def main (x: i32) =
  let nested: option (option i32) = #some (#some x)
  let f (o: option (option i32)) : i32 = match o case #some (#some 2) -> 7 case #some (#some y) -> y case #some #none -> 0 case #none -> 1
  in or (map_opt (\o -> f (#some o)) nested) 100
-- ---
7i32
