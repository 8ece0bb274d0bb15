-- Breadth-first search with a frontier of nodes (Rodinia's bfs), by filter.
-- ==
-- entry: main
-- script input { mk 30i64 }
-- output {
--   [0i32, 2i32, 4i32, 4i32, 3i32, 2i32, 4i32, 5i32, 2i32, 3i32, 3i32, 1i32, 3i32, 4i32, 4i32, 3i32, 3i32, 3i32, 2i32, 3i32, 2i32, 4i32, 3i32,
--   3i32, 2i32, 4i32, 1i32, 3i32, 3i32, 3i32]
-- }

type node = {start: i32, degree: i32}

def explore [e] (nodes: []node) (edges: [e]i32) (costs: []i32) (frontier: []i32) : ?[m].[m](i32, i32) =
  let width = i64.i32 (reduce i32.max 0 (map (\i -> nodes[i].degree) frontier))
  let each (i: i32) = map (\k -> let k = i32.i64 k in if k < nodes[i].degree && costs[edges[nodes[i].start + k]] == -1
                          then (edges[nodes[i].start + k], costs[i] + 1)
                          else (-1, -1)) (iota width)
  in map each frontier |> flatten |> filter ((!= -1) <-< (.0))

entry main [n][e] (starts: [n]i32) (degrees: [n]i32) (edges: [e]i32) : [n]i32 =
  let nodes = map2 (\s d -> {start = s, degree = d}) starts degrees
  let source = 0i32
  let (costs, _) =
    loop (costs, frontier) = (replicate n (-1) with [source] = 0, [source])
    while length frontier > 0 do
      let found = explore nodes edges costs frontier
      let (ids, cs) = unzip (copy found)
      let costs = scatter costs (map i64.i32 ids) cs
      -- one of each
      let owner = scatter (replicate n (-1i32)) (map i64.i32 ids) (map i32.i64 (indices ids))
      let next = filter (\(i, v) -> owner[v] == i32.i64 i) (zip (indices ids) ids) |> map (.1)
      in (costs, next)
  in costs

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4

entry mk (n: i64) =
  let degrees = tabulate n (\i -> 2 + i32.u32 (rnd i % 8))
  let ends = scan (+) 0 degrees
  let starts = map2 (-) ends degrees
  let m = i64.i32 (last ends)
  in (starts, degrees, tabulate m (\i -> i32.u32 (rnd (i + 123456) % u32.i64 n)))
