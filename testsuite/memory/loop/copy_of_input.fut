-- Each iteration consumes a copy of the same array.
-- ideal: /Loop/Alloc 0 Alloc 1 Copy 1
-- ==
-- input { [1, 2, 3] 2 } output { 17i32 }
-- structure funmem { /Loop/Alloc 0 Alloc 1 Copy 1 }

def main [n] (xs: [n]i32) (k: i32): i32 =
  loop s = 0 for i < k do
    let a = copy xs with [0] = i
    in s + i32.sum (scan (+) 0 a)
