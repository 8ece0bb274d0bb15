-- case: pass inline simplify soac-to-kernel join-reductions
-- The mean is used between the two, and comes behind both. What it uses stays in front of them.
entry main [n] (xs: [n]f32) =
  let mean = f32.sum xs / f32.i64 n
  let top = f32.maximum xs
  in (mean, top - mean)
-- ---
-- entry main [n_0: i64] (xs_1: [n_0]f32) : (res_2: f32) (res_3: f32) = {
--   let (c_8: f32) = convert.f32.i64 n_0 # "joined.fut":4:27
--   let (red_7: f32) (red_13: f32) = kernel (i_17 < n_0) reduce_comm \(a_4: f32) (a_10: f32) (b_5: f32) (b_11: f32) : f32, f32 {
--     let (x_6: f32) = add.f32 a_4 b_5 # "joined.fut":4:14
--     let (x_12: f32) = max.f32 a_10 b_11 # "joined.fut":5:13
--     in (x_6, x_12)
--   } (0.0f32, -f32.inf) {
--     let (element_16: f32) = index xs_1[i_17] # "joined.fut":4:14
--     let (element_18: f32) = index xs_1[i_17] # "joined.fut":5:13
--     in (element_16, element_18)
--   } # "joined.fut":5:13
--   let (x_9: f32) = div.f32 red_7 c_8 # "joined.fut":4:14
--   let (x_14: f32) = sub.f32 red_13 x_9 # "joined.fut":6:13
--   in (x_9, x_14)
-- }
