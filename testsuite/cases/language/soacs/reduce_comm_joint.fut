-- case: run (1000i64)
-- The least and the greatest of pseudo-random numbers with the first of their indices, where many are equal, and a product of complex integers: enough
-- of them for lanes, and some that are left.
def value (i: i64): i32 = i32.u32 ((u32.i64 i * 747796405 + 12345) >> 25)
def least (v: i32, i: i64) (w: i32, j: i64): (i32, i64) = if v < w || v == w && i < j then (v, i) else (w, j)
def greatest (v: i32, i: i64) (w: i32, j: i64): (i32, i64) = if v > w then (v, i) else if w > v then (w, j) else if i < j then (v, i) else (w, j)
def product (a: i32, b: i32) (c: i32, d: i32): (i32, i32) = (a * c - b * d, a * d + b * c)

def main (n: i64) =
  let values = map value (iota n)
  let (v, i) = reduce_comm least (i32.highest, i64.highest) (zip values (iota n))
  let (w, j) = reduce_comm greatest (i32.lowest, i64.highest) (zip values (iota n))
  let (a, b) = reduce_comm product (1, 0) (map (\x -> (x | 1, 2 * x)) values)
  let rows = unflatten (values :> [10 * 100]i32)
  let best = map (\row -> (reduce_comm greatest (i32.lowest, i64.highest) (zip row (iota 100))).1) rows
  let of_columns = map (\row -> (reduce_comm least (i32.highest, i64.highest) (zip row (iota 10))).1) (transpose rows)
  in (v, i, w, j, a, b, best, i64.sum of_columns)
-- ---
0i32
0i64
127i32
201i64
1870337879i32
-957961156i32
[63i64, 55i64, 1i64, 79i64, 2i64, 57i64, 26i64, 81i64, 50i64, 59i64]
346i64
