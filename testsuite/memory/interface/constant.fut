-- An array of constants, for each result.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 1i64 } output { [1i64, 7i64, 3i64] }
-- structure funmem { Alloc 1 Copy 0 }

def main (i: i64): [3]i64 =
  let a = [1, 2, 3]
  let a[i] = 7
  in a
