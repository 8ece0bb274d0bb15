-- What a function computes is computed where its caller puts it.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[2i32, 4i32], [0i32, 0i32]] }
-- structure funmem { Alloc 0 Copy 0 }

#[noinline]
def twice [m] (xs: [m]i32): *[m]i32 = map (* 2) xs

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): [n][m]i32 =
  let row = twice xs
  let out[0] = row
  in out
