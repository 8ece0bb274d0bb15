-- case: run ( 10i64 )
def f (g: i64 -> i64) (n: i64): i64 =
  let h (x: i64) = g x + f g (n - 1)
  in if n == 0 then 0 else h n
def main n = f (\x -> x + 1) n
-- ---
65i64
