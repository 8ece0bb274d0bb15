-- case: run ( [3i64, 1i64, 4i64] )
-- An inner loop whose array grows.
def main (xs: []i64) = map (\n -> length (loop ys = [0i64] for i < n do if i % 2 == 0 then ys ++ [i] else ys ++ ys[:1])) xs |> map (\x -> x - 1 + (if x == 5 then 2 else 0))
-- ---
[3i64, 1i64, 6i64]
