-- case: run ( [[1i32, 2i32]] 5i64 )
def main (xss: [][]i32) (i: i64) =
  let row = xss[0]
  in row[0] + xss[0, i]
-- ---
-- Index [0, 5] out of bounds for array of shape [1][2] at index_second_dimension.fut:4:15 in main
