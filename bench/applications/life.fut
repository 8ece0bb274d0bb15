-- Game of life as a module over automata.
-- ==
-- entry: main
-- script input { mk 8i64 }
-- output {
--   [[false, false, false, false, false, false, false, false], [false, false, false, false, false, true, true, false], [false, false, false,
--   false, false, true, true, false], [false, false, false, false, false, false, false, false], [false, false, false, false, false, false,
--   false, false], [false, false, false, false, false, false, false, false], [false, false, false, false, false, false, false, false], [false,
--   false, false, false, false, false, false, false]]
-- }

module type rules = {
  type cell
  val value : cell -> i32
  val next : i32 -> cell -> cell
}
module automaton (R: rules) = {
  def step [n][m] (world: [n][m]R.cell) : [n][m]R.cell =
    let vals = map (map R.value) world
    let around = map2 (map2 (+)) (map2 (map2 (+)) (rotate 1 vals) (rotate (-1) vals))
                 (map2 (map2 (+)) (map2 (map2 (+)) (map (rotate 1) vals) (map (rotate (-1)) vals))
                       (map2 (map2 (+)) (map2 (map2 (+)) (rotate 1 (map (rotate 1) vals)) (rotate (-1) (map (rotate 1) vals)))
                                        (map2 (map2 (+)) (rotate 1 (map (rotate (-1)) vals)) (rotate (-1) (map (rotate (-1)) vals)))))
    in map2 (map2 R.next) around world
}
module conway = automaton {
  type cell = bool
  def value (c: cell) = i32.bool c
  def next (n: i32) (c: cell) = n == 3 || (c && n == 2)
}
entry main [n][m] (steps: i32) (world: [n][m]bool) : [n][m]bool =
  loop world for _i < steps do conway.step world

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (20i32, tabulate_2d n n (\i j -> rnd (i * n + j) % 3 == 0))
