-- Back-propagation, one hidden layer (Rodinia's backprop).
-- ==
-- entry: main
-- script input { mk 2i64 }
-- output {
--   0.105289f32
--   0.102646f32
--   [[-0.500000f32, -0.136420f32, 0.331940f32, -0.441559f32, -0.312922f32, 0.339688f32, -0.441762f32, -0.126096f32, 0.397234f32, 0.076063f32,
--   -0.297561f32, -0.466244f32, -0.442139f32, 0.473096f32, -0.228951f32, 0.349183f32], [0.400429f32, 0.438146f32, -0.244209f32, 0.397857f32,
--   0.427766f32, -0.271904f32, -0.013778f32, 0.139507f32, -0.384556f32, 0.081339f32, 0.445688f32, 0.338835f32, 0.460754f32, 0.204034f32,
--   0.198578f32, 0.116378f32]]
--   [[0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32,
--   0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32], [0.000972f32, -0.001352f32, -0.001295f32, 0.000589f32,
--   -0.000328f32, 0.000355f32, 0.000489f32, -0.001144f32, -0.000278f32, -0.001113f32, -0.000382f32, 0.000432f32, 0.000502f32, 0.000575f32,
--   0.000334f32, 0.001056f32]]
--   [[-0.357242f32], [0.456837f32], [0.436663f32], [-0.223176f32], [0.098091f32], [-0.139089f32], [-0.185953f32], [0.382482f32], [0.082592f32],
--   [0.371792f32], [0.116763f32], [-0.167884f32], [-0.193225f32], [-0.216983f32], [-0.132915f32], [-0.383974f32]]
--   [[-0.016938f32], [-0.017052f32], [-0.015096f32], [-0.016932f32], [-0.017020f32], [-0.015012f32], [-0.015752f32], [-0.016197f32],
--   [-0.014692f32], [-0.016030f32], [-0.017071f32], [-0.016764f32], [-0.017112f32], [-0.016377f32], [-0.016362f32], [-0.016124f32]]
-- }

def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))
def momentum = 0.3f32
def eta = 0.3f32

def layer_forward [n1][n2] (l1: [n1]f32) (conn: [n1][n2]f32) : [n2]f32 =
  map (\weights -> sigmoid (f32.sum (map2 (*) weights l1))) (transpose conn)

def output_error [n] (target: [n]f32) (output: [n]f32) : (f32, [n]f32) =
  let deltas = map2 (\t o -> o * (1 - o) * (t - o)) target output
  in (f32.sum (map f32.abs deltas), deltas)

def hidden_error [nh][no] (delta_o: [no]f32) (who: [nh][no]f32) (hidden: [nh]f32) : (f32, [nh]f32) =
  let deltas = map2 (\h row -> h * (1 - h) * f32.sum (map2 (*) delta_o row)) hidden who
  in (f32.sum (map f32.abs deltas), deltas)

def adjust [nd][nl] (delta: [nd]f32) (ly: [nl]f32) (w: [nl][nd]f32) (oldw: [nl][nd]f32) : ([nl][nd]f32, [nl][nd]f32) =
  map3 (\w_row oldw_row k ->
          map3 (\w oldw d ->
                  let new_dw = eta * d * k + momentum * oldw
                  in (w + new_dw, new_dw)) w_row oldw_row delta |> unzip)
       w oldw ly |> unzip

entry main [nin][nhid][nout] (input: [nin]f32) (target: [nout]f32)
    (w1: *[nin][nhid]f32) (w2: *[nhid][nout]f32) (p1: *[nin][nhid]f32) (p2: *[nhid][nout]f32) =
  let hidden = layer_forward input w1
  let output = layer_forward hidden w2
  let (out_err, delta_o) = output_error target output
  let (hid_err, delta_h) = hidden_error delta_o w2 hidden
  let delta_h = copy delta_h
  let (w2', p2') = adjust delta_o hidden w2 p2
  let (w1', p1') = adjust delta_h input w1 p1
  in (out_err, hid_err, w1', p1', w2', p2')

def rnd (i: i64) : f32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in f32.u32 ((x ^ (x >> 13)) >> 8) / 16777216f32

entry mk (n: i64) =
  let h = 16i64
  in (tabulate n rnd, [0.1f32], tabulate_2d n h (\i j -> rnd (i * h + j) - 0.5), tabulate_2d h 1 (\i j -> rnd (i + j + 77) - 0.5),
      replicate n (replicate h 0f32), replicate h [0f32])
