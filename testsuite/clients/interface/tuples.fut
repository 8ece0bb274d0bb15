entry pair (x: (i32, f64)) : (f64, i32) = (x.1, x.0)
entry nested (x: ((i32, f64), [2]bool)) : (i32, (f64, bool)) = (x.0.0, (x.0.1, x.1[0]))
entry three (n: i64) : (i64, [n]i64, [n](i64, i64)) = (n, iota n, zip (iota n) (iota n))
entry many [n] (xs: [n](i32, f32, bool)) : [n](f32, i32) = map (\(a, b, _) -> (b, a)) xs
type both = (i32, i32)
entry both (x: both) : both = (x.1, x.0)
type big = (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)
entry big (x: i8) : big = (x, x, x, x, x, x, x, x, x, x, x, x)
