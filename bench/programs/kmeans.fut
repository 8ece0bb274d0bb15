-- Five rounds of k-means.
-- ==
-- notest random input { [20][34]f32 [20000][34]f32 }
-- nobench input { [[0f32, 0f32], [4f32, 4f32]] [[1f32, 0f32], [0f32, 1f32], [5f32, 5f32], [3f32, 4f32]] }
-- output { [[0.5f32, 0.5f32], [4f32, 4.5f32]] }

def distance [d] (a: [d]f32) (b: [d]f32): f32 = f32.sum (map (\x -> x * x) (map2 (-) a b))

entry main [n][d][k] (centres: [k][d]f32) (points: [n][d]f32): [k][d]f32 =
  loop centres for _round < 5 do
    let nearest p =
      let closer (i, x) (j, y) = if x < y || (x == y && i < j) then (i, x) else (j, y)
      in (reduce closer (0, f32.inf) (zip (iota k) (map (distance p) centres))).0
    let near = map nearest points
    let counts = reduce_by_index (replicate k 0i32) (+) 0 near (replicate n 1)
    let sums = reduce_by_index (replicate k (replicate d 0f32)) (map2 (+)) (replicate d 0) near points
    in map2 (\sum count -> map (/ f32.i32 (i32.max count 1)) sum) sums counts
