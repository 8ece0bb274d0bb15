-- An array that is the same in each iteration is made once, before the loop.
-- ideal: /Alloc 2 /Loop/Alloc 0 Copy 0
-- ==
-- input { [1i64, 2i64, 3i64] 2i64 } output { [2i64, 6i64, 6i64] }
-- structure funmem { /Alloc 1 /Loop/Alloc 0 Copy 0 }

def main [n] (xs: *[n]i64) (k: i64): [n]i64 =
  loop xs for i < k do
    let table = scan (+) 0 (iota n)
    in map2 (\x j -> x + table[(i + j) % n]) xs (iota n)
