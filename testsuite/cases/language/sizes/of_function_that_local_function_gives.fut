-- case: run ( [3i64, 1i64, 2i64] )
-- A local function whose result is a function takes arrays of any size, those that loops make included.
def main (xs: []i64) =
  let add i = map (+ i)
  let sum = loop sum = 0 for i < length xs do
    let above = filter (> i) xs
    in sum + i64.sum (add i above)
  in (sum, add 10 xs)
-- ---
18i64
[13i64, 11i64, 12i64]
