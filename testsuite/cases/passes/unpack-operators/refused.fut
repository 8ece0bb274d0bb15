-- case: pass inline simplify unpack-operators simplify
-- What stays as it is: an operator element by element, sizes that are no constants, 17 scalars, and what is inside of a map.
entry elements [n] (a: [n][2]i32) = reduce (map2 (+)) [0, 0] a
entry sizes [n][m] (a: [n][m]i32) = reduce (\x y -> map2 (+) x (scan (+) 0 y)) (replicate m 0) a
entry many [n] (a: [n][17]i32) = scan (\x y -> let t = x[0] in map (\v -> v + t) y) (replicate 17 0) a
entry inner [n][m] (a: [n][m][2]i32) = map (\row -> reduce (\x y -> [x[0] * y[0], x[1] * y[0] + y[1]]) [1, 0] row) a
