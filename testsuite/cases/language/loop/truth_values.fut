-- case: run ( [0.5f32,2.5f32,-1f32] [0.5f32,1f32,1.5f32] [0f32,3f32,3f32,0f32] [0f32,0f32,2f32,2f32] )
-- Which points lie in a polygon, by a truth value that a loop turns round; a quotient decides, also by nothing.
def main [n][m] (px: [n]f32) (py: [n]f32) (xs: [m]f32) (ys: [m]f32) =
  let crosses x y i j = (ys[i] > y) != (ys[j] > y) && x < (xs[j] - xs[i]) * (y - ys[i]) / (ys[j] - ys[i]) + xs[i]
  let inside = map2 (\x y -> loop c = false for i < m do if crosses x y i ((i + m - 1) % m) then !c else c) px py
  let less = map2 (\x y -> loop c = true for i < m do c && (x == y || 1 / xs[i] > 0)) px py
  in (inside, less)
-- ---
-- [true, true, false]
-- [true, true, true]
