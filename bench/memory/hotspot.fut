-- Heat on a chip, as Rodinia's `hotspot` simulates it: each step computes the temperature of each cell from its neighbours, of
-- which there are two at a corner, three at an edge and four inside. The nine parts are computed on their own and concatenated.
--
--   echo 1024i64 10i64 | fun run -e bench bench/memory/hotspot.fut
-- ==
-- input { 0i64 [[80f32, 81f32], [82f32, 83f32]] [[0f32, 0f32], [0f32, 0f32]] }
-- output { [[80f32, 81f32], [82f32, 83f32]] }

-- Rodinia's chip: half a millimetre thick, 16 mm wide and high, the surroundings at 80 degrees.
def chip: {thickness: f32, width: f32, capacity: f32, conductivity: f32} =
  {thickness = 0.0005, width = 0.016, capacity = 1.75e6, conductivity = 100}
def surroundings: f32 = 80
-- What heat can build up at most, and how precise a step shall be.
def most_power: f32 = 3e6
def precision: f32 = 0.001

type constants = {step: f32, rx: f32, ry: f32, rz: f32}

def constants (rows: i64) (columns: i64): constants =
  let height = chip.width / f32.i64 rows
  let width = chip.width / f32.i64 columns
  let capacity = 0.5 * chip.capacity * chip.thickness * width * height
  let rx = width / (2 * chip.conductivity * chip.thickness * height)
  let ry = height / (2 * chip.conductivity * chip.thickness * width)
  let rz = chip.thickness / (chip.conductivity * height * width)
  let steepest = most_power / (0.5 * chip.thickness * chip.capacity)
  in {step = precision / steepest / capacity, rx = 1 / rx, ry = 1 / ry, rz = 1 / rz}

-- The next temperature of a cell from its own, the differences to the neighbours in both directions added up, and its power.
def next (c: constants) (here: f32) (vertical: f32) (horizontal: f32) (power: f32): f32 =
  here + c.step * (power + vertical * c.ry + horizontal * c.rx + (surroundings - here) * c.rz)

-- One step, at least two rows and columns.
def step [n] [m] (c: constants) (t: [n][m]f32) (p: [n][m]f32): [n][m]f32 =
  let (b, r) = (n - 1, m - 1)
  let corner i j k l = next c t[i, j] (t[k, j] - t[i, j]) (t[i, l] - t[i, j]) p[i, j]
  -- a row at the edge, whose only vertical neighbour is row k, without its corners
  let row i k =
    tabulate (m - 2) (\j -> let j = j + 1
                            in next c t[i, j] (t[k, j] - t[i, j]) (t[i, j - 1] + t[i, j + 1] - 2 * t[i, j]) p[i, j])
  -- a column at the edge, whose only horizontal neighbour is column l, without its corners
  let column j l =
    tabulate (n - 2) (\i -> let i = i + 1
                            in next c t[i, j] (t[i - 1, j] + t[i + 1, j] - 2 * t[i, j]) (t[i, l] - t[i, j]) p[i, j])
  let inside =
    tabulate_2d (n - 2) (m - 2) (\i j ->
      let (i, j) = (i + 1, j + 1)
      in next c t[i, j] (t[i - 1, j] + t[i + 1, j] - 2 * t[i, j]) (t[i, j - 1] + t[i, j + 1] - 2 * t[i, j]) p[i, j])
  let top = [corner 0 0 1 1] ++ row 0 1 ++ [corner 0 r 1 (r - 1)]
  let bottom = [corner b 0 (b - 1) 1] ++ row b (b - 1) ++ [corner b r (b - 1) (r - 1)]
  -- columns are rows of the transposed matrix
  let middle = [column 0 1] ++ transpose inside ++ [column r (r - 1)]
  in ([top :> [m]f32] ++ (transpose middle :> [n - 2][m]f32) ++ [bottom :> [m]f32]) :> [n][m]f32

def simulate [n] [m] (steps: i64) (t: [n][m]f32) (p: [n][m]f32): [n][m]f32 =
  let c = constants n m
  in loop t for _i < steps do step c t p

entry main [n] [m] (steps: i64) (t: [n][m]f32) (p: [n][m]f32): [n][m]f32 = simulate steps t p

-- The same with neighbours outside of the chip as warm as the cell itself.
def plain [n] [m] (c: constants) (t: [n][m]f32) (p: [n][m]f32): [n][m]f32 =
  let at i j = t[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
  in tabulate_2d n m (\i j -> next c t[i, j] (at (i - 1) j + at (i + 1) j - 2 * t[i, j])
                                             (at i (j - 1) + at i (j + 1) - 2 * t[i, j]) p[i, j])

-- A number between 0 and 1 for each index: the hash of the index, the same everywhere.
def random (seed: u32) (i: i64): f32 =
  let x = u32.i64 i * 747796405 + seed * 2891336453 + 1
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in f32.u32 ((x ^ (x >> 16)) >> 8) / 16777216

def temperatures (n: i64) (m: i64): [n][m]f32 = tabulate_2d n m (\i j -> 323 + 20 * random 1 (i * m + j))
def powers (n: i64) (m: i64): [n][m]f32 = tabulate_2d n m (\i j -> 0.0001 * random 2 (i * m + j))

-- Against the plain version.
-- ==
-- entry: test
-- input { 2i64 3i64 } output { true }
-- input { 3i64 4i64 } output { true }
-- input { 9i64 10i64 } output { true }

entry test (n: i64) (steps: i64): bool =
  let (t, p) = (temperatures n (n + 1), powers n (n + 1))
  let wanted = loop t for _i < steps do plain (constants n (n + 1)) t p
  let close x y = f32.abs (x - y) <= 0.00001 * f32.abs y
  in and (map2 (\a b -> and (map2 close a b)) (simulate steps t p) wanted)

entry bench (n: i64) (steps: i64): f64 =
  let t = simulate steps (temperatures n n) (powers n n)
  in f64.sum (map (\row -> f64.sum (map f64.f32 row)) t) / f64.i64 (n * n)
