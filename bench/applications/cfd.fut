-- Euler equations on an unstructured grid (Rodinia's cfd).
-- ==
-- entry: main
-- script input { mk 4i64 }
-- output {
--   [1.400092f32, 1.399924f32, 1.397715f32, 1.400530f32]
--   [1.679712f32, 1.679863f32, 1.675898f32, 1.680525f32]
--   [-0.000813f32, 0.000192f32, 0.000553f32, 0.000372f32]
--   [0.000481f32, -0.000596f32, -0.000607f32, 0.000060f32]
--   [3.508298f32, 3.507754f32, 3.500644f32, 3.509706f32]
-- }

type vec3 = {x: f32, y: f32, z: f32}
module vec = {
  def dot (a: vec3) (b: vec3) = a.x * b.x + a.y * b.y + a.z * b.z
  def zero : vec3 = {x = 0, y = 0, z = 0}
  def (+) (a: vec3) (b: vec3) : vec3 = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
  def (-) (a: vec3) (b: vec3) : vec3 = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
  def scale (s: f32) (a: vec3) : vec3 = {x = s * a.x, y = s * a.y, z = s * a.z}
  def norm a = f32.sqrt (dot a a)
}
type state = {density: f32, momentum: vec3, energy: f32}
type flux = {momentum: {x: vec3, y: vec3, z: vec3}, energy: vec3}

def gamma = 1.4f32
def mach = 1.2f32
def nnb = 4i64
def smoothing = 0.2f32

def velocity (s: state) : vec3 = vec.scale (1 / s.density) s.momentum
def pressure (s: state) (speed_sqd: f32) = (gamma - 1) * (s.energy - 0.5 * s.density * speed_sqd)
def speed_of_sound (density: f32) (p: f32) = f32.sqrt (gamma * p / density)

def flux_contribution (s: state) (p: f32) (v: vec3) : flux =
  let fx = {x = v.x * s.momentum.x + p, y = v.x * s.momentum.y, z = v.x * s.momentum.z}
  let fy = {x = fx.y, y = v.y * s.momentum.y + p, z = v.y * s.momentum.z}
  let fz = {x = fx.z, y = fy.z, z = v.z * s.momentum.z + p}
  in {momentum = {x = fx, y = fy, z = fz}, energy = vec.scale (s.energy + p) v}

def zero : state = {density = 0, momentum = vec.zero, energy = 0}
def add (a: state) (b: state) : state =
  {density = a.density + b.density, momentum = a.momentum vec.+ b.momentum, energy = a.energy + b.energy}
def scale (k: f32) (a: state) : state = {density = k * a.density, momentum = vec.scale k a.momentum, energy = k * a.energy}

def far : state =
  let p = 1f32
  let c = f32.sqrt (gamma * p / 1.4)
  let v = {x = mach * c, y = 0f32, z = 0f32}
  in {density = 1.4, momentum = vec.scale 1.4 v, energy = 1.4 * (0.5 * mach * c * mach * c) + p / (gamma - 1)}

def far_flux : flux =
  let v = velocity far
  in flux_contribution far (pressure far (vec.dot v v)) v

def step_factor (s: state) (area: f32) =
  let v = velocity s
  let sq = vec.dot v v
  let p = pressure s sq
  in 0.5 / (f32.sqrt area * (f32.sqrt sq + speed_of_sound s.density p))

def compute_flux [n] (neighbours: [nnb][n]i32) (normals: [3][nnb][n]f32) (states: [n]state) : [n]state =
  let at i =
    let s = states[i]
    let v = velocity s
    let sq = vec.dot v v
    let speed = f32.sqrt sq
    let p = pressure s sq
    let c = speed_of_sound s.density p
    let fc = flux_contribution s p v
    in loop acc = zero for j < nnb do
         let normal = {x = normals[0, j, i], y = normals[1, j, i], z = normals[2, j, i]}
         let len = vec.norm normal
         let directed (k: f32) (a: flux) (b: flux) : state =
           let along (u: vec3) (w: vec3) = k * vec.dot normal (u vec.+ w)
           in {density = 0,
               momentum = {x = along a.momentum.x b.momentum.x, y = along a.momentum.y b.momentum.y, z = along a.momentum.z b.momentum.z},
               energy = along a.energy b.energy}
         in if neighbours[j, i] >= 0 then
              let t = states[neighbours[j, i]]
              let tv = velocity t
              let tsq = vec.dot tv tv
              let tp = pressure t tsq
              let tc = speed_of_sound t.density tp
              let tf = flux_contribution t tp tv
              let factor = -len * smoothing * 0.5 * (speed + f32.sqrt tsq + c + tc)
              let diff : state = {density = s.density - t.density, momentum = s.momentum vec.- t.momentum, energy = s.energy - t.energy}
              let d = directed 0.5 tf fc
              let d = d with density = 0.5 * vec.dot normal (t.momentum vec.+ s.momentum)
              in acc `add` scale factor diff `add` scale (-1) d |> (\a -> a)
            else if neighbours[j, i] == -1 then
              acc with momentum = acc.momentum vec.+ vec.scale p normal
            else if neighbours[j, i] == -2 then
              let d = directed 0.5 far_flux fc
              let d = d with density = 0.5 * vec.dot normal (far.momentum vec.+ s.momentum)
              in acc `add` d
            else acc
  in tabulate n at

entry main [n] (areas: [n]f32) (neighbours: [nnb][n]i32) (normals: [3][nnb][n]f32) (iterations: i32) =
  let final =
    loop states = replicate n far for _i < iterations do
      let old = states
      let factors = map2 step_factor states areas
      in loop states for k < 3i32 do
           let fluxes = compute_flux neighbours normals states
           let factor f = f / f32.i32 (4 - k)
           in map3 (\o f fl -> o `add` scale (factor f) fl) old factors fluxes
  in unzip5 (map (\(s: state) -> (s.density, s.momentum.x, s.momentum.y, s.momentum.z, s.energy)) final)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) = f32.u32 (rnd i) / 268435456f32

entry mk (n: i64) =
  (tabulate n (\i -> 100 + rndf i), tabulate_2d nnb n (\j i -> let r = rnd (i * 4 + j) in
      if r % 17 == 0 then -1i32 else if r % 17 == 1 then -2 else i32.i64 ((i + i64.u32 (r % 200) - 100 + n) % n)),
   tabulate_3d 3 nnb n (\k j i -> (rndf (k * 991 + j * 77 + i) - 0.5) * 0.01), 8i32)
