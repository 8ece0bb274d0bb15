-- An arm makes a row and then reads the matrix that the row goes to. What reads moves up in the arm, so the row is made in its place.
-- ==
-- input { [[4, 5], [6, 7]] [1, 2] } output { [[4i32, 5i32], [8i32, 16i32]] 47i32 }
-- input { [[0, 5], [6, 7]] [1, 2] } output { [[0i32, 5i32], [2i32, 3i32]] 0i32 }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (rows: *[n][m]i32) (new: [m]i32): (*[n][m]i32, i32) =
  let (row, old) =
    if rows[0, 0] > 0
    then let row = map (* 8) new
         let at = i64.i32 (rows[0, 0] - 3)
         let next = i64.i32 (rows[at, 0] - 5)
         let last = rows[next, 1] + rows[at, 0] * rows[0, 1] + 10
         in (row, last)
    else (map (+ 1) new, 0)
  let rows[n - 1] = row
  in (rows, old)
