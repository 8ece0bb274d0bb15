-- | The mean.
-- Of numbers.
#[fast]
#[level(3)]
entry mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n
-- not a comment of documentation
entry plain (x: i32) (y: *[]i32) : []i32 = y
entry (+++) (x: i32) (y: i32) : i32 = x + y
entry under_score_ (x: i32) : i32 = x
entry Zig_zag' (x: i32) : i32 = x
entry (<+>=) (x: i32) (y: i32) : i32 = x + y
entry (**-/%) (x: i32) (y: i32) : i32 = x + y
entry (&&|^!) (x: i32) (y: i32) : i32 = x + y
entry f' (x': i32) : i32 = x'
type primed = {a': i32, z: f32}
entry g' (x: primed) : f32 = x.z
