-- case: run ( [3i32, -2i32, 0i32, 100000i32] [3u8, 200u8] [1.5f64, -2f64] )
-- Powers by constants wrap as products do.
def main (xs: []i32) (bs: []u8) (fs: []f64) =
  (map (** 3) xs, map (** 10) xs, map (** 31) xs, map (** 7) bs, map (** 1) fs, map (\f -> f * 1 / 1) fs)
-- ---
-- [27i32, -8i32, 0i32, -1530494976i32]
-- [59049i32, 1024i32, 0i32, 0i32]
-- [1264544299i32, -2147483648i32, 0i32, 0i32]
-- [139u8, 0u8]
-- [1.5f64, -2.0f64]
-- [1.5f64, -2.0f64]
