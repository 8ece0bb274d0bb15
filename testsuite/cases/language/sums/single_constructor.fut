-- case: run ( 5i32 )
-- Reference, "Patterns": the pattern of an only constructor is irrefutable.
type t = #pair i32 i32
def f ((#pair a b): t) = a - b
def main (x: i32) = let #pair a b = (#pair x 2 : t) in (f (#pair a b), loop (#pair a b : t) = #pair 1 1 for i < x do #pair b (a + b))
-- ---
3i32
0u8
8i32
13i32
