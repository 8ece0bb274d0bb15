-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- What an entry returns is laid out row by row, whatever the layout inside.
entry main (xss: [][]i32) = (transpose xss, xss[:, 1], (flatten xss)[::-2], (transpose xss)[::-1])
-- ---
[[1i32, 3i32], [2i32, 4i32]]
[2i32, 4i32]
[4i32, 2i32]
[[2i32, 4i32], [1i32, 3i32]]
