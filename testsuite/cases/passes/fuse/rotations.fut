-- case: run main ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32], [10i32, 11i32, 12i32]] )
-- Rotations of rows, of columns and of both, further than there are rows, and a rotated array that is also given back as it is.
entry main [n][m] (a: [n][m]i32) =
  let d = map2 (map2 (\x y -> 100 * x + y)) (rotate 1 a) (rotate (-1) (map (rotate 1) a))
  let e = map2 (map2 (-)) (rotate 5 a) (map (rotate (-7)) (rotate (-2) a))
  let kept = rotate 3 a
  in (d, e, kept, map (\row -> i32.sum (map (* 2) row)) kept)
-- ---
-- [[411i32, 512i32, 610i32], [702i32, 803i32, 901i32], [1005i32, 1106i32, 1204i32], [108i32, 209i32, 307i32]]
-- [[-5i32, -2i32, -2i32], [-5i32, -2i32, -2i32], [7i32, 10i32, 10i32], [-5i32, -2i32, -2i32]]
-- [[10i32, 11i32, 12i32], [1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]]
-- [66i32, 12i32, 30i32, 48i32]
