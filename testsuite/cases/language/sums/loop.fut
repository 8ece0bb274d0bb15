-- case: run ( 5i32 )
-- Reference, "loop": a sum as a loop parameter.
def main (n: i32) =
  let r = loop (s: #even i32 | #odd f32) = #even 0 for i < n do match s case #even x -> #odd (f32.i32 (x + i)) case #odd y -> #even (i32.f32 y * 2)
  in match r case #even x -> (x, 0f32) case #odd y -> (0, y)
-- ---
-- 0i32
-- 8.0f32
