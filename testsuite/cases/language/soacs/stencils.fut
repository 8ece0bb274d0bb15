-- case: run ( [[1i32, -5i32, 3i32, -8i32, -7i32], [8i32, -6i32, 2i32, 9i32, -8i32], [7i32, -3i32, -8i32, -7i32, 4i32], [4i32, -7i32, -2i32, -7i32, 8i32], [4i32, -8i32, 9i32, -6i32, -2i32], [9i32, -8i32, 9i32, 9i32, 3i32], [-8i32, -2i32, -8i32, 8i32, -5i32]] )
-- Stencils: on a device blocks of threads read tiles of the array, with a rim that is there, is left out by a branch, goes on at the other end, or is the last
-- cell again.
def inner [n][m] (a: [n][m]i32) =
  tabulate_2d (n - 2) (m - 2) (\i j -> i32.sum (flatten (tabulate_2d 3 3 (\k l -> a[i + k, j + l]))))
def step [n][m] (a: [n][m]i32) =
  tabulate_2d n m (\i j ->
    if i > 0 && i < n - 1 && j > 0 && j < m - 1 then a[i, j] + a[i - 1, j] - a[i + 1, j] + 2 * a[i, j - 1] - a[i, j + 1] else a[i, j])
def torus [n][m] (a: [n][m]i32) =
  tabulate_2d n m (\i j ->
    i32.sum (flatten (tabulate_2d 5 3 (\k l -> i32.i64 ((k + 1) * (l + 2)) * a[(i + k - 2) % n, (j + l - 1) % m]))))
def clamped [n][m] (a: [n][m]i32) =
  tabulate_2d n m (\i j ->
    a[i64.min (i + 2) (n - 1), j] - a[i64.max (i - 1) 0, i64.max (j - 2) 0] * a[i, i64.min (j + 1) (m - 1)])
def row [n] (a: [n]i32) = tabulate (n - 3) (\i -> a[i] + 3 * a[i + 1] - a[i + 3])
def main (a: [][]i32) = (inner a, loop b = a for _t < 3i32 do step b, torus a, clamped a, row (flatten a))
-- ---
[[-1i32, -23i32, -20i32], [-5i32, -29i32, -9i32], [-4i32, -39i32, -11i32], [10i32, -11i32, 21i32], [-3i32, 3i32, 17i32]]
[[1i32, -5i32, 3i32, -8i32, -7i32], [8i32, -9i32, -78i32, -24i32, -8i32], [7i32, -82i32, 88i32, 251i32, 4i32], [4i32, 69i32, 367i32, 14i32, 8i32], [4i32, 150i32, 93i32, -246i32, -2i32], [9i32, 74i32, -55i32, -112i32, 3i32], [-8i32, -2i32, -8i32, 8i32, -5i32]]
[[-155i32, -192i32, -214i32, -214i32, 136i32], [-84i32, -251i32, -444i32, -156i32, 215i32], [-132i32, -54i32, -404i32, -123i32, 191i32], [-73i32, 119i32, -47i32, 231i32, 463i32], [-261i32, -159i32, 15i32, 137i32, 169i32], [-368i32, -112i32, -82i32, -116i32, -78i32], [-352i32, -56i32, 111i32, -119i32, 29i32]]
[[12i32, -6i32, 0i32, -42i32, 25i32], [10i32, -9i32, -11i32, -47i32, 32i32], [28i32, 56i32, 65i32, 18i32, -10i32], [58i32, 6i32, 58i32, 33i32, 67i32], [24i32, -38i32, 16i32, -6i32, -9i32], [24i32, -38i32, -44i32, 32i32, -32i32], [10i32, 70i32, -80i32, -32i32, 40i32]]
[-6i32, 11i32, -29i32, -23i32, 15i32, -19i32, 8i32, 22i32, -12i32, 21i32, 5i32, -31i32, -33i32, 12i32, 18i32, -10i32, -21i32, -27i32, 25i32, 11i32, -14i32, 21i32, -18i32, -4i32, 16i32, -24i32, 16i32, 44i32, 20i32, -13i32, -22i32, -21i32]
