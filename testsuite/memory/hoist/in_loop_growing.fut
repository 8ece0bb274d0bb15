-- A block that grows with the counter: its greatest size is known before the loop.
-- ideal: /Alloc 1 /Loop/Alloc 0 Copy 0
-- ==
-- input { 4i64 } output { 1i64 }
-- structure funmem { /Alloc 0 /Loop/Alloc 1 Copy 0 }

def main (k: i64): i64 =
  loop s = 0 for i < k do
    let a = scan (+) 0 (iota i)
    in s + i64.sum (map2 (*) a (reverse a))
