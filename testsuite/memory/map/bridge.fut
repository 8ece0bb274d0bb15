-- Each thread builds places by a loop that reads those it wrote, and makes steps of them, backwards, in the same array.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1f32, 2f32, 4f32], [3f32, 5f32, 6f32]] [0i64, 0i64, 1i64] } output { [[1.0f32, 2.0f32, 4.0f32], [3.0f32, 5.0f32, 6.0f32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] [m] (z: [n][m]f32) (from: [m]i64): [n][m]f32 =
  map (\x ->
    let places = loop a = replicate m 0 for i < m do a with [i] = a[from[i]] + x[i]
    in loop a = places for k < m - 1 do a with [m - 1 - k] = a[m - 1 - k] - a[m - 2 - k]) z
