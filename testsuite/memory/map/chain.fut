-- Of a chain of maps and scans all arrays are in one block.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [5i32, 11i32, 23i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): []i32 = xs |> scan (+) 0 |> map (* 2) |> scan (+) 0 |> map (+ 3)
