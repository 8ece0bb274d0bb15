-- Particles in boxes, forces between those of neighbouring boxes (Rodinia's lavaMD).
-- ==
-- entry: check
-- input { 2i64 }
-- output {
--   [40673.210938f32, 40855.328125f32, 41006.140625f32, 40162.601562f32, 39718.039062f32, 41140.562500f32, 41127.789062f32, 39878.554688f32]
--   [-102.307716f32, -732.443848f32, 1241.727173f32, 98.816109f32, -142.920441f32, -893.077881f32, 990.565430f32, -191.862793f32]
--   [-1212.230469f32, 1578.564819f32, -669.407227f32, -195.885223f32, -1910.553955f32, 1021.438721f32, 981.011353f32, 471.146332f32]
--   [248.138397f32, 1592.598389f32, 1352.269287f32, 796.151550f32, -2752.231934f32, 954.376282f32, 2249.851318f32, -1684.534180f32]
-- }

type vec3 = {x: f32, y: f32, z: f32}
def dot (a: vec3) (b: vec3) = a.x * b.x + a.y * b.y + a.z * b.z
def per_box = 100i64

entry main [boxes] (alpha: f32) (numbers: [boxes]i64) (nn: [boxes]i32) (neighbours: [26][boxes]i32)
    (pv: [boxes][per_box]f32) (px: [boxes][per_box]f32) (py: [boxes][per_box]f32) (pz: [boxes][per_box]f32)
    (charge: [boxes][per_box]f32) =
  let a2 = 2 * alpha * alpha
  let rv = map4 (\a b c d -> map4 (\v x y z -> (v, {x, y, z})) a b c d) pv px py pz
  let box (b: i64) (number: i64) (count: i32) =
    let particle (v0: f32, (p0: vec3)) =
      loop (fv, f) = (0f32, {x = 0f32, y = 0f32, z = 0f32}) for k < count + 1 do
        let pointer = if k > 0 then i64.i32 neighbours[k - 1, b] else number
        let others = rv[pointer]
        let charges = charge[pointer]
        in loop (fv, f) for j < per_box do
             let (v1, p1) = others[j]
             let r2 = v0 + v1 - dot p0 p1
             let u2 = a2 * r2
             let vij = f32.exp (-u2)
             let fs = 2 * vij
             let d : vec3 = {x = p0.x - p1.x, y = p0.y - p1.y, z = p0.z - p1.z}
             let q = charges[j]
             in (fv + q * vij, {x = f.x + q * fs * d.x, y = f.y + q * fs * d.y, z = f.z + q * fs * d.z})
    in map particle rv[number]
  let result = map3 box (iota boxes) numbers nn
  in (map (map (.0)) result, map (map (\(_, f) -> f.x)) result, map (map (\(_, f) -> f.y)) result, map (map (\(_, f) -> f.z)) result)

def rndf (i: i64) =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in f32.u32 ((x ^ (x >> 13)) >> 8) / 16777216f32
entry mk (n: i64) =
  let boxes = n * n * n
  let f (o: i64) = tabulate_2d boxes per_box (\i j -> rndf (o + i * per_box + j) * 0.9 + 0.1)
  let all = tabulate boxes (\b ->
    let (z, y, x) = (b / (n * n), (b / n) % n, b % n)
    in loop (c, ns) = (0i32, replicate 26 0i32) for k < 27i64 do
         let (dz, dy, dx) = (k / 9 - 1, (k / 3) % 3 - 1, k % 3 - 1)
         let (z', y', x') = (z + dz, y + dy, x + dx)
         in if k != 13 && z' >= 0 && z' < n && y' >= 0 && y' < n && x' >= 0 && x' < n
            then (c + 1, ns with [c] = i32.i64 (z' * n * n + y' * n + x')) else (c, ns))
  let (c, ns) = unzip all
  in (0.5f32, iota boxes, c, transpose ns, f 0, f 1000003, f 2000003, f 3000017, f 4000037)

entry check (n: i64) =
  let (alpha, numbers, count, neighbours, v, x, y, z, q) = mk n
  let (fv, fx, fy, fz) = main alpha numbers count neighbours v x y z q
  in (map f32.sum fv, map f32.sum fx, map f32.sum fy, map f32.sum fz)
