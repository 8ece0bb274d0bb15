-- case: pass inline simplify soac-to-kernel cse simplify fuse simplify
-- Rows taken elsewhere and a copy, read by a map; a copy that is a result, one that is updated, one of a transposed array, and rows that are read whole stay.
entry stencil [n][m] (a: [n][m]f32) =
  let up = map (\i -> a[i64.max 0 (i - 1)]) (iota n)
  in map2 (map2 (+)) up (copy a)
entry kept [n][m] (a: [n][m]f32) =
  let b = copy a
  let c = copy (transpose a)
  in (map (map (+ 1)) b, b, map (map (* 2)) c)
entry updated [n] (a: [n]f32) = let b = copy a in b with [0] = f32.sum b
entry whole [n][m] (a: [n][m]f32) (is: [n]i64) = map f32.sum (map (\i -> a[i]) is)
-- ---
-- entry stencil [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]f32) : (*res_3: [n_0][m_1]f32) = {
--   let (map_20: [n_0][m_1]f32) = kernel (i_69 < n_0, i_68 < m_1) {
--     let (x_106: i64) = sub.i64 i_69 1i64 # "rows_elsewhere.fut":4:35
--     let (x_107: i64) = max.i64 0i64 x_106 # "rows_elsewhere.fut":4:25
--     let (x_109: f32) = index a_2[x_107, i_68] # "rows_elsewhere.fut":4:23
--     let (x_94: f32) = index a_2[i_69, i_68] # "rows_elsewhere.fut":5:25
--     let (x_18: f32) = add.f32 x_109 x_94 # "rows_elsewhere.fut":5:6
--     in (x_18)
--   } # "rows_elsewhere.fut":5:6
--   in (map_20)
-- }
--
-- entry kept [n_21: i64] [m_22: i64] (a_23: [n_21][m_22]f32) : (*res_24: [n_21][m_22]f32) (*res_25: [n_21][m_22]f32) (*res_26: [m_22][n_21]f32) = {
--   let (copy_27: [n_21][m_22]f32) = copy a_23 # "rows_elsewhere.fut":7:11
--   let (transp_28: [m_22][n_21]f32) = permute (1, 0) a_23 # "rows_elsewhere.fut":8:16
--   let (copy_29: [m_22][n_21]f32) = copy transp_28 # "rows_elsewhere.fut":8:11
--   let (map_34: [n_21][m_22]f32) = kernel (i_71 < n_21, i_70 < m_22) {
--     let (x_31: f32) = index copy_27[i_71, i_70] # "rows_elsewhere.fut":9:7
--     let (x_32: f32) = add.f32 x_31 1.0f32 # "rows_elsewhere.fut":9:16
--     in (x_32)
--   } # "rows_elsewhere.fut":9:7
--   let (map_39: [m_22][n_21]f32) = kernel (i_73 < m_22, i_72 < n_21) {
--     let (x_36: f32) = index copy_29[i_73, i_72] # "rows_elsewhere.fut":9:29
--     let (x_37: f32) = mul.f32 x_36 2.0f32 # "rows_elsewhere.fut":9:38
--     in (x_37)
--   } # "rows_elsewhere.fut":9:29
--   in (map_34, copy_27, map_39)
-- }
--
-- entry updated [n_40: i64] (a_41: [n_40]f32) : (*res_42: [n_40]f32) = {
--   let (copy_43: [n_40]f32) = copy a_41 # "rows_elsewhere.fut":10:41
--   let (red_47: f32) = kernel (i_74 < n_40) reduce \(a_44: f32) (b_45: f32) : f32 {
--     let (x_46: f32) = add.f32 a_44 b_45 # "rows_elsewhere.fut":10:64
--     in (x_46)
--   } (0.0f32) {
--     let (element_75: f32) = index copy_43[i_74] # "rows_elsewhere.fut":10:64
--     in (element_75)
--   } # "rows_elsewhere.fut":10:64
--   let (x_48: bool) = lt.i64 0i64 n_40 # "rows_elsewhere.fut":10:51
--   let = assert x_48 "Index [{}] out of bounds for array of shape [{}]" 0i64 n_40 # "rows_elsewhere.fut":10:51
--   let (copy_49: [n_40]f32) = update copy_43[0i64] red_47 # "rows_elsewhere.fut":10:51
--   in (copy_49)
-- }
--
-- entry whole [n_50: i64] [m_51: i64] (a_52: [n_50][m_51]f32) (is_53: [n_50]i64) : (*res_54: [n_50]f32) = {
--   let (map_60: [n_50][m_51]f32) = kernel (i_76 < n_50) {
--     let (x_55: i64) = index is_53[i_76] # "rows_elsewhere.fut":11:62
--     let (x_56: bool) = le.i64 0i64 x_55 # "rows_elsewhere.fut":11:74
--     let (x_57: bool) = lt.i64 x_55 n_50 # "rows_elsewhere.fut":11:74
--     let (x_58: bool) = and.bool x_56 x_57 # "rows_elsewhere.fut":11:74
--     let = assert x_58 "Index [{}] out of bounds for array of shape [{}]" x_55 n_50 # "rows_elsewhere.fut":11:74
--     let (slice_59: [m_51]f32) = slice a_52[x_55, 0i64 : m_51 : 1i64] # "rows_elsewhere.fut":11:74
--     in (slice_59)
--   } # "rows_elsewhere.fut":11:62
--   let (map_66: [n_50]f32) = kernel (i_79 < n_50) {
--     let (red_65: f32) = kernel (i_77 < m_51) reduce \(a_62: f32) (b_63: f32) : f32 {
--       let (x_64: f32) = add.f32 a_62 b_63 # "rows_elsewhere.fut":11:50
--       in (x_64)
--     } (0.0f32) {
--       let (element_78: f32) = index map_60[i_79, i_77] # "rows_elsewhere.fut":11:50
--       in (element_78)
--     } # "rows_elsewhere.fut":11:50
--     in (red_65)
--   } # "rows_elsewhere.fut":11:50
--   in (map_66)
-- }
