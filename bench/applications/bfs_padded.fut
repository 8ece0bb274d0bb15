-- Breadth-first search over all nodes in each step, as Rodinia's kernels do, with masks and padded neighbours.
-- ==
-- entry: main
-- script input { mk 30i64 }
-- output {
--   [0i32, 2i32, 4i32, 4i32, 3i32, 2i32, 4i32, 5i32, 2i32, 3i32, 3i32, 1i32, 3i32, 4i32, 4i32, 3i32, 3i32, 3i32, 2i32, 3i32, 2i32, 4i32, 3i32,
--   3i32, 2i32, 4i32, 1i32, 3i32, 3i32, 3i32]
-- }

def step [n][e] (starts: [n]i32) (degrees: [n]i32) (edges: [e]i32)
    (maxdeg: i64) (costs: *[n]i32) (mask: *[n]bool) (visited: *[n]bool) =
  let active = filter (\i -> mask[i]) (iota n)
  let (targets, cs) =
    map (\i -> map (\k -> if k < i64.i32 degrees[i]
                          then let id = edges[i64.i32 starts[i] + k]
                               in if visited[id] then (-1, 0) else (i64.i32 id, costs[i] + 1)
                          else (-1, 0)) (iota maxdeg)) active
    |> flatten |> unzip
  let costs = scatter costs targets cs
  let mask = scatter mask active (map (const false) active)
  let updating = scatter (replicate n false) targets (map (const true) targets)
  let ids = filter (\i -> updating[i]) (iota n)
  let mask = scatter mask ids (map (const true) ids)
  let visited = scatter visited ids (map (const true) ids)
  in (costs, mask, visited, length ids > 0)

entry main [n][e] (starts: [n]i32) (degrees: [n]i32) (edges: [e]i32) : [n]i32 =
  let maxdeg = i64.i32 (i32.maximum degrees)
  let costs = replicate n (-1) with [0] = 0
  let mask = replicate n false with [0] = true
  let visited = replicate n false with [0] = true
  let (costs, _, _, _) =
    loop (costs, mask, visited, continue) = (costs, mask, visited, true) while continue do
      step starts degrees edges maxdeg costs mask visited
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
