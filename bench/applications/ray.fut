-- A ray tracer with spheres and a chequered floor, iterated reflections.
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [[8368895i32, 8368895i32, 8368895i32, 8368895i32, 8368895i32, 8368895i32], [8368895i32, 8368895i32, 8368895i32, 8368895i32, 8368895i32,
--   8368895i32], [8368895i32, 8368895i32, 8368895i32, 8368895i32, 8368895i32, 8368895i32], [8368895i32, 8155270i32, 7232625i32, 8368895i32,
--   5992038i32, 2171685i32], [3621200i32, 8424089i32, 8621725i32, 8884640i32, 9082019i32, 3884629i32], [9674157i32, 8684162i32, 9013387i32,
--   10266293i32, 10398136i32, 9738917i32]]
-- }

type vec3 = {x: f32, y: f32, z: f32}
module vec3 = {
  def dot (a: vec3) (b: vec3) = a.x * b.x + a.y * b.y + a.z * b.z
  def (+) (a: vec3) (b: vec3) : vec3 = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
  def (-) (a: vec3) (b: vec3) : vec3 = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
  def (*) (k: f32) (a: vec3) : vec3 = {x = k * a.x, y = k * a.y, z = k * a.z}
  def norm (a: vec3) : vec3 = let l = f32.sqrt (dot a a) in {x = a.x / l, y = a.y / l, z = a.z / l}
  def reflect (v: vec3) (n: vec3) : vec3 = v - ((2 f32.* dot v n) * n)
}
type material = {colour: vec3, shine: f32}
type sphere = {centre: vec3, radius: f32, material: material}
type shape = #sphere sphere | #plane {normal: vec3, d: f32, material: material}
type ray = {origin: vec3, dir: vec3}
type hit = #no_hit | #hit {t: f32, normal: vec3, material: material}

def intersect (r: ray) (s: shape) : hit =
  match s
  case #sphere {centre, radius, material} ->
    let l = centre vec3.- r.origin
    let tca = vec3.dot l r.dir
    let d2 = vec3.dot l l - tca * tca
    let r2 = radius * radius
    in if tca < 0 || d2 > r2 then #no_hit else
       let thc = f32.sqrt (r2 - d2)
       let t = if tca - thc > 1e-3 then tca - thc else tca + thc
       let p = r.origin vec3.+ (t vec3.* r.dir)
       in #hit {t, normal = vec3.norm (p vec3.- centre), material}
  case #plane {normal, d, material} ->
    let v = vec3.dot normal r.dir
    let t = -(vec3.dot normal r.origin + d) / v
    in if t < 1e-3 then #no_hit else #hit {t, normal, material}

def closest (a: hit) (b: hit) : hit =
  match (a, b)
  case (#no_hit, _) -> b
  case (_, #no_hit) -> a
  case (#hit x, #hit y) -> if x.t <= y.t then a else b

def first_hit [n] (objs: [n]shape) (r: ray) : hit =
  foldl (\best o -> closest best (intersect r o)) #no_hit objs

def light : vec3 = {x = 5, y = 10, z = -5}
def sky : vec3 = {x = 0.5, y = 0.7, z = 1}

def trace [n] (objs: [n]shape) (depth: i32) (r: ray) : vec3 =
  let (c, _, _, _) =
    loop (c, k, r, i) = ({x = 0, y = 0, z = 0}, 1f32, r, 0) while i < depth && k > 0.01 do
      match first_hit objs r
      case #no_hit -> (c vec3.+ (k vec3.* sky), 0, r, i)
      case #hit {t, normal, material} ->
        let p = r.origin vec3.+ (t vec3.* r.dir)
        let to_light = vec3.norm (light vec3.- p)
        let shadow = match first_hit objs {origin = p, dir = to_light}
                     case #no_hit -> 1f32
                     case #hit _ -> 0.3
        let lambert = f32.max 0.1 (vec3.dot normal to_light) * shadow
        let c = c vec3.+ ((k * lambert * (1 - material.shine)) vec3.* material.colour)
        in (c, k * material.shine, {origin = p, dir = vec3.norm (vec3.reflect r.dir normal)}, i + 1)
  in c

entry main (w: i64) (h: i64) (n: i64) : [h][w]i32 =
  let spheres = tabulate n (\i ->
    let a = f32.i64 i * 0.7
    in #sphere {centre = {x = 3 * f32.cos a, y = 0.3 * f32.i64 (i % 5), z = 5 + 3 * f32.sin a}, radius = 0.5,
                material = {colour = {x = 0.3 + 0.1 * f32.i64 (i % 7), y = 0.5, z = 1 - 0.1 * f32.i64 (i % 9)}, shine = 0.4}} : shape)
  let objs = spheres ++ [#plane {normal = {x = 0, y = 1, z = 0}, d = 1, material = {colour = {x = 0.8, y = 0.8, z = 0.8}, shine = 0.2}}]
  in tabulate_2d h w (\i j ->
       let dir = vec3.norm {x = (f32.i64 j - f32.i64 w / 2) / f32.i64 w, y = (f32.i64 h / 2 - f32.i64 i) / f32.i64 w, z = 1}
       let c = trace objs 4 {origin = {x = 0, y = 0.5, z = -3}, dir}
       let q v = i32.f32 (255 * f32.min 1 v)
       in (q c.x << 16) | (q c.y << 8) | q c.z)
entry mk (n: i64) = (n, n, 20i64)
