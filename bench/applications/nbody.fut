-- n-body with bodies as records and a vector module over any real.
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [0.019627f32, 0.378627f32, 0.845962f32, 0.080407f32, 0.197830f32, 0.844930f32]
--   [1.009833f32, 0.934624f32, 0.806056f32, 0.222365f32, 0.193642f32, 0.439752f32]
--   [0.285704f32, 0.634207f32, 0.799974f32, 0.093500f32, 0.573841f32, 0.359422f32]
--   [0.719255f32, 0.531730f32, 0.405310f32, 0.761694f32, 0.385013f32, 0.136724f32]
-- }

module mk_vec3 (R: real) = {
  type vector = {x: R.t, y: R.t, z: R.t}
  def zero : vector = {x = R.i32 0, y = R.i32 0, z = R.i32 0}
  def map f (a: vector) : vector = {x = f a.x, y = f a.y, z = f a.z}
  def (+) (a: vector) (b: vector) : vector = {x = a.x R.+ b.x, y = a.y R.+ b.y, z = a.z R.+ b.z}
  def (-) (a: vector) (b: vector) : vector = {x = a.x R.- b.x, y = a.y R.- b.y, z = a.z R.- b.z}
  def dot (a: vector) (b: vector) = a.x R.* b.x R.+ a.y R.* b.y R.+ a.z R.* b.z
  def scale (k: R.t) = map (k R.*)
}
module v = mk_vec3 f32
type body = {position: v.vector, velocity: v.vector, mass: f32}
def accel (epsilon: f32) (x: body) (y: body) : v.vector =
  let r = y.position v.- x.position
  let rsqr = v.dot r r + epsilon * epsilon
  let inv = 1 / f32.sqrt rsqr
  let s = y.mass * inv * inv * inv
  in v.scale s r
def accels [n] (epsilon: f32) (bodies: [n]body) : [n]v.vector =
  let move (b: body) = reduce (v.+) v.zero (map (accel epsilon b) bodies)
  in map move bodies
def advance (dt: f32) (b: body) (a: v.vector) : body =
  let position = b.position v.+ v.scale dt b.velocity
  let velocity = b.velocity v.+ v.scale dt a
  in b with position = position with velocity = velocity
entry main [n] (steps: i32) (epsilon: f32) (dt: f32) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (ms: [n]f32) (vx: [n]f32) (vy: [n]f32) (vz: [n]f32) =
  let bodies = map3 (\p m v -> {position = p, mass = m, velocity = v})
                    (map3 (\x y z -> {x, y, z}) xs ys zs) ms (map3 (\x y z -> {x, y, z}) vx vy vz)
  let final = loop bodies for _i < steps do map2 (advance dt) bodies (accels epsilon bodies)
  in unzip4 (map (\b -> (b.position.x, b.position.y, b.position.z, b.velocity.x)) final)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = let f (o: i64) = tabulate n (\i -> rndf (i + o)) in (3i32, 0.05f32, 0.01f32, f 0, f 10007, f 20011, f 30011, f 40009, f 50021, f 60013)
