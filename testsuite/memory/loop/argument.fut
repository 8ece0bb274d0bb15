-- A loop changes an array that the program must not: it begins with a copy.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2, 3] } output { [1i32, 3i32, 6i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] (xs: [n]i32): [n]i32 =
  loop a = copy xs for i in 1..<n do a with [i] = a[i] + a[i - 1]
