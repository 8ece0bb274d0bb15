fun helper [n_0: i64] (*xs_1: [n_0]f32) (c_2: bool) : [k_3: i64] (*r_4: [k_3]f32) (u_5: unit) = {
  in (n_0, xs_1, ())
}

entry main [n_6: i64] [m_7: i64] (a_8: [n_6][m_7]f32) (is_9: [n_6]i64) : (s_10: f32) = {
  let (x_11: i64) = add.i64 n_6 -1i64 # "a b.fut":3:14
  let (y_12: f32) = sqrt.f32 2.5f32
  let (z_13: f32) = convert.f32.i64 x_11
  let (w_14: f32) = f32.nan
  let (e_15: f32) = index a_8[0i64, x_11]
  let (row_16: [m_7]f32) = slice a_8[x_11, 0i64 : m_7 : 1i64]
  let (b_17: [n_6][m_7]f32) = copy a_8
  let (b2_18: [n_6][m_7]f32) = update b_17[x_11, 0i64 : m_7 : 1i64] row_16
  let (i_19: [n_6]u8) = iota.u8 n_6 0u8 1u8
  let (r_20: [4i64][m_7]f32) = replicate [4i64] row_16
  let (t_21: [n_6][2i64]bool) = scratch [n_6][2i64]bool
  let (l_22: [2i64][m_7]f32) = array [m_7]f32 [row_16, row_16]
  let (c_23: [6i64][m_7]f32) = concat 6i64 r_20 l_22
  let (p_24: [m_7][n_6]f32) = permute (1, 0) a_8
  let (q_25: [m_7][1i64]f32) = reshape [m_7][1i64] row_16
  let (v_26: [m_7]f32) = reverse 0 row_16
  let (k_27: bool) = eq.i64 n_6 m_7
  let = assert k_27 "size mismatch \"é\"\n"
  let (k_28: i64) (h_29: [k_28]f32) (u_30: unit) = if k_27 {
    let (k_31: i64) (h_32: [k_31]f32) (u_33: unit) = call helper m_7 v_26 k_27
    in (k_31, h_32, u_33)
  } else {
    in (m_7, row_16, ())
  }
  let (acc_34: f32) (i_35: i32) = loop (acc_36: f32 = 0.0f32) (i_37: i32 = 0i32) for j_38: i64 < n_6 {
    in (acc_36, i_37)
  }
  let (go_39: bool) = loop (go_40: bool = k_27) while go_40 {
    in (false)
  }
  let (m_41: [n_6]f32) = map n_6 \(row_42: [m_7]f32) : f32 {
    let (s_43: f32) = reduce m_7 \(x_44: f32) (y_45: f32) : f32 {
      let (z_46: f32) = add.f32 x_44 y_45
      in (z_46)
    } (0.0f32) row_42
    in (s_43)
  } a_8
  let = map 0i64 \: {
    in ()
  }
  let (f_47: f32) = reduce_comm n_6 \(x_48: f32) (y_49: f32) : f32 {
    in (x_48)
  } (0.0f32) m_41
  let (s_50: [n_6]f32) = scan n_6 \(x_51: f32) (y_52: f32) : f32 {
    in (y_52)
  } (0.0f32) m_41
  let (h_53: [n_6]f32) = hist n_6 \(x_54: f32) (y_55: f32) : f32 {
    in (x_54)
  } (0.0f32) (s_50) is_9 m_41
  let (g_56: [n_6]f32) = scatter n_6 (h_53) is_9 m_41
  let (k_57: [n_6][m_7]f32) (k_58: [n_6][m_7]i64) = kernel (i_59 < n_6, j_60 < m_7) {
    in (0.0f32, i_59)
  }
  let (k_61: [n_6]f32) = kernel (i_62 < n_6, j_63 < m_7) reduce \(x_64: f32) (y_65: f32) : f32 {
    in (x_64)
  } (0.0f32) {
    in (1.0f32)
  }
  let (k_66: i64) = kernel (i_67 < n_6) reduce_comm \(x_68: i64) (y_69: i64) : i64 {
    in (x_68)
  } (0i64) {
    in (i_67)
  }
  let (k_70: [n_6]i64) = kernel (i_71 < n_6) scan \(x_72: i64) (y_73: i64) : i64 {
    in (x_72)
  } (0i64) {
    in (i_71)
  }
  let (k_74: [n_6]i64) = kernel (i_75 < n_6) hist \(x_76: i64) (y_77: i64) : i64 {
    in (x_76)
  } (0i64) (k_70) {
    in (i_75, 1i64)
  }
  let (k_78: [n_6]i64) = kernel (i_79 < n_6) scatter (k_74) {
    in (i_79, -1i64)
  }
  in (f_47)
}
