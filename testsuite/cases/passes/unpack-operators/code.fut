-- case: pass inline simplify unpack-operators simplify
-- The code: a reduction, and a scan whose operator reads where the values say.
entry affine [n] (a: [n][2]i32) = reduce (\x y -> [x[0] * y[0], x[1] * y[0] + y[1]]) [1, 0] a
entry automata [n] (a: [n][2]i64) = scan (\f g -> map (\s -> g[s]) f) [0, 1] a
