-- case: run ( empty([0][3]i32) empty([3][0]i32) [[5i32], [7i32]] [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [-9i32, 0i32, 1i32]] [[1i32, -2i32, 3i32, -4i32, 5i32, -6i32, 7i32], [10i32, 20i32, 30i32, 40i32, 50i32, 60i32, 70i32], [0i32, 0i32, 0i32, -100i32, 0i32, 0i32, 1i32]] [[1i32, 2i32, 3i32, -4i32], [10i32, 20i32, 30i32, 3i32]] )
-- Rows that are combined element by element: no rows, no columns, one, few and many columns.
def both [n][m] (a: [n][m]i32) : ([m]i32, [m]i32) =
  (reduce (map2 (+)) (replicate m 0) a, reduce (map2 i32.max) (replicate m i32.lowest) a)
def main [n] (a: [0][3]i32) (b: [3][0]i32) (c: [n][1]i32) (d: [3][3]i32) (e: [3][7]i32) (f: [2][4]i32) =
  (both a, both b, both c, both d, both e, both f)
-- ---
-- [0i32, 0i32, 0i32]
-- [-2147483648i32, -2147483648i32, -2147483648i32]
-- empty([0]i32)
-- empty([0]i32)
-- [12i32]
-- [7i32]
-- [-4i32, 7i32, 10i32]
-- [4i32, 5i32, 6i32]
-- [11i32, 18i32, 33i32, -64i32, 55i32, 54i32, 78i32]
-- [10i32, 20i32, 30i32, 40i32, 50i32, 60i32, 70i32]
-- [11i32, 22i32, 33i32, -1i32]
-- [10i32, 20i32, 30i32, 3i32]
