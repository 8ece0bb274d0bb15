-- The size does not change, but that it is a size is checked in each iteration, and the prover knows nothing of `|`: the first
-- iteration that passes the checks makes the block, the others find it there.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 3i64 } output { 198i64 }
-- input { 0i64 } output { 0i64 }
-- structure funmem { Alloc 1 Copy 0 }

def main (k: i64): i64 =
  loop s = 0 for i < k do
    let n = 8 + (k | 1)
    in s + (scan (+) 0 (map (+ i) (iota n)))[n - 1]
