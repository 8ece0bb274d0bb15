-- The matrix product that `bench/matmul.c` computes, on the same input; the result is the same checksum.
def matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32): [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

def main (n: i64): f32 =
  let a = tabulate_2d n n (\i j -> f32.i64 ((i * n + j) % 7) / 7)
  let b = tabulate_2d n n (\i j -> f32.i64 ((i * n + j) % 5) / 5)
  let c = flatten (matmul a b)
  in c[0] + c[n * n / 2] + c[n * n - 1]
