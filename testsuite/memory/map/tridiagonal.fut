-- Each thread solves a system: one array forwards, then backwards in place; the other is only its own.
-- ideal: /Alloc 2 /Kernel/Alloc 0 Copy 0
-- ==
-- input { [[1f32, 2f32, 4f32], [3f32, 5f32, 6f32]] } output { [[0.19642857f32, 0.21428572f32, 0.94642854f32], [0.55357146f32, 0.78571427f32, 1.3035715f32]] }
-- structure funmem { /Alloc 1 /Kernel/Alloc 1 Copy 1 }

def main [n] [m] (y: [n][m]f32): [n][m]f32 =
  map (\y ->
    let (u, y) = loop (u, x) = (replicate m 4, copy y) for i < m - 1 do
                   let f = 1 / u[i]
                   in (u with [i + 1] = u[i + 1] - f, x with [i + 1] = x[i + 1] - f * x[i])
    in loop y for k < m do
         let i = m - 1 - k
         in y with [i] = (y[i] - (if i < m - 1 then y[i + 1] else 0)) / u[i]) y
