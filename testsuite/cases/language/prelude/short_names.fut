-- case: run ( [1i32, -2i32] 2.9f64 )
def main (xs: []i32) (y: f64) = (map r32 xs, map (r64 >-> f64.sqrt) xs[:1], t64 y, t32 (-1.5), trace (opaque xs))
-- ---
[1.0f32, -2.0f32]
[1.0f64]
2i32
-1i32
[1i32, -2i32]
