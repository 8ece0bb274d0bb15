-- What testsuite/clients/bindgen.rs calls. Types of results have names, as futhark-bindgen lists records before the tuples in them.
type number = {x: f32}
type measure = {high: f32, low: f32}
entry binary_search [n] (xs: [n]i64) (x: i64) : i64 = i64.sum (map (\y -> i64.bool (y < x)) xs)
entry scale [n] (k: number) (xs: [n]f32) : [n]f32 = map (* k.x) xs
entry turn [n][m] (xs: [n][m]i32) : [m][n]i32 = transpose xs
entry range [n] (xs: [n]f32) : measure = {high = f32.maximum xs, low = f32.minimum xs}
entry root (x: f64) : f64 = assert (x >= 0) (f64.sqrt x)
