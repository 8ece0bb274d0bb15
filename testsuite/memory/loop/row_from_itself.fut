-- Each row is computed from itself, shifted: what one element reads another one writes, so a row is computed elsewhere, in a
-- block made once.
-- ideal: /Alloc 1 Copy 1
-- ==
-- input { [[1, 2, 4], [3, 5, 7]] } output { [[3i32, 6i32, 5i32], [8i32, 12i32, 10i32]] }
-- structure funmem { /Alloc 1 Copy 1 }

def main [n] [m] (xs: *[n][m]i32): [n][m]i32 =
  loop xs for i < n do
    let row = map (\j -> xs[i, j] + xs[i, (j + 1) % m]) (iota m)
    let xs[i] = row
    in xs
