-- Breadth-first search from node 0, one level of the graph at a time, as in Rodinia's `bfs`.
--
--   fun run examples/bfs.fut < ../shared/data/bfs/4096nodes.in
--
-- Node i has the edges first_edge[i], …, first_edge[i] + degree[i] - 1. The result is each node's distance from node 0,
-- and -1 where it can't be reached.
-- ==
-- input { [0, 2, 3, 3] [2, 1, 0, 0] [1, 2, 2] }
-- output { [0, 1, 1, -1] }

def main [n] [e] (first_edge: [n]i32) (degree: [n]i32) (destination: [e]i32): [n]i32 =
  let distance = tabulate n (\i -> if i == 0 then 0 else -1i32)
  let (distance, _, _) =
    loop (distance, frontier, level) = (distance, [0i64], 1i32) while length frontier > 0 do
      -- every edge that leaves the frontier: where it goes, or -1 if that node has been seen
      let widest = i64.i32 (reduce i32.max 0 (map (\v -> degree[v]) frontier))
      let targets = map (\v -> map (\k ->
                        if k < i64.i32 degree[v]
                        then let w = i64.i32 destination[i64.i32 first_edge[v] + k]
                             in if distance[w] < 0 then w else -1
                        else -1) (iota widest)) frontier
      let unseen = filter (>= 0) (flatten targets)
      let distance = scatter distance unseen (map (const level) unseen)
      -- several edges may lead to one node: the node goes to the edge that a scatter lets win
      let owner = scatter (replicate n (-1)) unseen (indices unseen)
      let next = filter (\k -> owner[unseen[k]] == k) (indices unseen) |> map (\k -> unseen[k])
      in (distance, next, level + 1)
  in distance
