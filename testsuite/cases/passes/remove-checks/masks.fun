// case: pass introduce-memory remove-checks
// A number has no bits but those of the mask that it is combined with, where that is not negative.
entry main [n_0: i64] (xs_1: [256i64]i32) (ks_2: [n_0]i64) (js_3: [n_0]i32) (m_4: i64) : (r_5: i32) (s_6: i32) = {
  let (r_7: i32) (s_8: i32) = kernel (i_9 < n_0) reduce \(a_10: i32) (c_11: i32) (b_12: i32) (d_13: i32) : i32, i32 {
    let (e_14: i32) = add.i32 a_10 b_12
    let (f_15: i32) = add.i32 c_11 d_13
    in (e_14, f_15)
  } (0i32, 0i32) {
    let (k_16: i64) = index ks_2[i_9]
    let (j_17: i64) = and.i64 k_16 255i64
    let (x_18: bool) = le.i64 0i64 j_17
    let (x_19: bool) = lt.i64 j_17 256i64
    let (x_20: bool) = and.bool x_18 x_19
    let = assert x_20 "below 256"
    let (e_21: i32) = index xs_1[j_17]
    let (k_22: i32) = index js_3[i_9]
    let (j_23: i32) = and.i32 127i32 k_22
    let (j_24: i64) = convert.i64.i32 j_23
    let (x_25: bool) = le.i64 0i64 j_24
    let (x_26: bool) = lt.i64 j_24 128i64
    let (x_27: bool) = and.bool x_25 x_26
    let = assert x_27 "below 128"
    let (e_28: i32) = index xs_1[j_24]
    let (j_29: i64) = and.i64 k_16 m_4
    let (x_30: bool) = lt.i64 j_29 256i64
    let = assert x_30 "of any mask"
    in (e_21, e_28)
  }
  in (r_7, s_8)
}
// ---
// entry main [n_0: i64] [xs_mem_31: mem] (xs_1: [256i64]i32 @ xs_mem_31 -> 0 + {(256 : 1)}) [ks_mem_32: mem] (ks_2: [n_0]i64 @ ks_mem_32 -> 0 + {(n_0 : 1)}) [js_mem_33: mem] (js_3: [n_0]i32 @ js_mem_33 -> 0 + {(n_0 : 1)}) (m_4: i64) : (r_5: i32) (s_6: i32) = {
//   let (r_7: i32) (s_8: i32) = kernel (i_9 < n_0) reduce \(a_10: i32) (c_11: i32) (b_12: i32) (d_13: i32) : i32, i32 {
//     let (e_14: i32) = add.i32 a_10 b_12
//     let (f_15: i32) = add.i32 c_11 d_13
//     in (e_14, f_15)
//   } (0i32, 0i32) {
//     let (k_16: i64) = index ks_2[i_9]
//     let (j_17: i64) = and.i64 k_16 255i64
//     let (x_18: bool) = le.i64 0i64 j_17
//     let (x_19: bool) = lt.i64 j_17 256i64
//     let (x_20: bool) = and.bool x_18 x_19
//     let (e_21: i32) = index xs_1[j_17]
//     let (k_22: i32) = index js_3[i_9]
//     let (j_23: i32) = and.i32 127i32 k_22
//     let (j_24: i64) = convert.i64.i32 j_23
//     let (x_25: bool) = le.i64 0i64 j_24
//     let (x_26: bool) = lt.i64 j_24 128i64
//     let (x_27: bool) = and.bool x_25 x_26
//     let (e_28: i32) = index xs_1[j_24]
//     let (j_29: i64) = and.i64 k_16 m_4
//     let (x_30: bool) = lt.i64 j_29 256i64
//     let = assert x_30 "of any mask"
//     in (e_21, e_28)
//   }
//   in (r_7, s_8)
// }
