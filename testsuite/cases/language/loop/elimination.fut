-- case: run ( [[1i32,-2i32,0i32,2i32],[2i32,1i32,1i32,0i32],[0i32,3i32,-1i32,1i32],[1i32,1i32,2i32,-2i32]] [[2i32,1i32,0i32,-1i32,1i32],[1i32,2i32,1i32,0i32,3i32],[0i32,-1i32,1i32,2i32,1i32],[2i32,0i32,1i32,1i32,-2i32],[1i32,1i32,-3i32,0i32,2i32]] )
-- Elimination without pivoting of four rows, whose three steps are left when steps are taken by fours, and of five, whose steps are one round.
def main [n][m] (a: *[n][n]i32) (b: *[m][m]i32) =
  let eliminate [n] (a: *[n][n]i32): *[n][n]i32 =
    loop a for k < n - 1 do
      let factors = map (\x -> 3 - x) a[k + 1:, k]
      let row = copy a[k, k + 1:]
      let rest = map2 (\factor line -> map2 (\x y -> x - factor * y) line row) factors a[k + 1:, k + 1:]
      let a[k + 1:, k] = factors
      let a[k + 1:, k + 1:] = rest
      in a
  in (eliminate a, eliminate b)
-- ---
-- [[1i32, -2i32, 0i32, 2i32], [1i32, 3i32, 1i32, -2i32], [3i32, -6i32, 5i32, -17i32], [2i32, -2i32, -1i32, -27i32]]
-- [[2i32, 1i32, 0i32, -1i32, 1i32], [2i32, 0i32, 1i32, 2i32, 1i32], [3i32, 7i32, -6i32, -9i32, -9i32], [1i32, 4i32, 6i32, 48i32, 47i32], [2i32, 4i32, 10i32, -81i32, 3893i32]]
