-- case: run ( [1i32, 2i32, 3i32] )
-- A branch gives the parameter, the other an array of the size that it has at first.
def main [n] (xs: [n]i32) : [n]i32 =
  loop ys = xs for i < 4 do if i == 1 then replicate n 7 else ys
-- ---
-- [7i32, 7i32, 7i32]
