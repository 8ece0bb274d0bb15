-- A fluid in a box with a moving lid by the lattice Boltzmann method with 19 directions, as Parboil's and SPEC's `lbm`: in each step
-- what flows into a cell collides there; walls throw back what comes to them. Each cell builds its 19 numbers in a loop.
--
--   echo 20i64 120i64 120i64 150i64 | fun run -e bench bench/memory/lbm.fut
-- ==
-- input { 3i64 5i64 6i64 7i64 } output @ data/lbm.out

-- Where the flow in each direction goes to, which is the opposite one, and how much there is at rest.
def directions: [19][3]i64 =
  [ [0, 0, 0], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [1, 1, 0], [-1, 1, 0], [1, -1, 0]
  , [-1, -1, 0], [0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1], [1, 0, 1], [1, 0, -1], [-1, 0, 1], [-1, 0, -1] ]
def opposite: [19]i64 = [0, 2, 1, 4, 3, 6, 5, 10, 9, 8, 7, 14, 13, 12, 11, 18, 17, 16, 15]
def weight (q: i64): f32 = if q == 0 then 1 / 3 else if q < 7 then 1 / 18 else 1 / 36

-- How fast a cell comes to rest.
def omega: f32 = 1.95

type kind = #wall | #lid | #inside

-- The walls are at the sides of the box; the cells next to the lower and the upper one move.
def kind (nx: i64) (ny: i64) (nz: i64) (x: i64) (y: i64) (z: i64): kind =
  if x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1 then #wall
  else if (z == 1 || z == nz - 2) && x > 1 && x < nx - 2 && y > 1 && y < ny - 2 then #lid
  else #inside

-- What flows out of a cell, from what flows into it.
def collide (k: kind) (f: *[19]f32): *[19]f32 =
  match k
  case #wall ->
    loop f for q < 19 do
      let r = opposite[q]
      in if q < r then (let (there, back) = (f[q], f[r]) in f with [q] = back with [r] = there) else f
  case _ ->
    let (rho, ux, uy, uz) =
      loop (rho, ux, uy, uz) = (0, 0, 0, 0) for q < 19 do
        let g = f[q]
        in (rho + g, ux + g * f32.i64 directions[q, 0], uy + g * f32.i64 directions[q, 1], uz + g * f32.i64 directions[q, 2])
    let (ux, uy, uz) =
      match k
      case #lid -> (0.005, 0.002, 0)
      case _ -> (ux / rho, uy / rho, uz / rho)
    let u2 = 1.5 * (ux * ux + uy * uy + uz * uz)
    in loop f for q < 19 do
         let e = ux * f32.i64 directions[q, 0] + uy * f32.i64 directions[q, 1] + uz * f32.i64 directions[q, 2]
         let rest = weight q * rho * (1 + 3 * e + 4.5 * e * e - u2)
         in f with [q] = (1 - omega) * f[q] + omega * rest

def step [nz] [ny] [nx] (grid: [nz][ny][nx][19]f32): *[nz][ny][nx][19]f32 =
  let clamp n i = i64.max 0 (i64.min (n - 1) i)
  in tabulate_3d nz ny nx (\z y x ->
       let into =
         loop into = replicate 19 0 for q < 19 do
           let d = directions[q]
           in into with [q] = grid[clamp nz (z - d[2]), clamp ny (y - d[1]), clamp nx (x - d[0]), q]
       in collide (kind nx ny nz x y z) into)

def simulate (steps: i64) (nx: i64) (ny: i64) (nz: i64): [nz][ny][nx][19]f32 =
  loop grid = replicate nz (replicate ny (replicate nx (tabulate 19 weight))) for _i < steps do step grid

-- How much more than at rest flows in each direction but none, and how fast the middle moves, both times a hundred.
entry main (steps: i64) (nx: i64) (ny: i64) (nz: i64): ([18]f32, [3]f32) =
  let grid = simulate steps nx ny nz
  let cells = flatten_3d grid
  let hundreds x = 100 * x
  let middle = grid[nz / 2, ny / 2, nx / 2]
  in (map (\q -> f32.sum (map (\cell -> cell[q + 1] - weight (q + 1)) cells) |> hundreds) (iota 18),
      map (\d -> f32.sum (map (\q -> middle[q] * f32.i64 directions[q, d]) (iota 19)) |> hundreds) (iota 3))

entry bench (steps: i64) (nx: i64) (ny: i64) (nz: i64): f64 =
  f64.sum (map (\cell -> f64.sum (map f64.f32 cell)) (flatten_3d (simulate steps nx ny nz)))
