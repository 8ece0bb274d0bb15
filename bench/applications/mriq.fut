-- Q matrix of an MRI scan (Parboil's mri-q).
-- ==
-- entry: main
-- script input { mk 4i64 }
-- output {
--   [-2.145378f32, 13.710258f32, -52.872135f32, -80.514000f32]
--   [15.197330f32, -22.856359f32, 25.947710f32, 240.652603f32]
-- }

entry main [v][k] (kx: [k]f32) (ky: [k]f32) (kz: [k]f32) (x: [v]f32) (y: [v]f32) (z: [v]f32) (phi_r: [k]f32) (phi_i: [k]f32) =
  let mag = map2 (\r i -> r * r + i * i) phi_r phi_i
  let trajectory = zip4 kx ky kz mag
  in map3 (\x y z ->
       let (qr, qi) = unzip (map (\(kx, ky, kz, m) ->
                        let a = 2 * f32.pi * (kx * x + ky * y + kz * z)
                        in (m * f32.cos a, m * f32.sin a)) trajectory)
       in (f32.sum qr, f32.sum qi)) x y z |> unzip

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = let f m o = tabulate m (\i -> rndf (i + o)) in (f 512 1, f 512 1001, f 512 2001, f n 3, f n 777777, f n 999999, f 512 7001, f 512 8001)
