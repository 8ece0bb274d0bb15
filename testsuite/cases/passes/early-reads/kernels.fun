// case: pass early-reads
// In a map both ways of a branch read in front of it, where what was read decides. A branch by the counter stays, and so does one of which one way reads, and reads
// at places that come from arrays or may be beyond them.
entry main [n_0: i64] (xs_1: [n_0]i64) (ys_2: [n_0]i32) (zs_3: [n_0]i32) : (rs_4: [n_0]i32) = {
  let (rs_5: [n_0]i32) = kernel (i_6 < n_0) {
    let (x_7: i64) = index xs_1[i_6]
    let (c_8: bool) = lt.i64 x_7 0i64
    let (r_9: i32) = if c_8 {
      let (y_10: i32) = index ys_2[i_6]
      let (a_11: i32) = add.i32 y_10 1i32
      in (a_11)
    } else {
      let (z_12: i32) = index zs_3[i_6]
      in (z_12)
    }
    let (d_13: bool) = lt.i64 i_6 3i64
    let (s_14: i32) = if d_13 {
      let (y_15: i32) = index ys_2[i_6]
      in (y_15)
    } else {
      let (z_16: i32) = index zs_3[i_6]
      in (z_16)
    }
    let (t_17: i32) = if c_8 {
      let (y_18: i32) = index ys_2[i_6]
      in (y_18)
    } else {
      in (s_14)
    }
    let (u_19: i32) = if c_8 {
      let (y_20: i32) = index ys_2[i_6]
      in (y_20)
    } else {
      let (k_21: i64) = mod.i64 x_7 4i64
      let (e_22: bool) = lt.i64 k_21 n_0
      let = assert e_22 "beyond"
      let (z_23: i32) = index zs_3[k_21]
      in (z_23)
    }
    let (v_24: i32) = if c_8 {
      let (y_25: i32) = index ys_2[i_6]
      in (y_25)
    } else {
      let (k_26: i64) = add.i64 i_6 1i64
      let (f_27: bool) = lt.i64 k_26 n_0
      let = assert f_27 "beyond"
      let (z_28: i32) = index zs_3[k_26]
      in (z_28)
    }
    let (w_29: i32) = add.i32 r_9 s_14
    let (w_30: i32) = add.i32 w_29 t_17
    let (w_31: i32) = add.i32 w_30 u_19
    let (w_32: i32) = add.i32 w_31 v_24
    in (w_32)
  }
  in (rs_5)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i64) (ys_2: [n_0]i32) (zs_3: [n_0]i32) : (rs_4: [n_0]i32) = {
//   let (rs_5: [n_0]i32) = kernel (i_6 < n_0) {
//     let (x_7: i64) = index xs_1[i_6]
//     let (c_8: bool) = lt.i64 x_7 0i64
//     let (y_10: i32) = index ys_2[i_6]
//     let (z_12: i32) = index zs_3[i_6]
//     let (r_9: i32) = if c_8 {
//       let (a_11: i32) = add.i32 y_10 1i32
//       in (a_11)
//     } else {
//       in (z_12)
//     }
//     let (d_13: bool) = lt.i64 i_6 3i64
//     let (s_14: i32) = if d_13 {
//       let (y_15: i32) = index ys_2[i_6]
//       in (y_15)
//     } else {
//       let (z_16: i32) = index zs_3[i_6]
//       in (z_16)
//     }
//     let (t_17: i32) = if c_8 {
//       let (y_18: i32) = index ys_2[i_6]
//       in (y_18)
//     } else {
//       in (s_14)
//     }
//     let (u_19: i32) = if c_8 {
//       let (y_20: i32) = index ys_2[i_6]
//       in (y_20)
//     } else {
//       let (k_21: i64) = mod.i64 x_7 4i64
//       let (e_22: bool) = lt.i64 k_21 n_0
//       let = assert e_22 "beyond"
//       let (z_23: i32) = index zs_3[k_21]
//       in (z_23)
//     }
//     let (v_24: i32) = if c_8 {
//       let (y_25: i32) = index ys_2[i_6]
//       in (y_25)
//     } else {
//       let (k_26: i64) = add.i64 i_6 1i64
//       let (f_27: bool) = lt.i64 k_26 n_0
//       let = assert f_27 "beyond"
//       let (z_28: i32) = index zs_3[k_26]
//       in (z_28)
//     }
//     let (w_29: i32) = add.i32 r_9 s_14
//     let (w_30: i32) = add.i32 w_29 t_17
//     let (w_31: i32) = add.i32 w_30 u_19
//     let (w_32: i32) = add.i32 w_31 v_24
//     in (w_32)
//   }
//   in (rs_5)
// }
