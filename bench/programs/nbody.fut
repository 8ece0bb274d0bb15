-- Accelerations of bodies that attract each other, each pair of them.
-- ==
-- notest random input { [4096]f32 [4096]f32 [4096]f32 [4096]f32 }
-- nobench input { [0f32, 1f32, 2f32] [1f32, 1f32, 0f32] [0f32, 2f32, 2f32] [1f32, 2f32, 3f32] }
-- output { [0.359966f32, 0.681419f32, -0.574268f32] [-0.102456f32, -0.758947f32, 0.540116f32] [0.515021f32, -0.155055f32, -0.068304f32] }

entry main [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (masses: [n]f32): ([n]f32, [n]f32, [n]f32) =
  let pull (x, y, z) (x', y', z') mass =
    let (dx, dy, dz) = (x' - x, y' - y, z' - z)
    let r = dx * dx + dy * dy + dz * dz + 0.5
    let s = mass / f32.sqrt (r * r * r)
    in (dx * s, dy * s, dz * s)
  let sum = reduce (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
  in unzip3 (map (\at -> sum (map2 (pull at) (zip3 xs ys zs) masses)) (zip3 xs ys zs))
