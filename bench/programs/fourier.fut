-- The discrete Fourier transform of 2^m complex numbers, in m steps that need no rearrangement before or after.
-- ==
-- notest random input { [262144]f32 [262144]f32 }
-- nobench input { [1f32, 2f32, 3f32, 4f32] [0f32, 0f32, 1f32, 0f32] } output { [10f32, -2f32, -2f32, -2f32] [1f32, 1f32, 1f32, -3f32] }

entry main [n] (re: [n]f32) (im: [n]f32): ([n]f32, [n]f32) =
  let half = n / 2
  let angle j = -f32.pi * f32.i64 j / f32.i64 half
  let (cosines, sines) = (map (angle >-> f32.cos) (iota half), map (angle >-> f32.sin) (iota half))
  let (re, im, _) =
    loop (re, im, s) = (re, im, 1) while s < n do
      let groups = half / s
      let out part = flatten_3d (tabulate_3d groups 2 s (\q h r -> part (q * s + r) r h)) :> [n]f32
      let turned k r =
        let (c, d) = (cosines[r * groups], sines[r * groups])
        in (re[k + half] * c - im[k + half] * d, re[k + half] * d + im[k + half] * c)
      let real k r h = let (x, _) = turned k r in if h == 0 then re[k] + x else re[k] - x
      let imaginary k r h = let (_, y) = turned k r in if h == 0 then im[k] + y else im[k] - y
      in (out real, out imaginary, s * 2)
  in (re, im)
