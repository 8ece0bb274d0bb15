// case: pass early-reads
// What is read of an array without contents stays in its branch: its cells may have no value.
entry main [n_0: i64] (ys_2: [n_0]i32) (c_3: i32) : (r_4: i32) = {
  let (u_5: [n_0]i32) = scratch [n_0] i32
  let (r_10: i32) = loop (x_11: i32 = c_3) for k_12: i64 < n_0 {
    let (odd_13: bool) = eq.i64 k_12 -1i64
    let (y_14: i32) = if odd_13 {
      let (e_15: i32) = index u_5[k_12]
      in (e_15)
    } else {
      let (e_19: i32) = index ys_2[k_12]
      in (e_19)
    }
    in (y_14)
  }
  in (r_10)
}
// ---
// entry main [n_0: i64] (ys_2: [n_0]i32) (c_3: i32) : (r_4: i32) = {
//   let (u_5: [n_0]i32) = scratch [n_0]i32
//   let (r_10: i32) = loop (x_11: i32 = c_3) for k_12: i64 < n_0 {
//     let (odd_13: bool) = eq.i64 k_12 -1i64
//     let (y_14: i32) = if odd_13 {
//       let (e_15: i32) = index u_5[k_12]
//       in (e_15)
//     } else {
//       let (e_19: i32) = index ys_2[k_12]
//       in (e_19)
//     }
//     in (y_14)
//   }
//   in (r_10)
// }
