-- case: run (1000i64)
-- Lanes of bools, alone (whether an odd number of them holds, by several operators) and beside numbers.
def odd (x: bool) (y: bool): bool = (x || y) && !(x && y)
def first (x: bool, i: i64) (y: bool, j: i64): (bool, i64) = if x && (!y || i < j) then (x, i) else (y, if x || y then j else i64.min i j)

def main (n: i64) =
  let third = map (\i -> i % 3 == 1) (iota n)
  let late = map (\i -> i > 700 && i % 7 == 0) (iota n)
  in (reduce_comm odd false third, reduce_comm first (false, i64.highest) (zip late (iota n)))
-- ---
true
true
707i64
