-- case: run ( )
-- Elimination without pivoting of matrices with 1 to 7 rows: two steps at a time, and one more where their number is odd.
def eliminate [n] (a: *[n][n]i32): *[n][n]i32 =
  loop a for k < n - 1 do
    let factors = copy a[k + 1:, k]
    let row = copy a[k, k + 1:]
    let rest = map2 (\factor line -> map2 (\x y -> x - factor * y) line row) factors a[k + 1:, k + 1:]
    let a[k + 1:, k + 1:] = rest
    in a

def test (n: i64): i32 =
  let a = eliminate (tabulate_2d n n (\i j -> i32.i64 ((3 * i * i + j) % 5 - 2)))
  in i32.sum (map2 (\w row -> w * i32.sum (map2 (\v x -> v * x) (map i32.i64 (iota n)) row)) (map i32.i64 (1...n)) a)

def main = (test 1, test 2, test 3, test 4, test 5, test 6, test 7)
