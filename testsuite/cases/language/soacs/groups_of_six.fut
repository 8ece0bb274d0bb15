-- case: run ( [1.0f64, 2.0f64, 3.0f64, 4.0f64, 5.0f64, 6.0f64, 7.0f64, 8.0f64, 9.0f64] 1i64 )
-- Cells of six numbers, three zeros and three times one number, beside themselves from the end, of which a C compiler makes wrong vectors. Each sum is of the
-- number and zero.
def main [n] (x: [n]f64) (t: i64): [n][6]f64 =
  let s0 = map (\v -> tabulate 6 (\k -> v * f64.bool (k > 2))) x
  in loop s = s0 for _i < t do map (\c -> loop o = replicate 6 0 for k < 6 do o with [k] = c[5 - k] + c[k]) s
-- ---
-- [[1.0f64, 1.0f64, 1.0f64, 1.0f64, 1.0f64, 1.0f64], [2.0f64, 2.0f64, 2.0f64, 2.0f64, 2.0f64, 2.0f64], [3.0f64, 3.0f64, 3.0f64, 3.0f64, 3.0f64, 3.0f64], [4.0f64, 4.0f64, 4.0f64, 4.0f64, 4.0f64, 4.0f64], [5.0f64, 5.0f64, 5.0f64, 5.0f64, 5.0f64, 5.0f64], [6.0f64, 6.0f64, 6.0f64, 6.0f64, 6.0f64, 6.0f64], [7.0f64, 7.0f64, 7.0f64, 7.0f64, 7.0f64, 7.0f64], [8.0f64, 8.0f64, 8.0f64, 8.0f64, 8.0f64, 8.0f64], [9.0f64, 9.0f64, 9.0f64, 9.0f64, 9.0f64, 9.0f64]]
