-- An array of one element, computed in each iteration and put in its place.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 3i64 } output { [0i64, 3i64, 6i64] }
-- structure funmem { Alloc 1 Copy 0 }

def main (n: i64): [n]i64 =
  loop out = replicate n 0 for i < n do
    let one = map (\x -> x * i) (iota 1 |> map (+ 3))
    let out[i:i + 1] = one :> [i + 1 - i]i64
    in out
