-- The branches leave the matrix in different orders, which its offset and strides tell: nothing is copied, since it is only read.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { true [[1, 2], [3, 4]] } output { [24i32, 35i32] }
-- input { false [[1, 2], [3, 4]] } output { [45i32, 23i32] }
-- structure funmem { Alloc 2 Copy 0 }

def main [n] (c: bool) (xs: [n][n]i32): [n]i32 =
  let a = map (map (+ 1)) xs
  let b = if c then transpose a else reverse a
  in map (\row -> loop s = 0 for i < n do s * 10 + row[i]) b
