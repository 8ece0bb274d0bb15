-- A copy of what a loop built.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }
-- structure funmem { Alloc 1 Copy 0 }

def main (n: i64): []i64 =
  let a = loop a = replicate n 0 for i < n do a with [i] = i * i
  in copy a
