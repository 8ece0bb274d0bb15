-- A block of the same size in each iteration is made once.
-- ideal: /Alloc 1 /Loop/Alloc 0 Copy 0
-- ==
-- input { [1, 2] 3 } output { 84i32 }
-- structure funmem { /Alloc 1 /Loop/Alloc 0 Copy 0 }

def main [n] (xs: [n]i32) (k: i32): i32 =
  loop s = 0 for i < k do
    let a = scan (+) 0 (map (* (i + 1)) xs)
    in s + i32.sum (map2 (*) a (reverse a))
