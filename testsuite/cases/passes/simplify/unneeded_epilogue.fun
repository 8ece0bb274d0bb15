// case: pass simplify
// Nobody needs the first result of the epilogue, which alone needs the first sums; these the second do not need.
entry main [n_0: i64] (xs_1: [n_0]i32) : (t_2: [n_0]i32) = {
  let (a_3: [n_0]i32) (b_4: [n_0]i32) = kernel (i_5 < n_0) scan \(a_6: i32) (b_7: i32) (c_8: i32) (d_9: i32) : i32, i32 {
    let (x_10: i32) = add.i32 a_6 c_8
    let (y_11: i32) = mul.i32 b_7 d_9
    in (x_10, y_11)
  } (0i32, 1i32) then \(s_12: i32) (p_13: i32) : i32, i32 {
    let (e_14: i32) = index xs_1[i_5]
    let (u_15: i32) = sub.i32 s_12 e_14
    let (v_16: i32) = add.i32 p_13 7i32
    in (u_15, v_16)
  } {
    let (x_17: i32) = index xs_1[i_5]
    in (x_17, x_17)
  }
  in (b_4)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (t_2: [n_0]i32) = {
//   let (b_4: [n_0]i32) = kernel (i_5 < n_0) scan \(b_7: i32) (d_9: i32) : i32 {
//     let (y_11: i32) = mul.i32 b_7 d_9
//     in (y_11)
//   } (1i32) then \(p_13: i32) : i32 {
//     let (v_16: i32) = add.i32 p_13 7i32
//     in (v_16)
//   } {
//     let (x_17: i32) = index xs_1[i_5]
//     in (x_17)
//   }
//   in (b_4)
// }
