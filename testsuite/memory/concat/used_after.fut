-- One half is also given back on its own, so it cannot live in the concatenation alone: an entry point's arrays have blocks of
-- their own. That half is copied.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1, 2, 3] [10, 20] } output { [2, 3, 4] [2, 3, 4, 20, 40] }
-- structure funmem { Alloc 2 Copy 1 }

def main (xs: []i32) (ys: []i32) =
  let a = map (+ 1) xs
  in (a, a ++ map (* 2) ys)
