-- case: run ( 2i32 )
-- Reference, "Modules": a sum type as a member of a module.
type e = #lit i32 | #add i32 i32 | #neg {x: i32}
module m = { type t = e def go (x: t): i32 = match x case #lit k -> k case #add a b -> a + b case #neg {x} -> -x }
def main (x: i32) = m.go (match x case 2 -> #add x 10 case n -> #lit (n + 100))
-- ---
12i32
