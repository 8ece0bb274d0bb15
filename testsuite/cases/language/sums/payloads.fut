-- case: run ( 5i32 )
-- Reference, "Compound types": constructors with and without payloads.
type shape = #circle f32 | #rectangle f32 f32 | #empty
def area (s: shape) = match s case #circle r -> r * r case #rectangle a b -> a * b case #empty -> 0
def main (x: i32) =
  (area (#circle (f32.i32 x)), area (#rectangle 2 3), area #empty)
-- ---
-- 25.0f32
-- 6.0f32
-- 0.0f32
