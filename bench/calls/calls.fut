-- What calls.sh calls.
entry number (x: i32) : i32 = assert (x > 0) x
entry array [n] (xs: [n]f64) : [n]f64 = map (+ 1) xs
