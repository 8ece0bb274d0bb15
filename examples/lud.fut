-- LU decomposition without pivoting, in place, as in Rodinia's `lud`.
--
--   fun run examples/lud.fut < ../shared/data/lud/256.in
--
-- The result is one matrix: U on and above the diagonal, L (whose diagonal is 1) below it.
-- ==
-- input { [[4f32, 3f32], [6f32, 3f32]] }
-- output { [[4f32, 3f32], [1.5f32, -1.5f32]] }

def main [n] (a: *[n][n]f32): *[n][n]f32 =
  loop a for k < n do
    let m = n - k - 1
    let pivot = a[k, k]
    -- the column below the pivot becomes the column of L
    let column = map (/ pivot) (a[k + 1:, k] :> [m]f32)
    let row = copy a[k, k + 1:] :> [m]f32
    -- and the block below and right of it loses their product
    let below = copy a[k + 1:, k + 1:] :> [m][m]f32
    let block = map2 (\l old -> map2 (\u x -> x - l * u) row old) column below
    let a[k + 1:, k] = column
    let a[k + 1:, k + 1:] = block
    in a
