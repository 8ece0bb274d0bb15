-- Page rank without damping. Each round, a page gets the sum over its incoming links of rank / number of outgoing links of
-- the source; what the pages without outgoing links hold after that is spread over all pages.
--
--   fun run examples/pagerank.fut < ../shared/data/pagerank/small.in
-- ==
-- input { [0i32, 1i32] [1i32, 0i32] [1i32, 1i32] 3i32 }
-- output { [0.5f32, 0.5f32] }

def step [m] [n] (sources: [m]i32) (targets: [m]i32) (outgoing: [n]i32) (ranks: [n]f32): [n]f32 =
  let share = map2 (\rank count -> if count == 0 then 0 else rank / f32.i32 count) ranks outgoing
  let received = reduce_by_index (replicate n 0f32) (+) 0 (map i64.i32 targets) (map (\s -> share[s]) sources)
  let dangling = f32.sum (map2 (\rank count -> if count == 0 then rank else 0) received outgoing)
  in map (+ dangling / f32.i64 n) received

def main [m] [n] (sources: [m]i32) (targets: [m]i32) (outgoing: [n]i32) (iterations: i32): [n]f32 =
  loop ranks = replicate n (1 / f32.i64 n) for _i < iterations do
    step sources targets outgoing ranks
